"""A line for a scope: typed, or chosen with the arrows among those that the store knows."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events, on
from textual.widgets import Input

from store.model import ScopeCount
from store.scopes import covers

_STEPS = {"down": 1, "up": -1}


def narrower(scopes: Sequence[ScopeCount], wide: str, first: str | None) -> tuple[str, ...]:
    """The scopes in which another text can stand in place of one of `wide`: none that lies
    above it. `first`: the scope one is in, before all others."""
    paths = [one.path for one in scopes if not covers(one.path, wide)]
    if first is not None and not covers(first, wide):
        paths.insert(0, first)
    below = sorted(dict.fromkeys(paths), key=lambda path: (path != first, not covers(wide, path)))
    return tuple(below)


class ScopeField(Input):
    """`down` and `up` go through the offers that hold the letters typed."""

    def __init__(self, value: str, *, id: str) -> None:
        super().__init__(value, id=id, compact=True, classes="field")
        self.cursor_blink = False
        self.offers: tuple[str, ...] = ()
        self._letters = self._put = ""

    @on(Input.Changed)
    def _typed(self) -> None:
        if self.value != self._put:
            self._letters, self._put = self.value, ""

    def on_key(self, event: events.Key) -> None:
        """The arrows that a line of its own has no use for."""
        step = _STEPS.get(event.key)
        if step is None:
            return
        event.stop()
        fitting = [one for one in self.offers if self._letters.casefold() in one.casefold()]
        if fitting:
            at = fitting.index(self.value) + step if self.value in fitting else min(0, step)
            self._put = fitting[at % len(fitting)]
            self.value = self._put
            self.cursor_position = len(self.value)
