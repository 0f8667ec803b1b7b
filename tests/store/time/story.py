"""What was done, as data: a story plays on a store, and is replayed without one.

Times are whole days counted from 1 January 2026. `Replay` keeps for each memory one line:
which word it says for which days. It knows nothing of versions, closings or SQL.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from store import Draft
from store.access.curator import CuratorView
from store.model import Written
from tests.conftest import SteppingClock

ORIGIN = datetime(2026, 1, 1, tzinfo=UTC)
FIRST, LAST = -1000, 1000
"""Stand for open ends: no story reaches them."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act on day `at`. `names`: the memories by the names of the story, a merge's result
    first. `begin` is the start of truth, or the `since` of a correction."""

    at: int
    verb: str
    names: tuple[str, ...]
    word: str = ""
    begin: int | None = None
    end: int | None = None
    expires: int | None = None


def sentence(word: str) -> str:
    return f"The anchor berth is {word}"


def word_of(text: str) -> str:
    return text.rsplit(maxsplit=1)[-1]


# --- on a store -------------------------------------------------------------------------


@dataclass(slots=True)
class Player:
    """Plays acts on a store; `ids` knows the memories by their names in the story."""

    me: CuratorView
    clock: SteppingClock
    scope: str = "project/a"
    origin: datetime = ORIGIN
    """When the story's day 0 was."""
    ids: dict[str, str] = field(default_factory=dict)
    events: dict[int, int | None] = field(default_factory=dict)

    def play(self, acts: Iterable[Act]) -> None:
        for act in acts:
            self.clock.now = self.on(act.at)
            written = self._do(act)
            if written is not None:
                assert written.outcome == "stored", (act, written)
                self.events[act.at] = written.event

    def on(self, day: float) -> datetime:
        """The time of a day; a fraction below a whole one is the microsecond before it."""
        whole = round(day)
        return self.origin + timedelta(days=whole, microseconds=-1 if day < whole else 0)

    def _do(self, act: Act) -> Written | None:
        name = act.names[0]
        since = None if act.begin is None else self.on(act.begin)
        if act.verb == "remember":
            end = None if act.end is None else self.on(act.end)
            expires = None if act.expires is None else self.on(act.expires)
            text = sentence(act.word)
            written = self.me.remember(
                Draft(text, self.scope, valid_from=since, valid_to=end, expires_at=expires)
            )
            self.ids[name] = str(written.id)
        elif act.verb == "correct":
            written = self.me.correct(self.ids[name], sentence(act.word), since=since)
        elif act.verb == "merge":
            sources = [self.ids[n] for n in act.names[1:]]
            written = self.me.merge(sources, sentence(act.word))
            self.ids[name] = str(written.id)
        elif act.verb == "forget":
            self.me.forget()
            return None
        elif act.verb == "undo":
            written = self.me.undo(self.events[act.begin or 0])
        elif act.verb == "reject":
            seen = self.me.chain(self.ids[name])[-1].memory.version
            written = self.me.reject(self.ids[name], expect=seen)
        else:
            written = getattr(self.me, act.verb)(self.ids[name])
        return written


# --- without one ------------------------------------------------------------------------


@dataclass(slots=True)
class Line:
    """What one memory says: a word for each span of days, later spans over earlier ones."""

    spans: list[tuple[int, int, str | None]] = field(default_factory=list)
    begin: int = FIRST
    end: int = LAST
    """What its newest text claims."""
    word: str = ""
    live: bool = False
    over: int | None = None
    """The day from which it says nothing at all, whatever was announced."""
    parts: tuple[str, ...] = ()
    whole: str | None = None
    """The memory it was merged into."""
    kept_out: bool = False
    """A tombstone keeps its word from coming back."""

    def claim(self, begin: int, end: int, word: str) -> None:
        self.begin, self.end, self.word, self.live, self.over = begin, end, word, True, None
        self.kept_out = False
        self.spans.append((begin, end, word))

    def close(self, over: int | None) -> None:
        self.spans.append((self.begin, self.end, None))
        self.live, self.over = False, over

    def copy(self) -> Line:
        return replace(self, spans=list(self.spans))

    def says(self, day: float) -> str | None:
        if self.over is not None and day >= self.over:
            return None
        said = [word for begin, end, word in self.spans if begin <= day < end]
        return said[-1] if said else None


@dataclass(slots=True)
class Replay:
    """The story as far as it is known on a day."""

    lines: dict[str, Line] = field(default_factory=dict)
    before: dict[int, dict[str, Line]] = field(default_factory=dict)

    def says(self, day: float) -> dict[str, str]:
        said = {name: line.says(day) for name, line in self.lines.items()}
        return {name: word for name, word in said.items() if word is not None}

    def tell(self, act: Act) -> None:
        self.before[act.at] = {name: line.copy() for name, line in self.lines.items()}
        getattr(self, f"_{act.verb}")(act, act.names[0])

    def _remember(self, act: Act, name: str) -> None:
        line = self.lines[name] = Line()
        begin = FIRST if act.begin is None else act.begin
        line.claim(begin, LAST if act.end is None else act.end, act.word)

    def _correct(self, act: Act, name: str) -> None:
        line = self.lines[name]
        line.claim(line.begin if act.begin is None else act.begin, line.end, act.word)

    def _retire(self, act: Act, name: str) -> None:
        self.lines[name].close(act.at)

    def _reject(self, act: Act, name: str) -> None:
        self._retire(act, name)
        self.lines[name].kept_out = True

    def _forget(self, act: Act, name: str) -> None:
        self._retire(act, name)

    def _restore(self, act: Act, name: str) -> None:
        line = self.lines[name]
        line.claim(line.begin, line.end, line.word)

    def _merge(self, act: Act, name: str) -> None:
        parts = [self.lines[n] for n in act.names[1:]]
        line = self.lines[name] = Line(parts=act.names[1:])
        line.claim(max(p.begin for p in parts), min(p.end for p in parts), act.word)
        for part in parts:
            part.close(None)
            part.whole = name

    def _unmerge(self, act: Act, name: str) -> None:
        self.lines[name].close(act.at)
        for part in self.lines[name].parts:
            self._restore(act, part)
            self.lines[part].whole = None

    def _undo(self, act: Act, name: str) -> None:
        """Corrections as if they had not been; what is written is closed, what is closed is
        written again."""
        undone = act.word
        if undone in ("remember", "restore"):
            self._retire(act, name)
        elif undone in ("retire", "reject"):
            self._restore(act, name)
        elif undone == "merge":
            self._unmerge(act, name)
        elif undone == "unmerge":
            self._restore(act, name)
            for part in self.lines[name].parts:
                self.lines[part].close(None)
                self.lines[part].whole = name
        else:
            self.lines[name] = self.before[act.begin or 0][name].copy()
