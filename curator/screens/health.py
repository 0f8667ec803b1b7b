"""Health: the figures of a store, and what of them is worth a look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget

from curator import keys
from curator.keys import Hint, Place, bindings
from curator.screens.place import PlaceScreen, told
from curator.views import health as views
from curator.views import numbers
from curator.views.page import Note, Pageable
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from store.errors import StoreError
from store.model import LogCheck

if TYPE_CHECKING:
    from store.access.curator import CuratorView
    from store.vitals import Health

_HINTS = (
    *("list.open", "health.verify", "health.backup", "health.reembed", "health.scope"),
    *("pane.next", "app.keys"),
)
_WORDS = {"pane.next": "next pane"}
_REEMBED = "Another model makes all vectors anew: curator reindex. It can be stopped and goes on."


def _find(me: CuratorView, scope: str | None) -> Health:
    return me.health(scope=None if scope is None else [scope])


class HealthScreen(PlaceScreen):
    """Four panes of figures, two plots, look-alikes, and a list to go on from."""

    PLACE = "Health"
    KEY_PLACES = (Place.HEALTH, Place.EVERYWHERE)
    CSS_PATH = "health.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("health", "pane")

    def __init__(self) -> None:
        super().__init__()
        self.found: Health | None = None
        self.check: LogCheck | None = None

    def panes(self) -> Iterable[Widget]:
        """Figures, plots, notes; one page of all of it where there is no room."""
        made = {name: PageView(glyphs=self.curator.glyphs) for name in _TITLES}
        self.pages = made
        self.framed = {
            name: Pane(title, made[name], glyphs=self.curator.glyphs, id=name)
            for name, title in _TITLES.items()
        }
        row = self.framed
        yield Horizontal(*(row[n] for n in ("store", "belief", "log", "model")), id="figures")
        yield Horizontal(row["growth"], row["asked"], id="plots")
        yield Horizontal(row["alike"], row["worth"], id="notes")
        yield row["all"]

    def on_mount(self) -> None:
        """What is worth a look has the focus."""
        super().on_mount()
        self._list.focus()

    @property
    def _list(self) -> PageView:
        return self.pages["all" if self.is_narrow else "worth"]

    def ring(self) -> list[Widget]:
        """See `PlaceScreen`."""
        if self.is_narrow:
            return [self.pages["all"]]
        return [self.pages[name] for name in ("worth", "growth", "asked", "alike")]

    def hints(self) -> tuple[Hint, ...]:
        """See `PlaceScreen`."""
        off: set[str] = set()
        if not self._goes:
            off.add("list.open")
        if self.found is None or not self.found.stats.vectors_missing:
            off.add("health.reembed")
        return keys.hints(_HINTS, self.curator.keymap_read, disabled=off, words=_WORDS)

    # --- reading ------------------------------------------------------------------------

    def read(self) -> None:
        """The figures of the scope that is looked at."""
        scope = self.curator.scope
        self.bridge.ask(self, "health", lambda me: _find(me, scope), self._answered, self._not)

    def _answered(self, found: Health) -> None:
        self.found = found
        self._show()

    def _not(self, error: StoreError) -> None:
        for name in ("all", "worth"):
            self.pages[name].show(Note(told(error)))

    def _show(self) -> None:
        found = self.found
        if found is None:
            return
        look = self.look
        shown: dict[str, Pageable] = {
            "store": views.StorePage(found),
            "belief": views.BeliefPage(found, look),
            "log": views.LogPage(found, look, self.check),
            "model": views.ModelPage(found, look),
            "growth": views.GrowthPage(found, look),
            "asked": views.AskedPage(found, look),
            "alike": views.AlikePage(found, look),
            "worth": views.WorthPage(found, look),
            "all": views.OneColumn(found, look, self.check),
        }
        for name, page in shown.items():
            self.pages[name].show(page, keep=True)
        self.framed["growth"].position = Content("live memories, 36 weeks, each to its own top")
        self.framed["asked"].position = Content("60 days, without your own searches")
        self.show_hints()

    def on_resize(self) -> None:
        """Another size may be another list."""
        super().on_resize()
        if self.focused is None or self.focused not in self.ring():
            self._list.focus()

    # --- acts ---------------------------------------------------------------------------

    @property
    def _goes(self) -> str:
        key = self._list.stop_key
        if self.found is None or key is None:
            return ""
        found = views.WorthPage(self.found, self.look).found
        return found[int(key)].goes if int(key) < len(found) else ""

    @on(PageView.StopHighlighted)
    def _highlighted(self) -> None:
        self.show_hints()

    @on(PageView.StopChosen)
    async def _chosen(self) -> None:
        """Where the finding leads: an act, memories one by one, or a question in Search."""
        goes = self._goes
        how, _, what = goes.partition(" " if goes.startswith("? ") else ":")
        if how == "do":
            await self.run_action(what)
        if how not in ("triage", "?"):
            return
        await self.app.switch_mode("triage" if how == "triage" else "search")
        screen: Any = self.app.screen
        if how == "triage":
            screen.show_only(what)
        else:
            screen.query_bar.value = what

    def action_leave(self) -> None:
        """Back to the list."""
        self.remove_class("-enlarged")
        self._list.focus()

    def action_verify(self) -> None:
        """Read the whole log and every version again."""
        self.curator.say("Reading the whole log…")
        self.bridge.ask(self, "verify", lambda me: me.verify_log(), self._verified, self.refused)

    def _verified(self, check: LogCheck) -> None:
        self.check = check
        self.curator.notice(replace(self.curator.notices, log=check))
        self._show()
        if check.intact:
            self.curator.say(f"Log intact, {numbers.many(check.events, 'event')}.")
        else:
            self.curator.refuse(f"The log is broken at #{check.broken_at}: {check.problem}.")

    def action_scope(self) -> None:
        """See `PlaceScreen`; `f` says the same here."""
        super().action_scope()

    def action_backup(self) -> None:
        """A whole copy beside the store, while it is in use; asked before."""
        self.curator.action_back_up()

    def action_reembed(self) -> None:
        """Make the vectors that are missing; a whole space is made on the command line."""
        stats = None if self.found is None else self.found.stats
        if stats is not None and stats.keyword_only:
            self.curator.refuse(_REEMBED)
        elif stats is None or not stats.vectors_missing:
            self.curator.refuse("Every version that is to have a vector has one.")
        else:
            self.curator.say(f"Making {numbers.many(stats.vectors_missing, 'vector')}…")
            self.bridge.act(
                self.curator, lambda me: me.reindex(missing=True), self._made, self.refused
            )

    def _made(self, done: int) -> None:
        self.curator.say(f"Made {numbers.many(done, 'vector')}.")
        self.read()

    def action_undo(self) -> None:
        """Nothing is done here that could be undone."""
        self.curator.refuse("Nothing was done here. 5 Audit undoes any act.")


_TITLES = {
    "store": "Store",
    "belief": "Belief",
    "log": "Log",
    "model": "Embedding model",
    "growth": "Growth by scope",
    "asked": "Recalls per day",
    "alike": "Look-alike scopes",
    "worth": "Worth a look",
    "all": "Health",
}
