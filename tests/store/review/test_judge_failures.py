"""A judge's server that is slow, broken, cut off, talked out of its shape, or refuses: nothing
changes but what validates, the report says what happened, and the run goes on where it was."""

from __future__ import annotations

import json

import pytest

from store.model import Tier
from store.review.judge.ledger import MOST_TRIES
from tests.store.embedding.model_server import cut_off, dies, raw, slow, status
from tests.store.review.judge_server import (
    ANSWERS,
    JudgeServer,
    answering,
    data_of,
    recorded,
    saying,
)

GOOD = next(text for text in ANSWERS["facts"] if "5433" in text)
DULL = "Lunch with the team, nothing decided."

SILENT = {
    "slow": (slow, "did not answer within"),
    "failing": (status(503), "failed (503)"),
    "busy": (status(429, retry_after="3600"), "has too much to do (429)"),
    "cut": (cut_off, "broke off its answer"),
    "gone": (dies, "cannot be reached"),
    "no JSON at all": (raw(b"<html>nginx</html>"), "no JSON"),
    "no chat": (raw(b'{"choices": []}'), "none of a chat"),
    "wrong key": (status(401), "wants a key"),
    "unknown model": (status(404), "knows no such address or model"),
}
UNUSABLE = {
    "invalid JSON": ('{"facts": [{"text": "Postgres', "the answer is no JSON"),
    "prose": ("Sure! Here are the facts: Postgres listens on 5433.", "the answer is no JSON"),
    "a list": ("[]", "the answer breaks its schema"),
    "another key": ('{"facts": [], "approve": [1, 2]}', "the answer breaks its schema"),
    "no citations": (
        '{"facts": [{"text": "x", "subject": null, "kind": "fact"}]}',
        "the answer breaks its schema",
    ),
    "another kind": (
        '{"facts": [{"text": "x", "subject": null, "kind": "verified", "citations": []}]}',
        "the answer breaks its schema",
    ),
    "too many": (
        json.dumps(
            {"facts": [{"text": "x", "subject": None, "kind": "fact", "citations": []}] * 65}
        ),
        "the answer breaks its schema",
    ),
    "nested without end": ("[" * 100_000, "the answer is no JSON"),
}


@pytest.fixture
def two(note) -> None:
    note(GOOD, tier=Tier.EPISODIC)
    note(DULL, tier=Tier.EPISODIC)


@pytest.fixture
def looks(me):
    """What could have changed: memories, versions, proposals, events."""

    def look() -> object:
        return me.list(state="all"), me.stats().versions, me.proposals(), me.changed()

    return look


@pytest.mark.parametrize("name", SILENT)
def test_a_server_that_does_not_answer_ends_the_run_and_the_next_one_goes_on(
    me, server: JudgeServer, two, looks, name
):
    step, said = SILENT[name]
    server.always = step
    before = looks()
    done = me.tend(server.judge()).judged
    assert looks() == before
    assert done.stopped is not None
    assert said in done.stopped
    assert str(server.port) in done.stopped
    assert (done.examined, done.left) == ({}, {"extract": 2})
    server.stop()
    server.start()
    server.always = answering(recorded)
    assert me.tend(server.judge()).judged.proposed == {"extract": 1}


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_answer_that_cannot_be_used_changes_nothing_and_is_asked_for_again(
    me, server: JudgeServer, two, looks, name
):
    text, said = UNUSABLE[name]
    server.always = saying(text)
    before = looks()
    done = me.tend(server.judge()).judged
    assert looks() == before
    assert (done.failed, done.stopped) == ({said: 2}, None)
    assert done.questions == 3  # both at once, then each by itself
    server.always = answering(recorded)
    assert me.tend(server.judge()).judged.proposed == {"extract": 1}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"refusal": "I cannot help with that."}, "the model declined to answer"),
        ({"finish": "content_filter"}, "the model declined to answer"),
        ({"finish": "length"}, "the answer was longer than allowed"),
    ],
)
def test_a_refusal_costs_only_the_text_it_is_about(me, server: JudgeServer, two, more, said):
    def touchy(handler, texts):
        shown = [one["text"] for one in handler.data["episodes"]]
        if DULL in shown:
            handler.say("", **more)
        else:
            handler.say(json.dumps(recorded(handler.data)))

    server.always = touchy
    done = me.tend(server.judge()).judged
    assert (done.proposed, done.failed) == ({"extract": 1}, {said: 1})
    assert [len(some) for some in server.asked_about("episodes")] == [2, 1, 1]


def test_what_never_brings_an_answer_is_given_up_after_a_few_runs(me, server: JudgeServer, note):
    note(DULL, tier=Tier.EPISODIC)
    server.always = saying("no")
    for _ in range(MOST_TRIES + 2):
        me.tend(server.judge())
    assert len(server.asked) == MOST_TRIES
    me.tend(server.judge(model="other"))
    assert len(server.asked) == MOST_TRIES + 1


def test_one_text_that_a_server_turns_away_does_not_take_the_others_with_it(
    me, server: JudgeServer, two
):
    def choosy(handler, texts):
        if any(one["text"] == DULL for one in handler.data["episodes"]):
            status(400)(handler, texts)
        else:
            handler.say(json.dumps(recorded(handler.data)))

    server.always = choosy
    done = me.tend(server.judge()).judged
    assert done.proposed == {"extract": 1}
    assert done.failed == {"the server turned the question away": 1}


def test_a_server_that_turns_everything_away_is_not_asked_for_ever(me, server: JudgeServer, note):
    for n in range(30):
        note(f"Session {n}: nothing decided.", tier=Tier.EPISODIC)
    server.always = status(400)
    done = me.tend(server.judge()).judged
    assert "does not accept what it is asked" in done.stopped
    assert len(server.asked) < 10


def test_an_answer_about_something_else_than_was_asked_is_not_used(me, server: JudgeServer, note):
    note("The harbor API is open to the public.")
    note("Only employees can reach the harbor API.")
    server.always = saying(
        json.dumps(
            {
                "pairs": [
                    {
                        "pair": "P7",
                        "verdict": "contradiction",
                        "first_quote": "open to the public",
                        "second_quote": "Only employees",
                    }
                ]
            }
        )
    )
    done = me.tend(server.judge()).judged
    assert done.failed == {"the answer is not about what was asked": 1}
    assert me.proposals() == ()


def test_a_run_that_breaks_in_the_middle_keeps_what_was_done(me, server: JudgeServer, note):
    for n in range(10):
        note(f"Session {n}: nothing decided.", tier=Tier.EPISODIC)
    note(GOOD, tier=Tier.EPISODIC)
    server.plan.extend([answering(recorded), status(503), status(503)])
    first = me.tend(server.judge()).judged
    assert (first.examined, first.left) == ({"extract": 8}, {"extract": 3})
    assert "503" in first.stopped
    second = me.tend(server.judge()).judged
    assert (second.examined, second.proposed) == ({"extract": 3}, {"extract": 1})
    known = [one["text"] for body in server.asked for one in data_of(body.body)["episodes"]]
    assert known.count(GOOD) == 3  # asked in vain twice, within one run, and once more
