"""The bundled static model: English, 256 dimensions, no network (model/README.md).

Built directly instead of by `StaticModel.from_pretrained`, which imports the hub's model-card
code for 240 ms and writes nothing we need (feasibility.md, cold one-shot). The identity costs a
hash of 8 MB (about 12 ms, once) and no import of numpy; the model itself loads on first use.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from store.embedding.identity import Identity
from store.embedding.protocol import Vectors, check_vectors
from store.errors import CannotOpen

if TYPE_CHECKING:
    from model2vec import StaticModel

    from store.embedding.protocol import Floats

MODEL_FOLDER = Path(__file__).parent / "model"
MODEL_NAME = "static-minilm-256-int8"
_WEIGHTS = "model.safetensors"

MAX_TOKENS = 512
"""Only the head of a long text is embedded: about 3,000 letters. The mean of thousands of words
points nowhere in particular (embedding-model.md: no gain on long documents), and 64 KiB would
cost 72 ms instead of 2. The full text stays findable by its words."""

_BATCH = 256
"""Texts embedded under one hold of the lock, so that a query waits at most some 15 ms."""


class StaticEmbedder:
    """An `Embedder` over a folder with model.safetensors, tokenizer.json, background.npy."""

    def __init__(self, folder: Path = MODEL_FOLDER) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    @cached_property
    def identity(self) -> Identity:
        """What made the vectors.

        Raises:
            CannotOpen: the model's files are missing or damaged.
        """
        dimension, fingerprint = self._file
        return Identity(
            provider="static",
            model=MODEL_NAME,
            dimension=dimension,
            normalised=True,
            fingerprint=fingerprint,
            background=hashlib.sha256(self._read("background.npy")).hexdigest(),
        )

    @property
    def dimension(self) -> int:
        """Numbers in a vector.

        Raises:
            CannotOpen: as `identity`.
        """
        return self._file[0]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of the texts; a text without a known token (empty, only emoji) has none.

        Embeds the first `MAX_TOKENS` tokens of each. Runs in the calling thread: about 0.1 ms
        a note after a first call of some 0.2 s.

        Raises:
            CannotOpen: the model's files are missing or damaged.
        """
        import numpy as np

        parts = []
        for start in range(0, len(texts), _BATCH):
            batch = [_encodable(text) for text in texts[start : start + _BATCH]]
            with self._lock:  # encode() sets its tokeniser's limit on every call
                parts.append(self._model.encode(batch, use_multiprocessing=False))
        if not parts:
            return Vectors(np.empty((0, self.dimension), dtype=np.float32), (), 0)
        rows = np.concatenate(parts)
        places = np.flatnonzero(rows.any(axis=1))
        checked = check_vectors(rows[places], self.dimension)
        return Vectors(checked, tuple(places.tolist()), len(texts))

    def background(self) -> Floats:
        """The mean to centre cosines by, float32 (d,).

        Raises:
            CannotOpen: background.npy is missing, damaged, or of another dimension.
        """
        return self._background

    @cached_property
    def _background(self) -> Floats:
        import io

        import numpy as np

        name = "background.npy"
        try:
            mean: Floats = np.load(io.BytesIO(self._read(name)), allow_pickle=False)
            if mean.shape != (self.dimension,) or not np.isfinite(mean).all():
                raise ValueError(f"shape {mean.shape}")
        except (ValueError, EOFError) as error:
            raise self._damaged(name, error) from error
        mean.setflags(write=False)
        return mean.astype(np.float32, copy=False)

    @cached_property
    def _model(self) -> StaticModel:
        """The loaded model. Only reached under the lock, so it is built once."""
        from model2vec import StaticModel
        from safetensors.numpy import load
        from tokenizers import Tokenizer

        # The tokeniser's thread pool gains 25 % and prints into the screen after a fork.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        name = _WEIGHTS
        try:
            tensors = load(self._read(_WEIGHTS))
            name = "tokenizer.json"
            tokenizer = Tokenizer.from_str(self._read(name).decode())
            return StaticModel(
                vectors=tensors["embeddings"],
                weights=tensors["weights"],
                tokenizer=tokenizer,
                normalize=True,  # without it the vectors are silently not of unit length
                max_length=MAX_TOKENS,
            )
        except CannotOpen:
            raise
        except Exception as error:  # tokenizers raises a bare Exception for a bad file
            raise self._damaged(name, error) from error

    @cached_property
    def _file(self) -> tuple[int, str]:
        """Dimension and SHA-256 of the weights. The dimension comes from the file's own header
        (safetensors: eight bytes of length, then JSON)."""
        data = self._read(_WEIGHTS)
        try:
            header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
            dimension = int(header["embeddings"]["shape"][1])
        except (ValueError, LookupError, TypeError) as error:
            raise self._damaged(_WEIGHTS, error) from error
        return dimension, hashlib.sha256(data).hexdigest()

    def _read(self, name: str) -> bytes:
        try:
            return (self._folder / name).read_bytes()
        except OSError as error:
            raise self._damaged(name, error) from error

    def _damaged(self, name: str, error: Exception) -> CannotOpen:
        return CannotOpen(
            f"The embedding model cannot be read: {name} in {self._folder} is missing or "
            f"damaged ({error}).",
            "No memory is affected; search goes on with keywords. Install curator again.",
        )


def _encodable(text: str) -> str:
    """The text without lone surrogates, which the tokeniser refuses with the whole batch."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


_first_load = threading.Lock()


@cache
def _bundled() -> StaticEmbedder:
    return StaticEmbedder()


def load_static() -> StaticEmbedder:
    """The one bundled embedder of this process. Reads nothing yet: the files are opened by the
    first `identity` or `embed`, which is where a damaged one is reported."""
    with _first_load:
        return _bundled()


def background() -> Floats:
    """The bundled model's background mean, float32 (256,)."""
    return load_static().background()
