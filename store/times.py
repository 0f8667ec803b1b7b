"""Times: aware datetimes at the doors, microseconds since 1970 (UTC) inside.

Open ends are stored as the sentinels below, so that every comparison is one of numbers and
no predicate needs a null case (domain.md, "Truth at a moment").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from store.errors import Invalid

Clock = Callable[[], datetime]

OPEN_START = -(2**62)
OPEN_END = 2**62
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY_ONLY = re.compile(r"\d{4}-\d{2}-\d{2}")


def system_clock() -> datetime:
    """The machine's clock. Only the programs' entry points pass it in (law 15)."""
    return datetime.now(UTC)


def to_us(moment: datetime) -> int:
    """Microseconds since 1970. Raises `Invalid` for a time without a zone."""
    if not isinstance(moment, datetime):
        raise Invalid("A time is to be a datetime.", "With a zone, such as UTC.")
    if moment.tzinfo is None:
        raise Invalid(f"The time {moment.isoformat()} has no time zone.", "Add Z for UTC.")
    return (moment - _EPOCH) // _MICROSECOND


def from_us(us: int) -> datetime:
    return _EPOCH + timedelta(microseconds=us)


def start_us(moment: datetime | None) -> int:
    return OPEN_START if moment is None else to_us(moment)


def end_us(moment: datetime | None) -> int:
    return OPEN_END if moment is None else to_us(moment)


def open_from_us(us: int | None) -> datetime | None:
    """A stored end as shown at the doors: the sentinels are None."""
    if us is None or us in (OPEN_START, OPEN_END):
        return None
    return from_us(us)


def iso(moment: datetime) -> str:
    """ISO 8601 in UTC with a Z, as in every JSON answer (doors.md)."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def iso_or_none(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)


def parse_time(text: str, name: str = "time") -> datetime:
    """An ISO 8601 date or time; without a zone it is UTC. Raises `Invalid`."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise Invalid(
            f"{name}: {text[:40]!r} is not a date.",
            "Write 2026-11-30 or 2026-11-30T16:05Z.",
        ) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise Invalid(f"{name}: {text[:40]!r} lies outside the years 1 to 9999.") from None
