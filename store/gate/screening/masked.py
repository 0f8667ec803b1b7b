"""What a scope's policy takes out of a text before it is stored: personal data, orders, what
cannot be seen. Look-alike letters stay: to replace them would be to guess what was meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from store.gate.masking import MASK
from store.gate.screening.finding import HIDDEN, PERSONAL, screen
from store.gate.screening.unseen import without_unseen
from store.model import Draft, Finding, FindingKind
from store.reads import policies

Rules = Callable[[str], Mapping[str, str]]
"""Scope → the policies in force there. Asked only for a text in which something was found."""


@dataclass(frozen=True, slots=True)
class Screened:
    """A draft after screening. `masked`: how many parts were taken out."""

    draft: Draft
    findings: tuple[Finding, ...]
    masked: int = 0


def screened(draft: Draft, rules: Rules | None) -> Screened:
    """The draft as its scope lets it be stored, and what is still odd about it."""
    found = findings_of(draft)
    if not found or rules is None:
        return Screened(draft, found)
    said = rules(draft.scope)
    unwanted = {
        *(PERSONAL if said[policies.PERSONAL] == policies.MASK else ()),
        *(_ORDERS if said[policies.INJECTION] == policies.MASK else ()),
    }
    if not any(one.kind in unwanted for one in found):
        return Screened(draft, found)
    clean = replace(
        draft,
        text=_without(draft.text, unwanted),
        subject=None if draft.subject is None else _without(draft.subject, unwanted),
        tags=tuple(_without(tag, unwanted) for tag in draft.tags),
    )
    return Screened(clean, findings_of(clean), sum(one.kind in unwanted for one in found))


_ORDERS = frozenset({*HIDDEN, FindingKind.INSTRUCTION})


def findings_of(draft: Draft) -> tuple[Finding, ...]:
    """Of the text, by place; then of subject and tags, which have no place in it."""
    found = screen(draft.text)
    beside = "\n".join(filter(None, (draft.subject, *draft.tags)))
    if not beside:
        return found
    more = (
        replace(f, span=(0, 0), reason=f"in subject or tags: {f.reason}") for f in screen(beside)
    )
    return (*found, *more)


def _without(text: str, unwanted: set[FindingKind]) -> str:
    """What can be seen is masked where it stands; what cannot is gone."""
    parts, position = [], 0
    for one in screen(text):
        if one.kind not in unwanted or one.kind in HIDDEN or one.span[0] < position:
            continue
        parts += [text[position : one.span[0]], MASK]
        position = one.span[1]
    left = "".join((*parts, text[position:]))
    return without_unseen(left) if unwanted & HIDDEN else left
