"""Which memories are meant, what came of them, and every row that goes with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, Table, bindparam, or_, select

from store.erasing import columns
from store.erasing.words import Sayings, cell_strings
from store.lifecycle.writer import Writer
from store.model import Memory
from store.reads import find
from store.reads.grants import Sight
from store.reads.predicate import in_sight
from store.reads.rows import as_memory
from store.schema import (
    Row,
    attached_event,
    entity,
    event,
    event_detail,
    link,
    mention,
    metadata,
    proposal,
    proposal_source,
    relation,
    scope,
    tombstone,
    version,
)

_ULID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
_CHUNK = 500
_TOGETHER = ("merged", "moved")
"""Links whose both ends hold the same words; of `derived` only the later end does."""


@dataclass(frozen=True, slots=True)
class Targets:
    """The memories that an erase takes, and the held writes or other proposals named with them."""

    memories: tuple[str, ...]
    proposals: tuple[int, ...] = ()


def find_targets(
    writer: Writer,
    conn: Connection,
    identifiers: Iterable[str],
    proposals: Iterable[int],
    *,
    with_derived: bool,
) -> Targets:
    """Whole ids, each once; an id is itself here, also where it was merged into another.

    Raises `NotFound`, `Ambiguous`, `Forbidden`.
    """
    sight = writer.sight(conn)
    ids = list(dict.fromkeys(find.full_id(conn, sight, one) for one in identifiers))
    if with_derived:
        ids += [one.id for one in derived(conn, sight, ids)]
    for one in ids:
        row = find.newest(conn, sight, one)
        if row is None:
            raise find.unknown(one)
        writer.grant.check_write(row["scope_path"])
    numbers = tuple(dict.fromkeys(proposals))
    for number in numbers:
        _check_proposal(writer, conn, sight, number)
    return Targets(tuple(ids), numbers)


def _check_proposal(writer: Writer, conn: Connection, sight: Sight, number: int) -> None:
    path = conn.execute(
        select(scope.c.path)
        .join(proposal, proposal.c.scope_id == scope.c.id)
        .where(proposal.c.number == number, in_sight(sight, proposal))
    ).scalar()
    if path is None:
        from store.errors import NotFound

        raise NotFound(f"There is no proposal {number} here.", "`curator review` lists what waits.")
    writer.grant.check_write(path)


def derived(conn: Connection, sight: Sight, ids: Sequence[str]) -> list[Memory]:
    """Other memories that came of these or that these came of by a merge or a move, to the end."""
    known, edge = set(ids), list(ids)
    found: list[Memory] = []
    while edge:
        near = [one for one in _linked(conn, edge) if one not in known]
        known.update(near)
        rows = [find.newest(conn, sight, one) for one in dict.fromkeys(near)]
        edge = [row["memory_id"] for row in rows if row is not None]
        found += [as_memory(row) for row in rows if row is not None]
    return found


def _linked(conn: Connection, ids: Sequence[str]) -> list[str]:
    ends = []
    for part in chunks(ids):
        both = link.c.kind.in_(_TOGETHER)
        onward = select(link.c.target).where(
            link.c.source.in_(part), or_(both, link.c.kind == "derived")
        )
        back = select(link.c.source).where(link.c.target.in_(part), both)
        ends += [*conn.execute(onward).scalars(), *conn.execute(back).scalars()]
    return sorted(map(str, ends))


def chunks(values: Iterable[Any], size: int = _CHUNK) -> Iterator[list[Any]]:
    """Lists short enough for one statement, or of `size`."""
    every = list(values)
    for start in range(0, len(every), size):
        yield every[start : start + size]


# --- their rows -------------------------------------------------------------------------


def rows_of(
    conn: Connection, table: Table, column: Column[Any], values: Iterable[Any]
) -> list[Row]:
    """Rows of a table that have one of many values in a column."""
    query = select(table).where(column.in_(bindparam("values", expanding=True)))
    found: list[Row] = []
    for part in chunks(values):
        found += conn.execute(query, {"values": part}).mappings().all()
    return found


@dataclass(frozen=True, slots=True)
class Going:
    """Every row that goes with the memories, or is emptied because of them."""

    versions: list[Row]
    others: dict[str, list[Row]]
    """Of further tables whose rows belong to one memory and hold words."""
    entities: list[str]
    relations: list[Row]
    details: list[int]
    attached: list[Row]
    proposals: list[Row]
    tombstones: list[Row]

    def strings(self) -> Iterator[tuple[str, bool]]:
        """(text, whether it is a memory's own) of everything that goes."""
        for row in self.versions:
            yield row["text"], True
        tables = {**self.others, "version": self.versions, "relation": self.relations}
        for name, rows in tables.items():
            table = metadata.tables[name]
            for cell in columns.word_columns(table):
                if name == "version" and cell.name == "text":
                    continue
                for row in rows:
                    if name == "origin" and _ULID.fullmatch(row[cell.name]):
                        continue
                    for text in cell_strings(row[cell.name], cell.info["json"]):
                        yield text, False

    def sayings(self) -> Sayings:
        """What other rows could repeat."""
        made = Sayings()
        for text, own in self.strings():
            made.add(text, whole=own)
        for one in (*self.entities_named, *self.proposed):
            made.add(one)
        return made

    entities_named: list[str]
    proposed: list[str]
    """Texts of the proposals that were named themselves."""


_OF_ONE_MEMORY_ELSEWHERE = {"version", "relation", "event", "attached_event", "tombstone"}


def own_tables() -> list[Table]:
    """Tables whose rows hold words and belong to one memory, but those with rules of their own."""
    return [
        t
        for t in columns.tables_with_words()
        if "memory_id" in t.c and t.name not in _OF_ONE_MEMORY_ELSEWHERE
    ]


def going(conn: Connection, targets: Targets) -> Going:
    """Read everything that goes."""
    ids = targets.memories
    entities = _left_alone(conn, ids)
    proposals = _proposals(conn, targets)
    named = [row for row in proposals if row["number"] in targets.proposals]
    return Going(
        versions=rows_of(conn, version, version.c.memory_id, ids),
        others={t.name: rows_of(conn, t, t.c.memory_id, ids) for t in own_tables()},
        entities=entities,
        relations=_relations(conn, ids, entities),
        details=_details(conn, ids, [row["number"] for row in named]),
        attached=rows_of(conn, attached_event, attached_event.c.memory_id, ids),
        proposals=proposals,
        tombstones=rows_of(conn, tombstone, tombstone.c.memory_id, ids),
        entities_named=[row["name"] for row in rows_of(conn, entity, entity.c.id, entities)],
        proposed=[
            text
            for row in named
            for cell in columns.word_columns(proposal)
            for text in cell_strings(row[cell.name], cell.info["json"])
        ],
    )


def _left_alone(conn: Connection, ids: Sequence[str]) -> list[str]:
    """Entities that only these memories mention."""
    mentioned = {row["entity_id"] for row in rows_of(conn, mention, mention.c.memory_id, ids)}
    gone = set(ids)
    by_others = {
        row["entity_id"]
        for row in rows_of(conn, mention, mention.c.entity_id, sorted(mentioned))
        if row["memory_id"] not in gone
    }
    return sorted(mentioned - by_others)


def _relations(conn: Connection, ids: Sequence[str], entities: Sequence[str]) -> list[Row]:
    ends = [*ids, *entities]
    found = [
        *rows_of(conn, relation, relation.c.source, ends),
        *rows_of(conn, relation, relation.c.target, ends),
        *rows_of(conn, relation, relation.c.memory_id, ids),
    ]
    return list({row["rid"]: row for row in found}.values())


def _details(conn: Connection, ids: Sequence[str], proposals: Sequence[int]) -> list[int]:
    found: list[int] = []
    asked = ((event.c.memory_id, ids), (event.c.proposal, proposals))
    for column, values in asked:
        query = select(event_detail.c.seq).join(event, event.c.seq == event_detail.c.seq)
        wanted = query.where(column.in_(bindparam("values", expanding=True)))
        for part in chunks(values):
            found += conn.execute(wanted, {"values": part}).scalars()
    return sorted(set(found))


def _proposals(conn: Connection, targets: Targets) -> list[Row]:
    """Proposals made from these memories, those that their tombstones hold, those named."""
    sources = rows_of(conn, proposal_source, proposal_source.c.memory_id, targets.memories)
    stones = rows_of(conn, tombstone, tombstone.c.memory_id, targets.memories)
    found = [
        *rows_of(conn, proposal, proposal.c.id, sorted({r["proposal_id"] for r in sources})),
        *rows_of(conn, proposal, proposal.c.tombstone_id, [r["id"] for r in stones]),
        *rows_of(conn, proposal, proposal.c.number, targets.proposals),
    ]
    return list({row["id"]: row for row in found}.values())
