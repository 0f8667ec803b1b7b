"""The footer of the Search place: which keys, in which words, and which are off."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from textual.binding import Binding

from curator import acts, keys
from curator.keys import Hint

if TYPE_CHECKING:
    from curator.screens.search import SearchScreen

_QUERY = ("list.open", "app.back", "pane.next", "app.palette", "app.scope")
_LIST = (
    *("query.focus", "list.mark", "memory.why", "memory.chain", "memory.verify"),
    *("memory.dispute", "memory.edit", "memory.retire", "app.undo", "search.ranking", "app.keys"),
)
_LIST_SHORT = (
    *("list.open", "search.facets", "memory.why", "memory.verify", "memory.edit"),
    *("memory.retire", "app.undo", "app.keys"),
)
_CARD = (
    *("app.back", "tab.next", "list.down", "memory.verify", "memory.edit", "memory.retire"),
    *("memory.chain", "memory.why", "memory.copy", "app.undo", "app.keys"),
)
_FACETS = ("list.open", "list.down", "app.back", "pane.next", "app.keys")
_WORDS = {"pane.next": "next pane", "app.back": "results", "list.down": "move"}
_VERBS = {
    "memory.verify": "verify",
    "memory.dispute": "dispute",
    "memory.edit": "correct",
    "memory.retire": "retire",
    "memory.restore": "restore",
}


def hints(screen: SearchScreen) -> tuple[Hint, ...]:
    """For the pane that has the focus."""
    keymap = screen.curator.keymap_read
    if screen.query_bar.typing:
        return keys.hints(_QUERY, keymap, words={**_WORDS, "list.open": "results"})
    if screen.facets.has_focus:
        return keys.hints(_FACETS, keymap, words={**_WORDS, "list.open": "on or off"})
    ids = _CARD if screen.card_has_focus else _LIST if screen.size.width >= 100 else _LIST_SHORT
    words = {**_WORDS, "list.open": "card", "tab.next": "tab"}
    if not screen.card_has_focus:
        words["app.back"] = "back"
    subjects = screen.subjects
    off = [
        id
        for id, verb in _VERBS.items()
        if subjects and all(acts.refusal(verb, one) is not None for one in subjects)
    ]
    if "memory.retire" in off and "memory.restore" not in off:
        ids = tuple("memory.restore" if id == "memory.retire" else id for id in ids)
    return keys.hints(ids, keymap, disabled=off, words=words)


async def press(screen: SearchScreen, hint: Hint) -> None:
    """A key of the footer was clicked: do what it does where the focus is."""
    name = screen.curator.keymap_read.names(hint.id)[0]
    for binding in _in_force(screen, name):
        if binding.id == hint.id:
            node = screen.active_bindings[name].node
            await screen.app.run_action(binding.action, node)
            return


def _in_force(screen: SearchScreen, key: str) -> list[Binding]:
    active = screen.active_bindings.get(key)
    return [] if active is None else [active.binding]


def store_name(location: str) -> str:
    """File name of a path, host and database of an address, never a password."""
    from curator.verbs.session import without_password

    if "://" in location:
        return without_password(location)
    return PurePath(location).name
