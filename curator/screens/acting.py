"""Acts on the memories in question: ask what is missing, do it, say it, and keep it undoable."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from curator import acts
from curator.acts import Done, Edit
from store.errors import Conflict, StoreError
from store.model import Memory, Written

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from curator.bridge import Bridge


_VERBS = {
    "memory.verify": "verify",
    "memory.dispute": "dispute",
    "memory.edit": "correct",
    "memory.retire": "retire",
    "memory.restore": "restore",
    "memory.reject": "reject",
}


class Host(Protocol):
    """A screen on which memories are acted upon."""

    @property
    def curator(self) -> CuratorApp: ...
    @property
    def bridge(self) -> Bridge: ...
    @property
    def subjects(self) -> Sequence[Memory]:
        """The marked memories, or the one under the cursor or on the card."""
        ...

    def acted(self) -> None:
        """Something was written: marks fall, everything is read again."""
        ...

    @property
    def off_because(self) -> str | None:
        """Why nothing can be changed here, where that is so."""
        ...

    def erased(self) -> None:
        """Memories are gone for good."""
        ...

    def reject_instead(self) -> None:
        """The same memory is rejected instead of erased."""
        ...


class Acting:
    """The verbs of one screen. What this session did is remembered for undo, latest last."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._undoable: list[Done] = []

    def do(self, verb: str) -> None:
        """Verify, dispute, quarantine, pin, archive and their opposites."""
        memories = self._possible(acts.toggled(verb, self._host.subjects))
        if not memories:
            return
        verb = acts.toggled(verb, memories)
        if len(memories) == 1:
            self._perform(verb, memories, None)
            return
        from curator.dialogs.confirm import ConfirmDialog

        self._host.curator.push_screen(
            ConfirmDialog(verb, memories), partial(self._confirmed, verb, memories)
        )

    def retire(self) -> None:
        """Retire, with a reason where one is given."""
        self._with_reason("retire")

    def restore(self) -> None:
        """Write a closed memory again as a new version."""
        memories = self._possible("restore")
        if memories:
            self._perform("restore", memories, None)

    def _with_reason(self, verb: str) -> None:
        memories = self._possible(verb)
        if not memories:
            return
        from curator.dialogs.confirm import ConfirmDialog

        self._host.curator.push_screen(
            ConfirmDialog(verb, memories, reason=True), partial(self._confirmed, verb, memories)
        )

    def _confirmed(self, verb: str, memories: Sequence[Memory], reason: str | None) -> None:
        if reason is not None:
            self._perform(verb, memories, reason or None)

    def _possible(self, verb: str) -> list[Memory]:
        """The subjects it can be done to; says why where it can be done to none."""
        if self._is_off():
            return []
        subjects = list(self._host.subjects)
        if not subjects:
            self._host.curator.refuse("No memory is under the cursor.")
            return []
        possible = [one for one in subjects if acts.refusal(verb, one) is None]
        if not possible:
            self._host.curator.refuse(acts.refusal(verb, subjects[0]) or "")
        return possible

    def _is_off(self) -> bool:
        """Whether nothing can be changed here; then it says why."""
        why = self._host.off_because
        if why is not None:
            self._host.curator.refuse(why)
        return why is not None

    def _perform(self, verb: str, memories: Sequence[Memory], reason: str | None) -> None:
        self._host.bridge.act(
            self._node, lambda me: acts.perform(me, verb, memories, reason), self._done, self._lost
        )

    @staticmethod
    def impossible(subjects: Sequence[Memory]) -> tuple[str, ...]:
        """Binding ids of the verbs that none of these memories allows, for the footer."""
        return tuple(
            id
            for id, verb in _VERBS.items()
            if subjects and all(acts.refusal(verb, one) is not None for one in subjects)
        )

    # --- rejecting and merging ----------------------------------------------------------

    def reject(self) -> None:
        """Retire one memory and keep its value out."""
        self._deciding("reject", "Only one memory can be rejected at a time. space unmarks.")

    def erase(self) -> None:
        """Destroy the memories for good, after the id was typed."""
        from curator.screens.erasing import ask_erase

        if subjects := self._possible("erase"):
            ask_erase(self._host, subjects, self._lost)

    def merge(self) -> None:
        """Merge the marked memories; take one apart that was merged."""
        if self._is_off():
            return
        if len(self._host.subjects) > 1:
            memories = self._possible("merge")
            if len(memories) < len(self._host.subjects):
                self._host.curator.refuse("Only live memories can be merged. space unmarks.")
            elif memories:
                from curator.screens import merging

                merging.ask_merge(self._host, memories, self._done, self._lost)
            return
        self._deciding("unmerge", "")

    def _deciding(self, verb: str, several: str) -> None:
        if len(self._host.subjects) > 1:
            self._host.curator.refuse(several)
            return
        if memories := self._possible(verb):
            from curator.screens import merging

            ask = merging.ask_reject if verb == "reject" else merging.ask_unmerge
            ask(self._host, memories[0], self._done, self._lost)

    # --- text ---------------------------------------------------------------------------

    def edit(self) -> None:
        """Correct or change one memory in the dialog."""
        if self._is_off():
            return
        if len(self._host.subjects) > 1:
            self._host.curator.refuse("Only one memory can be edited at a time. space unmarks.")
            return
        if memories := self._possible("correct"):
            self._open_editor(memories[0], None, None)

    def _open_editor(self, memory: Memory, draft: Edit | None, problem: StoreError | None) -> None:
        from curator.dialogs.edit import EditDialog

        self._host.curator.push_screen(
            EditDialog(memory, draft=draft, problem=problem), partial(self._edited, memory)
        )

    def _edited(self, memory: Memory, edit: Edit | None) -> None:
        if edit is None:
            return
        self._host.bridge.act(
            self._node,
            lambda me: acts.replace_text(me, memory, edit),
            self._done,
            partial(self._edit_lost, memory, edit),
        )

    def _edit_lost(self, memory: Memory, edit: Edit, error: StoreError) -> None:
        """Nothing typed is lost: the dialog comes back with it, over what is live now."""
        if not isinstance(error, Conflict):
            self._open_editor(memory, edit, error)
            return
        self._host.bridge.ask(
            self._node,
            "conflict",
            lambda me: me.chain(memory.id)[-1].memory,
            lambda now: self._open_editor(now, edit, error),
            self._lost,
        )

    # --- afterwards ---------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the last act of this session, else this person's last one in the log."""
        if self._is_off():
            return
        last = self._undoable.pop() if self._undoable else None
        events = () if last is None else last.events
        self._host.bridge.act(
            self._node,
            lambda me: acts.undo(me, events),
            partial(self._undone, None if last is None else last.verb),
            self._lost,
        )

    def _undone(self, verb: str | None, written: Sequence[Written]) -> None:
        self._host.curator.say(acts.undone(verb, written))
        self._host.acted()

    def _done(self, done: Done) -> None:
        if done.events:
            self._undoable.append(done)
        say = self._host.curator.say if done.events else self._host.curator.refuse
        say(acts.words(done))
        self._host.acted()

    def _lost(self, error: StoreError) -> None:
        self._host.curator.refuse(f"{error} {error.hint}".strip())
        self._host.acted()

    @property
    def _node(self) -> CuratorApp:
        """Answers go to the app: a dialog may lie over the screen."""
        return self._host.curator
