"""What the database itself refuses (laws 1, 3 and 6): one list of rules for both engines.

Each becomes a trigger that is never switched off. The conditions are SQL that both engines
read alike; `OLD` and `NEW` are the row before and after.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from store.schema import IMMUTABLE

LOG = "the audit log is append-only"
HISTORY = "a version is written once and closed once"
REDACTION = "only an erase may redact"


@dataclass(frozen=True, slots=True)
class Guard:
    """Refuses an act on a row of `table`: always, when `when` holds, or when one of the
    columns `kept` would change."""

    name: str
    act: Literal["INSERT", "UPDATE", "DELETE"]
    table: str
    says: str
    when: str = ""
    kept: tuple[str, ...] = ()


GUARDS: tuple[Guard, ...] = (
    Guard("event_no_update", "UPDATE", "event", LOG),
    Guard("event_no_delete", "DELETE", "event", LOG),
    Guard("detail_no_update", "UPDATE", "event_detail", LOG),
    Guard(
        "detail_no_delete",
        "DELETE",
        "event_detail",
        LOG,
        "NOT EXISTS (SELECT 1 FROM redaction WHERE seq = OLD.seq)",
    ),
    Guard("redaction_no_update", "UPDATE", "redaction", LOG),
    Guard("redaction_no_delete", "DELETE", "redaction", LOG),
    Guard(
        "redaction_by_erase",
        "INSERT",
        "redaction",
        REDACTION,
        "NOT EXISTS (SELECT 1 FROM event WHERE seq = NEW.by_seq AND action = 'erase')",
    ),
    Guard(
        "version_close_once", "UPDATE", "version", HISTORY, "OLD.closed_at IS NOT NULL", IMMUTABLE
    ),
    Guard(
        "version_no_delete",
        "DELETE",
        "version",
        HISTORY,
        "NOT EXISTS (SELECT 1 FROM erased WHERE memory_id = OLD.memory_id)",
    ),
)
