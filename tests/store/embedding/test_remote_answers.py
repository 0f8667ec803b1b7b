"""What a server's answer becomes, and what is never believed of it."""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.embedding import remote
from store.embedding.posting import WRITE
from store.embedding.probes import PROBES
from store.errors import Invalid, NoAnswer, StoreError
from store.search.terms import words_and_parts
from tests.store.embedding.model_server import ModelServer, Step, changed, document, healthy, raw

TEXTS = ["Berths are booked by the quarter hour", "Deploys go to eu-central-1"]


def expected(server: ModelServer, text: str) -> np.ndarray:
    vector: np.ndarray = np.array(server.vector(text))
    vector /= np.linalg.norm(vector)
    return vector


@pytest.mark.parametrize("provider", ["openai", "ollama"])
def test_both_dialects_give_unit_vectors_in_order(server: ModelServer, provider: str) -> None:
    found = server.embedder(provider=provider).embed(TEXTS)
    assert found.rows.dtype == np.float32
    assert found.places == (0, 1)
    for row, text in zip(found.rows, TEXTS, strict=True):
        assert np.allclose(row, expected(server, text), atol=1e-6)


def test_an_openai_server_is_asked_as_its_reference_says(server: ModelServer) -> None:
    server.embedder(dimensions=16).embed(TEXTS)
    asked = server.asked[-1]
    assert asked.path == "/v1/embeddings"
    assert asked.headers["content-type"] == "application/json"
    assert "authorization" not in asked.headers
    assert asked.body == {"model": "test-model", "input": [PROBES[0], *TEXTS], "dimensions": 16}


def test_ollama_is_asked_as_its_reference_says(server: ModelServer) -> None:
    server.embedder(provider="ollama").embed(TEXTS)
    asked = server.asked[-1]
    assert asked.path == "/api/embed"
    assert asked.body == {"model": "test-model", "input": [PROBES[0], *TEXTS], "truncate": True}


def test_vectors_are_ordered_by_their_index(server: ModelServer) -> None:
    def shuffled(vectors: list[Any]) -> Any:
        data = [{"index": n, "embedding": v} for n, v in enumerate(vectors)]
        return {"data": data[::-1]}

    embedder = server.embedder()
    server.plan.extend([healthy, document(shuffled)])
    for row, text in zip(embedder.embed(TEXTS).rows, TEXTS, strict=True):
        assert np.allclose(row, expected(server, text), atol=1e-6)


def test_huge_and_tiny_numbers_still_have_a_direction(server: ModelServer) -> None:
    embedder = server.embedder()
    rider = server.vector(PROBES[0])
    far = [1e300] * 8 + [0.0] * 8
    near = [5e-324] * 8 + [0.0] * 8
    server.plan.extend([healthy, changed(lambda _: [rider, far, near])])
    rows = embedder.embed(TEXTS).rows
    assert np.allclose(rows[0], rows[1])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


def test_a_text_without_words_is_not_sent_and_has_no_vector(server: ModelServer) -> None:
    found = server.embedder().embed(["", "  ", "—", TEXTS[0]])
    assert found.places == (3,)
    assert [row is None for row in found] == [True, True, True, False]
    assert server.questions == [[TEXTS[0]]]


def test_nothing_to_embed_asks_nobody(server: ModelServer) -> None:
    assert len(server.embedder().embed(["", "…"])) == 2
    assert server.embedder().embed([]).first is None
    assert server.asked == []


@given(st.text(st.characters(max_codepoint=0x2FFF), max_size=6))
def test_a_text_has_words_when_the_tokeniser_finds_some(text: str) -> None:
    assert remote.has_words(text) == any(words_and_parts(text))


# --- batches ----------------------------------------------------------------------------


def test_a_question_holds_at_most_so_many_texts(server: ModelServer) -> None:
    texts = [f"note {n}" for n in range(2 * remote.MOST_TEXTS + 5)]
    found = server.embedder().embed(texts)
    assert [len(q) for q in server.questions] == [remote.MOST_TEXTS, remote.MOST_TEXTS, 5]
    assert found.places == tuple(range(len(texts)))
    assert np.allclose(found.rows[-1], expected(server, texts[-1]), atol=1e-6)


def test_a_question_holds_at_most_so_many_bytes(server: ModelServer) -> None:
    texts = [f"{n} " + "ж" * 4000 for n in range(12)]  # two bytes a letter: 8,000 and a little
    server.embedder().embed(texts)
    sizes = [sum(len(t.encode()) for t in q) for q in server.questions]
    assert len(sizes) == 2
    assert max(sizes) <= remote.MOST_BYTES


def test_only_the_head_of_a_long_text_is_sent_whole_letters(server: ModelServer) -> None:
    server.embedder().embed(["x" + "語" * 30_000])
    (sent,) = server.questions[0]
    assert remote.HEAD_BYTES - 3 < len(sent.encode()) <= remote.HEAD_BYTES
    assert set(sent) == {"x", "語"}


def test_half_a_letter_does_not_cost_the_vector(server: ModelServer) -> None:
    found = server.embedder().embed(["broken \ud83d emoji", "nul \x00 inside", "\x1b[31mred"])
    assert found.places == (0, 1, 2)
    assert server.questions[0][0] == "broken ? emoji"


# --- answers that are not believed ------------------------------------------------------


def _without_index(vectors: list[Any]) -> Any:
    return {"data": [{"embedding": v} for v in vectors]}


