"""Which embedding model a store is opened with, read from settings or the environment.

    [embedding]
    provider = "ollama"                  # bundled, openai (any server that speaks like it), ollama
    model = "nomic-embed-text"
    url = "http://localhost:11434"       # left out: this address; for openai OpenAI's own
    dimensions = 512                     # left out: what the model gives
    key_env = "OPENAI_API_KEY"           # NAME of the environment variable that holds the key

`CURATOR_EMBEDDER` goes before them, in one line: `bundled`, `ollama:nomic-embed-text`,
`ollama:nomic-embed-text@http://localhost:11434`,
`openai:bge-m3@https://models.example/v1?dimensions=512&key_env=MODELS_KEY`.

A wrong setting stops nothing: the store opens keyword-only and says what is wrong. There is no
falling back to the bundled model, which would mark a new store as its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl, urlunsplit

from store.embedding.dialects import MOST_DIMENSIONS, Provider, Server
from store.embedding.settings import is_local, key_variable, model_name, only_known, server
from store.errors import Invalid

if TYPE_CHECKING:
    from store.embedding.protocol import Embedder

VARIABLE = "CURATOR_EMBEDDER"
SETTINGS = ("provider", "url", "model", "dimensions", "key_env")
_OWN_URL = {"openai": "https://api.openai.com/v1", "ollama": "http://localhost:11434"}
_SPEC = re.compile(r"(?P<provider>[a-z]+)(:(?P<model>.+?))?(@(?P<url>https?://.+))?", re.IGNORECASE)
_KEYWORDS = "Until then search is by keyword; no memory is affected."


def loader_from(
    settings: Mapping[str, Any], environ: Mapping[str, str] | None = None
) -> Callable[[], Embedder]:
    """What `open_store(embedder=…)` takes: makes the model these settings name, asking nobody.

    `CURATOR_EMBEDDER` in the environment goes before the settings. The loader raises `Invalid`
    for settings that mean nothing, and no message of it holds a key.
    """
    spec = (os.environ if environ is None else environ).get(VARIABLE, "").strip()

    def load() -> Embedder:
        wanted = _from_spec(spec) if spec else dict(settings)
        server = server_from(wanted)
        if server is None:
            from store.embedding.static import load_static

            return load_static()
        from store.embedding.remote import RemoteEmbedder

        return RemoteEmbedder(server)

    return load


def server_from(settings: Mapping[str, Any]) -> Server | None:
    """The server that settings name; None for the bundled model. Raises `Invalid`."""
    only_known(settings, SETTINGS, _wrong)
    provider = str(settings.get("provider") or "bundled").lower()
    if provider == "bundled":
        return None
    if provider not in _OWN_URL:
        raise _wrong("provider is not one of bundled, openai, ollama")
    url = str(settings.get("url") or _OWN_URL[provider])
    address, local = _address(provider, url)
    return Server(
        provider=cast(Provider, provider),
        url=address,
        model=model_name(settings.get("model"), _wrong),
        dimensions=_dimensions(settings.get("dimensions")),
        key_env=key_variable(settings.get("key_env"), _wrong, own=url == _OWN_URL["openai"]),
        local=local,
    )


def _from_spec(spec: str) -> dict[str, Any]:
    found = _SPEC.fullmatch(spec)
    if found is None:
        raise Invalid(
            f"{VARIABLE} cannot be read. Write it as provider:model@address, for example "
            "ollama:nomic-embed-text@http://localhost:11434.",
            _KEYWORDS,
        )
    parts = {name: part for name, part in found.groupdict().items() if part}
    address, mark, query = parts.get("url", "").partition("?")
    if mark:
        parts |= dict(parse_qsl(query, keep_blank_values=True)) | {"url": address}
    return parts


def _address(provider: str, url: str) -> tuple[str, bool]:
    """The whole address to ask, and whether it is on this machine."""
    parts = server(url, _wrong)
    path = parts.path.rstrip("/")
    if provider == "ollama":
        path = path.removesuffix("/api/embed").removesuffix("/api") + "/api/embed"
    else:
        path = (path or "/v1").removesuffix("/embeddings") + "/embeddings"
    return urlunsplit((parts.scheme, parts.netloc, path, "", "")), is_local(parts.hostname)


def _dimensions(value: Any) -> int | None:
    if value in (None, ""):
        return None
    text = str(value).strip()
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= MOST_DIMENSIONS:
        raise _wrong(f"dimensions is no whole number from 1 to {MOST_DIMENSIONS:,}")
    return int(text)


def _wrong(said: str) -> Invalid:
    return Invalid(f"The setting for the embedding model is wrong: {said}.", _KEYWORDS)
