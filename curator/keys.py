"""Every key of the program as data (visual.md §7): bindings, footer, README and the user's keymap.

An id is `room.verb`, the same word in key, palette, toast and log. Bindings are handed out by
room (`bindings("memory")`), so a screen or widget declares no key of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from textual.binding import Binding, BindingType
from textual.keys import format_key

from curator.keynames import NotAKeyError, key_names
from curator.places import PLACES


class Place(StrEnum):
    """Where a key works; the words of the README's first column."""

    EVERYWHERE = "everywhere"
    MEMORY = "on a memory"
    SEARCH = "Search"
    REVIEW = "Review"
    TRIAGE = "Triage"
    RECALLS = "Recalls"
    TOMBSTONES = "Tombstones"
    AUDIT = "Audit"
    HEALTH = "Health"


@dataclass(frozen=True, slots=True)
class Key:
    """One thing a key does. `keys` is a comma-separated list; the first is the one shown."""

    id: str
    keys: str
    word: str
    """For the footer."""
    does: str
    """For README, help and tooltip."""
    place: Place = Place.EVERYWHERE
    action: str = ""
    """Textual action; empty means the verb of the id."""

    @property
    def room(self) -> str:
        return self.id.partition(".")[0]

    @property
    def binding_action(self) -> str:
        return self.action or self.id.partition(".")[2]


def _go(number: int, name: str) -> Key:
    return Key(f"go.{name.lower()}", str(number), name, name, action=f"go('{name.lower()}')")


M, S, R = Place.MEMORY, Place.SEARCH, Place.REVIEW

_ALL: tuple[Key, ...] = (
    *(_go(place.number, place.name) for place in PLACES),
    Key("app.palette", "ctrl+p", "palette", "palette", action="command_palette"),
    Key("app.keys", "?", "all keys", "all keys"),
    Key("app.quit", "q", "quit", "quit"),
    Key("app.back", "escape", "back", "back", action="screen.leave"),
    Key("app.undo", "u", "undo", "undo", action="screen.undo"),
    Key("app.scope", "S", "scope", "scope", action="screen.scope"),
    Key("pane.next", "tab", "pane", "next pane"),
    Key("pane.previous", "shift+tab", "pane", "previous pane"),
    Key("pane.enlarge", "z", "enlarge", "enlarge"),
    Key("query.focus", "/", "search", "search or filter", action="focus_query"),
    Key("typing.leave", "down", "results", "move into the results"),
    Key("list.down", "j,down", "next", "move down"),
    Key("list.up", "k,up", "previous", "move up"),
    Key("list.first", "g,home", "first", "go to the first"),
    Key("list.last", "G,end", "last", "go to the last"),
    Key("list.half_down", "ctrl+d,pagedown", "half page", "half a page down"),
    Key("list.half_up", "ctrl+u,pageup", "half page", "half a page up"),
    Key("list.open", "enter", "open", "open"),
    Key("list.mark", "space", "mark", "mark"),
    Key("tab.previous", "[", "tab", "previous tab", action="previous_tab"),
    Key("tab.next", "]", "tab", "next tab", action="next_tab"),
    Key("memory.copy", "y", "copy", "copy"),
    Key("memory.save", "Y", "save", "save to a file"),
    Key("memory.verify", "v", "verify", "verify", M),
    Key("memory.dispute", "d", "dispute", "dispute", M),
    Key("memory.quarantine", "Q", "quarantine", "quarantine or release", M),
    Key("memory.edit", "e", "edit", "edit (correct or change)", M),
    Key("memory.retire", "r", "retire", "retire", M),
    Key("memory.restore", "o", "restore", "restore", M),
    Key("memory.reject", "R", "reject", "reject", M),
    Key("memory.erase", "E", "erase", "erase", M),
    Key("memory.pin", "b", "pin", "pin or unpin", M),
    Key("memory.chain", "c", "chain", "chain", M),
    Key("memory.why", "x", "why not", "why, why not", M),
    Key("memory.told", "p", "who was told", "who was told", M),
    Key("memory.compare", "m", "compare", "compare", M),
    Key("memory.merge", "M", "merge", "merge or unmerge", M),
    Key("search.facets", "f", "facets", "filter by facet", S),
    Key("search.saved", "F", "saved", "saved searches", S),
    Key("search.held_back", "w", "held back", "held back", S),
    Key("search.ranking", "=", "ranking", "ranking", S),
    Key("search.moment", "t", "other moment", "other moment", S),
    Key("search.now", "N", "back to now", "back to now", S),
    Key("constant.less", "left", "less", "less of a constant", S),
    Key("constant.more", "right", "more", "more of a constant", S),
    Key("review.approve", "a", "approve", "approve", R),
    Key("review.edit", "e", "edit, then approve", "edit then approve", R),
    Key("review.decline", "n", "decline", "decline", R),
    Key("review.tombstone", "T", "decline + tombstone", "decline and tombstone", R),
    Key("review.snooze", "s", "snooze", "snooze", R),
    Key("review.approve_all", "A", "all like this", "approve all like this", R),
    Key("review.impact", "i", "impact", "impact", R),
    Key("triage.later", "s", "later", "snooze: later", Place.TRIAGE),
    Key("triage.back", "k", "back", "move back to the one before", Place.TRIAGE),
    Key("recalls.agent", "f", "agents", "filter by agent", Place.RECALLS),
    Key("recalls.erase", "E", "erase the recall", "erase the recall", Place.RECALLS),
    Key("tombstones.lift", "L", "lift", "lift", Place.TOMBSTONES),
    Key("audit.verify", "V", "verify the log", "verify the log", Place.AUDIT),
    Key("audit.actor", "f", "actors", "filter by actor", Place.AUDIT),
    Key("audit.undo", "u", "undo this act", "undo this act", Place.AUDIT),
    Key("health.verify", "V", "verify the log", "verify the log", Place.HEALTH),
    Key("health.backup", "B", "back up", "back up", Place.HEALTH),
    Key("health.reembed", "X", "re-embed", "re-embed", Place.HEALTH),
    Key("health.scope", "f", "filter by scope", "filter by scope", Place.HEALTH),
)
_NOT_OFFERED = {Place.RECALLS, Place.HEALTH} - {place.name for place in PLACES}
KEYS: tuple[Key, ...] = tuple(key for key in _ALL if key.place not in _NOT_OFFERED)
"""Without those of places that are not built."""
BY_ID: Mapping[str, Key] = {key.id: key for key in KEYS}

