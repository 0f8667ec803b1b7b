"""The labelled texts that screening is measured on, and the split (see README.md).

Texts are templates: what a scanner of a code host could take for a secret or an attack is
written as an escape or a placeholder and filled in here from a generator seeded by the line.
Frozen; rules may be tuned on the open half only.
"""

from __future__ import annotations

import base64
import random
import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Literal

from tests.screening.secrets import templates

FOLDER = Path(__file__).parent
Label = Literal["secret", "injection", "hidden", "personal", "benign"]
FILES: dict[str, Label] = {
    "injections": "injection",
    "hidden": "hidden",
    "personal": "personal",
    "benign": "benign",
    "hidden_benign": "benign",
}
_BASE62 = string.ascii_letters + string.digits
_ESCAPE = re.compile(r"\\(?:n|t|r|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))")
_PLACEHOLDER = re.compile(r"\{([a-z0-9-]+)(?::((?:\{[^{}]*\}|[^{}])*))?\}")
_PLAIN = {"\\n": "\n", "\\t": "\t", "\\r": "\r"}


@dataclass(frozen=True, slots=True)
class Item:
    """One text. `value`: of a secret, the part that must be gone after masking."""

    id: str
    label: Label
    kind: str
    text: str
    value: str = ""

    @property
    def held_out(self) -> bool:
        """In the half that no rule was tuned on."""
        return sha256(self.id.encode()).digest()[0] % 2 == 1


@cache
def items() -> tuple[Item, ...]:
    """Every labelled text, in the order of the files."""
    found = [Item(id, "secret", kind, text, value) for id, kind, text, value in templates()]
    for name, label in FILES.items():
        found += _read(name, label)
    return tuple(found)


def half(*, held_out: bool) -> tuple[Item, ...]:
    return tuple(item for item in items() if item.held_out is held_out)


def _read(name: str, label: Label) -> list[Item]:
    kind, found = "", []
    for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("## ") and " " not in line[3:]:
            kind = line[3:]
        elif line and not line.startswith("# "):
            id = f"{name}:{sha256(line.encode()).hexdigest()[:12]}"
            found.append(Item(id, label, kind, _filled(line, random.Random(id))))
    return found


def _filled(line: str, rng: random.Random) -> str:
    def fill(match: re.Match[str]) -> str:
        make = _FILLS.get(match[1])
        return match[0] if make is None else make(rng, match[2] or "")

    return _ESCAPE.sub(_unescaped, _PLACEHOLDER.sub(fill, line))


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return _PLAIN[match[0]] if code is None else chr(int(code, 16))


def _drawn(rng: random.Random, alphabet: str, size: str) -> str:
    return "".join(rng.choices(alphabet, k=int(size)))


def _uuid(rng: random.Random, _: str) -> str:
    d = _drawn(rng, "0123456789abcdef", "32")
    return f"{d[:8]}-{d[8:12]}-4{d[13:16]}-a{d[17:20]}-{d[20:]}"


def _b64(_: random.Random, text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _card(rng: random.Random, spec: str) -> str:
    prefix, size = spec.split(":")
    body = prefix + _drawn(rng, string.digits, str(int(size) - len(prefix) - 1))
    return next(body + d for d in string.digits if luhn(body + d))


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1 annex B, written apart from the store's own."""
    doubled = [int(d) * (1 + i % 2) for i, d in enumerate(reversed(digits))]
    return sum(d // 10 + d % 10 for d in doubled) % 10 == 0


def _grouped(digits: str, sign: str) -> str:
    return sign.join(digits[i : i + 4] for i in range(0, len(digits), 4))


def _iban(_: random.Random, spec: str) -> str:
    country, bban = spec.split(":")
    number = "".join(str(int(c, 36)) for c in f"{bban}{country}00")
    return f"{country}{98 - int(number) % 97:02d}{bban}"


_FILLS: dict[str, Callable[[random.Random, str], str]] = {
    "b64": _b64,
    "b64r": lambda rng, n: _drawn(rng, _BASE62 + "+/", n),
    "hex": lambda rng, n: _drawn(rng, "0123456789abcdef", n),
    "digits": lambda rng, n: _drawn(rng, string.digits, n),
    "uuid": _uuid,
    "ulid": lambda rng, _: "01" + _drawn(rng, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", "24"),
    "tags": lambda _, text: "".join(chr(0xE0000 + ord(c)) for c in text),
    "vs": lambda _, text: "".join(chr(0xE0100 + b - 16) for b in text.encode()),
    "card": _card,
    "card-spaced": lambda rng, spec: _grouped(_card(rng, spec), " "),
    "card-dashed": lambda rng, spec: _grouped(_card(rng, spec), "-"),
    "iban": _iban,
    "iban-spaced": lambda rng, spec: _grouped(_iban(rng, spec), " "),
}
