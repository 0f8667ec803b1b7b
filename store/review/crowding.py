"""How often one memory is said to differ in one value from others.

Notes of one pattern differ so from each other by the hundred: that is a table, and no person
wants it row by row. A memory is put beside three others, the surest, over all runs together, so
that a later run does not go on with the next three.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from sqlalchemy import Connection, select

from store.review.clusters import Finding
from store.review.rules import LATER, VALUE
from store.schema import memory, proposal, proposal_source

MOST = 3
_CHUNK = 400


def few_each(conn: Connection, differing: Sequence[Finding]) -> list[Finding]:
    """Of findings, surest first, those that leave no memory with more than `MOST`; what was
    proposed before of the same texts counts first, and stays in the answer."""
    known = _proposed(conn, sorted({i for f in differing for i in (f.one, f.other)}))
    counts = Counter(i for pair in known for i in pair)
    kept = []
    for finding in differing:
        pair = frozenset((finding.one, finding.other))
        if pair not in known:
            if max(counts[i] for i in pair) >= MOST:
                continue
            counts.update(pair)
        kept.append(finding)
    return kept


def _proposed(conn: Connection, ids: Sequence[str]) -> set[frozenset[str]]:
    """Pairs that stand in a proposal of this kind, waiting or decided, as they are now."""
    sources: dict[str, set[str]] = defaultdict(set)
    for start in range(0, len(ids), _CHUNK):
        rows = (
            select(proposal_source.c.proposal_id, proposal_source.c.memory_id)
            .join(proposal, proposal.c.id == proposal_source.c.proposal_id)
            .join(memory, memory.c.id == proposal_source.c.memory_id)
            .where(
                proposal_source.c.memory_id.in_(ids[start : start + _CHUNK]),
                proposal.c.rule.in_((VALUE, LATER)),
                memory.c.latest == proposal_source.c.version,
            )
        )
        for number, identifier in conn.execute(rows):
            sources[number].add(identifier)
    return {frozenset(pair) for pair in sources.values()}