def _indexed(*places: Any) -> Any:
    return lambda vectors: {
        "data": [{"index": i, "embedding": v} for i, v in zip(places, vectors, strict=True)]
    }


def _last(value: Any) -> Step:
    """One wrong number in the last vector of the batch."""
    return changed(lambda vectors: [*vectors[:-1], [*vectors[-1][:-1], value]])


NOT_BELIEVED: dict[str, tuple[Step, str]] = {
    "one too few": (changed(lambda v: v[:-1]), "3 vectors were expected, 2 came"),
    "one too many": (changed(lambda v: [*v, v[0]]), "3 vectors were expected, 4 came"),
    "none": (changed(lambda v: []), "3 vectors were expected, 0 came"),
    "narrower": (changed(lambda v: [r[:-1] for r in v]), "16 numbers a vector were expected"),
    "one narrower": (changed(lambda v: [*v[:-1], v[-1][:9]]), "16 numbers .* one has 9"),
    "NaN": (_last(float("nan")), "no finite number"),
    "infinite": (_last(float("inf")), "no finite number"),
    "beyond all bounds": (_last(10**400), "beyond all bounds"),
    "zero": (changed(lambda v: [*v[:-1], [0.0] * 16]), "a vector is zero"),
    "text": (_last("0.5"), "something else than numbers"),
    "truth": (_last(True), "something else than numbers"),
    "nothing": (_last(None), "something else than numbers"),
    "nested": (_last([0.5]), "something else than numbers"),
    "base64": (changed(lambda v: ["AAAA"] * len(v)), "no list of numbers"),
    "no index": (document(_without_index), "which vector belongs to which text"),
    "the same index twice": (document(_indexed(0, 1, 1)), "which vector belongs to which text"),
    "an index beyond": (document(_indexed(0, 1, 3)), "which vector belongs to which text"),
    "a false index": (document(_indexed(False, True, 2)), "which vector belongs to which text"),
    "no data": (document(lambda v: {"object": "list"}), "no list `data`"),
    "a list": (document(lambda v: v), "no list `data`"),
    "null": (document(lambda v: None), "no list `data`"),
    "garbage": (raw(b"<html>502 Bad Gateway</html>"), "no JSON"),
    "empty": (raw(b""), "no JSON"),
    "not UTF-8": (raw(b'{"data": "\xff\xfe"}'), "no JSON"),
    "half": (raw(b'{"data": [{"index": 0, "embedd'), "no JSON"),
    "a deep nest": (raw(b"[" * 200_000), "no JSON"),
    "badly packed": (raw(b"no gzip", Content_Encoding="gzip"), "cannot be unpacked"),
}


@pytest.mark.parametrize("kind", NOT_BELIEVED)
def test_nothing_of_a_wrong_answer_is_used_and_the_next_is_asked_for(
    server: ModelServer, kind: str
) -> None:
    step, says = NOT_BELIEVED[kind]
    embedder = server.embedder()
    assert embedder.dimension == 16
    server.plan.append(step)
    with pytest.raises(StoreError, match=says) as refused:
        embedder.embed(TEXTS, WRITE)
    assert isinstance(refused.value, Invalid | NoAnswer)
    assert "othing was" in refused.value.hint
    assert len(server.asked) == 2, "a wrong answer is not asked for again"
    assert len(embedder.embed(TEXTS).rows) == 2, "and the model is not switched off"


@pytest.mark.parametrize("kind", ["no list", "rows that are none"])
def test_a_wrong_answer_of_ollama_is_not_used(server: ModelServer, kind: str) -> None:
    embedder = server.embedder(provider="ollama")
    wrong = {"embedding": [0.1]} if kind == "no list" else {"embeddings": [1, 2, 3]}
    server.plan.extend([healthy, document(lambda v: wrong)])
    with pytest.raises(Invalid, match="no list `embeddings`"):
        embedder.embed(TEXTS)


def test_a_packed_answer_is_unpacked(server: ModelServer) -> None:
    embedder = server.embedder()
    rows = [server.vector(t) for t in [PROBES[0], *TEXTS]]
    data = json.dumps({"data": [{"index": n, "embedding": r} for n, r in enumerate(rows)]})
    packed = gzip.compress(data.encode())
    server.plan.extend([healthy, raw(packed, Content_Encoding="gzip")])
    assert len(embedder.embed(TEXTS).rows) == 2


def test_an_endless_answer_is_cut(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.embedding.posting.MOST_BYTES", 10_000)
    embedder = server.embedder()
    packed = gzip.compress(b" " * 5_000_000)  # 5 KB on the wire
    server.plan.extend([healthy, raw(packed, Content_Encoding="gzip")])
    with pytest.raises(NoAnswer, match="more than 64 MiB"):
        embedder.embed(TEXTS)


def test_dimensions_that_the_server_ignores_are_told(server: ModelServer) -> None:
    with pytest.raises(Invalid, match="8 numbers a vector were asked for, 16 came"):
        server.embedder(dimensions=8).embed(TEXTS)


def test_a_model_that_says_the_same_of_everything_is_refused(server: ModelServer) -> None:
    server.always = changed(lambda vectors: [vectors[0]] * len(vectors))
    with pytest.raises(Invalid, match="two different texts have the same one"):
        server.embedder().embed(TEXTS)


def test_more_dimensions_than_a_store_can_hold_are_refused(server: ModelServer) -> None:
    server.dimension = 8208
    with pytest.raises(Invalid, match="8,208 numbers a vector are more than 8,192"):
        server.embedder().embed(TEXTS)
