"""How well secrets are found, on a labelled set that was frozen before the rules were tuned.

secrets_labelled.jsonl holds templates, never values: each line's `value` is a list of literals
and [alphabet, length] segments, expanded here from a generator seeded by the line's id. Half of
the lines, chosen by a hash of the id, was held out: the rules were tuned on the other half only.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
from dataclasses import dataclass
from pathlib import Path

from store.gate.masking import MASK, mask

ALPHABETS = {
    "base62": string.ascii_letters + string.digits,
    "base64": string.ascii_letters + string.digits + "+/",
    "base64url": string.ascii_letters + string.digits + "-_",
    "hex": "0123456789abcdef",
    "hexupper": "0123456789ABCDEF",
    "upper36": string.ascii_uppercase + string.digits,
    "lower36": string.ascii_lowercase + string.digits,
    "base32": string.ascii_uppercase + "234567",
    "bech32": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
    "digits": string.digits,
    "crockford": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
}


@dataclass(frozen=True)
class Labelled:
    id: str
    kind: str
    secret: bool
    text: str
    value: str
    held_out: bool


def draw(rng: random.Random, alphabet: str, length: int) -> str:
    return "".join(rng.choices(ALPHABETS[alphabet], k=length))


def segment(rng: random.Random, part: str | list[object]) -> str:
    """One literal, or one synthetic piece."""
    match part:
        case str():
            return part
        case ["uuid"]:
            digits = draw(rng, "hex", 32)
            return "-".join((digits[:8], digits[8:12], "4" + digits[13:16], *_tail(digits)))
        case ["ulid"]:
            return "01" + draw(rng, "crockford", 24)
        case ["basic", str(pair)]:
            return base64.b64encode(pair.encode()).decode()
        case ["jwt", int(size)]:
            return ".".join((*_claims(rng), draw(rng, "base64url", size)))
        case ["pem", str(label), int(lines), str(newline)]:
            body = _armour(rng, label, lines)
            return newline.join([*body, f"-----END {label}-----"])
        case ["pem-cut", str(label), int(lines), str(newline)]:
            return newline.join(_armour(rng, label, lines))
        case ["ppk"]:
            return _putty(rng)
        case [str(alphabet), int(length)]:
            return draw(rng, alphabet, length)
    raise AssertionError(f"no such segment: {part!r}")


def _tail(digits: str) -> tuple[str, str]:
    return "a" + digits[17:20], digits[20:32]


def _claims(rng: random.Random) -> list[str]:
    objects = (
        {"alg": "HS256", "typ": "JWT"},
        {"sub": draw(rng, "digits", 10), "name": "Dana", "iat": rng.randrange(1 << 31)},
    )
    texts = (json.dumps(o, separators=(",", ":")) for o in objects)
    return [base64.urlsafe_b64encode(t.encode()).decode().rstrip("=") for t in texts]


def _armour(rng: random.Random, label: str, lines: int) -> list[str]:
    return [f"-----BEGIN {label}-----", *(draw(rng, "base64", 64) for _ in range(lines))]


def _putty(rng: random.Random) -> str:
    public = "\n".join(draw(rng, "base64", 64) for _ in range(2))
    private = "\n".join(draw(rng, "base64", 64) for _ in range(4))
    return (
        "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: dana\n"
        f"Public-Lines: 2\n{public}\nPrivate-Lines: 4\n{private}\n"
        f"Private-MAC: {draw(rng, 'hex', 40)}"
    )


def read() -> list[Labelled]:
    lines = (Path(__file__).parent / "secrets_labelled.jsonl").read_text().splitlines()
    items = []
    for row in map(json.loads, lines):
        rng = random.Random(row["id"])
        value = "".join(segment(rng, part) for part in row.get("value", []))
        text = row["text"].replace("{value}", value) if value else row["text"]
        held_out = hashlib.sha256(row["id"].encode()).digest()[0] % 2 == 1
        items.append(Labelled(row["id"], row["kind"], row["secret"], text, value, held_out))
    return items


def rates(items: list[Labelled]) -> tuple[float, float, float]:
    """Precision, recall, and the share of secrets masked exactly: value gone, all else kept.

    An item counts as found when something was masked; a secret only if its value is gone.
    """
    found = exact = wrong = 0
    secrets = [item for item in items if item.secret]
    for item in items:
        masked = mask(item.text)
        if not item.secret:
            wrong += masked.count > 0
        elif masked.count and item.value not in masked.text:
            found += 1
            exact += masked.text == item.text.replace(item.value, MASK)
    return found / max(1, found + wrong), found / len(secrets), exact / len(secrets)


ITEMS = read()
HELD_OUT = [item for item in ITEMS if item.held_out]


def test_the_set_is_wide_enough() -> None:
    secrets = [item for item in ITEMS if item.secret]
    assert len(secrets) >= 300
    assert len(ITEMS) - len(secrets) >= 400
    assert len({item.kind for item in secrets}) >= 70
    assert len({item.kind for item in HELD_OUT if item.secret}) >= 50
    assert 0.4 < len(HELD_OUT) / len(ITEMS) < 0.6


def test_precision_and_recall_on_the_held_out_half() -> None:
    precision, recall, exact = rates(HELD_OUT)
    assert precision >= 0.99
    assert recall >= 0.95
    assert exact >= 0.90, "the mask eats what stands around the secret"


def test_the_whole_set_is_no_worse() -> None:
    precision, recall, _ = rates(ITEMS)
    assert precision >= 0.99
    assert recall >= 0.95


def test_masking_twice_changes_nothing() -> None:
    for item in ITEMS:
        once = mask(item.text)
        again = mask(once.text)
        assert (again.text, again.count) == (once.text, 0), item.id
