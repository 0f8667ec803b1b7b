"""Which server judges: an address and a model's name, as given on the command line or in

    [judge]
    url = "http://localhost:11434/v1"
    model = "qwen2.5:7b"
    key_env = "MY_KEY"        # NAME of the environment variable that holds the key
    price_in = 0.15           # per million tokens, in whatever money the bill is in
    price_out = 0.60

of the settings. No message of this module holds a key, and none is ever stored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from store.embedding.choice import is_local
from store.errors import Invalid

SETTINGS = ("url", "model", "key_env", "price_in", "price_out")
OPENAI = "https://api.openai.com/v1"
_OPENAI_HOST = "api.openai.com"
_OPENAI_KEY = "OPENAI_API_KEY"
_VARIABLE_NAME = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
_NOTHING = "Nothing was sent and nothing was changed."


@dataclass(frozen=True, slots=True)
class ChatServer:
    """A model behind an OpenAI-compatible chat address. `url`: what is asked, whole. Prices are
    for a million tokens; None where they are not known."""

    url: str
    model: str
    key_env: str | None = None
    local: bool = False
    """On this machine."""
    price_in: float | None = None
    price_out: float | None = None

    @property
    def hosted_by_openai(self) -> bool:
        return urlsplit(self.url).hostname == _OPENAI_HOST


def server_from(settings: Mapping[str, Any]) -> ChatServer | None:
    """The server that settings name; None where they name none. Raises `Invalid`."""
    unknown = sorted(str(name)[:20] for name in settings.keys() - set(SETTINGS))
    if unknown:
        raise _wrong(
            f"{', '.join(unknown)} is not known; allowed are {', '.join(SETTINGS)}, and a key "
            "is never written here but named by key_env"
        )
    if not settings.get("url") and not settings.get("model"):
        return None
    address, local, own = _address(str(settings.get("url") or OPENAI))
    return ChatServer(
        address,
        _model(settings.get("model")),
        _key_env(settings.get("key_env"), own=own),
        local,
        _price("price_in", settings.get("price_in")),
        _price("price_out", settings.get("price_out")),
    )


def _address(url: str) -> tuple[str, bool, bool]:
    """(the whole address, whether it is on this machine, whether it is OpenAI's own)."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise _wrong("its url is no address") from None
    if parts.scheme not in ("http", "https") or not host or not url.isprintable() or " " in url:
        raise _wrong("its url is no http:// or https:// address")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise _wrong("its url holds more than an address; a key belongs into key_env's variable")
    path = (parts.path.rstrip("/") or "/v1").removesuffix("/chat/completions")
    whole = urlunsplit((parts.scheme, parts.netloc, path + "/chat/completions", "", ""))
    return whole, is_local(host), host == _OPENAI_HOST and parts.scheme == "https"


def _model(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _wrong("the model is missing")
    name = value.strip()
    if len(name) > 200 or not name.isprintable():
        raise _wrong("the model is no name")
    return name


def _key_env(value: Any, *, own: bool) -> str | None:
    """The variable's name. OpenAI's own is assumed for OpenAI's own address only, so that its
    key is sent nowhere else. A value that is no such name may be a key: it is not shown."""
    if value in (None, ""):
        return _OPENAI_KEY if own else None
    if not isinstance(value, str) or not _VARIABLE_NAME.fullmatch(value):
        raise _wrong("key_env is not the NAME of an environment variable, like OPENAI_API_KEY")
    return value


def _price(name: str, value: Any) -> float | None:
    if value in (None, ""):
        return None
    try:
        price = float(value)
    except (TypeError, ValueError):
        raise _wrong(f"{name} is no number") from None
    if not 0 <= price < 1e6:
        raise _wrong(f"{name} lies not between 0 and a million")
    return price


def _wrong(said: str) -> Invalid:
    return Invalid(f"The setting for the judge is wrong: {said}.", _NOTHING)
