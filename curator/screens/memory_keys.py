"""The keys that act on a memory (keys.py, room `memory`), the same in every place with one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from store.errors import StoreError
from store.model import Memory

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from curator.bridge import Bridge
    from curator.copying import Copied, Saved
    from curator.screens.acting import Acting

_TWO = "Mark two memories with space, then m shows them beside each other."


class MemoryKeys:
    """Mixed into a screen that has `subjects`. Each action is one line of wiring."""

    acting: Acting
    off_because: str | None = None
    """Why nothing can be changed here, where that is so."""

    @property
    def curator(self) -> CuratorApp:
        """The app, as ours."""
        raise NotImplementedError

    @property
    def bridge(self) -> Bridge:
        """The bridge to the open store."""
        bridge = self.curator.bridge
        assert bridge is not None, "asked before a store was chosen"
        return bridge

    @property
    def subjects(self) -> Sequence[Memory]:
        """The memories that the keys mean."""
        raise NotImplementedError

    def action_undo(self) -> None:
        """Take back the last act."""
        self.acting.undo()

    def refused(self, error: StoreError) -> None:
        """A refusal that concerns no pane."""
        self.curator.refuse(f"{error} {error.hint}".strip())

    def action_verify(self) -> None:
        """A person stands behind it."""
        self.acting.do("verify")

    def action_dispute(self) -> None:
        """It is doubted."""
        self.acting.do("dispute")

    def action_quarantine(self) -> None:
        """Nobody is told it; or they are again."""
        self.acting.do("quarantine")

    def action_pin(self) -> None:
        """Always offered; or no longer."""
        self.acting.do("pin")

    def action_archive(self) -> None:
        """Kept, but out of ordinary answers; or back in them. Through the palette."""
        self.acting.do("archive")

    def action_retire(self) -> None:
        """It answers no longer."""
        self.acting.retire()

    def action_restore(self) -> None:
        """It answers again."""
        self.acting.restore()

    def action_edit(self) -> None:
        """Correct or change its text."""
        self.acting.edit()

    def action_reject(self) -> None:
        """It answers no longer, and its value stays out."""
        self.acting.reject()

    def action_erase(self) -> None:
        """It is destroyed for good, with a receipt."""
        self.acting.erase()

    def erased(self) -> None:
        """See `Host`."""
        self.acted()

    def reject_instead(self) -> None:
        """See `Host`."""
        self.acting.reject()

    def acted(self) -> None:
        """See `Host`."""
        raise NotImplementedError

    async def action_told(self) -> None:
        """Who was told it, in Recalls."""
        if not self.subjects:
            self.curator.refuse("No memory is under the cursor.")
            return
        one = self.subjects[0]
        await self.curator.switch_mode("recalls")
        screen: Any = self.curator.screen
        screen.tell_of(one.id)

    def action_compare(self) -> None:
        """Two marked ones beside each other; from there they can be merged."""
        both = self.subjects
        if len(both) != 2:
            self.curator.refuse(_TWO)
            return
        from curator.dialogs.compare import CompareDialog

        self.curator.push_screen(CompareDialog(*both), self._compared)

    def _compared(self, merge: bool | None) -> None:
        if merge:
            self.acting.merge()

    def action_merge(self) -> None:
        """The marked ones become one; a merged one is taken apart."""
        self.acting.merge()

    # --- copying ------------------------------------------------------------------------

    def action_copy(self) -> None:
        """To the terminal's clipboard, which may or may not take it."""
        from curator.copying import copied

        self._take(copied, self._send)

    def _send(self, found: Copied) -> None:
        if found.text is None:
            self.curator.refuse(found.words)
            return
        self.curator.copy_to_clipboard(found.text)
        self.curator.say(found.words)

    def action_save(self) -> None:
        """To a Markdown file in the folder the program was started in."""
        from curator.copying import saved

        self._take(partial(saved, name=self.curator.store_name), self._saved)

    def _saved(self, found: Saved) -> None:
        say = self.curator.say if found.path is not None else self.curator.refuse
        say(found.words)

    def _take(self, make: Any, then: Any) -> None:
        memories, look = tuple(self.subjects), self.curator.look
        if not memories:
            self.curator.refuse("No memory is under the cursor.")
            return
        self.bridge.ask(self.curator, "copy", lambda me: make(memories, look), then, self.refused)
