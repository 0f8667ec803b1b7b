"""How a model behind a server is known again (law 12; design-critique.md, finding 20)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.embedding.identity import Identity, another_model, difference
from store.embedding.probes import PROBES, TOLERANCE, apart, is_kept, kept
from store.errors import Invalid, NoAnswer
from tests.store.embedding.model_server import FakeTime, ModelServer, Step, changed, healthy

TEXT = "Berths are booked by the quarter hour"


def turned(vector: list[float], by: float) -> list[float]:
    """The vector turned so that 1 − cosine is `by`."""
    one = np.array(vector) / np.linalg.norm(vector)
    aside = np.roll(one, 1) - (np.roll(one, 1) @ one) * one
    aside /= np.linalg.norm(aside)
    cosine = 1 - by
    found: list[float] = (cosine * one + np.sqrt(1 - cosine**2) * aside).tolist()
    return found


def off_by(distance: float) -> Step:
    return changed(lambda vectors: [turned(v, distance) for v in vectors])


def test_making_an_embedder_asks_nobody(server: ModelServer) -> None:
    assert server.embedder().known is None
    assert server.asked == []


def test_the_first_call_asks_with_three_fixed_texts_and_only_once(server: ModelServer) -> None:
    embedder = server.embedder()
    embedder.embed([TEXT])
    embedder.embed([TEXT])
    assert [one.body["input"] for one in server.asked] == [
        list(PROBES),
        [PROBES[0], TEXT],
        [PROBES[0], TEXT],
    ]


def test_identity_says_provider_model_dimension_and_probes(server: ModelServer) -> None:
    identity = server.embedder().identity
    assert identity.shown() == {
        "provider": "openai",
        "model": "test-model",
        "dimension": 16,
        "normalised": True,
        "fingerprint": "",
        "background": "",
        "terms_version": "",
    }
    assert len(identity.probes) == 3
    for one, text in zip(identity.probes, PROBES, strict=True):
        vector = np.array(server.vector(text))
        assert apart((one,), (kept((vector / np.linalg.norm(vector)).tolist()),)) < 1e-9


def test_it_survives_the_store(server: ModelServer) -> None:
    identity = server.embedder().identity.with_terms("1")
    assert Identity.from_json(identity.to_json()) == identity
    assert "probes" not in repr(identity)


def test_an_identity_of_the_bundled_model_is_kept_as_before() -> None:
    local = Identity("static", "m", 256, True, "ab" * 32, "cd" * 32, "1")
    assert "probes" not in local.to_json()
    assert Identity.from_json(local.to_json()) == local


@pytest.mark.parametrize("probes", ['["AAAA"]', '["%%%%"]', "[7]", '"AAAA"', "{}", '["é"]'])
def test_damaged_probe_vectors_make_the_note_unreadable(server: ModelServer, probes: str) -> None:
    text = replace(server.embedder().identity, probes=()).to_json()
    damaged = text[:-1] + f', "probes": {probes}}}'
    with pytest.raises(Invalid, match="probe vectors are damaged"):
        Identity.from_json(damaged)


# --- the same model again ---------------------------------------------------------------


@pytest.mark.parametrize("distance", [0.0, 1e-6, 9e-4])
def test_the_same_model_may_answer_a_little_otherwise(server: ModelServer, distance: float) -> None:
    stored = server.embedder().identity
    server.always = off_by(distance)
    assert difference(stored, server.embedder().identity) is None


@pytest.mark.parametrize("distance", [1.2e-3, 0.01, 1.0, 2.0])
def test_another_model_of_that_name_is_told(server: ModelServer, distance: float) -> None:
    stored = server.embedder().identity
    server.always = off_by(distance)
    said = difference(stored, server.embedder().identity)
    assert said is not None
    assert said.startswith(
        "This store was embedded by test-model (openai); this program has another model of that "
        "name: its vectors for fixed texts lie "
    )


def test_one_probe_of_three_is_enough_to_tell(server: ModelServer) -> None:
    stored = server.embedder().identity
    server.plan.append(changed(lambda v: [v[0], v[1], turned(v[2], 0.01)]))
    assert difference(stored, server.embedder().identity) is not None


def test_every_part_makes_a_difference(server: ModelServer) -> None:
    stored = server.embedder().identity
    assert difference(stored, server.embedder(provider="ollama").identity) == (
        "This store was embedded by test-model (openai); this program has test-model (ollama)."
    )
    assert another_model(stored, "openai", "test-model") is None
    assert another_model(stored, "openai", "other") == (
        "This store was embedded by test-model (openai); this program has other (openai)."
    )
    server.dimension = 32
    assert difference(stored, server.embedder().identity) == (
        "This store was embedded by test-model (openai) with 16 dimensions; "
        "this program has one with 32."
    )
    assert difference(stored, replace(stored, probes=())) is not None


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=300))
def test_rounding_moves_no_vector_far(numbers: list[float]) -> None:
    length = float(np.linalg.norm(numbers))
    if length < 1e-6:
        return
    unit = (np.array(numbers) / length).tolist()
    assert is_kept(kept(unit), len(unit))
    assert abs(apart((kept(unit),), (kept(unit),))) < 1e-9
    nudged = (np.array(unit) + 4e-5 * np.sign(unit)).tolist()
    assert apart((kept(unit),), (kept(nudged),)) < TOLERANCE / 10


# --- exchanged while it runs ------------------------------------------------------------


@pytest.mark.parametrize("dimension", [16, 32], ids=["same dimension", "another dimension"])
def test_a_model_exchanged_behind_its_name_gives_no_vector(
    server: ModelServer, time: FakeTime, dimension: int
) -> None:
    embedder = server.embedder(time)
    before = embedder.identity
    server.seed, server.dimension = "model b", dimension
    with pytest.raises((NoAnswer, Invalid), match=r"another model than before|16 numbers a vec"):
        embedder.embed([TEXT])
    assert embedder.known is None, "the next call asks which model it is now"
    assert difference(before, embedder.identity) is not None
    assert embedder.embed([TEXT]).rows.shape == (1, dimension)


def test_the_right_model_loaded_again_is_known_again(server: ModelServer) -> None:
    embedder = server.embedder()
    before = embedder.identity
    server.seed = "model b"
    with pytest.raises(NoAnswer):
        embedder.embed([TEXT])
    server.seed = "model a"
    assert len(embedder.embed([TEXT]).rows) == 1
    assert difference(before, embedder.identity) is None


def test_nothing_is_known_of_a_server_that_never_answered(server: ModelServer) -> None:
    server.stop()
    embedder = server.embedder()
    with pytest.raises(NoAnswer):
        _ = embedder.identity
    assert embedder.known is None
    server.start()
    server.plan.append(healthy)
    assert embedder.identity.dimension == 16


def test_no_background_mean_is_assumed(server: ModelServer) -> None:
    assert server.embedder().background() is None
