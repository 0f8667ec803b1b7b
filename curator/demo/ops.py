"""What can happen in the demo world: one frozen record an act, named by a key.

Keys are the script's own names for memories (`deploy.freeze`); the player maps them to the ids
the store gives out. `at` is when the act happened, UTC; acts of one script have distinct times.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from store.model import Actor, Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Op:
    """An act of `actor` at `at` on the memory called `key`."""

    key: str
    at: datetime
    actor: Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember(Op):
    """Write a new memory. An agent's draft never pins and never states importance."""

    draft: Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt(Op):
    """Try to write a memory that the gate holds back until a person decides."""

    draft: Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Propose(Op):
    """Put a change to the memories `keys` before a person. `kind`: as of a proposal."""

    kind: str
    keys: tuple[str, ...]
    text: str
    subject: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPolicy(Op):
    """From now on a policy holds in a scope; `key` is the scope too."""

    scope: str
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(Op):
    """The old text was never true.

    An agent that corrects a verified memory is held or refused by the store; the script does
    that on purpose (`curator.demo.world.OVERREACH`).
    """

    text: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(Op):
    """The old text is true until `since`, which may lie in the future of the whole script."""

    text: str
    since: datetime
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge(Op):
    """Close `keys` into one memory with this text, from then on called `key`."""

    keys: tuple[str, ...]
    text: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Relate(Op):
    """A typed edge from `key` to `target`, both memories of the script."""

    type: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Op):
    """What only a person does, with the reason given, if any."""

    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire(Decision):
    """Close without a successor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore(Decision):
    """Write a retired memory again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verify(Decision):
    """A person confirmed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Decision):
    """A person doubts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantine(Decision):
    """Held back from every recall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive(Decision):
    """Out of default recall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin(Decision):
    """Always offered to an agent's context."""
