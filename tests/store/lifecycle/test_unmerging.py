"""Merge and unmerge: the originals come back whole, and nothing is there twice (must show 7)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from store import Draft, Provenance
from store.errors import Invalid, NotPossible
from store.schema import mention, provenance, relation


@pytest.fixture
def three(me, clock):
    """Two to be merged, with everything a memory can have, and one that stays."""
    one = me.remember(
        Draft(
            "Dana prefers tabs in Go",
            "project/a",
            subject="indent",
            tags=("go", "style"),
            importance=0.8,
            confidence=0.7,
            valid_from=clock.now - timedelta(days=90),
            provenance=Provenance(session="s-1"),
        )
    )
    clock.step(days=10)
    two = me.remember(Draft("Dana likes tabs in Makefiles", "project/a", tags=("make", "style")))
    other = me.remember(Draft("Go files are formatted by gofmt", "project/a"))
    me.relate(one.id, "about", other.id)
    me.relate(other.id, "supports", two.id)
    me.mark("verify", one.id)
    me.mark("pin", one.id)
    clock.step(days=10)
    return one.id, two.id, other.id


def _whole(me, identifier):
    one = me.get(identifier)
    return (
        one.id, one.text, one.scope, one.subject, one.tags, one.trust, one.pinned, one.archived,
        one.asserted_at, one.valid_from, one.valid_to, one.importance, one.confidence, one.by,
    )  # fmt: skip


def _counts(store):
    tables = (relation, mention, provenance)
    with store.engine.read() as conn:
        return [conn.execute(select(func.count()).select_from(t)).scalar_one() for t in tables]


def test_a_merge_is_the_union_of_its_sources_and_found_at_once(me, three, clock):
    one, two, other = three
    before = me.get(two).asserted_at
    merged = me.merge([one, two], "Dana prefers tabs in Go and Makefiles", reason="same thing")
    whole = me.get(merged.id)
    assert whole.tags == ("go", "style", "make")
    assert (whole.subject, whole.pinned, whole.trust) == ("indent", True, "unreviewed")
    assert whole.asserted_at == before  # as recent as its most recent source, not as now
    assert {p.session for p in me.show(merged.id).provenance} == {"s-1"}
    assert {(r.source, r.type, r.target) for r in me.show(merged.id).relations} == {
        (merged.id, "about", other),
        (other, "supports", merged.id),
    }
    assert me.search("tabs in Makefiles").hits[0].memory.id == merged.id
    assert {me.get(i).id for i in (one, two)} == {merged.id}


def test_the_originals_come_back_with_all_they_had(store, me, three, clock):
    one, two, other = three
    before = [_whole(me, i) for i in (one, two)]
    counts = _counts(store)
    edges = set(me.show(one).relations), set(me.show(two).relations), me.show(other).relations
    merged = me.merge([one, two], "Dana prefers tabs in Go and Makefiles")
    clock.step(days=30)
    answer = me.unmerge(merged.id, reason="two things")
    assert (answer.id, answer.outcome, answer.warnings) == (merged.id, "stored", ())
    assert [_whole(me, i) for i in (one, two)] == before
    assert [me.get(i).version for i in (one, two)] == [2, 2]
    assert [m.id for m in me.list().memories if m.id == merged.id] == []
    assert me.list().total == 3
    assert _counts(store)[:2] == counts[:2]
    assert (
        set(me.show(one).relations), set(me.show(two).relations), me.show(other).relations
    ) == edges  # fmt: skip
    assert me.chain(merged.id)[-1].memory.closed_as == "retired"
    found = me.search("tabs in Makefiles").hits
    assert found[0].memory.id == two
    assert merged.id not in {h.memory.id for h in found}
    assert me.verify_log().intact


def test_an_edit_of_the_result_is_told_and_kept(me, three):
    """Must show 7: merge, edit, unmerge."""
    one, two, _ = three
    before = [_whole(me, i) for i in (one, two)]
    merged = me.merge([one, two], "Dana prefers tabs in Go and Makefiles")
    me.correct(merged.id, "Dana prefers tabs everywhere")
    answer = me.unmerge(merged.id)
    assert "its text (version 2) is kept as a retired version" in answer.warnings[0]
    assert [_whole(me, i) for i in (one, two)] == before
    texts = [v.memory.text for v in me.chain(merged.id)]
    assert texts == ["Dana prefers tabs in Go and Makefiles", "Dana prefers tabs everywhere"]
    assert me.list().total == 3


def test_what_came_to_the_result_later_stays_with_it(me, three):
    one, two, other = three
    merged = me.merge([one, two], "Dana prefers tabs in Go and Makefiles")
    me.relate(merged.id, "contradicts", other)
    answer = me.unmerge(merged.id)
    assert answer.warnings == ("1 relation made since stay with it",)
    assert {r.type for r in me.show(one).relations} == {"about"}


def test_merges_of_merges_come_apart_in_their_order(me, three):
    one, two, other = three
    inner = me.merge([one, two], "Dana prefers tabs")
    outer = me.merge([inner.id, other], "Dana prefers tabs, gofmt does it")
    with pytest.raises(NotPossible, match="merged into"):
        me.unmerge(inner.id)
    me.unmerge(outer.id)
    assert me.get(one).id == inner.id
    me.unmerge(inner.id)
    assert {m.id for m in me.list().memories} == {one, two, other}
    again = me.merge([one, two], "Dana prefers tabs")  # they may be merged again
    assert me.get(one).id == again.id
    assert me.verify_log().intact


def test_what_is_no_merge_cannot_be_taken_apart(me, three):
    with pytest.raises(NotPossible, match="not the result of a merge"):
        me.unmerge(three[2])
    merged = me.merge(three[:2], "Dana prefers tabs")
    me.unmerge(merged.id)
    with pytest.raises(NotPossible, match="not the result of a merge"):
        me.unmerge(merged.id)
    with pytest.raises(NotPossible, match="is live"):
        me.restore(three[0])


def test_a_merged_source_comes_back_only_with_its_like(me, three):
    me.merge(three[:2], "Dana prefers tabs")
    with pytest.raises(NotPossible, match="was merged"):
        me.restore(three[0])


def test_a_quarantined_text_does_not_get_out_by_a_merge(me, three):
    me.mark("quarantine", three[0])
    with pytest.raises(NotPossible, match="quarantined"):
        me.merge(three[:2], "Dana prefers tabs")
    assert me.get(three[1]).state == "live"


def test_merging_over_scopes_takes_a_chosen_one_and_warns_of_more_readers(me, three):
    away = me.remember(Draft("a private note", "user/dana"))
    with pytest.raises(Invalid, match="2 scopes"):
        me.merge([three[0], away.id], "x y")
    merged = me.merge([three[0], away.id], "x y", scope="project/a")
    assert "whoever may read project/a can now read what came from user/dana" in merged.warnings
    me.undo()
    narrower = me.merge(three[:2], "Dana prefers tabs", scope="project")
    assert narrower.warnings == ()  # a grant covers what lies below, never above
    assert me.get(away.id).scope == "user/dana"


# --- move -------------------------------------------------------------------------------


def test_a_moved_memory_keeps_what_it_was_and_is_tied_to_the_old_one(store, me, three, clock):
    one, _, other = three
    before = _whole(me, one)
    clock.step(days=30)
    moved = me.move(one, "user/dana", reason="it is hers")
    new = _whole(me, moved.id)
    assert new[1:2] + new[3:] == before[1:2] + before[3:]
    assert new[2] == "user/dana"
    (link,) = me.show(moved.id).chain
    assert (link.kind, link.source, link.target) == ("moved", one, moved.id)
    assert me.chain(one)[-1].memory.closed_as == "retired"
    assert {(r.source, r.type) for r in me.show(moved.id).relations} == {(moved.id, "about")}
    assert me.chain(moved.id)[0].reason == "it is hers"
    me.undo()
    assert _whole(me, one) == before
    assert me.chain(moved.id)[-1].memory.state == "closed"
    assert {r.source for r in me.show(other).relations} == {one, other}
    assert me.verify_log().intact


def test_what_cannot_be_moved(me, three):
    with pytest.raises(Invalid, match="already"):
        me.move(three[0], "project/a")
    with pytest.raises(Invalid, match="no scope"):
        me.move(three[0], "no scope at all")
    me.retire(three[0])
    with pytest.raises(NotPossible, match="retired"):
        me.move(three[0], "user/dana")
