"""Which embedding space a store's vectors lie in (domain.md, law 12).

Two stores share a space only if everything here is equal. On any difference the store opens
keyword-only and shows `difference` in its banner. Imports no numpy, so that it can be asked
before the first paint.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import get_type_hints

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
    """SHA-256 of the model file; for a remote model, of its vectors for fixed probe texts."""
    background: str
    """SHA-256 of the mean vector that cosines are centred by; empty when there is none."""
    terms_version: str = ""
    """Version of the tokeniser behind words, statistics and tombstones (store/search/terms)."""

    def with_terms(self, version: str) -> Identity:
        """The same space together with the store's tokeniser."""
        return replace(self, terms_version=version)

    def to_json(self) -> str:
        """One line of JSON with sorted keys: equal identities give equal text."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Identity:
        """Read what `to_json` wrote.

        Raises:
            Invalid: not such a record. The store then cannot trust its vectors.
        """
        try:
            fields = json.loads(text)
        except ValueError as error:
            raise _unreadable(str(error)) from error
        wanted = get_type_hints(cls)
        if not isinstance(fields, dict) or fields.keys() != wanted.keys():
            raise _unreadable("its fields are not the known ones")
        for name, kind in wanted.items():
            if type(fields[name]) is not kind:
                raise _unreadable(f"{name} is not of type {kind.__name__}")
        return cls(**fields)


def _unreadable(detail: str) -> Invalid:
    return Invalid(
        f"The store's note about its embedding model cannot be read ({detail}).",
        "Nothing was lost; search runs on keywords. Re-embed the store to write the note anew.",
    )


def difference(stored: Identity, present: Identity) -> str | None:
    """How the space of a store differs from the program's, in one sentence for the banner.

    Names the first difference that matters, the most telling one first. None when they agree.
    """
    if (stored.provider, stored.model) != (present.provider, present.model):
        return _sentence(_name(stored), _name(present))
    if stored.dimension != present.dimension:
        name = _name(stored)
        return _sentence(
            f"{name} with {stored.dimension} dimensions", f"one with {present.dimension}"
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


def _sentence(stored: str, present: str) -> str:
    return f"This store was embedded by {stored}; this program has {present}."


def _name(identity: Identity) -> str:
    return f"{identity.model} ({identity.provider})"


def _length(identity: Identity) -> str:
    return "of unit length" if identity.normalised else "of any length"


def _hash(digest: str) -> str:
    return digest[:_SHORT] or "none"
