"""What holds in a scope, and setting it: the palette's "policy of this scope…"."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from curator.dialogs.choose import ChooseDialog, Chosen, Option
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.safe import visible, visible_str
from curator.views.page import Note
from curator.views.policies import PoliciesPage
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from store.errors import StoreError
from store.model import Outcome, Policy, Written

if TYPE_CHECKING:
    from curator.app import CuratorApp

INHERIT = "inherit"
_DAYS = ("7", "30", "90", "365", "3650")
_MEANS = {
    "mask": "What was found is taken out before it is stored.",
    "flag": "It is stored, and marked wherever you see it.",
    "quarantine": "It is stored, but nobody recalls it until you release it in Review.",
    "hold": "It is stored nowhere; it waits in Review.",
    "admit": "What agents write is live at once.",
    "review": "What agents write waits in Review.",
    INHERIT: "What is said above holds here again, or the default.",
}


class PolicyDialog(Dialog[None]):
    """Lists what holds; `enter` asks for another value. Each change is an act of its own."""

    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "leave")]
    OPENS = "set"

    def __init__(self, scope: str) -> None:
        super().__init__()
        self._scope = scope
        self._policies: tuple[Policy, ...] = ()

    @property
    def _curator(self) -> CuratorApp:
        return cast("CuratorApp", self.app)

    def compose(self) -> ComposeResult:
        """One list."""
        title = f"Policy of {visible_str(self._scope, multiline=False)}"
        with Pane(title, classes="dialog -tall", glyphs=self._curator.glyphs):
            self._page = PageView(glyphs=self._curator.glyphs)
            yield self._page

    def on_mount(self) -> None:
        """Ask the store what holds."""
        self._page.focus()
        self._read()

    def _read(self) -> None:
        bridge = self._curator.bridge
        assert bridge is not None
        bridge.ask(
            self, "policies", lambda me: me.policies(self._scope), self._found, self._refused
        )

    def _found(self, policies: tuple[Policy, ...]) -> None:
        self._policies = policies
        page = PoliciesPage(policies, self._curator.look, self._scope)
        self._page.show(page, keep=True)

    def _refused(self, error: StoreError) -> None:
        self._page.show(Note(visible(f"{error}\n{error.hint}".strip())))

    @on(PageView.StopChosen)
    def _chosen(self, event: PageView.StopChosen) -> None:
        one = next((p for p in self._policies if p.name == event.key), None)
        if one is None:
            return
        options = [
            Option(f"v-{value}", value, _MEANS.get(value, "")) for value in one.choices or _DAYS
        ]
        if one.scope == self._scope:
            options.append(Option(f"v-{INHERIT}", INHERIT, _MEANS[INHERIT]))
        body = visible(f"{one.means}. Now: {one.value}. From now on, here and below.")
        title = f"{one.name} of {visible_str(self._scope, multiline=False)}"
        self._curator.push_screen(
            ChooseDialog(title, body, options, keep="Leave it"), partial(self._set, one)
        )

    def _set(self, one: Policy, chosen: Chosen | None) -> None:
        bridge = self._curator.bridge
        if chosen is None or bridge is None:
            return
        value = chosen.id.removeprefix("v-")
        bridge.act(
            self,
            lambda me: me.set_policy(self._scope, one.name, value),
            partial(self._done, one, value),
            self._lost,
        )

    def _done(self, one: Policy, value: str, written: Written) -> None:
        if written.outcome is Outcome.ALREADY:
            self._curator.say(f"Nothing was changed: {written.reason}.")
        else:
            self._curator.say(f"{one.name} of {visible_str(self._scope)}: {value}.")
        self._read()

    def _lost(self, error: StoreError) -> None:
        self._curator.refuse(f"{error} {error.hint}".strip())

    def action_leave(self) -> None:
        """Back to the place."""
        self.dismiss(None)


def open_policy(app: CuratorApp) -> None:
    """What holds in the scope that is looked at; in the whole store, of one to be chosen."""
    if app.scope is not None:
        app.push_screen(PolicyDialog(app.scope))
        return
    from curator.dialogs.scope import ScopeDialog

    app.push_screen(ScopeDialog(None), partial(_scope_chosen, app))


def _scope_chosen(app: CuratorApp, scope: str | None) -> None:
    if scope:
        app.push_screen(PolicyDialog(scope))
    elif scope is not None:
        app.refuse("A policy is of one scope and what lies below it; choose one.")
