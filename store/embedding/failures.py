"""What can go wrong with a question to a server, in words that complete "The server at X …"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

KEYWORDS = "Until then search is by keyword."
_AT_FAULT = frozenset({400, 413, 422, 500})
"""Statuses that one text can cause: too long, or 500 where a model computes no number for it
(ollama #15582)."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why one attempt brought nothing. `again`: another one may. `wait`: seconds the server
    asks for. `refused`: it answered, and the body may be at fault."""

    said: str
    hint: str = ""
    again: bool = True
    wait: float | None = None
    refused: bool = False


def from_status(status: int, key_env: str | None, wait: float | None) -> Failure:
    """A status other than 200. What the server says beside it is not shown."""
    if status in (401, 403):
        return _unauthorised(status, key_env)
    if status == 429:
        return Failure(_busy(wait), wait=wait)
    if status >= 500:
        refused = status in _AT_FAULT
        return Failure(f"failed ({status})", wait=wait, refused=refused)
    if status == 404:
        hint = "Check the address and the model's name; Ollama needs `ollama pull` first."
        return Failure(f"knows no such address or model ({status})", hint, again=False)
    if 300 <= status < 400:
        hint = "Set the address it sends to; curator does not follow, for the key's sake."
        return Failure(f"sends on to another address ({status})", hint, again=False)
    return Failure(
        f"does not accept what it is asked ({status})", again=False, refused=status in _AT_FAULT
    )


def _unauthorised(status: int, key_env: str | None) -> Failure:
    if key_env is None:
        hint = "Put it into an environment variable and name that as key_env."
        return Failure(f"wants a key ({status})", hint, again=False)
    hint = f"Check what the environment variable {key_env} holds."
    return Failure(f"refuses the key of {key_env} ({status})", hint, again=False)


def _busy(wait: float | None) -> str:
    asks = "" if wait is None else f" and asks to wait {wait:.0f} s"
    return f"has too much to do (429){asks}"


def from_transport(
    error: httpx.HTTPError, timeout: httpx.Timeout, meanwhile: str = KEYWORDS
) -> Failure:
    """No whole answer came. All of these may pass. `meanwhile`: what goes on without it."""
    import httpx

    start = f"Start it, or check its address. {meanwhile}"

    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return Failure(f"took no connection within {timeout.connect:.2g} s", start)
    if isinstance(error, httpx.TimeoutException):
        return Failure(f"did not answer within {timeout.read:.2g} s")
    if isinstance(error, httpx.ConnectError | httpx.ProxyError):
        return Failure(f"cannot be reached{_detail(error)}", start)
    if isinstance(error, httpx.DecodingError):
        return Failure("gave an answer that cannot be unpacked", again=False)
    return Failure("broke off its answer")


def _detail(error: httpx.HTTPError) -> str:
    """The system's own words for a failed connection, where there are some."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return f" ({cause.strerror})"
        cause = cause.__cause__ or cause.__context__
    return ""
