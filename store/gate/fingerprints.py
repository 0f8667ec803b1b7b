"""Keyed fingerprints of a value (domain.md, law 8): what a tombstone knows a text again by.

Made after masking, so that no secret's fingerprint remains. HMAC-SHA256 (RFC 2104).
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from store.search.fold import exact_form
from store.search.terms import TERMS_VERSION, near_terms


@dataclass(frozen=True, slots=True)
class Prints:
    """`exact`: of the folded text. `near`: of the sorted set of its stemmed content words, with
    numbers and negations; None for a text without words, which matches nothing so."""

    exact: str
    near: str | None


def prints_of(key: bytes, text: str) -> Prints:
    words = near_terms(text)
    return Prints(
        exact=_keyed(key, "exact", exact_form(text)),
        near=_keyed(key, "near", "\n".join(words)) if words else None,
    )


def key_id(key: bytes) -> str:
    """Which key, and which tokeniser, fingerprints were made by. Tells nothing of the key."""
    return f"{_keyed(key, 'id', '')[:16]}.{TERMS_VERSION}"


def _keyed(key: bytes, what: str, value: str) -> str:
    message = f"{what}\0{value}".encode("utf-8", "surrogatepass")
    return hmac.new(key, message, hashlib.sha256).hexdigest()