_HAS_MEMORY = {Place.SEARCH, Place.RECALLS, Place.TRIAGE}
CONTEXTS: Mapping[Place, tuple[Place, ...]] = {
    place: (Place.EVERYWHERE, *((M,) if place in _HAS_MEMORY else ()), place)
    for place in Place
    if place not in (Place.EVERYWHERE, M)
}
"""Which rows of the table are in force at once."""


@dataclass(frozen=True, slots=True)
class Keymap:
    """The user's changes that can be used (`App.set_keymap`), and what is wrong with the rest."""

    changes: Mapping[str, str]
    problems: tuple[str, ...] = ()

    def names(self, id: str) -> tuple[str, ...]:
        """Textual's names of the keys in force for an id."""
        return key_names(self.changes.get(id, BY_ID[id].keys))

    def shown(self, id: str) -> str:
        """The first key in force for an id, as a person writes it."""
        return _shown(self.names(id)[0])


DEFAULT_KEYMAP = Keymap({})


@dataclass(frozen=True, slots=True)
class Hint:
    """One key of the footer."""

    id: str
    key: str
    word: str
    enabled: bool = True


def bindings(*rooms: str) -> list[BindingType]:
    """Textual bindings of whole rooms, each with id, description and tooltip."""
    return [
        Binding(key.keys, key.binding_action, key.word, tooltip=key.does, id=key.id)
        for key in KEYS
        if key.room in rooms
    ]


def binding(id: str, action: str = "") -> BindingType:
    """One key with another action: a dialog's own `esc`."""
    key = BY_ID[id]
    return Binding(key.keys, action or key.binding_action, key.word, tooltip=key.does, id=id)


