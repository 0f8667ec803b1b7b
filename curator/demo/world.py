"""The demo's world as a script: six months of two agents and Dana at an invented company.

Harborline lets skippers book berths (harbor-api) through a web front end (tidepool-web). Agents
`claude-code` and `codex` remember what they learn; Dana corrects, verifies and retires. Texts lie
in `data/*.jsonl`, one memory or act a line; what no file should hold as it is, secrets and hostile
characters, is built in `look_alikes.py` and `hostile.py`.

**The wrong memory of the README's tour** is `WRONG`, in project/harbor-api, by agent:codex, nine
days old, unreviewed, stated with confidence 0.9:

    Deploy region is us-east-1. Checked deploy/region.hcl: staging and production deploys both
    target that region.

It stands first for the search `deploy region`, because it is short and says both words several
times, and its subject is `deploy.region`. The right value is `RIGHT_VALUE`: the verified, pinned
memory `RIGHT` says so without the word "region", and the verified note from the handbook
(`HANDBOOK`) also says why the file misled the agent: deploy/region.hcl is a leftover that nothing
reads. (`RIGHT` has an announced change to Dublin, from the first of next month; until then
Frankfurt is true.)
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from importlib.resources import files
from typing import Any

from curator.demo import hostile, look_alikes
from curator.demo.ops import Op
from curator.demo.planning import Plan, in_time, plan

WRONG = "deploy.region.wrong"
RIGHT = "prod.where"
HANDBOOK = "handbook.hosting"
RIGHT_VALUE = "eu-central-1"

CONTRADICTIONS = (
    (WRONG, HANDBOOK),
    ("db.port", "db.pool.port"),
    ("hold.ttl", "hold.ttl.other"),
    ("session.length", "session.length.other"),
    ("ratelimit.a", "ratelimit.b"),
    ("node.ci", "cx.node"),
)
"""Pairs that cannot both be true and are both live, for a person to find."""

OVERREACH = ("deploy.freeze", "node.ci", "refund.limit")
"""What an agent tries to correct although a person verified it: it must not go live."""

NEAR_COPIES = (
    ("db.money", "db.money.again", "merge"),
    ("captcha", "captcha.again", "merge"),
    ("w.cache.warm", "w.cache.again", "merge"),
    ("commission", "commission.short", "contradiction"),
    ("refresh.reuse", "refresh.short", "supersede"),
    ("queue.redelivery", "queue.redelivery.later", "supersede"),
)
"""Pairs that say the same, more, another or a later value, with what consolidating proposes."""

_MEMORIES = (
    "harbor_ops",
    "harbor_data",
    "harbor_booking",
    "harbor_auth",
    "tidepool_ui",
    "tidepool_work",
    "people",
    "agents",
    "everyone",
    "near_copies",
)
_ACTS = ("corrections", "decisions", "queue")


def script(seed: int, now: datetime) -> list[Op]:
    """Everything that happened, oldest first, each act at its own moment before `now`.

    Equal for equal `seed` and `now` (aware). The texts and days are fixed; the seed chooses the
    hours, the sessions and how sure the agents were. Raises ValueError for a naive `now`.
    """
    if now.tzinfo is None:
        raise ValueError("`now` has no time zone.")
    return in_time(_plans(seed, now), seed, now)


def _plans(seed: int, now: datetime) -> Iterator[Plan]:
    # Within a day what is planned first happens first: memories before acts on them.
    for name in _MEMORIES:
        yield from (plan(row, seed, now) for row in _rows(name))
    yield from (plan(row, seed, now) for row in (*look_alikes.rows(), *hostile.rows()))
    for name in _ACTS:
        yield from (plan(row, seed, now) for row in _rows(name))


def _rows(name: str) -> Iterator[dict[str, Any]]:
    text = files("curator.demo").joinpath("data", f"{name}.jsonl").read_text(encoding="utf-8")
    # Not splitlines(): it would also cut at U+2028 inside a text.
    yield from (json.loads(line) for line in text.split("\n") if line)
