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

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from store.embedding.dialects import MOST_DIMENSIONS, Provider, Server
from store.errors import Invalid

if TYPE_CHECKING:
    from store.embedding.protocol import Embedder

VARIABLE = "CURATOR_EMBEDDER"
SETTINGS = ("provider", "url", "model", "dimensions", "key_env")
_OWN_URL = {"openai": "https://api.openai.com/v1", "ollama": "http://localhost:11434"}
_OPENAI_KEY = "OPENAI_API_KEY"
_VARIABLE_NAME = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
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
    unknown = sorted(str(name)[:20] for name in settings.keys() - set(SETTINGS))
    if unknown:
        raise _wrong(
            f"{', '.join(unknown)} is not known; allowed are {', '.join(SETTINGS)}, and a key "
            "is never written here but named by key_env"
        )
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
        model=_model(settings.get("model")),
        dimensions=_dimensions(settings.get("dimensions")),
        key_env=_key_env(settings.get("key_env"), own=url == _OWN_URL["openai"]),
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
    """The whole address to ask, and whether it is on this machine.

    Without user, password, query or fragment: those may hold a key, and the address is shown.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise _wrong("url is no address") from None
    if parts.scheme not in ("http", "https") or not host or not url.isprintable() or " " in url:
        raise _wrong("url is no http:// or https:// address")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise _wrong("url holds more than an address; a key belongs into the variable of key_env")
    path = parts.path.rstrip("/")
    if provider == "ollama":
        path = path.removesuffix("/api/embed").removesuffix("/api") + "/api/embed"
    else:
        path = (path or "/v1").removesuffix("/embeddings") + "/embeddings"
    return urlunsplit((parts.scheme, parts.netloc, path, "", "")), is_local(host)


def is_local(host: str) -> bool:
    """Whether the host of an address is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _model(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _wrong("model is missing")
    name = value.strip()
    if len(name) > 200 or not name.isprintable():
        raise _wrong("model is no name")
    return name


def _dimensions(value: Any) -> int | None:
    if value in (None, ""):
        return None
    text = str(value).strip()
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= MOST_DIMENSIONS:
        raise _wrong(f"dimensions is no whole number from 1 to {MOST_DIMENSIONS:,}")
    return int(text)


def _key_env(value: Any, *, own: bool) -> str | None:
    """The variable's name. OpenAI's own is assumed for OpenAI's own address only, so that its
    key is sent nowhere else. A value that is no such name may be a key: it is not shown."""
    if value in (None, ""):
        return _OPENAI_KEY if own else None
    if not isinstance(value, str) or not _VARIABLE_NAME.fullmatch(value):
        raise _wrong("key_env is not the NAME of an environment variable, like OPENAI_API_KEY")
    return value


def _wrong(said: str) -> Invalid:
    return Invalid(f"The setting for the embedding model is wrong: {said}.", _KEYWORDS)
