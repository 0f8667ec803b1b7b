"""Law 12: one embedding space, and a difference said in words."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from store.embedding.identity import Identity, difference
from store.embedding.static import MODEL_FOLDER, load_static
from store.errors import Invalid

HERE = Identity(
    provider="static",
    model="static-minilm-256-int8",
    dimension=256,
    normalised=True,
    fingerprint="62e899df" + "0" * 56,
    background="ab" * 32,
    terms_version="1",
)


def test_survives_json() -> None:
    assert Identity.from_json(HERE.to_json()) == HERE


def test_equal_identities_write_equal_json() -> None:
    assert replace(HERE).to_json() == HERE.to_json()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{}", '{"provider": "static"}', HERE.to_json().replace("256,", '"256",')],
)
def test_an_unreadable_note_is_refused_in_words(text: str) -> None:
    with pytest.raises(Invalid, match="embedding model cannot be read") as caught:
        Identity.from_json(text)
    assert "Nothing was lost" in caught.value.hint


def test_no_difference_between_equals() -> None:
    assert difference(HERE, replace(HERE)) is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"provider": "remote", "model": "bge-m3", "dimension": 1024},
            "This store was embedded by bge-m3 (remote); "
            "this program has static-minilm-256-int8 (static).",
        ),
        (
            {"dimension": 384},
            "This store was embedded by static-minilm-256-int8 (static) with 384 dimensions; "
            "this program has one with 256.",
        ),
        (
            {"fingerprint": "deadbeef" + "0" * 56},
            "This store was embedded by static-minilm-256-int8 (static), file deadbeef; "
            "this program has another file of that name, 62e899df.",
        ),
        (
            {"normalised": False},
            "This store was embedded by vectors of any length; "
            "this program has vectors of unit length.",
        ),
        (
            {"background": ""},
            "This store was embedded by static-minilm-256-int8 (static) with background mean "
            "none; this program has background mean abababab.",
        ),
        (
            {"terms_version": "0"},
            "This store's words were cut by tokeniser 0; this program has 1.",
        ),
    ],
)
def test_every_field_makes_a_difference(change: dict[str, Any], says: str) -> None:
    assert difference(replace(HERE, **change), HERE) == says


def test_the_bundled_model_is_known_by_its_file() -> None:
    identity = load_static().identity
    digest = hashlib.sha256((MODEL_FOLDER / "model.safetensors").read_bytes()).hexdigest()
    assert identity.fingerprint == digest
    assert digest in (MODEL_FOLDER / "README.md").read_text(), "README names another file"
    assert identity.dimension == 256
    assert identity.normalised


def test_the_store_adds_its_tokeniser() -> None:
    identity = load_static().identity
    assert difference(identity.with_terms("1"), identity.with_terms("2")) is not None
    assert difference(identity.with_terms("1"), identity.with_terms("1")) is None


@pytest.mark.parametrize(
    "use",
    [
        "import store.embedding.identity",
        "import store.embedding.protocol",
        "from store.embedding.static import load_static; load_static().identity",
    ],
)
def test_asking_for_an_identity_imports_no_numpy(use: str) -> None:
    heavy = "{'numpy', 'model2vec', 'tokenizers'}"
    code = f"{use}\nimport sys\nprint(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
