"""Which embedding space a store's vectors lie in (domain.md, law 12).

Two stores share a space only if everything here is equal. On any difference the store opens
keyword-only and shows `difference` in its banner. Imports no numpy, so that it can be asked
before the first paint.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from store.embedding.probes import TOLERANCE, apart, is_kept
from store.errors import Invalid

_SHORT = 8
"""Hex digits of a hash that a person gets to see."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Everything that decides what a vector means.

    An embedder does not know the store's tokeniser: the store adds its version by `with_terms`
    before it keeps or compares an identity.
    """

    provider: str
    """`static` for the bundled model, else the kind of the remote server."""
    model: str
    dimension: int
    normalised: bool
    fingerprint: str
    """SHA-256 of the model file; empty for a remote model, which is known by `probes`."""
    background: str
    """SHA-256 of the mean vector that cosines are centred by; empty when there is none."""
    terms_version: str = ""
    """Version of the tokeniser behind words, statistics and tombstones (store/search/terms)."""
    probes: tuple[str, ...] = field(default=(), repr=False)
    """A remote model's vectors for the fixed texts of `probes.py`, rounded; else empty. They
    are compared with a tolerance, so two equal spaces may hold different ones: ask
    `difference`, never `==`."""

    def with_terms(self, version: str) -> Identity:
        """The same space together with the store's tokeniser."""
        return replace(self, terms_version=version)

    def to_json(self) -> str:
        """One line of JSON with sorted keys: equal identities give equal text."""
        return json.dumps(self.shown() | self._kept_probes(), sort_keys=True, ensure_ascii=False)

    def shown(self) -> dict[str, Any]:
        """The fields that a person can read: all but the probe vectors."""
        return {name: getattr(self, name) for name in _FIELDS}

    def _kept_probes(self) -> dict[str, Any]:
        return {"probes": list(self.probes)} if self.probes else {}

    @classmethod
    def from_json(cls, text: str) -> Identity:
        """Read what `to_json` wrote.

        Raises:
            Invalid: not such a record. The store then cannot trust its vectors.
        """
        return _read(text)


_FIELDS = {
    "provider": str,
    "model": str,
    "dimension": int,
    "normalised": bool,
    "fingerprint": str,
    "background": str,
    "terms_version": str,
}


@lru_cache(maxsize=8)
def _read(text: str) -> Identity:
    """Cached: every search asks, and a remote model's probe vectors are 12 KB."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(str(error)) from error
    if not isinstance(fields, dict) or fields.keys() - {"probes"} != _FIELDS.keys():
        raise _unreadable("its fields are not the known ones")
    probes = fields.pop("probes", [])
    for name, kind in _FIELDS.items():
        if type(fields[name]) is not kind:
            raise _unreadable(f"{name} is not of type {kind.__name__}")
    if not isinstance(probes, list) or not all(
        isinstance(one, str) and is_kept(one, fields["dimension"]) for one in probes
    ):
        raise _unreadable("its probe vectors are damaged")
    return Identity(**fields, probes=tuple(probes))


def _unreadable(detail: str) -> Invalid:
    return Invalid(
        f"The store's note about its embedding model cannot be read ({detail}).",
        "Nothing was lost; search runs on keywords. Re-embed the store to write the note anew.",
    )


def difference(stored: Identity, present: Identity) -> str | None:
    """How the space of a store differs from the program's, in one sentence for the banner.

    Names the first difference that matters, the most telling one first. None when they agree.
    """
    if (other := another_model(stored, present.provider, present.model)) is not None:
        return other
    if stored.dimension != present.dimension:
        name = _name(stored)
        return _sentence(
            f"{name} with {stored.dimension} dimensions", f"one with {present.dimension}"
        )
    if (distance := apart(stored.probes, present.probes)) > TOLERANCE:
        return (
            f"{_sentence(_name(stored), 'another model of that name')[:-1]}: its vectors for "
            f"fixed texts lie {distance:.2g} apart (1 − cosine)."
        )
    if stored.fingerprint != present.fingerprint:
        return _sentence(
            f"{_name(stored)}, file {stored.fingerprint[:_SHORT]}",
            f"another file of that name, {present.fingerprint[:_SHORT]}",
        )
    if stored.normalised != present.normalised:
        return _sentence(f"vectors {_length(stored)}", f"vectors {_length(present)}")
    if stored.background != present.background:
        return _sentence(
            f"{_name(stored)} with background mean {_hash(stored.background)}",
            f"background mean {_hash(present.background)}",
        )
    if stored.terms_version != present.terms_version:
        return (
            f"This store's words were cut by tokeniser {stored.terms_version or 'unknown'}; "
            f"this program has {present.terms_version or 'unknown'}."
        )
    return None


def another_model(stored: Identity, provider: str, model: str) -> str | None:
    """As `difference`, for the names alone: what can be told without asking a server."""
    if (stored.provider, stored.model) == (provider, model):
        return None
    return _sentence(_name(stored), f"{model} ({provider})")


def _sentence(stored: str, present: str) -> str:
    return f"This store was embedded by {stored}; this program has {present}."


def _name(identity: Identity) -> str:
    return f"{identity.model} ({identity.provider})"


def _length(identity: Identity) -> str:
    return "of unit length" if identity.normalised else "of any length"


def _hash(digest: str) -> str:
    return digest[:_SHORT] or "none"
