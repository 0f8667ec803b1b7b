"""What a judge left in the evidence of a proposal, as a reader finds it. Asks no store."""

from __future__ import annotations

from collections.abc import Mapping

from store.model import Proposal

WORDING = "wording"


def wording_of(one: Proposal) -> str | None:
    """The wording that lies beside a merge, while the merge is of the very same texts."""
    found = one.evidence.get(WORDING)
    if not isinstance(found, Mapping):
        return None
    of, text = found.get("of"), found.get("text")
    now = sorted([source.id, source.version] for source in one.sources)
    if not isinstance(of, list) or not isinstance(text, str) or not text.strip():
        return None
    return text if all(isinstance(pair, list) for pair in of) and sorted(of) == now else None
