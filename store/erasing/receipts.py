"""What an erase says before and after: counts, places and ids, never a word or a hash of a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from store.model import Memory


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A copy outside the store that may hold the text: `what` it is and where, `when` it was
    made. `path`: of an export the log knows, else None."""

    what: str
    when: datetime | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What an erase would destroy. Nothing was changed."""

    memories: tuple[Memory, ...]
    """The newest version of each."""
    versions: int
    derived: tuple[Memory, ...]
    """Memories that came of them, or that they came of by a merge or a move; not among them."""
    proposals: int
    details: int
    """Details of the audit log that are redacted; its chain stays intact."""
    tombstones: int
    """Whose text goes; their keyed fingerprints stay."""
    others: Mapping[str, int]
    """Rows of further tables that repeat the text or a word only it has, by table."""
    words: int
    words_elsewhere: int
    shown: int
    """How often agents were shown them."""
    unreachable: tuple[Unreachable, ...]
    same: tuple[Memory, ...] = ()
    """Other memories that say the same, letter case and spaces aside. They stay, and their words
    with them."""
    keeping_out: int = 0
    """Tombstones among them that nobody lifted: they go on keeping the value out."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """One place that was searched byte by byte. `found` counts what is left of the texts."""

    where: str
    bytes: int
    found: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was erased, what was searched for it, what could not be reached."""

    erased: tuple[tuple[str, int], ...]
    """(id, versions) of each memory."""
    proposals: tuple[int, ...]
    """Proposals that were erased by their number."""
    scanned: tuple[Scanned, ...]
    words: int
    words_elsewhere: int
    """How many of the words other memories have too; those were left where they are."""
    redacted: int
    """Details of the log taken out."""
    unreachable: tuple[Unreachable, ...]
    event: int
    """The last erase event; the receipt follows it in the log."""
    head: str
    """Hash of the log's last event."""
    at: datetime
    by: str
    pending: str | None = None
    """Why the files are not rid of the bytes yet; None when they are."""
    cleaned: bool = False
    """The whole store was written anew, because it held old bytes of deleted rows."""

    @property
    def said_elsewhere(self) -> bool:
        """Whether other memories hold every word of it, so that none of them could be searched
        for: then the text may still stand there."""
        return 0 < self.words == self.words_elsewhere

    @property
    def found(self) -> int:
        return sum(one.found for one in self.scanned)

    @property
    def done(self) -> bool:
        """Nothing is left in what was searched, and nothing waits."""
        return self.pending is None and not self.found
