"""What a person does to memories: when it is possible, doing it, and what is said afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from curator.views import numbers, standing
from store.errors import Conflict, StoreError
from store.model import ClosedAs, Memory, Outcome, Trust, Written

if TYPE_CHECKING:
    from store.access.curator import CuratorView

DONE = {
    "verify": "Verified",
    "dispute": "Disputed",
    "quarantine": "Quarantined",
    "release": "Released",
    "pin": "Pinned",
    "unpin": "Unpinned",
    "archive": "Archived",
    "unarchive": "Took out of the archive",
    "retire": "Retired",
    "restore": "Restored",
    "correct": "Corrected",
    "change": "Changed",
    "override": "Corrected in one scope",
    "reject": "Rejected",
    "merge": "Merged",
    "unmerge": "Unmerged",
}
_OF_THE_TEXT = ("verify", "dispute", "reject")
"""Verbs that judge what a text says, and so the newest text of a memory."""
UNDO = "u undoes"


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an act on one or several memories."""

    verb: str
    asked: int
    written: tuple[Written, ...]
    refused: tuple[tuple[Memory, StoreError], ...] = ()
    scope: str | None = None
    """With the counts of live memories in it, where an act changes them."""
    before: int = 0
    after: int = 0

    @property
    def events(self) -> tuple[int, ...]:
        """What undo takes back, oldest first."""
        return tuple(
            one.event
            for one in self.written
            if one.event is not None and one.outcome is Outcome.STORED
        )


@dataclass(frozen=True, slots=True)
class Edit:
    """What the edit dialog answers. With `since` it is a change, else a correction; with
    `within` one for that scope only."""

    text: str
    reason: str | None = None
    since: datetime | None = None
    within: str | None = None


# --- may it be done -----------------------------------------------------------------------


def refusal(verb: str, memory: Memory) -> str | None:
    """Why an act is not possible on this memory, or None."""
    short = standing.short_id(memory.id)
    closed = memory.state == "closed" and not changes(memory)
    how = "closed" if memory.closed_as is None else memory.closed_as.value
    if verb == "erase":
        return None
    if verb == "restore":
        return None if closed else f"{short} is live; there is nothing to restore."
    if verb == "correct" and changes(memory):
        return (
            f"v{memory.version} holds only until it changes. What is announced is edited in the "
            "chain: c, then e on its version."
        )
    if verb in _OF_THE_TEXT and changes(memory):
        return (
            f"v{memory.version} holds only until it changes, and to {verb} it would mean the "
            "announced text. Do it in the chain: c, then the version."
        )
    if closed:
        return f"{short} is {how}; o restores it first."
    held = memory.trust is Trust.QUARANTINED
    if verb in ("verify", "dispute") and held:
        return f"{short} is quarantined; Q releases it first."
    already = {
        "verify": memory.trust is Trust.VERIFIED,
        "dispute": memory.trust is Trust.DISPUTED,
        "archive": memory.archived,
    }
    if already.get(verb, False):
        return f"{short} is {DONE[verb].lower()} already."
    return None


def changes(memory: Memory) -> bool:
    """Whether it holds now although it is closed: a change is announced for later."""
    return memory.closed_as is ClosedAs.CHANGED and memory.changes_at is not None


def toggled(verb: str, memories: Sequence[Memory]) -> str:
    """Quarantine, pin and archive are switches: what the key means for these memories."""
    on: dict[str, Callable[[Memory], bool]] = {
        "quarantine": lambda m: m.trust is Trust.QUARANTINED,
        "pin": lambda m: m.pinned,
        "archive": lambda m: m.archived,
    }
    off = {"quarantine": "release", "pin": "unpin", "archive": "unarchive"}
    if verb in on and memories and all(on[verb](m) for m in memories):
        return off[verb]
    return verb


# --- doing it (in a thread) -----------------------------------------------------------------


def perform(
    me: CuratorView, verb: str, memories: Sequence[Memory], reason: str | None = None
) -> Done:
    """Do it to each, with the version that was seen. One refusal stops none of the others."""
    bulk = len(memories) > 1
    scopes = {memory.scope for memory in memories}
    scope = scopes.pop() if bulk and len(scopes) == 1 else None
    counts = verb in ("retire", "restore")
    before = _live(me, scope) if counts and scope else 0
    written, refused = [], []
    for memory in memories:
        try:
            written.append(_do(me, verb, memory, reason))
        except StoreError as error:
            refused.append((memory, error))
    after = _live(me, scope) if counts and scope else 0
    shown = scope if counts else None
    return Done(verb, len(memories), tuple(written), tuple(refused), shown, before, after)


def _do(me: CuratorView, verb: str, memory: Memory, reason: str | None) -> Written:
    seen = memory.latest if changes(memory) else memory.version
    if verb == "retire":
        return me.retire(memory.id, reason=reason, expect=seen)
    if verb == "restore":
        return me.restore(memory.id, reason=reason)
    return me.mark(verb, memory.id, reason=reason, expect=seen)


def _live(me: CuratorView, scope: str) -> int:
    return next((one.live for one in me.scopes() if one.path == scope), 0)


