"""Words cut anew: what `reindex` does for a store whose words another tokeniser cut (law 12)."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select

from store.engines.protocol import IndexRow
from store.model import Trust
from store.schema import memory, version, version_terms
from store.search.terms import words_and_parts
from store.work import Work, index_state

_ROWS = (
    select(
        version.c.rid,
        version.c.scope_id,
        version.c.text,
        version.c.subject,
        version.c.closed_at,
        version.c.closed_as,
        memory.c.trust,
        version_terms.c.words,
        version_terms.c.parts,
    )
    .join(memory, memory.c.id == version.c.memory_id)
    .join(version_terms, version_terms.c.rid == version.c.rid)
)


def cut_again(work: Work, rids: Iterable[int]) -> int:
    """Index these versions by the words this program finds in them, where they differ, and count
    them so; how many differed. Their vectors stay as they are."""
    changed = 0
    for row in work.conn.execute(_ROWS.where(version.c.rid.in_(list(rids)))).all():
        words, parts = words_and_parts(row.text)
        more_words, more_parts = words_and_parts(row.subject or "")
        words, parts = [*words, *more_words], [*parts, *more_parts]
        if (row.words, row.parts) == (" ".join(words), " ".join(parts)):
            continue
        changed += 1
        counted = row.closed_at is None and row.trust != Trust.QUARANTINED.value
        if counted:
            work.tally(row.rid, row.scope_id, -1)
        vector = work.engine.vectors(work.conn, [row.rid]).get(row.rid)
        work.engine.unindex(work.conn, [row.rid])
        _, tokens = work.scope_of(row.scope_id)
        entry = IndexRow(
            row.rid,
            tokens,
            " ".join(words),
            " ".join(parts),
            len(words) + len(parts),
            vector,
            index_state(row.closed_at, row.closed_as),
        )
        work.engine.index(work.conn, [entry])
        if counted:
            work.tally(row.rid, row.scope_id, 1)
    return changed
