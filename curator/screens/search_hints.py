"""The footer of the Search place: which keys, in which words, and which are off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curator import keys
from curator.keys import Hint
from curator.views.status import is_ahead
from curator.widgets.key_footer import Folded

if TYPE_CHECKING:
    from curator.screens.search_panes import SearchPanes

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
_RANKING = ("constant.less", "constant.more", "list.down", "list.open", "app.back", "app.keys")
_PAST = (
    *("search.now", "query.focus", "memory.chain", "memory.why", "list.open", "pane.next"),
    "app.keys",
)
_OFF = ("memory.verify", "memory.dispute", "memory.edit", "memory.retire", "memory.reject")
_WORDS = {"pane.next": "next pane", "app.back": "results", "list.down": "move"}


def hints(screen: SearchPanes) -> tuple[Hint, ...]:
    """For the pane that has the focus."""
    keymap = screen.curator.keymap_read
    if screen.query_bar.typing:
        return keys.hints(_QUERY, keymap, words={**_WORDS, "list.open": "results"})
    if screen.facets.has_focus:
        return keys.hints(_FACETS, keymap, words={**_WORDS, "list.open": "on or off"})
    if screen.ranking.has_focus:
        return keys.hints(_RANKING, keymap, words={**_WORDS, "list.open": "next profile"})
    ids: tuple[str, ...] = (
        _CARD if screen.card_has_focus else _LIST if screen.size.width >= 100 else _LIST_SHORT
    )
    words = {**_WORDS, "list.open": "card", "tab.next": "tab"}
    if not screen.card_has_focus:
        words["app.back"] = "back"
    subjects = screen.subjects
    off = screen.acting.impossible(subjects)
    if "memory.retire" in off and "memory.restore" not in off:
        ids = tuple("memory.restore" if id == "memory.retire" else id for id in ids)
    return keys.hints(ids, keymap, disabled=off, words=words)


def past(screen: SearchPanes) -> tuple[tuple[Hint, ...], Folded]:
    """The footer of another moment: what can be looked at; acting in one bracket."""
    keymap = screen.curator.keymap_read
    words = {**_WORDS, "list.open": "card"}
    ahead = is_ahead(screen.finder.question.moment, screen.look.now)
    when = "ahead of time" if ahead else "in the past"
    folded = Folded(keys.hints(_OFF, keymap), f"acting is off {when}")
    return keys.hints(_PAST, keymap, words=words), folded
