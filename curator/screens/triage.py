"""Triage: one memory at a time, one key each; leaving and coming back resumes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget

from curator import keys, triage_state, triaging
from curator.acts import Done
from curator.keys import Hint, Place, binding, bindings
from curator.screens.acting import Acting
from curator.screens.memory_keys import MemoryKeys
from curator.screens.place import PlaceScreen, told
from curator.triage_state import Progress
from curator.triaging import Pile, Sheet
from curator.views import standing, triage
from curator.views.page import Note
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from store.errors import StoreError
from store.model import Memory, Trust, Written

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from store.access.curator import CuratorView

_HINTS = (
    *("memory.verify", "memory.edit", "memory.dispute", "memory.retire", "memory.reject"),
    *("triage.later", "triage.back", "app.undo", "app.keys"),
)
Asked = tuple[str, Progress, Pile]


class TriageCard(PageView, inherit_bindings=False):
    """Scrolls, but leaves `j` and `k` to the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("list.half_down"),
        binding("list.half_up"),
        binding("list.first"),
        binding("list.last"),
    ]


class _TriageActing(Acting):
    """Tells the screen what was decided, so that it can go on or come back."""

    def __init__(self, screen: TriageScreen) -> None:
        super().__init__(cast(Any, screen))
        self._screen = screen

    def _done(self, done: Done) -> None:
        super()._done(done)
        if done.events:
            self._screen.decided()

    def _undone(self, verb: str | None, written: Sequence[Written]) -> None:
        super()._undone(verb, written)
        self._screen.brought_back(written[-1].id if written else None)


