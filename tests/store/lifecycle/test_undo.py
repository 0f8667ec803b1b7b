"""Undo of every act, across restarts, and the later event named where it is refused."""

from __future__ import annotations

import pytest

from store import Actor, Draft, open_store
from store.errors import NotFound, NotPossible
from store.lifecycle.inverses import INVERSES
from store.lifecycle.marks import MARKS


def _view(me):
    """What a person sees: live memories, tombstones, what waits."""
    live = sorted(
        (m.id, m.text, m.scope, m.trust, m.pinned, m.archived, m.asserted_at, m.tags)
        for m in me.list(limit=500).memories
    )
    waiting = [(p.number, p.status, p.snoozed_until) for p in me.proposals()]
    resting = [(p.number, p.snoozed_until) for p in me.proposals(snoozed=True)]
    relations = [me.show(m[0]).relations for m in live]
    return live, [t.number for t in me.tombstones()], waiting, resting, relations


@pytest.fixture
def world(me, agent, clock):
    """Memories in every standing that an act needs to find."""
    ids = {
        name: me.remember(Draft(f"the {name} note of Dana", "project/a")).id
        for name in ("plain", "second", "quarantined", "pinned", "archived", "retired", "rejected")
    }
    me.mark("quarantine", ids["quarantined"])
    me.mark("pin", ids["pinned"])
    me.mark("archive", ids["archived"])
    me.retire(ids["retired"])
    me.reject(ids["rejected"])
    parts = [me.remember(Draft(f"part {n} of a merge", "project/a")).id for n in range(2)]
    ids["merged"] = me.merge(parts, "both parts of a merge").id
    ids["cold"] = agent.remember("an old episode", tier="episodic").id
    ids["held"] = str(agent.remember("The REJECTED note of Dana").proposal)
    ids["asked"] = str(agent.correct(ids["plain"], "the plain note of codex").proposal)
    clock.step(days=400)
    me.remember(Draft("a fresh note", "project/a"))
    return ids


ACTS = {
    "verify": lambda me, w, now: me.mark("verify", w["plain"]),
    "dispute": lambda me, w, now: me.mark("dispute", w["plain"]),
    "quarantine": lambda me, w, now: me.mark("quarantine", w["plain"]),
    "release": lambda me, w, now: me.mark("release", w["quarantined"]),
    "pin": lambda me, w, now: me.mark("pin", w["plain"]),
    "unpin": lambda me, w, now: me.mark("unpin", w["pinned"]),
    "archive": lambda me, w, now: me.mark("archive", w["plain"]),
    "unarchive": lambda me, w, now: me.mark("unarchive", w["archived"]),
    "remember": lambda me, w, now: me.remember(Draft("a new note", "project/a")),
    "correct": lambda me, w, now: me.correct(w["plain"], "corrected"),
    "change": lambda me, w, now: me.correct(w["plain"], "changed", since=now),
    "retire": lambda me, w, now: me.retire(w["plain"]),
    "restore": lambda me, w, now: me.restore(w["retired"]),
    "reject": lambda me, w, now: me.reject(w["plain"]),
    "lift": lambda me, w, now: me.lift(1, reason="it was right"),
    "merge": lambda me, w, now: me.merge([w["plain"], w["second"]], "both notes of Dana"),
    "unmerge": lambda me, w, now: me.unmerge(w["merged"]),
    "move": lambda me, w, now: me.move(w["plain"], "user/dana"),
    "relate": lambda me, w, now: me.relate(w["plain"], "about", w["second"]),
    "forget": lambda me, w, now: me.forget(),
    "approve held": lambda me, w, now: me.approve(int(w["held"])),
    "approve": lambda me, w, now: me.approve(int(w["asked"])),
    "decline": lambda me, w, now: me.decline(int(w["asked"])),
    "decline and keep out": lambda me, w, now: me.decline(int(w["asked"]), tombstone="near"),
    "snooze": lambda me, w, now: me.snooze(int(w["asked"]), now.replace(year=now.year + 1)),
    "supersede": lambda me, w, now: me.approve(
        me.propose("supersede", [w["plain"], w["second"]]).proposal
    ),
    "contradiction": lambda me, w, now: me.approve(
        me.propose("contradiction", [w["plain"], w["second"]]).proposal
    ),
    "approved merge": lambda me, w, now: me.approve(
        me.propose("merge", [w["plain"], w["second"]], text="both notes").proposal
    ),
}


def test_every_act_that_can_be_undone_is_tried():
    tried = {name.split()[0] for name in ACTS}
    assert set(INVERSES) <= tried
    assert set(MARKS) <= tried


@pytest.mark.parametrize("name", ACTS)
def test_an_undo_leaves_what_was_there_before_also_after_a_restart(
    store_location, me, world, clock, name
):
    if name in ("supersede", "contradiction", "approved merge"):
        kind = {"approved merge": "merge"}.get(name, name)
        text = "both notes" if kind == "merge" else None
        me.propose(kind, [world["plain"], world["second"]], text=text)
    before = _view(me)
    ACTS[name](me, world, clock.now)
    after = _view(me)
    assert after != before
    with open_store(store_location, clock=clock, create=False) as again:
        later = again.curator(Actor.human("dana"))
        undone = later.undo()
        assert undone.outcome == "stored"
        assert undone.event == later.changed()
        assert _view(later) == before
        assert later.verify_log().intact


