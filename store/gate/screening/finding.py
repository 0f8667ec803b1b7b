"""Everything that screening finds in one text, in the order in which it stands there."""

from __future__ import annotations

from collections.abc import Iterable

from store.gate.screening.look_alikes import find_look_alikes
from store.gate.screening.orders import find_orders
from store.gate.screening.personal import find_personal
from store.gate.screening.unseen import find_unseen
from store.model import Finding, FindingKind

PERSONAL = frozenset({FindingKind.EMAIL, FindingKind.PHONE, FindingKind.CARD, FindingKind.IBAN})
HIDDEN = frozenset({FindingKind.HIDDEN, FindingKind.ESCAPE})
MOST = 200
"""Findings of one text that are told; a text with more is no note."""


def screen(text: str) -> tuple[Finding, ...]:
    """The findings of a text, by place. Linear in its length; about 15 µs for an ordinary note."""
    found = [*find_unseen(text), *find_look_alikes(text), *find_orders(text), *find_personal(text)]
    return tuple(sorted(found, key=lambda one: (one.span, one.kind))[:MOST])


def kinds(findings: Iterable[Finding]) -> frozenset[FindingKind]:
    """The kinds found, each once."""
    return frozenset(one.kind for one in findings)


def reasons(findings: Iterable[Finding]) -> str:
    """Why, in one line, each reason once: `reads like an order …; 2 e-mail addresses`."""
    return "; ".join(dict.fromkeys(one.reason for one in findings))
