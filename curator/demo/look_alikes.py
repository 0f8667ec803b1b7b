"""Notes with secrets in them, as agents do write them; the store has to mask each.

Nothing here is a secret: every value is made from a hash when it is asked for, and the marks by
which scanners know a kind are put together from pieces, so that this file holds no literal that a
scanner of the repository would stop at.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from hashlib import sha256
from string import ascii_letters, ascii_uppercase, digits
from typing import Any

_ALPHANUMERIC = ascii_letters + digits


def rows() -> Iterator[dict[str, Any]]:
    """Rows as in `data/*.jsonl`; each text holds exactly one look-alike."""
    for key, day, by, scope, kind, text in _notes():
        yield {
            "key": f"secret.{key}",
            "scope": scope,
            "day": day,
            "by": by,
            "kind": kind,
            "tags": ["secret"],
            "text": text,
        }


def _notes() -> Iterator[tuple[str, int, str, str, str, str]]:
    api, auth, web = "project/harbor-api", "project/harbor-api/auth", "project/tidepool-web"
    yield (
        "staging",
        71,
        "claude-code",
        api,
        "fact",
        f"Staging reads its relay token {github_token()} from the vault at start; it was in the "
        "log of the first run and has to be changed.",
    )
    yield (
        "lake",
        65,
        "codex",
        api,
        "procedure",
        f"The lake job runs with the access key {aws_key()} until it gets a role of its own.",
    )
    yield (
        "stripe",
        53,
        "codex",
        api,
        "event",
        f"Reproduced the double refund against the live mode by mistake, STRIPE_KEY={stripe_key()} "
        "was still set in the shell. Told Anke within the hour.",
    )
    yield (
        "database",
        49,
        "claude-code",
        api,
        "procedure",
        f"To look at the replica: psql {database_url()} and nothing that writes.",
    )
    yield (
        "session",
        40,
        "codex",
        auth,
        "event",
        f"The token of the failing request was {jwt()}, its aud was the old host.",
    )
    yield (
        "signing",
        37,
        "claude-code",
        auth,
        "event",
        f"keys.pem in the test folder begins like this, is it a real one?\n{private_key()}",
    )
    yield (
        "chat",
        22,
        "claude-code",
        web,
        "procedure",
        f"The preview bot posts to #tidepool with {slack_token()}; ask Minh before using it.",
    )


def noise(label: str, length: int, alphabet: str = _ALPHANUMERIC) -> str:
    """Letters without a pattern, always the same for a label."""
    letters = ""
    block = label.encode()
    while len(letters) < length:
        block = sha256(block).digest()
        letters += "".join(alphabet[byte % len(alphabet)] for byte in block)
    return letters[:length]


def github_token() -> str:
    return "gh" + "p_" + noise("github", 36)


def aws_key() -> str:
    return "AK" + "IA" + noise("aws", 16, ascii_uppercase + "234567")


def stripe_key() -> str:
    return "_".join(("sk", "live", noise("stripe", 24)))


def slack_token() -> str:
    parts = (noise("team", 11, digits), noise("bot", 12, digits), noise("slack", 24))
    return "xo" + "xb-" + "-".join(parts)


def database_url() -> str:
    return f"postgres://report:{noise('database', 18)}@replica.harborline.eu:5432/harbor"


def jwt() -> str:
    head = _unpadded(b'{"alg":"EdDSA","typ":"JWT"}')
    body = _unpadded(b'{"sub":"clerk-17","aud":"app.harborline.test"}')
    return ".".join((head, body, noise("jwt", 86)))


def private_key() -> str:
    line = "-" * 5
    name = "PRIVATE" + " KEY"
    inside = "\n".join(noise(f"pem{n}", 64) for n in range(3))
    return f"{line}BEGIN {name}{line}\n{inside}\n{line}END {name}{line}"


def _unpadded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
