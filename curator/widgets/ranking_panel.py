"""The constants of the ranking, changed by left and right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType

from curator.keys import bindings
from curator.widgets.page_view import PageView
from curator.widgets.told import Told


class RankingPanel(PageView):
    """A page of constants; the one under the cursor is stepped."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("constant")

    @dataclass
    class Stepped(Told):
        """A constant is to go so many steps up or down."""

        widget: RankingPanel
        name: str
        steps: int

    def action_less(self) -> None:
        """One step down."""
        self._step(-1)

    def action_more(self) -> None:
        """One step up."""
        self._step(1)

    def action_open(self) -> None:
        """The next profile; the default again."""
        if self.stop_key in ("profile", "reset"):
            self._step(1)

    def _step(self, by: int) -> None:
        if (key := self.stop_key) is not None:
            self.post_message(self.Stepped(self, key, by))
