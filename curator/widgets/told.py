"""What our messages have in common: who sent them, and that bursts may collapse."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message
from textual.widget import Widget


@dataclass
class Told(Message):
    """Sent by `widget`, so that `@on(ResultList.Chosen, "#results")` can tell two lists apart."""

    widget: Widget

    @property
    def control(self) -> Widget:
        """For Textual's `@on`."""
        return self.widget


class ToldLatest(Told):
    """Only the last of a burst matters, as while a key is held down."""

    def can_replace(self, message: Message) -> bool:
        """An older one of the same kind and widget that nobody has handled yet."""
        return type(message) is type(self) and message.control is self.control
