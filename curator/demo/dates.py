"""Days counted back from the demo's "now", and the words that texts use for them.

Texts are written once and must be right whenever the demo is opened, so they hold marks:
`{date:12}` is the day twelve days ago ("18 November"), `{date:-4}` lies four days ahead,
`{month:90}` the month ninety days ago, `{next}` the first of next month, `{year}` this year.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MARK = re.compile(r"\{(?P<what>date|month):(?P<days>-?\d+)\}|\{(?P<word>next|year)\}")


def midnight(now: datetime, days_ago: int) -> datetime:
    """00:00 UTC of the day so many days before `now`; negative numbers lie ahead."""
    return datetime.combine(now.astimezone(UTC).date(), time(), UTC) - timedelta(days=days_ago)


def first_of_next_month(now: datetime) -> datetime:
    """00:00 UTC of the first day of the month after `now`."""
    return (midnight(now, 0).replace(day=28) + timedelta(days=4)).replace(day=1)


def dated(text: str, now: datetime) -> str:
    """The text with every mark replaced; anything else in braces stays as it is."""

    def word(mark: re.Match[str]) -> str:
        if mark["word"] == "year":
            return str(midnight(now, 0).year)
        if mark["word"] == "next":
            return _day(first_of_next_month(now))
        day = midnight(now, int(mark["days"]))
        return _day(day) if mark["what"] == "date" else _MONTHS[day.month - 1]

    return _MARK.sub(word, text)


def _day(day: datetime) -> str:
    # Not strftime: it would follow the machine's language.
    return f"{day.day} {_MONTHS[day.month - 1]}"
