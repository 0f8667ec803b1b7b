"""The filters of the query language: their names, their values, what a value may be."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from store.errors import Invalid
from store.model import Tier, Trust
from store.search.dates import is_half_typed, parse_moment


class Is(StrEnum):
    """What a memory may be, after `is:`."""

    PINNED = "pinned"
    ARCHIVED = "archived"
    LIVE = "live"
    CLOSED = "closed"
    CURRENT = "current"
    ANNOUNCED = "announced"
    RETIRED = "retired"
    SUPERSEDED = "superseded"
    MERGED = "merged"
    REJECTED = "rejected"
    EXPIRED = "expired"
    MASKED = "masked"
    HIDDEN = "hidden"
    INSTRUCTION = "instruction"


class Has(StrEnum):
    """What a memory may have, after `has:`. `history`: more than one version."""

    SUBJECT = "subject"
    TAG = "tag"
    SOURCE = "source"
    RELATION = "relation"
    SECRET = "secret"
    HIDDEN = "hidden"
    HISTORY = "history"
    EXPIRY = "expiry"


NAMES = (
    *("scope", "tier", "kind", "trust", "tag", "subject"),
    *("by", "before", "after", "is", "has"),
)
_FIELDS = {
    "scope": "scopes",
    "tier": "tiers",
    "kind": "kinds",
    "trust": "trusts",
    "tag": "tags",
    "subject": "subjects",
    "by": "by",
    "is": "is_",
    "has": "has",
}
_CHOICES: dict[str, type[StrEnum]] = {"tier": Tier, "trust": Trust, "is": Is, "has": Has}
_E = TypeVar("_E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Filters:
    """Typed filters. In `Query.filters` a row must pass all fields; in `Query.without` a row
    that meets any single value of any field is out.

    A row passes `scopes` (the scope or below it), `tiers`, `kinds`, `trusts`, `subjects` and
    `by` by any one of the values; it must have all `tags`, and be and have all of `is_` and
    `has`. `by` may be a whole actor (`agent:scout`), a name, or a kind of actor (`agent`).
    `after` is inclusive, `before` exclusive; both are aware and in UTC.
    """

    scopes: tuple[str, ...] = ()
    tiers: tuple[Tier, ...] = ()
    kinds: tuple[str, ...] = ()
    trusts: tuple[Trust, ...] = ()
    tags: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    is_: tuple[Is, ...] = ()
    has: tuple[Has, ...] = ()
    before: datetime | None = None
    after: datetime | None = None

    def __bool__(self) -> bool:
        return self != NO_FILTERS

    def adding(
        self, name: str, values: tuple[str, ...], now: datetime, widest: bool = False
    ) -> Filters:
        """These filters and one more. Raises `Invalid` for a value that means nothing.

        Of several dates the one that lets least through counts, or (`widest`) most.
        """
        if name in ("before", "after"):
            moments = [parse_moment(v, now, name) for v in values]
            moments += [m for m in (getattr(self, name),) if m is not None]
            pick = min if (name == "before") is not widest else max
            return self._with(name, pick(moments))
        have = getattr(self, _FIELDS[name])
        added = tuple(_value(name, v) for v in values)
        return self._with(_FIELDS[name], tuple(dict.fromkeys((*have, *added))))

    def _with(self, name: str, value: object) -> Filters:
        changes: dict[str, Any] = {name: value}
        return replace(self, **changes)


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class FilterSpan:
    """Where a filter stands in the raw query: for colouring and for taking it out again."""

    start: int
    end: int
    name: str
    values: tuple[str, ...] = ()
    negated: bool = False
    pending: bool = False
    """Half typed: it does not count yet."""


def split_values(name: str, value: str, quoted: bool) -> tuple[str, ...]:
    """`a,b` is two values, `"a,b"` is one; spaces and doubled commas fall away."""
    values = [value] if quoted else value.split(",")
    cleaned = (unicodedata.normalize("NFC", v).strip() for v in values)
    if name == "scope":
        cleaned = (v.removesuffix("/*").strip("/") for v in cleaned)
    return tuple(dict.fromkeys(v for v in cleaned if v))


def is_unfinished(name: str, value: str) -> bool:
    """Whether the value may still become a good one while it is being typed."""
    if name in ("before", "after"):
        return is_half_typed(value)
    last = value.rpartition(",")[2].casefold()
    choices = _CHOICES.get(name)
    return choices is not None and any(c.value.startswith(last) for c in choices)


def _value(name: str, value: str) -> str:
    choices = _CHOICES.get(name)
    if choices is not None:
        return _choice(choices, name, value)
    return value.casefold() if name == "kind" else value


def _choice(choices: type[_E], name: str, value: str) -> _E:
    try:
        return choices(value.casefold())
    except ValueError:
        hint = f"After {name}: write one of {', '.join(choices)}."
        elsewhere = [n for n, c in _CHOICES.items() if value.casefold() in set(c)]
        if elsewhere:
            hint = f"Did you mean {elsewhere[0]}:{value.casefold()}? {hint}"
        raise Invalid(f"{name}:{_shown(value)} means nothing here.", hint) from None


def _shown(value: str) -> str:
    """A typed value as it may stand in a message: short, nothing hidden in it."""
    return "".join(c if c.isprintable() else "?" for c in value[:40])
