"""Case A14: a store whose vectors were made by another model, of the same or another dimension.

A banner says which; keyword search works; no vector of the other space is compared or stored;
nothing is rewritten until it is asked for. (statewave #421, memU #678, agentmemory #455)
Law 12 is enforced by `_fits` in store/embedding/space.py (writes), `difference` (searches) and
`_check_fit` in store/access/filling.py; each was taken out once and a test here failed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from store import Draft, facts
from store.embedding.static import MODEL_NAME, load_static
from store.errors import NoAnswer
from tests.conftest import SteppingClock
from tests.store.embedding.model_server import Handler, ModelServer, healthy
from tests.store.embedding.worlds import NOTES, Loader, World, by_meaning, is_of, opened

Foreign = tuple[World, dict[str, bytes], str | None]
STATIC = f"{MODEL_NAME} (static)"


@pytest.fixture
def other() -> Iterator[ModelServer]:
    """Another server, with another model of the same name and dimension."""
    made = ModelServer(seed="model b")
    made.start()
    yield made
    made.stop()


@dataclass(frozen=True)
class Pair:
    """What made a store, what opens it, how the banner begins; `dimension`: of the other one."""

    makes: Loader
    opens: Loader
    banner: str
    dimension: int = 16


def pair(kind: str, server: ModelServer, other: ModelServer) -> Pair:
    by_server = "This store was embedded by test-model (openai)"
    has_static = f"{by_server}; this program has {STATIC}."
    return {
        "same name, same dimension": Pair(
            server.embedder,
            other.embedder,
            f"{by_server}; this program has another model of that name: its vectors for fixed "
            "texts lie ",
        ),
        "other provider, same dimension": Pair(
            server.embedder,
            lambda: other.embedder(provider="ollama"),
            f"{by_server}; this program has test-model (ollama).",
        ),
        "bundled, then a server": Pair(
            load_static,
            server.embedder,
            f"This store was embedded by {STATIC}; this program has test-model (openai).",
        ),
        "a server, then bundled": Pair(server.embedder, load_static, has_static),
        "a server of 256, then bundled of 256": Pair(other.embedder, load_static, has_static, 256),
        "same name, other dimension": Pair(
            server.embedder,
            other.embedder,
            f"{by_server} with 16 dimensions; this program has one with 256.",
            256,
        ),
    }[kind]


KINDS = (
    "same name, same dimension",
    "other provider, same dimension",
    "bundled, then a server",
    "a server, then bundled",
    "a server of 256, then bundled of 256",
    "same name, other dimension",
)


@pytest.fixture(params=KINDS)
def models(request: pytest.FixtureRequest, server: ModelServer, other: ModelServer) -> Pair:
    found = pair(request.param, server, other)
    other.dimension = found.dimension
    return found


@pytest.fixture
def foreign(store_location: str, clock: SteppingClock, models: Pair) -> Iterator[Foreign]:
    """The store opened by another model; its vectors and the note of its model before."""
    with opened(store_location, clock, models.makes) as made:
        made.remember_all()
        assert by_meaning(made.me.search("harbour master"))
        vectors, stamp = made.vectors(), made.fact(facts.EMBEDDING)
    with opened(store_location, clock, models.opens) as world:
        yield world, vectors, stamp


def test_the_banner_says_which_and_keyword_search_works(foreign: Foreign, models: Pair) -> None:
    world, _, _ = foreign
    assert str(world.me.stats().keyword_only).startswith(models.banner)
    answer = world.me.search("harbour master")
    assert answer.hits[0].memory.text == NOTES[2]
    assert str(answer.degraded["semantic"]).startswith(models.banner)


def test_no_vector_of_the_other_space_is_compared(foreign: Foreign) -> None:
    world, _, _ = foreign
    for query in ("harbour master", "harbor quay", "ports"):
        assert not by_meaning(world.me.search(query))
        why = world.me.why(world.me.list().memories[0].id, query)
        assert "semantic" not in why.channels
        assert why.evidence is None or why.evidence.cosine is None


def test_no_vector_of_the_other_space_is_stored_and_nothing_is_rewritten(foreign: Foreign) -> None:
    world, vectors, stamp = foreign
    written = world.remember("A note of the newcomer")
    assert written.outcome == "stored"
    assert world.me.correct(str(written.id), "A note of the newcomer, corrected").version == 2
    assert world.me.remember_many([Draft("one more", "project/a")]) == 1
    world.me.search("newcomer")
    world.me.stats()
    assert world.vectors() == vectors
    assert world.fact(facts.EMBEDDING) == stamp
    assert world.fact(facts.REINDEX) is None
    assert world.me.search("newcomer").hits[0].memory.text == "A note of the newcomer, corrected"


def test_the_first_model_still_finds_its_own_and_fills_what_was_written_meanwhile(
    foreign: Foreign, store_location: str, clock: SteppingClock, models: Pair
) -> None:
    world, _, _ = foreign
    world.remember("A note of the newcomer")
    world.store.close()
    with opened(store_location, clock, models.makes) as back:
        assert by_meaning(back.me.search("harbour master"))
        assert back.me.stats().vectors_missing == 1
        assert back.me.reindex(missing=True) == 1


def test_with_consent_all_of_it_is_made_anew(foreign: Foreign) -> None:
    world, vectors, stamp = foreign
    assert world.me.reindex() == len(NOTES)
    assert world.me.stats().keyword_only is None
    assert by_meaning(world.me.search("harbour master"))
    after = world.vectors()
    assert after.keys() == vectors.keys()
    assert all(after[text] != vectors[text] for text in after)
    assert world.fact(facts.EMBEDDING) != stamp


# --- the model changes while the store is open ------------------------------------------


@pytest.mark.parametrize("dimension", [16, 48])
def test_a_model_exchanged_behind_its_name_is_noticed_before_a_vector_is_used(
    store_location: str, clock: SteppingClock, server: ModelServer, dimension: int
) -> None:
    with opened(store_location, clock, server.embedder) as world:
        world.remember_all()
        before = world.vectors()
        server.seed, server.dimension = "model b", dimension
        first = world.me.search("harbour master")
        assert first.hits[0].memory.text == NOTES[2]
        assert not by_meaning(first)
        assert first.degraded
        assert world.remember("Written after the exchange").outcome == "stored"
        second = world.me.search("harbour master")
        assert "This store was embedded by test-model (openai)" in second.degraded["semantic"]
        assert world.vectors() == before
        server.seed, server.dimension = "model a", 16
        assert world.me.search("harbour master").degraded != {}, "noticed with this question"
        assert by_meaning(world.me.search("harbour master"))
        assert world.me.reindex(missing=True) == 1
        text = "Written after the exchange"
        assert is_of(world.vectors()[text], server, text)


def test_vectors_made_just_before_an_exchange_are_not_stored_after_it(
    store_location: str, clock: SteppingClock, server: ModelServer
) -> None:
    """A slow write holds a vector of the old model while a search meets the new one."""
    with opened(store_location, clock, server.embedder) as world:
        world.remember(NOTES[0])
        writer = world.me._writer
        from store.gate import admission

        prepared = admission.prepare([Draft(NOTES[1], "project/a")], writer.space)
        server.seed = "model b"
        world.me.search("harbour")
        world.me.search("harbour")  # knows the new model now
        world.me.reindex()  # and the store is the new model's
        with writer.working() as work:
            work.new_memory(prepared[0])
        held = world.vectors()
        assert NOTES[1] not in held
        assert is_of(held[NOTES[0]], server, NOTES[0])
        assert world.me.stats().vectors_missing == 1


def test_an_exchange_while_a_vector_is_on_its_way_costs_that_vector(
    store_location: str, clock: SteppingClock, server: ModelServer
) -> None:
    with opened(store_location, clock, server.embedder) as world:
        world.remember(NOTES[0])
        space = world.store.space

        def meanwhile(handler: Handler, texts: Sequence[str]) -> None:
            old, server.seed = server.seed, "model b"
            with pytest.raises(NoAnswer):
                space.embedder.embed(["another thread asks"])  # type: ignore[union-attr]
            server.seed = old
            healthy(handler, texts)

        server.plan.append(meanwhile)
        embedded = space.embed([NOTES[1]])
        assert embedded.blobs == (None,)
        assert "exchanged" in str(embedded.why)
        assert space.embed([NOTES[1]]).blobs[0] is not None


@pytest.mark.parametrize("note", ["", "{}", "[]", "no json", '{"provider": "openai"}'])
def test_a_damaged_note_about_the_model_is_keyword_only_and_said(
    store_location: str, clock: SteppingClock, server: ModelServer, note: str
) -> None:
    with opened(store_location, clock, server.embedder) as world:
        world.remember_all()
        with world.store.engine.write() as conn:
            facts.put(conn, facts.EMBEDDING, note)
        assert "cannot be read" in str(world.me.stats().keyword_only)
        answer = world.me.search("harbour")
        assert answer.hits
        assert "cannot be read" in answer.degraded["semantic"]
        before = world.vectors()
        assert world.remember("Written all the same").outcome == "stored"
        assert world.vectors() == before
        assert world.me.reindex() == len(NOTES) + 1
        assert world.me.stats().keyword_only is None
