"""Ages and dates in words, given now (visual.md §3). English and UTC, whatever the locale is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS_A_MONTH = 30.44
AGE_CELLS = 5


def age(then: datetime, now: datetime) -> str:
    """`now`, `12 m`, `9 h`, `3 d`, `2 mo`, `1 y`: at most 5 cells, 8 when it lies ahead.

    Days go up to 59, so that `40 d` is not rounded to a month; a future time is `in 3 d`.
    """
    if then > now + timedelta(minutes=1):
        return f"in {age(now, then)}"
    passed = max(now - then, timedelta(0))
    days = passed.days
    if days >= 365:
        return f"{days // 365} y"
    if days >= 60:
        return f"{min(11, round(days / _DAYS_A_MONTH))} mo"
    if days:
        return f"{days} d"
    minutes = passed.seconds // 60
    if minutes >= 60:
        return f"{minutes // 60} h"
    return f"{minutes} m" if minutes else "now"


def ago(then: datetime, now: datetime) -> str:
    """An age inside a sentence: `3 d ago`, `just now`, `in 2 d`."""
    said = age(then, now)
    if said == "now":
        return "just now"
    return said if said.startswith("in ") else f"{said} ago"


def day(then: datetime, now: datetime) -> str:
    """`1 Dec`, with the year when it is not this one: `1 Dec 2025`."""
    then = then.astimezone(UTC)
    year = "" if then.year == now.astimezone(UTC).year else f" {then.year}"
    return f"{then.day} {_MONTHS[then.month - 1]}{year}"


def date(then: datetime, now: datetime) -> str:
    """`28 Nov 16:05`, with the year when it is not this one."""
    return f"{day(then, now)} {then.astimezone(UTC):%H:%M}"


def full(then: datetime) -> str:
    """`26 Nov 2026 09:14` for the card; a whole day without its time: `1 Mar 2026`."""
    then = then.astimezone(UTC)
    said = f"{then.day} {_MONTHS[then.month - 1]} {then.year}"
    if (then.hour, then.minute, then.second, then.microsecond) == (0, 0, 0, 0):
        return said
    return f"{said} {then:%H:%M}"


def second(then: datetime) -> str:
    """`26 Nov 2026 09:14:07`, at midnight too."""
    then = then.astimezone(UTC)
    return f"{then.day} {_MONTHS[then.month - 1]} {then.year} {then:%H:%M:%S}"


def exact(then: datetime) -> str:
    """`2026-11-26 09:14:03.000120 UTC`, where no digit may be lost."""
    return f"{then.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f} UTC"


def month(then: datetime) -> str:
    """`Mar`, for the axis of a timeline."""
    return _MONTHS[then.astimezone(UTC).month - 1]
