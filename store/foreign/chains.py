"""Successor links of a source as versions of one memory.

A source row may name the row that took its place. Where exactly one row was replaced by
another of the same scope, both are versions of one memory; where several were replaced by
one, or the scope differs, each is merged into the other's memory (a scope never changes along
a chain, domain.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from store.foreign.records import ForeignVersion
from store.model import ClosedAs


@dataclass(frozen=True, slots=True)
class Node:
    """One source row. `version` is as it would be if nothing had taken its place."""

    id: str
    scope: str
    version: ForeignVersion
    successor: str | None = None
    replaced_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """Rows that are versions of one memory, oldest first. `key` is the first one's id."""

    key: str
    scope: str
    versions: tuple[ForeignVersion, ...]
    merged_into: str | None
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loose:
    """A successor link that could not be followed, and why."""

    row: str
    successor: str
    problem: str


def linked(nodes: Sequence[Node]) -> tuple[list[Chain], list[Loose]]:
    """The chains in the order of their first rows, and the links that lead nowhere.

    A row whose successor is missing, or that closes a ring of successors, is retired: its
    source no longer holds it true, and nothing says what took its place. Ids must be unique.
    """
    by_id = {node.id: node for node in nodes}
    following, loose = _followable(nodes, by_id)
    before = Counter(following.values())
    inner = {
        a: b for a, b in following.items() if before[b] == 1 and by_id[a].scope == by_id[b].scope
    }
    later = set(inner.values())
    members = {node.id: _walk(node.id, inner) for node in nodes if node.id not in later}
    key_of = {id_: key for key, ids in members.items() for id_ in ids}
    chains = []
    for key, ids in members.items():
        target = following.get(ids[-1])
        merged = None if target is None else key_of[target]
        versions = _ended(_corrected([by_id[i] for i in ids]), by_id[ids[-1]], merged)
        chains.append(Chain(key, by_id[key].scope, versions, merged, tuple(ids)))
    return chains, loose


def _followable(
    nodes: Sequence[Node], by_id: Mapping[str, Node]
) -> tuple[dict[str, str], list[Loose]]:
    """Links that lead somewhere and not in a circle; linear in the number of rows."""
    following: dict[str, str] = {}
    loose: list[Loose] = []
    for node in nodes:
        if node.successor is None:
            continue
        if node.successor in by_id:
            following[node.id] = node.successor
        else:
            loose.append(Loose(node.version.row, node.successor, "is not there"))
    settled: set[str] = set()
    for node in nodes:
        path: dict[str, None] = {}
        at: str | None = node.id
        while at is not None and at not in settled and at not in path:
            path[at] = None
            at = following.get(at)
        if at is not None and at in path:
            last = next(reversed(path))
            loose.append(Loose(by_id[last].version.row, following.pop(last), "leads back here"))
        settled.update(path)
    return following, loose


def _walk(first: str, inner: Mapping[str, str]) -> list[str]:
    ids = [first]
    while ids[-1] in inner:
        ids.append(inner[ids[-1]])
    return ids


def _corrected(nodes: Sequence[Node]) -> list[ForeignVersion]:
    """Each but the last closed as corrected, at the moment its successor begins."""
    done = [nodes[0].version]
    for node, successor in pairwise(nodes):
        before = done[-1]
        at = successor.version.recorded_at or node.replaced_at
        began = before.recorded_at
        if began is not None and (at is None or at < began):
            at = max(node.replaced_at or began, began)
        done[-1] = _closed(before, ClosedAs.CORRECTED, at)
        done.append(replace(successor.version, recorded_at=at))
    return done


def _ended(
    versions: list[ForeignVersion], node: Node, merged: str | None
) -> tuple[ForeignVersion, ...]:
    """The last version merged, retired, or as it was; never closed before it began."""
    last = versions[-1]
    if merged is not None:
        last = _closed(last, ClosedAs.MERGED, node.replaced_at or last.closed_at)
    elif node.successor is not None and last.closed_as is None:
        last = _closed(last, ClosedAs.RETIRED, node.replaced_at)
    began, ended = last.recorded_at, last.closed_at
    if began is not None and ended is not None and ended < began:
        last = replace(last, closed_at=began)
    return (*versions[:-1], last)


def _closed(version: ForeignVersion, how: ClosedAs, at: datetime | None) -> ForeignVersion:
    asserted = version.asserted_at
    if asserted is not None and at is not None:
        asserted = min(asserted, at)
    return replace(
        version, asserted_at=asserted, closed_at=at, closed_as=how, archived=False, pinned=False
    )
