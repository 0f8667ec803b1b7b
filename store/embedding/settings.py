"""What the settings of any model server have in common: address, model, key variable.

No message of this module holds a key. `wrong` makes the refusal of what is said.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import SplitResult, urlsplit

from store.errors import Invalid

_OPENAI_HOST = "api.openai.com"
_OPENAI_KEY = "OPENAI_API_KEY"
_VARIABLE_NAME = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
_MOST_LETTERS = 200

Wrong = Callable[[str], Invalid]


def only_known(settings: Mapping[str, Any], names: Sequence[str], wrong: Wrong) -> None:
    """Refuse a setting that no program reads: it is misspelled, or a key."""
    unknown = sorted(str(name)[:20] for name in settings.keys() - set(names))
    if unknown:
        raise wrong(
            f"{', '.join(unknown)} is not known; allowed are {', '.join(names)}, and a key "
            "is never written here but named by key_env"
        )


def server(url: str, wrong: Wrong) -> SplitResult:
    """The parts of an http address. Without user, password, query or fragment: those may hold a
    key, and the address is shown."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise wrong("url is no address") from None
    if parts.scheme not in ("http", "https") or not host or not url.isprintable() or " " in url:
        raise wrong("url is no http:// or https:// address")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise wrong("url holds more than an address; a key belongs into the variable of key_env")
    return parts


def is_local(host: str | None) -> bool:
    """Whether the host of an address is this machine."""
    if host is None:
        return False
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_openai(parts: SplitResult) -> bool:
    """Whether it is OpenAI's own address."""
    return parts.hostname == _OPENAI_HOST


def model_name(value: Any, wrong: Wrong) -> str:
    if not isinstance(value, str) or not value.strip():
        raise wrong("model is missing")
    name = value.strip()
    if len(name) > _MOST_LETTERS or not name.isprintable():
        raise wrong("model is no name")
    return name


def key_variable(value: Any, wrong: Wrong, *, own: bool) -> str | None:
    """The variable's name. OpenAI's own is assumed for OpenAI's own address only, so that its
    key is sent nowhere else. A value that is no such name may be a key: it is not shown."""
    if value in (None, ""):
        return _OPENAI_KEY if own else None
    if not isinstance(value, str) or not _VARIABLE_NAME.fullmatch(value):
        raise wrong("key_env is not the NAME of an environment variable, like OPENAI_API_KEY")
    return value
