"""`consolidate --judge`, and what is done again and again, against a real server."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from store import Actor, Draft, Tier, open_store
from tests.curator.terminal import curator, process
from tests.store.embedding.model_server import status
from tests.store.review.judge_server import ANSWERS, JudgeServer, answering, recorded, serving


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeServer]:
    yield from serving(monkeypatch)


@pytest.fixture(autouse=True)
def world(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recorded episodes, in the store that every command means."""
    monkeypatch.setenv("CURATOR_STORE", str(store_path))
    with open_store(store_path) as store:
        me = store.curator(Actor.human("dana"))
        for text in ANSWERS["facts"]:
            me.remember(Draft(text, "project/a", tier=Tier.EPISODIC))


def url(server: JudgeServer) -> str:
    return f"http://127.0.0.1:{server.port}/v1"


def test_a_judge_is_asked_and_a_second_run_costs_nothing(server: JudgeServer) -> None:
    asked = ("consolidate", "--judge", url(server), "--model", "recorded")
    done = curator(*asked, "--price-in", "1", "--json").json
    assert done["judge"]["proposed"] == {"extract": 4}
    assert done["judge"]["cost"] == pytest.approx(0.0001)
    said = curator(*asked)
    assert said.code == 0
    assert "recorded at http://127.0.0.1" in said.out
    assert "0 answers, 0 tokens in" in said.out
    found = curator("review", "--kind", "extract", "--json").json["proposals"]
    assert {one["evidence"]["prompt"] for one in found} == {"extract 1"}
    first = next(one["number"] for one in found if "Staging deploys" in one["result"]["text"])
    done = curator("review", "approve-all", first, "--from-episode", "--json").json
    assert (len(done["approved"]), done["left"]) == (2, [])


def test_without_judge_nothing_is_sent_and_the_settings_may_name_one(
    server: JudgeServer, tmp_path: Path
) -> None:
    folder = Path(os.environ["XDG_CONFIG_HOME"]) / "curator"
    folder.mkdir(parents=True)
    settings = f'[judge]\nurl = "{url(server)}"\nmodel = "recorded"\n'
    (folder / "settings.toml").write_text(settings, encoding="utf-8")
    assert curator("consolidate", "--json").json["judge"] is None
    assert server.asked == []
    assert curator("consolidate", "--judge", "--json").json["judge"]["model"] == "recorded"


def test_a_silent_server_is_an_exit_code_and_a_sentence(server: JudgeServer) -> None:
    server.always = status(401)
    ran = curator("consolidate", "--judge", url(server), "--model", "recorded", "--json")
    assert ran.code == 1
    assert ran.json["judge"]["left"] == {"extract": 4}
    assert "wants a key (401)" in ran.err
    assert "the next run goes on" in ran.err


@pytest.mark.parametrize(
    ("argv", "code", "says"),
    [
        (["--model", "m"], 2, "which server"),
        (["--judge", "http://x/v1", "--model", "m", "--dry-run"], 2, "dry run"),
        (["--judge", "http://user:pw@x/v1", "--model", "m"], 1, "more than an address"),
        (["--judge", "ftp://x", "--model", "m"], 1, "no http"),
        (["--judge", "http://x/v1"], 1, "model is missing"),
        (["--judge", "http://x/v1", "--model", "m", "--key-env", "sk-abc"], 1, "NAME"),
        (["--judge", "http://x/v1", "--model", "m", "--price-in", "x"], 1, "no number"),
        (["--judge"], 1, "No judge is named"),
    ],
)
def test_what_cannot_be_asked_is_said(argv: list[str], code: int, says: str) -> None:
    ran = curator("consolidate", *argv)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err
    assert "pw" not in ran.err.replace("pwd", "")
    assert "sk-abc" not in ran.err


def test_two_schedulers_one_works_and_kill_9_lets_the_other_go_on(server: JudgeServer) -> None:
    """The first is at its question when it is killed; the second, which waited, does the work."""
    asked, never = threading.Event(), threading.Event()

    def hangs(handler, texts):
        asked.set()
        never.wait(60)

    server.plan.append(hangs)
    server.always = answering(recorded)
    argv = ("consolidate", "--judge", url(server), "--model", "recorded", "--every", "1d")
    first = process(*argv)
    try:
        assert asked.wait(60)
        second = process(*argv)
        try:
            assert second.stderr is not None
            assert second.stdout is not None
            waiting = second.stderr.readline().decode()
            assert "Waiting: Another curator works on this store" in waiting
            assert f"process {first.pid}" in waiting
            assert curator("forget").code == 1  # one at a time, whatever the work is
            first.send_signal(signal.SIGKILL)
            lines = iter(second.stdout.readline, b"")
            assert b"  proposed: 4 extract\n" in lines
            second.send_signal(signal.SIGINT)
            second.communicate(timeout=60)
            assert second.returncode == 0
        finally:
            second.kill()
            second.communicate()
    finally:
        never.set()
        first.kill()
        first.communicate()
    assert curator("audit", "--verify").code == 0
    assert curator("consolidate", "--json").json["proposed"] == {}


def test_a_standing_question_in_a_judges_words(server: JudgeServer) -> None:
    curator("remember", "The berth sweeper runs at noon", "--scope", "project/a")
    asked = curator("questions", "ask", "when does the berth sweeper run", "--json").json
    number = str(asked["questions"][0]["number"])
    named = ("--judge", url(server), "--model", "recorded")
    said = curator("questions", "word", number, *named)
    assert said.code == 0
    assert said.out.startswith("The berth sweeper runs at noon\nby recorded, resting on ")
    document = curator("questions", "word", number, *named, "--json").json
    assert document["rests_on"] == [asked["questions"][0]["sources"][0]["id"]]
    nobody = curator("questions", "word", number)
    assert nobody.code == 1
    assert "No judge is named." in nobody.err
    server.plan.append(answering(lambda data: {"text": "At nine", "statements": ["S1"]}))
    refused = curator("questions", "word", number, *named)
    assert refused.code == 1
    assert "cannot be shown" in refused.err
    assert "are the answer" in refused.err
