"""Before an act on several memories, or one that wants a reason: how many, and what it means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Input, Static

from curator import tones
from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.safe import visible
from curator.views import impact, lines, numbers, standing
from curator.widgets.pane import Pane
from store.model import Memory
from store.search.told import Impact

if TYPE_CHECKING:
    from curator.app import CuratorApp

MOST_NAMED = 5
_MEANS = {
    "retire": "It answers no longer. Nothing is destroyed: u undoes, and o restores it later.",
    "verify": "You stand behind them; they rank a little higher.",
    "dispute": "They stay in answers and are marked as doubted.",
    "quarantine": "Nobody is told them until a person releases them.",
    "release": "They may be told again, as unreviewed.",
    "pin": "They are always offered in their scope.",
    "unpin": "They are offered like any other.",
    "archive": "They are kept, but out of ordinary answers.",
    "unarchive": "They are in ordinary answers again.",
    "restore": "They answer again, each as a new version.",
}
_HIDES = frozenset({"retire", "archive", "quarantine"})
"""Acts after which agents are not told it any more: their impact is said."""
_IMPACT_CELLS = 72
_IMPERATIVE = {"unarchive": "Take out of the archive"}


class ConfirmDialog(Dialog[str | None]):
    """Answers the reason (empty without one), or None when everything is to stay."""

    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "keep")]
    LEAVES = "keep as it is"

    def __init__(self, verb: str, memories: Sequence[Memory], *, reason: bool = False) -> None:
        super().__init__()
        self._verb, self._memories, self._wants_reason = verb, tuple(memories), reason

    def compose(self) -> ComposeResult:
        """Title, the memories, what it means, a reason, buttons."""
        word = _IMPERATIVE.get(self._verb, self._verb.capitalize())
        many = len(self._memories)
        what = (
            standing.short_id(self._memories[0].id)
            if many == 1
            else numbers.many(many, "memory", "memories")
        )
        self._reason = Input(id="reason", compact=True, classes="field")
        self._reason.cursor_blink = False
        with Pane(f"{word} {what}", classes="dialog"):
            yield Static(self._told(), classes="body")
            self._impact = Static("", id="impact", classes="body", markup=False)
            self._impact.display = self._verb in _HIDES
            yield self._impact
            if self._wants_reason:
                yield Static("Why (may stay empty)", classes="label")
                yield self._reason
            all_ = f" all {numbers.count(many)}" if many > 1 else ""
            self._do_it = DialogButton(f"{word}{all_}", id="do")
            yield ButtonRow(
                self._do_it,
                DialogButton("Keep as it is" if many == 1 else "Keep them as they are", id="keep"),
            )

    def _told(self) -> Content:
        look = cast("CuratorApp", self.app).look
        told = []
        for memory in self._memories[:MOST_NAMED]:
            text = visible(memory.text, multiline=False)
            (first, *_) = lines.clip(text, 60, 1) or [Content("")]
            told.append(
                Content.assemble(
                    (f"{standing.short_id(memory.id)}  ", tones.MUTED),
                    standing.trust(memory, look),
                    "  ",
                    first,
                )
            )
        if (more := len(self._memories) - MOST_NAMED) > 0:
            told.append(Content.styled(f"and {numbers.count(more)} more", tones.MUTED))
        scopes = Counter(memory.scope for memory in self._memories)
        where = ", ".join(f"{numbers.count(n)} in {scope}" for scope, n in scopes.most_common(3))
        told += [Content(""), visible(where, multiline=False).stylize_before(tones.MUTED)]
        told.append(Content(_MEANS[self._verb]))
        return Content("\n").join(told)

    def on_mount(self) -> None:
        """The reason is typed first; without one the first button is ready."""
        (self._reason if self._wants_reason else self._do_it).focus()
        bridge = cast("CuratorApp", self.app).bridge
        if self._verb in _HIDES and bridge is not None:
            ids = [memory.id for memory in self._memories]
            bridge.ask(
                self,
                "impact",
                lambda me: me.impact(closes=ids),
                self._impact_known,
                lambda error: None,
            )

    def _impact_known(self, found: Impact) -> None:
        """Which answers of agents would change; the act does not wait for it."""
        self._impact.update(impact.brief(found, _IMPACT_CELLS))

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._do()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "do":
            self._do()
        else:
            self.dismiss(None)

    def _do(self) -> None:
        self.dismiss(self._reason.value.strip())

    def action_keep(self) -> None:
        """Nothing is done."""
        self.dismiss(None)
