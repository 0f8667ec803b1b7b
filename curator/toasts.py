"""What the app says in a corner: done things for four seconds, refusals until a key."""

from __future__ import annotations

from traceback import format_exception

from rich.text import Text
from textual import events
from textual.app import App
from textual.notifications import SeverityLevel

from curator.safe import visible_str

DONE_SECONDS = 4.0
_UNTIL_A_KEY = 3600.0
FAULT = (
    "curator stopped: this is a fault of the program, told above for its makers. "
    "What was confirmed is stored; nothing is half done."
)


class SpeakingApp(App[int]):
    """One toast at a time: the older gives way."""

    _refused = False

    def say(self, words: str) -> None:
        """What was done."""
        self._toast(words, DONE_SECONDS, refused=False)

    def refuse(self, words: str) -> None:
        """What was refused, and what to do."""
        self._toast(words, _UNTIL_A_KEY, refused=True)

    def _toast(self, words: str, seconds: float, *, refused: bool) -> None:
        self.clear_notifications()
        self._refused = refused
        severity: SeverityLevel = "warning" if refused else "information"
        self.notify(visible_str(words), timeout=seconds, severity=severity, markup=False)

    def _fatal_error(self) -> None:
        """A fault of ours, in place of Textual's page: what is in the variables are memories,
        and those stay out of the terminal's scrollback."""
        told = visible_str("".join(format_exception(self._exception)).rstrip())
        self.bell()
        self._exit_renderables.append(Text(f"{told}\n\n{FAULT}"))
        self._close_messages_no_wait()

    async def on_event(self, event: events.Event) -> None:
        """A key takes a refusal away, before it does what it does."""
        if self._refused and isinstance(event, events.Key):
            self._refused = False
            self.clear_notifications()
        await super().on_event(event)
