"""Recalls: what agents asked, what they were shown, what they would be shown now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from curator import keys, recalling, tones
from curator.changes import Changes
from curator.dialogs.choose import ChooseDialog, Chosen, Option
from curator.keys import Hint, Place, bindings
from curator.recalling import Filter, Found, Shown
from curator.safe import visible
from curator.screens.acting import Acting
from curator.screens.memory_keys import MemoryKeys
from curator.screens.place import PlaceScreen, told
from curator.views import recalls as views
from curator.views import sayings
from curator.views.page import Note
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from curator.widgets.result_list import ResultList
from store.errors import StoreError
from store.model import Memory, Written
from store.search.told import Recall

if TYPE_CHECKING:
    from curator.app import CuratorApp

_LIST = (
    *("list.open", "recalls.agent", "query.focus", "recalls.erase", "pane.next"),
    *("pane.enlarge", "app.keys"),
)
_REPLAY = (
    *("list.open", "memory.why", "memory.told", "memory.verify", "memory.edit", "memory.retire"),
    *("memory.reject", "app.undo", "app.back", "app.keys"),
)
_WORDS = {
    "list.open": "open memory",
    "memory.why": "why this rank",
    "query.focus": "find a question",
    "pane.next": "next pane",
}
_NOTHING = "No agent has asked anything here yet. README says how to connect one."
_NONE_SUCH = "No recall is like that. esc lets the filter fall."


class RecallsScreen(MemoryKeys, PlaceScreen):
    """A list of questions, and one of them asked again."""

    PLACE = "Recalls"
    KEY_PLACES = (Place.RECALLS, Place.MEMORY, Place.EVERYWHERE)
    CSS_PATH = "recalls.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("memory", "recalls", "pane", "query")

    def __init__(self) -> None:
        super().__init__()
        self.acting = Acting(self)
        self.filter = Filter()
        self.found: Found | None = None
        self.shown: Shown | None = None
        self._recalls: dict[str, Recall] = {}
        self._outcomes: dict[str, Content] = {}

    @property
    def curator(self) -> CuratorApp:
        """The app, as ours."""
        return cast("CuratorApp", self.app)

    def panes(self) -> Iterable[Widget]:
        """Questions; one asked again."""
        glyphs = self.curator.glyphs
        self.filters = Static(id="filters", markup=False)
        self.banner = Static(id="banner", markup=False)
        self.list = ResultList(row_lines=2, gap=1, glyphs=glyphs)
        self.detail = PageView(glyphs=glyphs)
        self.list_pane = Pane(
            "What agents asked", self.filters, self.banner, self.list, glyphs=glyphs, id="asked"
        )
        self.detail_pane = Pane("Replay", self.detail, glyphs=glyphs, id="replay")
        self.detail_pane.position = Content("logged, then, now")
        yield Horizontal(self.list_pane, self.detail_pane, id="panes")

    def on_mount(self) -> None:
        """The list has the focus."""
        super().on_mount()
        self.list.focus()

    def ring(self) -> list[Widget]:
        """See `PlaceScreen`."""
        return [self.list, self.detail]

    def hints(self) -> tuple[Hint, ...]:
        """See `PlaceScreen`."""
        read = self.curator.keymap_read
        if self.detail.has_focus:
            off = set(self.acting.impossible(self.subjects))
            if not self.subjects:
                off = {id for id in _REPLAY if id.startswith(("memory.", "list."))}
            return keys.hints(_REPLAY, read, disabled=off, words=_WORDS)
        none = () if self._one is not None else ("list.open", "recalls.erase")
        return keys.hints(_LIST, read, disabled=none, words={**_WORDS, "list.open": "replay"})

    @property
    def subjects(self) -> Sequence[Memory]:
        """The memory under the replay's cursor."""
        memory = None if self.shown is None else self.shown.memory(self.detail.stop_key)
        return [] if memory is None else [memory]

    @property
    def _one(self) -> Recall | None:
        return self._recalls.get(self.list.cursor_key or "")

    # --- the list -----------------------------------------------------------------------

    def read(self) -> None:
        """The recalls of the filter; the cursor stays on its question."""
        filter, scope = self.filter, self.curator.scope
        self.bridge.ask(
            self, "recalls", lambda me: recalling.find(me, filter, scope), self._answered, self._not
        )

    def _store_changed(self, changes: Changes) -> None:
        """Answers may be others now."""
        self._outcomes.clear()
        super()._store_changed(changes)

    def on_screen_resume(self) -> None:
        """Agents ask all the time, and asking is no change of the store: look again."""
        super().on_screen_resume()
        if self.curator.bridge is not None and self.found is not None:
            self.read()

    def _answered(self, found: Found) -> None:
        first, self.found = self.found is None, found
        self._recalls = {str(one.number): one for one in found.recalls}
        self.banner.display = False
        words = _NONE_SUCH if self.filter.is_on else _NOTHING
        nothing = Note(Content.styled(words, tones.MUTED))
        self.list.show(self._rows(found.recalls), found.total, nothing=nothing, keep=not first)
        self._show_filter()
        self._show_replay()
        self.show_hints()

    def _rows(self, recalls: Sequence[Recall]) -> list[views.RecallRow]:
        return [recalling.row(one, self.look, self._outcomes) for one in recalls]

    def _not(self, error: StoreError) -> None:
        self.banner.update(told(error).stylize_before(tones.WARN))
        self.banner.display = True

    @on(ResultList.NeedRows)
    def _need_rows(self, event: ResultList.NeedRows) -> None:
        filter, scope, found = self.filter, self.curator.scope, self.found
        self.bridge.ask(
            self,
            f"rows {event.start}",
            lambda me: recalling.rows(me, filter, scope, event.start, event.end),
            partial(self._fill, found, event.start),
            self._not,
        )

    def _fill(self, found: Found | None, start: int, recalls: tuple[Recall, ...]) -> None:
        if self.found is found:
            self._recalls.update((str(one.number), one) for one in recalls)
            self.list.fill(start, self._rows(recalls))

    @on(ResultList.Scrolled)
    def _scrolled(self, event: ResultList.Scrolled) -> None:
        self.list_pane.position = Content(sayings.position(event.first, event.last, event.total))
        self._ask_outcomes(event.first, event.last)

    def _ask_outcomes(self, first: int, last: int) -> None:
        """How the answers in sight differ now; each is asked again once."""
        keys_in_sight = list(self.list.keys)[max(0, first - 1) : last]
        wanted = tuple(
            self._recalls[key]
            for key in keys_in_sight
            if key in self._recalls and key not in self._outcomes
        )
        if wanted:
            look = self.look
            self.bridge.ask(
                self,
                "outcomes",
                lambda me: recalling.outcomes(me, wanted, look),
                self._outcomes_known,
                self._not,
            )

    def _outcomes_known(self, found: Mapping[str, Content]) -> None:
        self._outcomes.update(found)
        if self.found is not None:
            rows = self._rows(self.found.recalls)
            self.list.show(rows, self.found.total, keep=True)

    # --- filtering ----------------------------------------------------------------------

    def _show_filter(self) -> None:
        """Which recalls are listed."""
        found, filter = self.found, self.filter
        subject = None if found is None else found.subject
        parts = [
            "" if filter.agent is None else filter.agent.partition(":")[2] or filter.agent,
            "nothing shown" if filter.empty else "",
            f'holding "{filter.find}"' if filter.find else "",
        ]
        said = ", ".join(part for part in parts if part) or "all agents"
        line = visible(said, multiline=False).stylize_before(tones.STRONG_ACCENT)
        if subject is not None:
            text = visible(subject.text[:200], multiline=False)
            line = Content.assemble(("was told  ", tones.STRONG_WARN), text)
        self.filters.update(line)
        self.list_pane.title = Content("Who was told" if subject else "What agents asked")

    def _look_at(self, filter: Filter) -> None:
        self.filter, self.found = filter, None
        self.remove_class("-opened", "-enlarged")
        self.list.focus()
        self.read()

    def tell_of(self, memory: str) -> None:
        """Who was told this memory, and when."""
        self._look_at(Filter(memory=memory))

    def action_agent(self) -> None:
        """Choose whose recalls to see."""
        self.bridge.ask(self, "agents", lambda me: me.recall_agents(), self._choose, self._not)

    def _choose(self, agents: Mapping[str, int]) -> None:
        names = list(agents)[:8]
        options = [
            Option("all", "All agents", f"Every one of {sum(agents.values()):,} recalls."),
            Option("empty", "Nothing shown", "Questions that found nothing."),
            *(
                Option(f"agent-{at}", visible(name.partition(":")[2]).plain, f"{agents[name]:,}")
                for at, name in enumerate(names)
            ),
        ]
        dialog = ChooseDialog("Whose recalls", Content(""), options, keep="As it is")

        def chosen(found: Chosen | None) -> None:
            if found is None:
                return
            if found.id.startswith("agent-"):
                self._look_at(Filter(agent=names[int(found.id[6:])]))
            else:
                self._look_at(Filter(empty=found.id == "empty"))

        self.curator.push_screen(dialog, chosen)

    def action_focus_query(self) -> None:
        """Find questions by a part of them."""
        option = Option("find", "Find", "Upper and lower case are the same. Empty: all.")
        dialog = ChooseDialog(
            "Find a question", Content(""), [option], reason="A part of it", keep="As it is"
        )

        def chosen(found: Chosen | None) -> None:
            if found is not None:
                self._look_at(replace(self.filter, find=found.reason or "", memory=None))

        self.curator.push_screen(dialog, chosen)

    # --- one recall ---------------------------------------------------------------------

    @on(ResultList.Highlighted)
    def _highlighted(self) -> None:
        self._show_replay()
        self.show_hints()

    def _show_replay(self) -> None:
        one, look = self._one, self.look
        if one is None:
            self.bridge.drop(self, "replay")
            self.shown = None
            self.detail.show(None)
            return
        self.bridge.ask(
            self,
            "replay",
            lambda me: recalling.ask_again(me, one.number, look),
            self._replayed,
            self._not,
        )

    def _replayed(self, shown: Shown) -> None:
        again = self.shown is not None and self.shown.recall.number == shown.recall.number
        self.shown = shown
        self.detail.show(shown.page, keep=again)
        self.show_hints()

    @on(ResultList.Chosen)
    def _chosen(self) -> None:
        """Into the replay; in place of the list where there is no room for both."""
        self.set_class(self.is_narrow, "-opened")
        self.call_after_refresh(self.detail.focus)

    @on(PageView.StopHighlighted)
    def _row_highlighted(self) -> None:
        self.show_hints()

    @on(PageView.StopChosen)
    async def _row_chosen(self, event: PageView.StopChosen) -> None:
        """The card of the memory in Search."""
        if self.subjects:
            await self.jump(event.key)
        else:
            self.curator.refuse("Its text was erased; nothing is left to open.")

    def action_leave(self) -> None:
        """Back to the list; there, the filter falls."""
        if self.detail.has_focus or self.has_class("-enlarged"):
            self.remove_class("-opened", "-enlarged")
            self.list.focus()
        elif self.filter.is_on:
            self._look_at(Filter())

    # --- acts ---------------------------------------------------------------------------

    def acted(self) -> None:
        """See `Host`."""
        self._outcomes.clear()
        self.curator.poll()
        self.read()

    async def action_chain(self) -> None:
        """The card of the memory, where its chain is."""
        if self.subjects:
            await self.jump(self.subjects[0].id)

    def action_why(self) -> None:
        """Why the memory stands where it does for this question, or what keeps it out."""
        shown = self.shown
        if shown is None or not self.subjects or not shown.recall.query:
            self.curator.refuse("No memory of a question is under the cursor.")
            return
        from curator.dialogs.why import WhyDialog
        from curator.questions import Question

        one = self.subjects[0]
        asked = Question(shown.recall.query, within=shown.recall.within or shown.recall.scopes)
        self.curator.push_screen(WhyDialog(one.id, asked, {}), partial(self._why_left, one.id))

    def _why_left(self, identifier: str, answer: str | None) -> None:
        if answer == "open":
            self.run_worker(self.jump(identifier))

    def action_erase(self) -> None:
        """Take the question out of the log."""
        one = self._one
        if one is None:
            self.curator.refuse("No recall is under the cursor.")
            return
        body = views.question(one)
        means = "The question and what it was shown go for good. Its time and number stay."
        option = Option("erase", "Erase the question", means, danger=True)
        dialog = ChooseDialog(f"Erase recall {one.number}", body, [option], reason="Why")
        self.curator.push_screen(dialog, partial(self._erase, one))

    def _erase(self, one: Recall, chosen: Chosen | None) -> None:
        if chosen is not None:
            self.bridge.act(
                self.curator,
                lambda me: me.erase_recall(one.number, reason=chosen.reason),
                partial(self._erased, one),
                self.refused,
            )

    def _erased(self, one: Recall, written: Written) -> None:
        self.curator.say(f"Erased the question of recall {one.number}.")
        self.acted()
