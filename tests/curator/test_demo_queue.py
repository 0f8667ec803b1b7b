"""What waits in the demo's queue: each kind of proposal, by agents, by the gate and by rules."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from curator import demo
from curator.demo import ops, script, world
from store import Actor, open_store
from store.keys import Keys

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def test_every_kind_of_proposal_waits_and_a_second_run_adds_none(tmp_path: Path) -> None:
    """Equal for equal seed: two stores are written, and their exports are line by line the same."""
    exports = []
    for name in ("one", "other"):
        path = tmp_path / f"{name}.db"
        demo.write(path, now=NOW)
        with open_store(path, keys=Keys(tmp_path / "keys"), clock=lambda: NOW) as store:
            me = store.curator(Actor.human("dana"))
            me.export(tmp_path / f"{name}.jsonl")
            exports.append((tmp_path / f"{name}.jsonl").read_text("utf-8").splitlines()[1:])
    assert exports[0] == exports[1]
    with open_store(path, keys=Keys(tmp_path / "keys"), clock=lambda: NOW) as store:
        me = store.curator(Actor.human("dana"))
        rows = me.proposals()
        asked = Counter(p.kind.value for p in rows if not p.proposer.startswith("system:"))
        assert asked == {"supersede": len(world.OVERREACH), "held": 1, "extract": 1}
        ruled = {p.kind.value for p in rows if p.proposer.startswith("system:")}
        assert ruled == {"merge", "supersede", "contradiction", "retire"}
        assert not any(p.stale for p in rows)
        keys = {op.draft.text: op.key for op in script(7, NOW) if isinstance(op, ops.Remember)}
        by_pair = {frozenset(keys.get(s.text or "") for s in p.sources): p.kind.value for p in rows}
        for first, second, kind in world.NEAR_COPIES:
            known = [k for pair, k in by_pair.items() if second in pair]
            assert known == [kind], (first, second)
        number = len(rows)
        assert me.consolidate().proposed == {}
        assert len(me.proposals()) == number