def test_undo_goes_back_one_act_after_the_other(me, clock):
    first = me.remember(Draft("one", "project/a"))
    views = [_view(me)]
    for act in (
        lambda: me.correct(first.id, "two"),
        lambda: me.mark("verify", first.id),
        lambda: me.retire(first.id),
        lambda: me.restore(first.id),
        lambda: me.reject(first.id),
    ):
        clock.step(days=1)
        act()
        views.append(_view(me))
    for view in reversed(views[:-1]):
        me.undo()
        assert _view(me) == view
    me.undo()
    assert me.list().total == 0
    with pytest.raises(NotFound, match="nothing to undo"):
        me.undo()


@pytest.mark.parametrize(
    ("act", "later", "says"),
    [
        (lambda me, w: me.correct(w[0], "x"), lambda me, w: me.correct(w[0], "y"), "v3 (#"),
        (lambda me, w: me.correct(w[0], "x"), lambda me, w: me.retire(w[0]), "retire of v2 (#"),
        (lambda me, w: me.mark("verify", w[0]), lambda me, w: me.mark("dispute", w[0]), "dispute"),
        (lambda me, w: me.merge(w, "x"), lambda me, w: me.correct(_into(me, w), "y"), "v2 (#"),
        (lambda me, w: me.merge(w, "x"), lambda me, w: me.unmerge(_into(me, w)), "unmerge"),
        (lambda me, w: me.correct(w[0], "x"), lambda me, w: me.merge(w, "y"), "v1 (#"),
        (lambda me, w: me.reject(w[0]), lambda me, w: me.lift(1, reason="x"), "lift (#"),
        (lambda me, w: me.retire(w[0]), lambda me, w: me.restore(w[0]), "v2 (#"),
    ],
    ids=["correct", "retire", "mark", "edited merge", "unmerge", "merged", "lifted", "restored"],
)
def test_a_later_act_that_stands_on_it_is_named(me, act, later, says):
    ids = [me.remember(Draft(f"note {n}", "project/a")).id for n in range(2)]
    seq = act(me, ids).event
    last = later(me, ids).event
    before = _view(me)
    with pytest.raises(NotPossible) as refused:
        me.undo(seq)
    assert f"Cannot undo #{seq}" in str(refused.value)
    assert "#" in str(refused.value).split(":")[1]
    if "unmerge" not in says:
        assert says in str(refused.value)
    assert _view(me) == before
    me.undo(last)
    assert me.undo(seq).outcome == "stored"  # included: in order it goes


def _into(me, ids):
    return me.get(ids[0]).id


def test_an_act_is_undone_once(me):
    first = me.remember(Draft("one", "project/a"))
    seq = me.correct(first.id, "two").event
    me.undo(seq)
    with pytest.raises(NotPossible, match="undone already"):
        me.undo(seq)
    assert me.get(first.id).text == "one"


def test_a_part_stands_for_the_whole(me):
    ids = [me.remember(Draft(f"note {n}", "project/a")).id for n in range(2)]
    merged = me.merge(ids, "both")
    me.unmerge(merged.id)
    part = next(e for e in me.history(ids[0]) if e.action == "unmerge")
    me.undo(part.seq)
    assert me.get(ids[0]).id == me.get(ids[1]).id == merged.id
    moved = me.move(merged.id, "project/b")
    part = next(e for e in me.history(merged.id) if e.action == "move")
    me.undo(part.seq)
    assert me.get(merged.id).state == "live"
    assert me.chain(moved.id)[-1].memory.state == "closed"


def test_an_act_of_an_approval_is_undone_with_it(me, agent):
    mine = me.remember(Draft("a note of Dana's", "project/a"))
    asked = agent.correct(mine.id, "a better note")
    me.approve(asked.proposal)
    correction = next(e for e in me.events() if e.action == "correct")
    me.undo(correction.seq)
    assert me.proposal(asked.proposal).status == "waiting"
    assert me.get(mine.id).text == "a note of Dana's"
    assert me.verify_log().intact


def test_one_persons_undo_leaves_anothers_act(store, me):
    sam = store.curator(Actor.human("sam"))
    mine = me.remember(Draft("a note of Dana's", "project/a"))
    his = sam.remember(Draft("a note of Sam's", "project/a"))
    me.undo()
    assert [m.id for m in me.list().memories] == [his.id]
    sam.undo(me.history(mine.id)[-1].undoes and his.event)
    assert me.list().total == 0


def test_what_has_no_inverse_is_said(me):
    me.remember(Draft("a note", "project/a"))
    me.remember(Draft("A  note", "project/a"))
    with pytest.raises(NotPossible, match="confirmed"):
        me.undo(2)
    with pytest.raises(NotFound, match="no event #99"):
        me.undo(99)
