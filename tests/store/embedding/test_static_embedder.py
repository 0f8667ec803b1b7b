"""The bundled model: unit vectors, offline, sane, and honest when damaged."""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from store.embedding.protocol import centred_cosine
from store.embedding.static import (
    MAX_TOKENS,
    MODEL_FOLDER,
    StaticEmbedder,
    background,
    load_static,
)
from store.errors import CannotOpen

NOTES = [
    "Deploys to production happen on Tuesdays after the smoke tests pass.",
    "Dana prefers dark mode and a large font.",
    "The billing service talks to PostgreSQL 16 through pgbouncer.",
    "short",
    "1234 5678",
    "Grüße aus Köln, naïve café",
]


def test_every_vector_is_of_unit_length() -> None:
    vectors = load_static().embed(NOTES)
    assert vectors.rows.shape == (len(NOTES), 256)
    assert vectors.rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors.rows, axis=1), 1.0, atol=1e-5)


@pytest.mark.parametrize("text", ["", " \n\t", "🎉🎉", "\u200b", "\x00", "🦊 🦊"])
def test_a_text_without_tokens_has_no_vector(text: str) -> None:
    first, none, last = load_static().embed([NOTES[0], text, NOTES[1]])
    assert none is None
    assert first is not None
    assert last is not None


def test_no_texts_give_no_vectors() -> None:
    vectors = load_static().embed([])
    assert vectors.rows.shape == (0, 256)
    assert list(vectors) == []


def test_a_lone_surrogate_does_not_cost_the_batch() -> None:
    vectors = load_static().embed(["half \ud83d emoji", NOTES[0]])
    assert vectors.places == (0, 1)


def test_equal_texts_have_equal_vectors_whatever_stands_beside_them() -> None:
    alone = load_static().embed([NOTES[2]])
    among = load_static().embed([*NOTES, *["other words here"] * 600, NOTES[2]])
    assert alone.rows[0].tobytes() == among.rows[2].tobytes() == among.rows[-1].tobytes()


def test_threads_do_not_disturb_each_other() -> None:
    embedder = StaticEmbedder()
    expected = load_static().embed(NOTES).rows
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: embedder.embed(NOTES).rows, range(64)))
    assert all(rows.tobytes() == expected.tobytes() for rows in answers)


def test_only_the_head_of_a_long_text_counts() -> None:
    head = "staging deploys need a green build " * MAX_TOKENS
    vectors = load_static().embed([head, head + "purple elephants sing opera " * MAX_TOKENS])
    assert vectors.rows[0].tobytes() == vectors.rows[1].tobytes()


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        (
            "She likes the dark colour theme best.",
            "Her favourite is dark mode for the interface.",
            "The database backup runs every night at two.",
        ),
        (
            "We release new versions every Tuesday.",
            "Production deploys happen on Tuesdays.",
            "His cat is afraid of the vacuum cleaner.",
        ),
        (
            "Use four spaces to indent Python code.",
            "Python files are indented with 4 spaces.",
            "The invoice has to be paid within thirty days.",
        ),
    ],
)
def test_a_paraphrase_lies_nearer_than_a_random_note(one: str, same: str, other: str) -> None:
    query, *rows = load_static().embed([one, same, other]).rows
    near, far = centred_cosine(query, np.stack(rows), background())
    assert near > 0.3
    assert far < 0.2


def test_random_pairs_lie_near_zero_only_after_centring() -> None:
    rows = load_static().embed(NOTES[:3]).rows
    centred = centred_cosine(rows[0], rows[1:], background())
    assert (rows[1:] @ rows[0]).min() > 0.5
    assert np.abs(centred).max() < 0.35


def test_one_embedder_for_the_process() -> None:
    with ThreadPoolExecutor(8) as pool:
        assert len({id(e) for e in pool.map(lambda _: load_static(), range(32))}) == 1


OFFLINE = """
import os
import sys
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
seen = []
def watch(event, args):
    if event.startswith("socket.") and event not in ("socket.__new__", "socket.gethostname"):
        seen.append(event)
    if event == "open" and (set(args[1] or "r") & set("wax+") or args[2] & WRITES):
        seen.append(f"wrote {args[0]}")
    if event in ("os.mkdir", "subprocess.Popen"):
        seen.append(event)
sys.addaudithook(watch)
from store.embedding.static import background, load_static
assert load_static().embed(["a note", "another"]).places == (0, 1)
assert background().shape == (256,)
print(seen, "huggingface_hub.repocard" in sys.modules)
"""


def test_opens_without_network_or_a_written_file(tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE],
        capture_output=True,
        text=True,
        env=environment,
        cwd=MODEL_FOLDER.parents[2],
        check=True,
    )
    assert done.stdout.strip() == "[] False"
    assert list(tmp_path.iterdir()) == []


FILES = ["model.safetensors", "tokenizer.json", "background.npy"]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for name in FILES:
        shutil.copy(MODEL_FOLDER / name, tmp_path / name)
    return tmp_path


def use(folder: Path) -> None:
    embedder = StaticEmbedder(folder)
    assert embedder.identity.dimension == 256
    embedder.embed(["a note"])
    embedder.background()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("harm", ["missing", "empty", "cut", "garbage"])
def test_a_damaged_model_is_said_by_name(copied: Path, name: str, harm: str) -> None:
    use(copied)
    path = copied / name
    whole = path.read_bytes()
    if harm == "missing":
        path.unlink()
    else:
        path.write_bytes({"empty": b"", "cut": whole[: len(whole) // 2]}.get(harm, b"\xff" * 900))
    with pytest.raises(CannotOpen, match=name) as caught:
        use(copied)
    assert "goes on with keywords" in caught.value.hint


def test_one_changed_byte_is_another_identity(copied: Path) -> None:
    path = copied / "model.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    assert StaticEmbedder(copied).identity != load_static().identity