def replace_text(me: CuratorView, memory: Memory, edit: Edit) -> Done:
    """Correct or change. Raises `Conflict` with who was faster in its words."""
    if edit.within is not None:
        made = me.override(memory.id, edit.within, edit.text, reason=edit.reason)
        return Done("override", 1, (made,), scope=edit.within)
    verb = "correct" if edit.since is None else "change"
    try:
        written = me.correct(
            memory.id, edit.text, expect=memory.version, since=edit.since, reason=edit.reason
        )
    except Conflict as lost:
        raise told(me, memory, lost) from lost
    return Done(verb, 1, (written,))


def reject(me: CuratorView, memory: Memory, match: str, reason: str | None) -> Done:
    """Retire it and keep its value out, by `exact`, `near` or `meaning`."""
    written = me.reject(memory.id, match=match, reason=reason, expect=memory.version)
    return Done("reject", 1, (written,))


def merge(me: CuratorView, memories: Sequence[Memory], text: str, reason: str | None) -> Done:
    """Several memories become one. The toast names the result."""
    return Done("merge", 1, (me.merge([one.id for one in memories], text, reason=reason),))


def unmerge(me: CuratorView, memory: Memory, reason: str | None) -> Done:
    """What went into a merge comes back; its result is closed."""
    return Done("unmerge", 1, (me.unmerge(memory.id, reason=reason),))


def merged_from(me: CuratorView, memory: Memory) -> int:
    """How many memories were merged into this one."""
    shown = me.show(memory.id)
    return len(
        {
            link.source
            for link in shown.chain
            if link.kind == "merged" and link.target == memory.id and link.source != memory.id
        }
    )


def told(me: CuratorView, memory: Memory, lost: Conflict) -> Conflict:
    """A lost race in words: who did what while the person looked."""
    if lost.live_version is None:
        return lost
    live = me.chain(memory.id)[-1].memory
    said = f"This memory was corrected by {live.by} while you looked (v{live.version})."
    return Conflict(f"{said} Nothing was done.", lost.live_version, f"Now it is v{live.version}.")


def undo(me: CuratorView, events: Sequence[int]) -> tuple[Written, ...]:
    """Take back these acts, last first; without any, this person's last one."""
    if not events:
        return (me.undo(),)
    return tuple(me.undo(seq) for seq in reversed(events))


# --- what is said ---------------------------------------------------------------------------


def words(done: Done) -> str:
    """The toast: `Verified 01JZ8Q4T.  u undoes`, or with exact counts for several."""
    stored = [one for one in done.written if one.outcome is Outcome.STORED]
    verb = DONE[done.verb]
    if done.asked == 1:
        return _one(done, verb)
    parts = [f"{verb} {numbers.count(len(stored))} of {numbers.count(done.asked)}."]
    if done.scope is not None:
        before, after = numbers.count(done.before), numbers.count(done.after)
        parts.append(f"In {done.scope} {before} → {after}.")
    already = sum(one.outcome is Outcome.ALREADY for one in done.written)
    if already:
        parts.append(f"{numbers.count(already)} already so.")
    if done.refused:
        parts.append(f"Refused: {done.refused[0][1]}")
        if len(done.refused) > 1:
            parts.append(f"And {numbers.count(len(done.refused) - 1)} more.")
    return " ".join(parts) + (f"  {UNDO}" if done.events else "")


def _one(done: Done, verb: str) -> str:
    if done.refused:
        error = done.refused[0][1]
        return f"{error} {error.hint}".strip()
    (one,) = done.written
    short = standing.short_id(one.id or "")
    if one.outcome is Outcome.STORED:
        version = f", now v{one.version}" if done.verb in ("correct", "change") else ""
        version = f" as v{one.version}" if done.verb == "restore" else version
        version = "; its value stays out" if done.verb == "reject" else version
        masked = f" {numbers.many(one.masked, 'secret')} masked." if one.masked else ""
        warned = "".join(f" {warning}." for warning in one.warnings)
        head = f"{verb} {short}{version}."
        if done.verb == "override":
            head = f"Corrected only in {done.scope}, as {short}. Elsewhere nothing changes."
        return f"{head}{masked}{warned}  {UNDO}"
    if one.outcome is Outcome.ALREADY:
        return f"{short}: {one.reason or 'it is so already'}. Nothing was changed."
    held = f" It waits in Review as {one.proposal}." if one.proposal is not None else ""
    return f"Not done: {one.reason or one.outcome.value}.{held}"


def undone(verb: str | None, written: Sequence[Written]) -> str:
    """What undo says; `verb` is that of the act where this session did it."""
    what = "your last act" if verb is None else DONE[verb].lower()
    if len(written) > 1:
        return f"Undone: {what} {numbers.count(len(written))}. All are as before."
    one = written[0]
    short = standing.short_id(one.id or "")
    where = f"{what} on {short}" if verb is None else f"{what} {short}"
    version = f", as v{one.version}" if verb in ("correct", "change", "retire") else ""
    return f"Undone: {where}. It is as before{version}."
