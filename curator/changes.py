"""What others wrote since a counter was seen: how many memories are new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from store.access.curator import CuratorView

MOST_LOOKED_AT = 1000
_NEW = frozenset({"remember", "import"})


@dataclass(frozen=True, slots=True)
class Changes:
    """`counter`: the log's last event. `new`: memories first written since the one before."""

    counter: int
    new: int = 0
    any: bool = False


def look_for_changes(me: CuratorView, seen: int) -> Changes:
    """One small read when nothing happened. At most a thousand events are looked through."""
    counter = me.changed()
    if counter <= seen:
        return Changes(counter, any=counter != seen)
    recent = me.events(limit=min(MOST_LOOKED_AT, counter - seen))
    new = {event.memory for event in recent if event.seq > seen and event.action in _NEW}
    return Changes(counter, len(new), any=True)