def names_of(id: str, keymap: Keymap = DEFAULT_KEYMAP) -> tuple[str, ...]:
    """Every key in force for an id, as a person writes it."""
    return tuple(_shown(name) for name in keymap.names(id))


def hints(
    ids: Iterable[str],
    keymap: Keymap = DEFAULT_KEYMAP,
    *,
    disabled: Iterable[str] = (),
    words: Mapping[str, str] | None = None,
) -> tuple[Hint, ...]:
    """Footer entries of binding ids in this order; `words` may shorten some.

    Two ids in one string share an entry, `"list.down list.up"` is `j k next`; the first
    gives id and word.
    """
    off, short = frozenset(disabled), words or {}
    found = []
    for entry in ids:
        first, *more = entry.split()
        key = " ".join(keymap.shown(id) for id in (first, *more))
        found.append(Hint(first, key, short.get(first, BY_ID[first].word), first not in off))
    return tuple(found)


def read_keymap(wanted: Mapping[str, str]) -> Keymap:
    """Check the `[keys]` of the settings; what is wrong is left out and told.

    Textual says nothing about an unknown id, and when a key is moved onto another's, the
    other one silently loses it. So ids, key names and clashes are checked here.
    """
    if not wanted:
        return DEFAULT_KEYMAP  # nothing to check, and that is what most people start with
    problems: list[str] = []
    changes: dict[str, str] = {}
    for id, keys in wanted.items():
        if id not in BY_ID:
            problems.append(f"keys: {id!r} is not known{_nearest(id)}")
            continue
        try:
            changes[id] = ",".join(key_names(keys))
        except NotAKeyError as error:
            problems.append(f"keys: {id} = {keys!r}: {error}")
    while clash := _clash(changes):
        id, other, key = clash
        mine, its = BY_ID[id], BY_ID[other]
        problems.append(
            f"keys: {id} = {_shown(key)!r} is already {other} ({its.does}, {its.place}); "
            f"{id} keeps {_shown(key_names(mine.keys)[0])!r}"
        )
        del changes[id]
    return Keymap(changes, tuple(problems))


def _nearest(id: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(id, BY_ID, n=1)
    return f"; did you mean {near[0]!r}?" if near else "; README lists all ids"


def _clash(changes: Mapping[str, str]) -> tuple[str, str, str] | None:
    """(changed id, id it clashes with, key) of the first clash that is not there by design."""
    by_design = {frozenset(pair) for ids in _sharing({}).values() for pair in combinations(ids, 2)}
    for (_, key), ids in _sharing(changes).items():
        for one, other in combinations(ids, 2):
            if frozenset((one, other)) not in by_design:
                return (one, other, key) if one in changes else (other, one, key)
    return None


def _sharing(changes: Mapping[str, str]) -> dict[tuple[Place, str], list[str]]:
    """Binding ids by (context, key), only where several share it."""
    users: dict[tuple[Place, str], list[str]] = {}
    for context, places in CONTEXTS.items():
        for key in KEYS:
            if key.place in places:
                for name in key_names(changes.get(key.id, key.keys)):
                    users.setdefault((context, name), []).append(key.id)
    return {where: ids for where, ids in users.items() if len(ids) > 1}


def readme_table() -> str:
    """The key table of the README, in Markdown; a test compares it with the file."""
    rows = ["| where | keys |", "|---|---|"]
    for place in Place:
        cells = [f"{_written(key)} {key.does}" for key in KEYS if key.place == place]
        rows += [f"| {place} | {', '.join(cells)} |"] if cells else []
    return "\n".join(rows)


def _written(key: Key) -> str:
    return " ".join(f"`{_shown(name)}`" for name in key_names(key.keys))


_OWN_NAMES = {
    **{name: name for name in ("enter", "up", "down", "left", "right")},
    "pageup": "pgup",
    "pagedown": "pgdn",
}


def _shown(name: str) -> str:
    return _OWN_NAMES.get(name) or format_key(name)