class TriageScreen(MemoryKeys, PlaceScreen):
    """Unreviewed memories, oldest first, then those that were not looked at for long."""

    PLACE = "Triage"
    KEY_PLACES = (Place.TRIAGE, Place.MEMORY, Place.EVERYWHERE)
    CSS_PATH = "triage.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("memory", "triage", "pane"),
        binding("list.down", "skip"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.acting = _TriageActing(self)
        self.progress = Progress()
        self.pile: Pile | None = None
        self.sheet: Sheet | None = None
        self._store_id: str | None = None
        self._undo: list[tuple[str, str]] = []
        """(`act`, `later` or `checked`, memory): what undo takes back, latest last."""
        self.only: str | None = None
        """The figure of Health whose memories alone are gone through (`vitals.WORTH`)."""
        self._through: set[str] = set()
        self._kept = Progress()
        """The place in the whole queue, while `only` some are gone through."""

    @property
    def curator(self) -> CuratorApp:
        """The app, as ours."""
        return cast("CuratorApp", self.app)

    def panes(self) -> Iterable[Widget]:
        """The memory, and what is near it."""
        glyphs = self.curator.glyphs
        self.card = TriageCard(glyphs=glyphs)
        self.beside = TriageCard(glyphs=glyphs)
        self.card_pane = Pane("Memory", self.card, glyphs=glyphs, id="one")
        yield Horizontal(
            self.card_pane,
            Pane("Beside it", self.beside, glyphs=glyphs, id="beside"),
            id="panes",
        )

    def on_mount(self) -> None:
        """The memory has the focus."""
        super().on_mount()
        self.card.focus()

    def ring(self) -> list[Widget]:
        """See `PlaceScreen`."""
        return [self.card, self.beside]

    def hints(self) -> tuple[Hint, ...]:
        """See `PlaceScreen`."""
        off = set(self.acting.impossible(self.subjects))
        if self._checks_again:
            off.discard("memory.verify")
        if not self.subjects:
            off = set(_HINTS) - {"app.undo", "app.keys"}
        if not self.progress.trail:
            off.add("triage.back")
        return keys.hints(_HINTS, self.curator.keymap_read, disabled=off)

    @property
    def subjects(self) -> Sequence[Memory]:
        """The memory that is asked about."""
        return [] if self.sheet is None else [self.sheet.memory]

    @property
    def _checks_again(self) -> bool:
        return self.sheet is not None and self.sheet.memory.trust is Trust.VERIFIED

    def show_only(self, which: str) -> None:
        """Go through the memories that a figure of Health counts, and no other."""
        if self.only is None:
            self._kept = self.progress
        self.only, self.sheet = which, None
        self.progress = Progress(checked=self._kept.checked)
        self._through.clear()
        self._undo.clear()
        self.read()

    def show_all(self) -> None:
        """The whole queue again, where it was left."""
        if self.only is None:
            return
        self.only, self.sheet, self.progress = None, None, self._kept
        self._undo.clear()
        self.read()

    # --- reading ------------------------------------------------------------------------

    def _pile(self, me: CuratorView, at: Progress) -> Pile:
        scope = self.curator.scope
        if self.only is not None:
            return triaging.only(me, scope, self.only, at.later, frozenset(self._through))
        return triaging.pile(me, scope, at, self.look.now)

    def read(self) -> None:
        """The pile as it is now; where it was left before, on the memory of that time."""
        known = self._store_id
        folder, progress = self.curator.start.paths.state, self.progress

        def asked(me: CuratorView) -> Asked:
            identity = me.store_id()
            at = progress if identity == known else triage_state.load(folder, identity)
            return identity, at, self._pile(me, at)

        self.bridge.ask(self, "pile", asked, self._piled, self._unreadable)

    def _piled(self, asked: Asked) -> None:
        if self._store_id != asked[0]:
            self._store_id, self.progress, _ = asked
            self._undo.clear()
            if self.only is not None:
                self._kept, self.progress = self.progress, Progress(checked=self.progress.checked)
        self.pile = asked[2]
        shown = None if self.sheet is None else self.sheet.memory.id
        # What is being looked at stays, also when it needs no look any more.
        wanted = shown or self.progress.at
        at = wanted if wanted in self.pile.ids or shown else self.pile.after(None)
        self._look_at(at)

    def _look_at(self, identifier: str | None) -> None:
        if identifier is None:
            self._show_nothing()
            return
        self.bridge.ask(
            self,
            "sheet",
            lambda me: triaging.sheet(me, identifier),
            self._show,
            partial(self._gone, identifier),
        )

    def _show(self, sheet: Sheet) -> None:
        same = self.sheet is not None and self.sheet.memory.id == sheet.memory.id
        self.sheet = sheet
        memory, recalled, look = sheet.memory, sheet.recalled, self.look
        page = triage.TriagePage(
            memory,
            look,
            sheet.shown.provenance,
            sheet.instructions,
            0 if recalled is None else recalled.times,
            None if recalled is None else recalled.last_at,
        )
        self.card.show(page, keep=same)
        beside = triage.BesidePage(memory, look, sheet.neighbours, sheet.contradictions)
        self.beside.show(beside, keep=same)
        self._remember(replace(self.progress, at=memory.id))
        self._count()

    def _show_nothing(self) -> None:
        self.sheet = None
        self.bridge.drop(self, "sheet")
        said = triage.nothing_left(self.progress.done, self.curator.scope, self.look)
        self.card.show(Note(said))
        self.beside.show(None)
        self._count()

    def _gone(self, identifier: str, error: StoreError) -> None:
        """It was erased meanwhile: the next one."""
        self.sheet = None
        self.refused(error)
        after = None if self.pile is None else self.pile.after(identifier)
        if after is not None and after != identifier:
            self._look_at(after)
        else:
            self._show_nothing()

    def _unreadable(self, error: StoreError) -> None:
        self.card.show(Note(told(error)))

    def _count(self) -> None:
        if self.pile is not None:
            said = triage.counter(self.pile.left, self.progress.done, self.pile.later)
            self.card_pane.position = Content(said)
        title = "Looked at long ago" if self._is_old else "Unreviewed" if self.sheet else "Triage"
        self.card_pane.title = Content(title if self.only is None else triage.ONLY[self.only])
        self.show_hints()

    @property
    def _is_old(self) -> bool:
        return self.sheet is not None and self.sheet.memory.trust is not Trust.UNREVIEWED

    def _remember(self, progress: Progress) -> None:
        """Keep the place across restarts."""
        if progress == self.progress or self._store_id is None:
            return
        self.progress = progress
        if self.only is not None:  # the place in the whole queue stays; what holds, holds there too
            progress = replace(self._kept, checked=progress.checked)
            if progress == self._kept:
                return
            self._kept = progress
        self._save(progress)

    def _save(self, progress: Progress) -> None:
        assert self._store_id is not None
        try:
            triage_state.save(self.curator.start.paths.state, self._store_id, progress)
        except OSError as error:
            self.curator.refuse(
                f"The place in triage could not be kept: {error.strerror}. "
                "What you decided is in the store."
            )

    # --- deciding -----------------------------------------------------------------------

    def decided(self) -> None:
        """The memory was acted upon: on to the next."""
        if self.sheet is not None:
            self._undo.append(("act", self.sheet.memory.id))
            self._go_on(done=1)

    def _go_on(self, *, done: int = 0) -> None:
        sheet, pile = self.sheet, self.pile
        if sheet is None or pile is None:
            return
        here = sheet.memory.id
        after = pile.after(here)
        if done:
            self._through.add(here)
        trail = (*self.progress.trail, here)
        self._remember(
            replace(self.progress, at=after, trail=trail, done=self.progress.done + done)
        )
        self.sheet = None
        self.read()

    def action_verify(self) -> None:
        """A person stands behind it; one verified long ago still holds."""
        sheet = self.sheet
        if sheet is None or not self._checks_again:
            self.acting.do("verify")
            return
        here = sheet.memory.id
        self._undo.append(("checked", here))
        self._remember(self.progress.hold(here, self.look.now))
        short = standing.short_id(here)
        self.curator.say(f"Looked at again: {short} still holds.  u undoes")
        self._go_on(done=1)

    def action_later(self) -> None:
        """Not now: it comes again after all others."""
        if self.sheet is None:
            self.curator.refuse("No memory is asked about.")
            return
        here = self.sheet.memory.id
        self._undo.append(("later", here))
        self.curator.say(f"{standing.short_id(here)} comes again later.  u undoes")
        after = None if self.pile is None else self.pile.after(here)
        self._remember(replace(self.progress.put_off(here), at=after))
        self._remember(replace(self.progress, trail=(*self.progress.trail, here)))
        self.sheet = None
        self.read()

    def action_skip(self) -> None:
        """On to the next without a word on this one."""
        if self.pile is not None and self.sheet is not None:
            if self.pile.after(self.sheet.memory.id) is None:
                self.curator.refuse("This is the last one.")
            else:
                self._go_on()

    def action_back(self) -> None:
        """Back to the memory before."""
        if not self.progress.trail:
            self.curator.refuse("This is the first one of this round.")
            return
        *rest, before = self.progress.trail
        self._come_back(before, replace(self.progress, trail=tuple(rest)))

    def action_undo(self) -> None:
        """Take back the last thing done here, and come back to its memory."""
        if self._undo and self._undo[-1][0] != "act":
            what, identifier = self._undo.pop()
            done = self.progress.done - (what == "checked")
            progress = replace(self.progress.without(identifier), done=max(0, done))
            self.curator.say(f"Undone: {standing.short_id(identifier)} is as before.")
            self._come_back(identifier, progress)
            return
        self.acting.undo()

    def brought_back(self, identifier: str | None) -> None:
        """An act was undone: its memory is asked about again."""
        if self._undo:
            _, known = self._undo.pop()
            identifier = known
        progress = replace(self.progress, done=max(0, self.progress.done - 1))
        if identifier is not None:
            self._come_back(identifier, progress)

    def _come_back(self, identifier: str, progress: Progress) -> None:
        self._through.discard(identifier)
        trail = progress.trail
        if trail and trail[-1] == identifier:
            progress = replace(progress, trail=trail[:-1])
        self._remember(replace(progress, at=identifier))
        self.sheet = None
        self.bridge.drop(self, "pile")
        self._look_at(identifier)
        self._read_pile()

    def _read_pile(self) -> None:
        """Only the counts: the memory that is shown stays."""
        progress = self.progress

        def counted(pile: Pile) -> None:
            self.pile = pile
            self._count()

        self.bridge.ask(self, "counts", lambda me: self._pile(me, progress), counted)

    def erased(self) -> None:
        """The memory is gone for good: on to the next. There is no undo of it."""
        self.curator.poll()
        if self.sheet is not None:
            self._go_on(done=1)

    def acted(self) -> None:
        """Something was written; what was decided moves on by itself."""
        self.curator.poll()

    def action_leave(self) -> None:
        """Back to Search, or to the figure one came from; the place is kept."""
        self.curator.action_go("search" if self.only is None else "health")

    async def action_chain(self) -> None:
        """The whole history of the memory."""
        if self.sheet is not None:
            from curator.screens.chain import ChainScreen

            self.curator.push_screen(ChainScreen(self.sheet.memory.id))

    def action_why(self) -> None:
        """Only where something was asked."""
        self.curator.refuse("Nothing is asked here. In Search, x says why a memory is at its rank.")
