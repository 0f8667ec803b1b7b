"""Dates as people type them after `before:` and `after:`."""

from __future__ import annotations

import calendar
import re
from datetime import UTC, datetime, timedelta

from store.errors import Invalid
from store.times import parse_time

_AGO = re.compile(r"(\d{1,5})(min|h|d|w|mo|m|y)", re.IGNORECASE)
_MONTH = re.compile(r"(\d{4})(?:-(\d{1,2}))?")
_HINT = "Write 2026-11-30, 2026-11, 2026, 2026-11-30T16:05Z, today, yesterday, or 12h 7d 2w 3mo 1y."
_HALF_TYPED = re.compile(r"\d{1,5}|\d{4}-[\d\-:.TtZz+]*|[a-z]{1,8}", re.IGNORECASE)


def parse_moment(text: str, now: datetime, name: str = "date") -> datetime:
    """The moment a date begins, in UTC: `2026-11` is the first instant of November 2026.

    `7d`, `2w`, `3mo`, `1y` lie so long before `now`; months keep the day where they can.
    Raises `Invalid` that names the forms.
    """
    word = text.strip().casefold()
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    named = {"now": now.astimezone(UTC), "today": today, "yesterday": today - timedelta(days=1)}
    if word in named:
        return named[word]
    ago = _AGO.fullmatch(word)
    month = _MONTH.fullmatch(word)
    try:
        if ago:
            return _ago(now.astimezone(UTC), int(ago[1]), ago[2])
        if month:
            return datetime(int(month[1]), int(month[2] or 1), 1, tzinfo=UTC)
        return parse_time(text, name)
    except (ValueError, OverflowError, Invalid):
        raise Invalid(f"{name}: {text[:40]!r} is not a date.", _HINT) from None


def is_half_typed(text: str) -> bool:
    """Whether this may still become a date while the person is typing."""
    return _HALF_TYPED.fullmatch(text) is not None


def _ago(now: datetime, count: int, unit: str) -> datetime:
    if unit == "y":
        return _months_before(now, 12 * count)
    if unit in ("mo", "m"):
        return _months_before(now, count)
    hours = {"min": 1 / 60, "h": 1, "d": 24, "w": 168}[unit]
    return now - timedelta(hours=hours * count)


def _months_before(now: datetime, months: int) -> datetime:
    year, month = divmod(now.year * 12 + now.month - 1 - months, 12)
    if year < 1:
        raise OverflowError
    day = min(now.day, calendar.monthrange(year, month + 1)[1])
    return now.replace(year=year, month=month + 1, day=day)
