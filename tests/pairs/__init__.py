"""The labelled pairs that consolidation is measured on, and the split (see README.md).

The JSONL file is frozen; rules and word lists may be tuned on the open half only.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Literal, get_args

FOLDER = Path(__file__).parent

PairLabel = Literal["same", "one_value_differs", "includes", "unrelated"]
LABELS: tuple[PairLabel, ...] = get_args(PairLabel)
KINDS: dict[PairLabel, tuple[str, ...]] = {
    "same": (
        "paraphrase",
        "order",
        "abbreviation",
        "synonym",
        "politeness",
        "units",
        "voice",
        "format",
    ),
    "one_value_differs": (
        "number",
        "date",
        "unit",
        "negation",
        "antonym",
        "name",
        "colour",
        "version",
        "direction",
        "quantity",
        "roles",
    ),
    "includes": ("b_includes_a", "a_includes_b"),
    "unrelated": ("near", "far"),
}
LANGUAGES = ("en", "vi", "zh")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories and what a person says of them. The id begins with the language."""

    id: str
    a: str
    b: str
    label: PairLabel
    kind: str

    @property
    def language(self) -> str:
        return self.id.partition("-")[0]

    @property
    def held_out(self) -> bool:
        return held_out(self.id)


def held_out(pair_id: str) -> bool:
    """Whether a pair is kept back from tuning: by hash of its id, so nobody chooses."""
    return int(sha256(pair_id.encode()).hexdigest(), 16) % 2 == 1


@cache
def load() -> tuple[Pair, ...]:
    """All pairs.

    Raises:
        ValueError: a label or kind that this module does not know.
        TypeError: a row with a missing or unknown field.
    """
    with (FOLDER / "pairs.jsonl").open(encoding="utf-8") as lines:
        pairs = tuple(Pair(**json.loads(line)) for line in lines)
    for pair in pairs:
        if pair.kind not in KINDS.get(pair.label, ()):
            raise ValueError(f"{pair.id}: unknown label or kind {pair.label!r}, {pair.kind!r}")
    return pairs


def half(*, held_out: bool) -> tuple[Pair, ...]:
    """The held-out pairs, or those that rules may be tuned on."""
    return tuple(pair for pair in load() if pair.held_out == held_out)
