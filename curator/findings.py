"""What is worth a look in a store, in words: the same for the Health place, `stats`, `doctor`.

A finding says what the figures say and no more; where nothing stands out the list is empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from store.model import ScopeCount
    from store.vitals import Health


@dataclass(frozen=True, slots=True)
class Finding:
    """`text` may hold words of the store, raw. `goes`: a place, `? query` in Search, `triage:x` for
    the memories that a figure counts, or `do:x` for what the app does about it."""

    text: str
    urgent: bool
    goes: str = ""
    does: str = ""
    """What `enter` does, in one word."""
    command: str = ""
    """What does it on the command line, where the app's own way is no help there."""

    @property
    def whole(self) -> str:
        """With the command, for the command line."""
        return f"{self.text}: {self.command}" if self.command else self.text


def findings(health: Health) -> tuple[Finding, ...]:
    """Urgent ones first."""
    found = [*_of_the_machine(health), *_of_scopes(health), *_of_memories(health)]
    return tuple(sorted(found, key=lambda one: not one.urgent))


def _of_the_machine(health: Health) -> list[Finding]:
    stats, copies = health.stats, health.copies
    found = []
    if stats.keyword_only:
        said = f"Search is by keyword only: {stats.keyword_only}"
        found.append(Finding(said, True, "do:reembed", "how"))
    if stats.vectors_missing:
        said = f"{_many(stats.vectors_missing, 'version')} found by their words only: no vector yet"
        found.append(Finding(said, True, "do:reembed", "make"))
    if copies is not None and copies.last_backup is None and stats.memories:
        said = "No backup was ever made"
        if copies.made:
            said = f"No backup was ever made, only {_many(copies.made, 'export')}"
        found.append(Finding(said, False, "do:backup", "back up", "curator backup FILE"))
    if health.questions_moved:
        said = f"{_many(health.questions_moved, 'standing question')} of {health.questions}"
        rest = "rests" if health.questions_moved == 1 else "rest"
        said += f" {rest} on what has changed since"
        found.append(Finding(said, True, command="curator questions"))
    return found


def _of_scopes(health: Health) -> list[Finding]:
    return [
        Finding(
            f"Two scopes look alike: {first.path} ({first.live:,}) and {second.path} "
            f"({second.live:,}); {differs(first, second)}",
            True,
            f'? scope:"{first.path}" scope:"{second.path}"',
            "list",
        )
        for first, second in health.look_alikes
    ]


def _of_memories(health: Health) -> list[Finding]:
    by_trust = health.stats.by_trust
    disputed, quarantined = by_trust.get("disputed", 0), by_trust.get("quarantined", 0)
    unreviewed = by_trust.get("unreviewed", 0)
    found = []
    if health.unchecked:
        said = f"{_many(health.unchecked, 'verified fact')} not checked for a year"
        found.append(Finding(said, True, "triage:unchecked", "triage"))
    if disputed:
        said = f"{_memories(disputed)} disputed: a person doubts it, or two contradict"
        found.append(Finding(said, True, "? trust:disputed", "list"))
    if health.duplicates:
        said = f"{_memories(health.duplicates)} say word for word what another one says"
        found.append(Finding(said, False, "triage:duplicates", "triage"))
    if quarantined:
        said = f"{_memories(quarantined)} quarantined, nobody recalls them"
        if health.quarantined_long:
            said = f"{health.quarantined_long:,} of {quarantined:,} quarantined for over 30 d"
        found.append(Finding(said, bool(health.quarantined_long), "? trust:quarantined", "list"))
    if unreviewed and unreviewed * 2 > health.stats.live:
        share = round(100 * unreviewed / health.stats.live)
        said = f"{share} % were never reviewed by a person ({unreviewed:,})"
        found.append(Finding(said, False, "triage:unreviewed", "triage"))
    if health.never_recalled and health.recalled:  # where no agent asks, it says nothing of them
        known = f"{_memories(health.never_recalled)} known here for 90 d"
        said = f"{known} that no agent was ever shown"
        found.append(Finding(said, False, "triage:never_recalled", "triage"))
    return found


def differs(first: ScopeCount, second: ScopeCount) -> str:
    """Why two names that look alike are two."""
    one, other = first.path, second.path
    if one.casefold() == other.casefold():
        return "only case differs"
    if _letters(one) == _letters(other):
        return "only signs differ"
    if _letters(one).casefold() == _letters(other).casefold():
        return "case and signs differ"
    return "other letters that look the same"


def _letters(path: str) -> str:
    return "".join(letter for letter in path if letter.isalnum())


def _many(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def _memories(n: int) -> str:
    return "1 memory" if n == 1 else f"{n:,} memories"
