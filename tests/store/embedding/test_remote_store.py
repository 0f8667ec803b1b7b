"""A store over a remote model: writes survive, answers degrade one by one and say so."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from store import Actor, Draft, Grant, facts
from store.embedding.identity import Identity
from store.search.pipeline import NOT_MEASURED
from tests.conftest import SteppingClock
from tests.store.embedding.model_server import (
    ModelServer,
    changed,
    dies,
    document,
    healthy,
    raw,
    status,
)
from tests.store.embedding.worlds import NOTES, World, by_meaning, is_of, opened

FAILING = {
    "500": status(500),
    "429, for an hour": status(429, Retry_After="3600"),
    "401": status(401),
    "garbage": raw(b"<html>"),
    "too few": changed(lambda v: v[:-1]),
    "NaN": changed(lambda v: [[float("nan")] * 16] * len(v)),
    "zero": changed(lambda v: [[0.0] * 16] * len(v)),
    "another form": document(lambda v: {"error": "x"}),
}


@pytest.fixture
def world(store_location, clock, server):  # type: ignore[no-untyped-def]
    with opened(store_location, clock, server.embedder) as made:
        yield made


def test_opening_and_looking_around_ask_nobody(
    server: ModelServer, store_location: str, clock: SteppingClock
) -> None:
    with opened(store_location, clock, server.embedder) as world:
        world.me.list()
        world.me.scopes()
        world.me.events()
        world.me.verify_log()
    assert server.asked == []


def test_vectors_are_stored_and_found_by(world: World, server: ModelServer) -> None:
    world.remember_all()
    held = world.vectors()
    assert set(held) == set(NOTES)
    assert all(is_of(blob, server, text) for text, blob in held.items())
    stamped = Identity.from_json(str(world.fact(facts.EMBEDDING)))
    assert (stamped.provider, stamped.model, stamped.dimension) == ("openai", "test-model", 16)
    assert len(stamped.probes) == 3
    answer = world.me.search("harbour master")
    assert answer.hits[0].memory.text == NOTES[2]
    assert by_meaning(answer)
    assert answer.degraded == {}


def test_coverage_only_counts_as_evidence_and_the_answer_says_so(world: World) -> None:
    world.remember_all()
    answer = world.me.search("harbour quay")
    assert NOT_MEASURED in answer.notes
    for hit in answer.hits:
        assert hit.evidence is not None
        assert hit.evidence.value == pytest.approx(hit.evidence.coverage)


@pytest.mark.parametrize("kind", FAILING)
def test_a_write_whose_embedding_fails_is_stored_and_says_so(
    world: World, server: ModelServer, kind: str
) -> None:
    world.remember(NOTES[0])
    server.always = FAILING[kind]
    written = world.remember(NOTES[1], tags=("aws",))
    assert written.outcome == "stored"
    assert "stored without a vector" in written.warnings[0]
    assert "reindex --missing" in written.warnings[0]
    server.always = healthy
    assert world.me.get(str(written.id)).text == NOTES[1]
    assert [h.memory.id for h in world.me.search("deploys").hits] == [written.id]
    assert set(world.vectors()) == {NOTES[0]}
    assert world.me.stats().vectors_missing == 1
    assert world.me.verify_log().intact


def test_every_way_to_write_survives_a_server_that_is_gone(
    world: World, server: ModelServer
) -> None:
    first, second = world.remember(NOTES[0]), world.remember(NOTES[1])
    server.stop()
    assert world.me.correct(str(first.id), "Berths are booked by the hour").version == 2
    assert world.me.merge([str(first.id), str(second.id)], "Berths and deploys").id is not None
    gone = world.remember(NOTES[2])
    world.me.retire(str(gone.id))
    assert world.me.restore(str(gone.id)).outcome == "stored"
    assert world.me.undo().outcome == "stored"
    assert world.me.remember_many(Draft(f"note {n} of many", "project/a") for n in range(20)) == 20
    agent = world.store.agent(Actor.agent("claude-code"), Grant(read={"project/a"}))
    assert agent.remember("an agent's note", scope="project/a").outcome == "stored"
    assert world.me.verify_log().intact
    assert world.me.stats().vectors_missing == world.versions() - 2


def test_many_at_once_and_an_import_say_what_has_no_vector(
    world: World, server: ModelServer, tmp_path: Path
) -> None:
    server.stop()
    written = world.me.remember_many(Draft(f"note {n}", "project/a") for n in range(3))
    assert written == 3
    assert [w.startswith("stored without a vector") for w in written.warnings] == [True]
    graph = {"type": "entity", "name": "crane", "entityType": "thing", "observations": ["a", "b"]}
    source = tmp_path / "memory.jsonl"
    source.write_text(json.dumps(graph) + "\n")
    report = world.me.import_(str(source))
    (told,) = [note for note in report.notes if "without a vector" in note.reason]
    assert (report.added, told.row) == (2, "2 versions")


def test_a_new_store_that_never_met_its_model_is_keyword_only_until_it_does(
    world: World, server: ModelServer
) -> None:
    server.stop()
    world.remember_all()
    assert world.fact(facts.EMBEDDING) is None
    answer = world.me.search("harbour")
    assert answer.hits[0].memory.text == NOTES[2]
    assert "cannot be reached" in answer.degraded["semantic"]
    server.start()
    world.remember("The first that was embedded")
    assert world.me.stats().keyword_only is None
    assert world.me.stats().vectors_missing == len(NOTES)
    assert world.me.reindex(missing=True) == len(NOTES)
    assert world.me.stats().vectors_missing == 0


@pytest.mark.parametrize("kind", [kind for kind in FAILING if "hour" not in kind])
def test_a_failed_query_degrades_that_answer_only(
    world: World, server: ModelServer, kind: str
) -> None:
    world.remember_all()
    server.always = FAILING[kind]
    answer = world.me.search("harbour master")
    assert answer.hits[0].memory.text == NOTES[2]
    assert not by_meaning(answer)
    assert set(answer.degraded) == {"semantic"}
    assert "embedding" in answer.degraded["semantic"]
    assert "harbour" not in answer.degraded["semantic"]
    server.always = healthy
    after = world.me.search("harbour master")
    assert by_meaning(after)
    assert after.degraded == {}


def test_a_server_that_comes_back_is_used_at_once(world: World, server: ModelServer) -> None:
    world.remember_all()
    server.plan.append(dies)
    assert "semantic" in world.me.search("harbour").degraded
    assert "semantic" in world.me.search("harbour").degraded
    server.start()
    assert by_meaning(world.me.search("harbour"))


def test_an_agent_is_told_too(world: World, server: ModelServer) -> None:
    world.remember_all()
    agent = world.store.agent(Actor.agent("claude-code"), Grant(read={"project/a"}))
    server.stop()
    answer = agent.recall("harbour master")
    assert answer.hits[0].memory.text == NOTES[2]
    assert "cannot be reached" in answer.degraded["semantic"]


def test_a_search_meanwhile_asks_a_dead_server_once(world: World, server: ModelServer) -> None:
    """One failure answers both "what is the vector?" and "which model is it?"."""
    server.always = status(401)
    world.me.search("harbour")
    assert len(server.asked) == 1


def test_health_asks_which_model_it_is_and_tells(
    world: World, server: ModelServer, store_location: str, clock: SteppingClock
) -> None:
    world.remember_all()
    with opened(store_location, clock, server.embedder) as later:
        server.stop()
        stats = later.me.stats()
    assert "cannot be reached" in str(stats.keyword_only)
    assert stats.embedded_by == "test-model"
    assert stats.memories == len(NOTES)


def test_many_threads_share_one_model(world: World, server: ModelServer) -> None:
    texts = [f"note {n} about berth {n}" for n in range(24)]
    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(world.remember, texts))
        answers = list(pool.map(world.me.search, texts))
    assert all(w.outcome == "stored" and not w.warnings for w in done)
    held = world.vectors()
    assert all(is_of(held[text], server, text) for text in texts)
    assert all(not a.degraded for a in answers)
    probes = [one for one in server.asked if not one.texts]
    assert len(probes) == 1, "which model it is was asked once"


def test_no_write_transaction_waits_for_a_server(world: World, server: ModelServer) -> None:
    """The store stays writable for others while one write's text is being embedded."""
    world.remember(NOTES[0])
    seen = []

    def writes_meanwhile(handler, texts):  # type: ignore[no-untyped-def]
        with world.store.engine.write():
            seen.append("free")
        healthy(handler, texts)

    server.plan.append(writes_meanwhile)
    world.remember(NOTES[1])
    assert seen == ["free"]
