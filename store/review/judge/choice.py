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

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from store.embedding.settings import (
    is_local,
    is_openai,
    key_variable,
    model_name,
    only_known,
    server,
)
from store.errors import Invalid

SETTINGS = ("url", "model", "key_env", "price_in", "price_out")
OPENAI = "https://api.openai.com/v1"
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
        return is_openai(urlsplit(self.url))


def server_from(settings: Mapping[str, Any]) -> ChatServer | None:
    """The server that settings name; None where they name none. Raises `Invalid`."""
    only_known(settings, SETTINGS, _wrong)
    if not settings.get("url") and not settings.get("model"):
        return None
    address, local, own = _address(str(settings.get("url") or OPENAI))
    return ChatServer(
        address,
        model_name(settings.get("model"), lambda said: _wrong(f"the {said}")),
        key_variable(settings.get("key_env"), _wrong, own=own),
        local,
        _price("price_in", settings.get("price_in")),
        _price("price_out", settings.get("price_out")),
    )


def _address(url: str) -> tuple[str, bool, bool]:
    """(the whole address, whether it is on this machine, whether it is OpenAI's own)."""
    parts = server(url, lambda said: _wrong(f"its {said}"))
    path = (parts.path.rstrip("/") or "/v1").removesuffix("/chat/completions")
    whole = urlunsplit((parts.scheme, parts.netloc, path + "/chat/completions", "", ""))
    return whole, is_local(parts.hostname), is_openai(parts) and parts.scheme == "https"


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
