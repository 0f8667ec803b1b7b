"""A demo script played without a store: what would be live at its end, by the domain's rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from curator.demo import ops
from curator.demo.world import OVERREACH
from store.model import Actor, Draft


@dataclass
class Told:
    """One memory as the script has left it."""

    draft: Draft
    by: Actor
    texts: list[str]
    state: str = "live"
    marks: set[str] = field(default_factory=set)
    changes: list[datetime] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def replay(script: Iterable[ops.Op]) -> dict[str, Told]:
    """Key → memory. Fails on an act that no store would allow, OVERREACH apart."""
    told: dict[str, Told] = {}
    for op in script:
        match op:
            case ops.Remember():
                _remember(told, op)
            case ops.Correct() | ops.Change():
                _replace(told, op)
            case ops.Attempt() | ops.SetPolicy():
                assert op.key not in told, op
            case ops.Propose():
                assert {told[key].state for key in op.keys} == {"live"}, op
                assert len({told[key].draft.scope for key in op.keys}) == 1, op
            case ops.Merge():
                _merge(told, op)
            case ops.Relate():
                assert op.target in told, op
                assert told[op.key].state == "live", op
            case ops.Decision():
                _decide(told, op)
            case _:
                raise AssertionError(f"unknown act {op}")
    return told


def _remember(told: dict[str, Told], op: ops.Remember) -> None:
    assert op.key not in told, op
    if op.actor.kind == "agent":
        assert not op.draft.pinned, op
        assert op.draft.importance == 0.5, op
        assert (op.draft.confidence or 0) <= 0.9, op
    told[op.key] = Told(op.draft, op.actor, [op.draft.text])


def _replace(told: dict[str, Told], op: ops.Correct | ops.Change) -> None:
    memory = told[op.key]
    assert memory.state == "live", op
    if op.actor.kind == "agent" and (memory.by != op.actor or "verify" in memory.marks):
        assert op.key in OVERREACH, op
        memory.refused.append(op.text)
        return
    assert op.text != memory.texts[-1], op
    memory.texts.append(op.text)
    memory.by = op.actor
    memory.marks.discard("verify")
    if isinstance(op, ops.Change):
        memory.changes.append(op.since)


def _merge(told: dict[str, Told], op: ops.Merge) -> None:
    assert op.key not in told, op
    assert op.actor.kind == "human", op
    sources = [told[key] for key in op.keys]
    assert len(sources) > 1, op
    assert {source.state for source in sources} == {"live"}, op
    assert len({source.draft.scope for source in sources}) == 1, op
    for source in sources:
        source.state = "merged"
    told[op.key] = Told(sources[0].draft, op.actor, [op.text])


def _decide(told: dict[str, Told], op: ops.Decision) -> None:
    assert op.actor.kind == "human", op
    memory = told[op.key]
    verb = type(op).__name__.lower()
    assert memory.state == ("retired" if verb == "restore" else "live"), op
    if verb == "retire":
        memory.state = "retired"
    elif verb == "restore":
        memory.state = "live"
    else:
        memory.marks.add(verb)
