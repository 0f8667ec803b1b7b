"""A change that waits, or is about to be made, as an overlay of search: what would be out, what
would be in. Nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from store.errors import Invalid
from store.gate import admission
from store.gate.contents import draft_of
from store.lifecycle import merging
from store.lifecycle.writer import Writer
from store.model import Draft, Memory, Proposal, ProposalStatus, Trust
from store.reads import find
from store.reads.rows import as_memory
from store.review import proposals
from store.review.applying import successor_of
from store.search import impact
from store.search.overlay import Overlay, Text
from store.search.told import Impact
from store.times import parse_time, to_us
from store.work import Prepared

_NOTHING = Overlay()


def of_proposal(writer: Writer, number: int) -> Impact:
    """The impact of approving a proposal as it stands. Raises `NotFound`, `NotPossible`, and
    `Invalid` for one that was decided."""
    one = proposals.show(writer, number)
    if one.status is not ProposalStatus.WAITING:
        raise Invalid(f"Proposal {number} was {one.status.value} already.")
    made = _OVERLAYS.get(one.act)
    return impact.impact(writer, _NOTHING if made is None else made(writer, one))


def of_closing(writer: Writer, identifiers: Iterable[str]) -> Impact:
    """The impact of retiring or rejecting memories. Raises `NotFound`, `Ambiguous`."""
    with writer.engine.read() as conn:
        out = frozenset(one.id for one in _found(conn, writer, identifiers))
    return impact.impact(writer, Overlay(out))


def of_text(writer: Writer, identifier: str, text: str, since: datetime | None = None) -> Impact:
    """The impact of correcting a memory. Raises `NotFound`, `Ambiguous`, `TooLarge`, `Invalid`."""
    with writer.engine.read() as conn:
        (old,) = _found(conn, writer, [identifier])
    draft = replace(draft_of(old), text=text, valid_from=since or old.valid_from)
    return impact.impact(writer, _rewritten(writer, old, draft, str(writer.actor)))


def _found(conn: Connection, writer: Writer, identifiers: Iterable[str]) -> list[Memory]:
    sight = writer.sight(conn)
    return [as_memory(find.resolve(conn, sight, one)) for one in identifiers]


# --- what each act would leave ----------------------------------------------------------


def _rewritten(writer: Writer, old: Memory, draft: Draft, by: str) -> Overlay:
    """A corrected memory; a change that is not due yet leaves the old text where it is."""
    if draft.valid_from is not None and draft.valid_from > writer.clock():
        return _NOTHING
    trust = old.trust if old.trust is Trust.QUARANTINED else Trust.UNREVIEWED
    text = Text(_prepared(writer, draft), old.id, old.latest + 1, by, trust)
    return Overlay(frozenset({old.id}), (text,))


def _prepared(writer: Writer, draft: Draft) -> Prepared:
    return admission.prepare([draft], writer.space)[0]


def _now(one: Proposal, *roles: str) -> list[Memory]:
    return [s.memory for s in one.sources if s.role in roles and s.memory is not None]


def _draft(one: Proposal) -> Draft:
    if one.result is None or not one.result.text.strip():
        raise Invalid(f"The text of proposal {one.number} is gone.", "Decline it.")
    return one.result


def _remember(writer: Writer, one: Proposal) -> Overlay:
    return Overlay(texts=(Text(_prepared(writer, _draft(one)), None, 1, one.proposer),))


def _correct(writer: Writer, one: Proposal) -> Overlay:
    (old,) = _now(one, "closes")
    since = one.how.get("since")
    starts = parse_time(since) if isinstance(since, str) else old.valid_from
    draft = replace(successor_of(old, one), text=_draft(one).text, valid_from=starts)
    return _rewritten(writer, old, draft, one.proposer)


def _restore(writer: Writer, one: Proposal) -> Overlay:
    return Overlay(texts=_again(writer, _now(one, "returns")))


def _again(writer: Writer, rows: Sequence[Memory]) -> tuple[Text, ...]:
    """Closed memories as they would come back."""
    return tuple(
        replace(impact.text_of(old, _prepared(writer, draft_of(old))), version=old.latest + 1)
        for old in rows
    )


def _merge(writer: Writer, one: Proposal) -> Overlay:
    rows = _now(one, "closes")
    draft = merging.union(rows, _draft(one).text, one.scope)
    asserted = max(to_us(row.asserted_at) for row in rows)
    text = Text(_prepared(writer, draft), None, 1, one.proposer, asserted_at=asserted)
    return Overlay(frozenset(row.id for row in rows), (text,))


def _unmerge(writer: Writer, one: Proposal) -> Overlay:
    out = frozenset(row.id for row in _now(one, "closes"))
    return Overlay(out, _again(writer, _now(one, "returns")))


def _move(writer: Writer, one: Proposal) -> Overlay:
    (old,) = _now(one, "closes")
    draft = replace(draft_of(old), scope=_draft(one).scope)
    asserted = to_us(old.asserted_at)
    text = Text(_prepared(writer, draft), None, 1, old.by, old.trust, asserted)
    return Overlay(frozenset({old.id}), (text,))


def _close(writer: Writer, one: Proposal) -> Overlay:
    return Overlay(frozenset(row.id for row in _now(one, "closes")))


def _dispute(writer: Writer, one: Proposal) -> Overlay:
    """Without a choice both stay and are doubted."""
    ids = [row.id for row in _now(one, "closes", "stays", "source")]
    with writer.engine.read() as conn:
        texts = impact.stored(conn, writer.engine, ids)
    doubted = tuple(replace(text, trust=Trust.DISPUTED) for text in texts)
    return Overlay(frozenset(ids), doubted)


_OVERLAYS: Mapping[str, Callable[[Writer, Proposal], Overlay]] = {
    "remember": _remember,
    "correct": _correct,
    "restore": _restore,
    "merge": _merge,
    "unmerge": _unmerge,
    "move": _move,
    "retire": _close,
    "supersede": _close,
    "dispute": _dispute,
}
