"""Standing questions: what they rest on is watched, nothing is asked anew, no text is kept."""

from __future__ import annotations

import pytest

from store import Actor, Grant
from store.errors import Forbidden, Invalid, NotFound
from store.schema import question, question_source

ASKED = "when do we deploy"


def only(me):
    (found,) = me.questions()
    return found


def test_an_answer_stands_until_what_it_rests_on_changes(me, note):
    written = note("Deploys happen on Tuesday mornings")
    note("The canteen closes at two")
    asked = me.ask(ASKED)
    assert [(s.id, s.version, s.standing) for s in asked.sources] == [(written.id, 1, "fresh")]
    note("Berths are let by the quarter")
    assert only(me).standing == "fresh"
    me.correct(written.id, "Deploys happen on Thursday mornings")
    changed = only(me)
    assert changed.standing == "changed"
    assert changed.sources[0].memory.text == "Deploys happen on Thursday mornings"
    assert changed.sources[0].version == 1
    assert me.refresh_question(asked.number).standing == "fresh"
    me.retire(written.id)
    assert (only(me).standing, only(me).sources[0].memory) == ("gone", None)
    me.undo()
    assert only(me).standing == "changed", "another version says it now"


@pytest.mark.parametrize("mark", ["quarantine", "archive"])
def test_what_no_agent_is_told_is_gone(me, note, mark):
    written = note("Deploys happen on Tuesday mornings")
    me.ask(ASKED)
    me.mark(mark, written.id)
    assert only(me).standing == "gone"
    me.undo()
    assert only(me).standing == "fresh"


def test_a_merged_source_is_followed_to_its_successor(me, note):
    one, two = note("Deploys happen on Tuesdays"), note("Deploys happen Tuesdays at nine")
    me.ask(ASKED)
    merged = me.merge([one.id, two.id], "Deploys happen on Tuesdays at nine")
    found = only(me)
    assert {s.standing for s in found.sources} == {"changed"}
    assert {s.memory.id for s in found.sources} == {merged.id}


def test_a_question_without_an_answer_is_kept_and_says_so(me, note):
    note("The canteen closes at two")
    asked = me.ask("zyzzyva quorum")
    assert (asked.sources, asked.standing) == ((), "fresh")


def test_no_text_of_an_answer_is_in_its_tables(me, note, store):
    note("Deploys happen on Tuesday mornings")
    me.ask(ASKED)
    with store.engine.read() as conn:
        kept = [
            *conn.execute(question.select()).all(),
            *conn.execute(question_source.select()).all(),
        ]
    assert ASKED in repr(kept)
    assert "Tuesday" not in repr(kept)


def test_dropping_and_unknown_numbers(me, note):
    note("Deploys happen on Tuesday mornings")
    asked = me.ask(ASKED)
    me.drop_question(asked.number)
    assert me.questions() == ()
    for verb in (me.drop_question, me.refresh_question):
        with pytest.raises(NotFound, match=f"no question {asked.number}"):
            verb(asked.number)
    with pytest.raises(Invalid, match="no question"):
        me.ask("  ")


def test_every_act_is_an_event_and_looking_is_none(me, note):
    note("Deploys happen on Tuesday mornings")
    before = me.changed()
    asked = me.ask(ASKED)
    me.refresh_question(asked.number)
    me.drop_question(asked.number)
    me.questions()
    assert [e.action for e in me.events(limit=3)] == ["remove question", "ask again", "ask"]
    assert me.changed() == before + 3


def test_a_narrowed_view_sees_only_what_looks_within_it(me, note, store):
    note("Deploys happen on Tuesday mornings", scope="project/a")
    wide, own = me.ask(ASKED), me.ask(ASKED, scope=["project/a"])
    narrow = store.curator(Actor.human("sam"), Grant(read={"project/a"}))
    assert [q.number for q in narrow.questions()] == [own.number]
    with pytest.raises(NotFound):
        narrow.drop_question(wide.number)
    with pytest.raises(Invalid, match="some scopes"):
        narrow.ask(ASKED)
    assert narrow.ask(ASKED, scope=["project/a"]).sources


def test_a_secret_in_a_question_is_masked(me):
    asked = me.ask("is AKIAIOSFODNN7EXAMPLQ still in use")
    assert "AKIAIOSFODNN7EXAMPLQ" not in asked.text
    assert "still in use" in asked.text


def test_an_agent_keeps_no_question(store):
    from store.access.curator import CuratorView

    forged = CuratorView(store._writer(Actor.agent("codex"), Grant.everything()))
    with pytest.raises(Forbidden):
        forged.ask(ASKED)
