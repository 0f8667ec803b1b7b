"""The palette: places, acts of the screen, any memory, themes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from curator.keys import BY_ID, KEYS, Key

if TYPE_CHECKING:
    from curator.app import CuratorApp

_ROOMS = ("go", "memory", "search", "app")
_LEFT_OUT = ("app.palette", "app.back")
EXTRA: tuple[tuple[str, str, str], ...] = (
    ("archive or unarchive", "keep it, but out of ordinary answers", "action_archive"),
    ("why not…", "say of any memory what kept it out of this answer", "why_other"),
    ("policy of this scope…", "what is admitted, masked, held, logged here", "policy_of_scope"),
    ("go to a memory…", "by the first letters of its id, or by its words", "go_to_memory"),
)
"""What has no key: words, what it does, the screen's method, or the app's."""
_OF_APP: tuple[tuple[str, str, str], ...] = (
    ("consolidate…", "look for what says the same or contradicts; it only proposes", "consolidate"),
    ("import…", "another program's memories, or an export; a dry run first", "import"),
    ("export…", "everything or a scope to a file, or a page for people", "export"),
    ("copy…", "everything into another, empty store, each row compared", "copy_store"),
    ("back up…", "the whole store as one file, while it is in use", "back_up"),
)
"""What has no key and is the app's, whatever place is shown: words, what it does, the action."""


class CuratorCommands(Provider):
    """Every key that works here, by its words; then what has no key."""

    @property
    def _curator(self) -> CuratorApp:
        return cast("CuratorApp", self.app)

    def _all(self) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        for words, does, method in EXTRA:
            act = getattr(self.screen, method, None) or getattr(self.app, method, None)
            if act is not None:
                yield words, does, act
        for words, does, action in _OF_APP:
            yield words, does, getattr(self._curator, f"action_{action}")
        for key in KEYS:
            if key.room in _ROOMS and key.id not in _LEFT_OUT and self._works_here(key):
                shown = self._curator.keymap_read.shown(key.id)
                yield _words(key), f"key {shown}", partial(self._press, key.id)
        for name in sorted(self.app.available_themes):
            yield f"theme {name}", "colours of the whole program", partial(self._dress, name)

    def _works_here(self, key: Key) -> bool:
        action = key.binding_action
        at_screen = action.startswith("screen.") or key.room not in ("go", "app")
        name = action.removeprefix("screen.").partition("(")[0]
        return hasattr(self.screen if at_screen else self.app, f"action_{name}")

    async def _press(self, id: str) -> None:
        key = BY_ID[id]
        owner = self.app if key.room in ("go", "app") else self.screen
        await self.app.run_action(key.binding_action, owner)

    def _dress(self, name: str) -> None:
        self.app.theme = name

    async def discover(self) -> Hits:
        """See `Provider`: everything, before a letter is typed."""
        for words, does, act in self._all():
            yield DiscoveryHit(words, act, help=does)

    async def search(self, query: str) -> Hits:
        """See `Provider`."""
        matcher = self.matcher(query)
        for words, does, act in self._all():
            if (score := matcher.match(words)) > 0:
                yield Hit(score, matcher.highlight(words), act, help=does)


def _words(key: Key) -> str:
    return f"go to {key.word}" if key.room == "go" else key.does
