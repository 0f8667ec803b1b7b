"""Dates and times in a row of words. Each part is an item of its own: `3 May 2024` is the day
`05-03` and the year `2024`, so that the text that names no year is seen to say less, not other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from store.review.items import Item, Kind
from store.review.keys import key_of
from store.review.lexicon import Language, canonical
from store.review.tokens import Tok
from store.review.words import chinese, english, vietnamese

Days = tuple[list[Item], int]
"""Items and the place of the first word after them."""

_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})")
_CLOCK = re.compile(r"(\d{1,2})[:h](\d{2})?(?::\d{2})?(am|pm)?|(\d{1,2})(am|pm)")
_DAY = re.compile(r"(\d{1,2})(st|nd|rd|th)?")
_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_QUARTER = re.compile(r"q[1-4]")
_BEFORE_YEAR = frozenset("in since until by from of during before after year năm".split())
_CHINESE = frozenset((*chinese.NUMBERS, "十"))
_MOST_SIGNS = 5
_AFTER_MONTH_NAME = frozenset("may march mar sun sat wed mon dec jan fall".split())
"""Names that are other words in small letters."""


def days_at(toks: Sequence[Tok], at: int, text: str, language: Language) -> Days | None:
    """The date or time that begins with this word, if one does."""
    tok = toks[at]
    found = _hour_of_day(toks, at, text)
    if found is None and tok.numeric:
        found = _numeric(toks, at, text)
    if found is None and language == "vi":
        found = _vietnamese(toks, at)
    if found is None and (tok.run or (tok.numeric and _next(toks, at + 1).run)):
        found = _chinese(toks, at)
    return found or _named(toks, at, text)


def _date(key: str, toks: Sequence[Tok], at: int, after: int, text: str = "") -> Item:
    start, end = toks[at].start, toks[after - 1].end
    return Item(Kind.DATE, key, start, end, text[start:end])


def _next(toks: Sequence[Tok], at: int) -> Tok:
    return toks[at] if 0 <= at < len(toks) else _NO_TOK


_NO_TOK = Tok("", "", "", 0, 0, "\n")


def _numeric(toks: Sequence[Tok], at: int, text: str) -> Days | None:
    tok = toks[at]
    iso = _ISO.fullmatch(tok.low)
    if iso:
        year, month, day = map(int, iso.groups())
        both = [_date(f"day:{month:02}-{day:02}", toks, at, at + 1, text)]
        return [*both, _date(f"year:{year}", toks, at, at + 1, text)], at + 1
    slashed = _SLASHED.fullmatch(tok.low)
    if slashed:  # which is the day nobody knows; as written it is one date
        first, second, year = map(int, slashed.groups())
        both = [_date(f"slashed:{first}/{second}", toks, at, at + 1, text)]
        return [*both, _date(f"year:{year}", toks, at, at + 1, text)], at + 1
    clock = _clock(toks, at, text)
    if clock:
        return clock
    following = _next(toks, at + 1)
    if _DAY.fullmatch(tok.low) and (named := _month(following)):
        return _day_and_year(toks, at, at + 2, named, _day(tok), text)
    if _DAY.fullmatch(tok.low) and following.gap == "/" and _DAY.fullmatch(following.low):
        return [_date(f"slashed:{_day(tok)}/{_day(following)}", toks, at, at + 2, text)], at + 2
    if _ORDINAL.fullmatch(tok.low):
        return [_date(f"nth:{tok.low.rstrip('stndrh')}", toks, at, at + 1, text)], at + 1
    if _YEAR.fullmatch(tok.low) and _next(toks, at - 1).low in _BEFORE_YEAR:
        return [_date(f"year:{tok.low}", toks, at, at + 1, text)], at + 1
    return None


def _day(tok: Tok) -> int:
    return int(tok.low.rstrip("stndrh"))


def _clock(toks: Sequence[Tok], at: int, text: str) -> Days | None:
    """`09:15`, `9h30`, `9:30 am`, `3 pm`; `at 10` where nothing is counted after it."""
    tok, after = toks[at], at + 1
    match = _CLOCK.fullmatch(tok.low)
    half = match and (match[3] or match[5])
    following = _next(toks, after)
    if not half and following.low in ("am", "pm") and following.gap.strip() in ("", "."):
        half, after = following.low, after + 1
    if match and (match[2] or half):
        hour, minute = int(match[1] or match[4]), int(match[2] or 0)
    elif tok.low.isdecimal() and len(tok.low) < 3 and (half or _is_hour(toks, at)):
        hour, minute = int(tok.low), 0
    else:
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 24 or minute > 59:
        return None
    return [_date(f"time:{hour:02}:{minute:02}", toks, at, after, text)], after


def _hour_of_day(toks: Sequence[Tok], at: int, text: str) -> Days | None:
    """`seven in the morning`, `3 in the afternoon`."""
    low = toks[at].low
    hour = int(low) if low.isdecimal() and len(low) < 3 else english.NUMBERS.get(low, 0)
    said = toks[at + 1 : at + 4]
    if not 1 <= hour <= 12 or len(said) < 3 or any(t.gap != " " for t in said):
        return None
    late = _HALVES.get(said[2].low) if (said[0].low, said[1].low) == ("in", "the") else None
    if late is None:
        return None
    return [_date(f"time:{hour % 12 + late:02}:00", toks, at, at + 4, text)], at + 4


_HALVES = {"morning": 0, "afternoon": 12, "evening": 12}


def _is_hour(toks: Sequence[Tok], at: int) -> bool:
    """`meets at 10`: after `at`, and nothing behind that it could count."""
    following = _next(toks, at + 1)
    ended = following is _NO_TOK or following.gap.strip() != "" or following.low == "utc"
    return _next(toks, at - 1).low == "at" and ended and int(toks[at].low) <= 24


@cache
def _months() -> dict[str, int]:
    lines = english.MONTHS.strip().splitlines()
    return {name: n for n, line in enumerate(lines, 1) for name in line.split()}


@cache
def _weekdays() -> dict[str, int]:
    lines = english.WEEKDAYS.strip().splitlines()
    return {name: n for n, line in enumerate(lines, 1) for name in line.split()}


def _month(tok: Tok) -> int | None:
    number = _months().get(tok.low)
    if number is None or (tok.low in _AFTER_MONTH_NAME and tok.raw.islower()):
        return None
    return number


def _day_and_year(
    toks: Sequence[Tok], at: int, after: int, month: int, day: int, text: str
) -> Days:
    items = [_date(f"day:{month:02}-{day:02}", toks, at, after, text)]
    year = _next(toks, after)
    if _YEAR.fullmatch(year.low) and year.gap.strip() in ("", ","):
        items.append(_date(f"year:{year.low}", toks, after, after + 1, text))
        after += 1
    return items, after


def _named(toks: Sequence[Tok], at: int, text: str) -> Days | None:
    tok = toks[at]
    month = _month(tok)
    if month:
        following = _next(toks, at + 1)
        day = _DAY.fullmatch(following.low)
        if day and following.gap == " " and int(day[1]) <= 31:
            return _day_and_year(toks, at, at + 2, month, int(day[1]), text)
        items = [_date(f"month:{month}", toks, at, at + 1, text)]
        if _YEAR.fullmatch(following.low) and following.gap.strip() in ("", ","):
            items.append(_date(f"year:{following.low}", toks, at + 1, at + 2, text))
            return items, at + 2
        bare = tok.low == "may" and _next(toks, at - 1).low not in _BEFORE_YEAR
        return None if bare else (items, at + 1)
    weekday = _weekdays().get(tok.low) or _weekdays().get(tok.low.removesuffix("s"))
    if weekday and not (tok.low in _AFTER_MONTH_NAME and tok.raw.islower()):
        return [_date(f"weekday:{weekday}", toks, at, at + 1, text)], at + 1
    if _QUARTER.fullmatch(tok.low):
        return [_date(f"quarter:{tok.low}", toks, at, at + 1, text)], at + 1
    return None


# --- Vietnamese and Chinese -------------------------------------------------------------


@cache
def _vi(word: str) -> str:
    return canonical(word)


def _vietnamese(toks: Sequence[Tok], at: int) -> Days | None:
    """`thứ Ba`, `tháng 6 năm 2025`, `9 giờ sáng`, `9h sáng`."""
    tok, following = toks[at], _next(toks, at + 1)
    if tok.key == _vi("thứ"):
        names = [key_of(w) for w in vietnamese.WEEKDAYS.split()]
        if following.key in names[:-1]:
            return [_date(f"weekday:{names.index(following.key) + 1}", toks, at, at + 2)], at + 2
    if tok.key == _vi("chủ") and following.key == _vi("nhật"):
        return [_date("weekday:7", toks, at, at + 2)], at + 2
    if tok.key in (_vi("tháng"), _vi("năm")) and re.fullmatch(r"\d{1,4}", following.low):
        what = "month" if tok.key == _vi("tháng") else "year"
        return [_date(f"{what}:{int(following.low)}", toks, at, at + 2)], at + 2
    hour = re.fullmatch(r"(\d{1,2})h?", tok.low)
    after = at + 1
    if hour and following.key == _vi("giờ"):
        after += 1
    halves = {_vi("sáng"): 0, _vi("chiều"): 12, _vi("tối"): 12, _vi("trưa"): 0}
    half = halves.get(_next(toks, after).key)
    clocked = half is not None or (after > at + 1 and _next(toks, at - 1).key == _vi("lúc"))
    if hour and clocked and (after > at + 1 or tok.low.endswith("h")) and int(hour[1]) <= 24:
        after += half is not None
        return [_date(f"time:{int(hour[1]) % 12 + (half or 0):02}:00", toks, at, after)], after
    return None


def _chinese(toks: Sequence[Tok], at: int) -> Days | None:
    """`4月15日`, `2025年6月`, `周三`, `星期三`, `上午十点`; the digits may be Chinese too."""
    tok = toks[at]
    if tok.raw in ("周", "星期", "礼拜") and _next(toks, at + 1).raw in tuple(chinese.WEEKDAYS):
        day = min(chinese.WEEKDAYS.index(toks[at + 1].raw), 6) + 1
        return [_date(f"weekday:{day}", toks, at, at + 2)], at + 2
    value, after = _value(toks, at)
    if value is None:
        return None
    what = _next(toks, after)
    names = {"年": "year", "月": "month", "日": "nth", "号": "nth", "点": "hour"}
    if what.raw not in names or what.gap.strip():
        return None
    if what.raw == "点":
        late = _next(toks, at - 1).raw in ("下午", "晚上")
        hour = value + 12 if late and value < 12 else value
        return [_date(f"time:{hour:02}:00", toks, at, after + 1)], after + 1
    if what.raw == "月":
        day_value, behind = _value(toks, after + 1)
        if day_value is not None and _next(toks, behind).raw in ("日", "号"):
            key = f"day:{value:02}-{day_value:02}"
            return [_date(key, toks, at, behind + 1)], behind + 1
    return [_date(f"{names[what.raw]}:{value}", toks, at, after + 1)], after + 1


def _value(toks: Sequence[Tok], at: int) -> tuple[int | None, int]:
    tok = _next(toks, at)
    if tok.low.isdecimal() and len(tok.low) <= 4:
        return int(tok.low), at + 1
    total = part = 0
    after = at
    while after < at + _MOST_SIGNS and ((raw := _next(toks, after).raw) in _CHINESE):
        if raw == "十":
            total, part = total + max(part, 1) * 10, 0
        else:
            part = part * 10 + chinese.NUMBERS[raw]
        after += 1
    return (total + part, after) if after > at else (None, at)
