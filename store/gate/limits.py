"""Stated limits of a write (law 9): over them it is refused with the figure, never cut."""

from __future__ import annotations

import math
from dataclasses import fields, replace

from store import arguments
from store.errors import Invalid, TooLarge
from store.model import FROM_NOWHERE, Draft, Provenance
from store.times import end_us, start_us

MAX_TEXT = 64 * 1024
MAX_TAGS = 64
MAX_TAG = 200
MAX_SUBJECT = 1024
MAX_KIND = 64
MAX_REASON = 4 * 1024
_SOURCE_WORDS = tuple(field.name for field in fields(Provenance) if field.name != "raw")


def size(text: str) -> int:
    """Bytes in UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))


def well_formed(draft: object) -> Draft:
    """The draft, if every field holds what it should. Raises `Invalid`, never a TypeError."""
    if not isinstance(draft, Draft):
        raise Invalid(f"A {type(draft).__name__} is no draft.", "Give a store.Draft.")
    made = arguments.well_formed(draft)
    if made.provenance is not FROM_NOWHERE:
        arguments.well_formed(made.provenance)
    return made


def check(draft: Draft) -> None:
    """Raise `TooLarge` or `Invalid` for what cannot be remembered."""
    if not draft.text.strip():
        raise Invalid("There is no text to remember.")
    _bounded("The text", size(draft.text), MAX_TEXT)
    _bounded("The subject", size(draft.subject or ""), MAX_SUBJECT)
    _bounded("The kind", size(draft.kind), MAX_KIND)
    if draft.provenance is not FROM_NOWHERE:
        for name in _SOURCE_WORDS:
            said = getattr(draft.provenance, name) or ""
            _bounded(f"The {name} it came from", size(said), MAX_TEXT)
    if len(draft.tags) > MAX_TAGS:
        raise TooLarge(f"{len(draft.tags)} tags are too many; the limit is {MAX_TAGS}.")
    for tag in draft.tags:
        _bounded("A tag", size(tag), MAX_TAG)
    if not draft.kind.strip():
        raise Invalid("The kind is empty.", "Leave it out for `fact`.")
    _fraction("importance", draft.importance)
    if draft.confidence is not None:
        _fraction("confidence", draft.confidence)
    if start_us(draft.valid_from) >= end_us(draft.valid_to):
        raise Invalid("It would never be true: its end is not after its start.")


def check_reason(reason: str | None) -> None:
    _bounded("The reason", size(reason or ""), MAX_REASON)


def _bounded(what: str, found: int, limit: int) -> None:
    if found > limit:
        raise TooLarge(
            f"{what} has {found:,} bytes; the limit is {limit:,}. Nothing was stored.",
            "Split it into several memories.",
        )


def _fraction(name: str, value: float) -> None:
    if not (math.isfinite(value) and 0.0 <= value <= 1.0):
        raise Invalid(f"The {name} {value} does not lie between 0 and 1.")


def storable(text: str) -> tuple[str, tuple[str, ...]]:
    """The text as both engines can keep it, and what had to be replaced.

    NUL ends a string in PostgreSQL and in most tools; half a surrogate pair is no character.
    """
    notes = []
    if "\x00" in text:
        text = text.replace("\x00", "␀")
        notes.append("NUL characters were stored as ␀")
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        text = "".join("�" if "\ud800" <= c <= "\udfff" else c for c in text)
        notes.append("broken characters were stored as �")
    return text, tuple(notes)


def tidy(draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """The draft with every string storable and tags unique in order."""
    text, notes = storable(draft.text)
    tags = tuple(dict.fromkeys(storable(t.strip())[0] for t in draft.tags if t.strip()))
    subject = storable(draft.subject.strip())[0] if draft.subject else None
    kind = storable(draft.kind.strip())[0]
    if (text, tags, subject, kind) == (draft.text, draft.tags, draft.subject, draft.kind):
        return draft, notes
    return replace(draft, text=text, tags=tags, subject=subject or None, kind=kind), notes
