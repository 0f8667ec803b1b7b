"""What a person set for a scope, inherited by what lies below it: the nearest word holds.

Readable in any transaction; setting is store/lifecycle/policies.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select

from store.engines.rows import first
from store.errors import Invalid
from store.model import Policy
from store.schema import policy, scope
from store.scopes import ancestors

ADMISSION, VERIFIED_ONLY = "admission", "verified-only"
RECALL_LOG, RECALL_DAYS = "recall-log", "recall-days"
SECRETS, PERSONAL, INJECTION = "secrets", "personal", "injection"
MEANING = "meaning"
ADMIT, REVIEW, ON, OFF = "admit", "review", "on", "off"
MASK, FLAG, QUARANTINE, HOLD = "mask", "flag", "quarantine", "hold"
FORBIDDEN, ALLOWED = "forbidden", "allowed"
MOST_DAYS = 36_500


@dataclass(frozen=True, slots=True)
class Kind:
    """One thing that may be set. Without `choices`: days, a whole number from 1."""

    default: str
    choices: tuple[str, ...]
    means: str


KINDS: Mapping[str, Kind] = {
    ADMISSION: Kind(ADMIT, (ADMIT, REVIEW), "what agents write is live at once, or waits first"),
    VERIFIED_ONLY: Kind(OFF, (OFF, ON), "agents are told only what a person verified"),
    RECALL_LOG: Kind(ON, (ON, OFF), "whether it is kept what agents asked and were told"),
    RECALL_DAYS: Kind("90", (), "days that the log of recalls is kept"),
    SECRETS: Kind(
        MASK, (MASK, QUARANTINE, HOLD), "texts with secrets; the secret is masked always"
    ),
    PERSONAL: Kind(
        FLAG, (FLAG, MASK, QUARANTINE, HOLD), "texts with e-mail, phone, card or account numbers"
    ),
    INJECTION: Kind(
        FLAG, (FLAG, MASK, QUARANTINE, HOLD), "texts that hide characters or speak to a model"
    ),
    MEANING: Kind(FORBIDDEN, (FORBIDDEN, ALLOWED), "whether tombstones may match by meaning"),
}
"""In the order in which they are shown. `mask`, `quarantine` and `hold` of a text that an agent
writes or an import brings; a person's own text is only masked or flagged."""

_ANY = select(policy.c.scope_id).limit(1)
_NEAR = (
    select(scope.c.path, policy.c.name, policy.c.value)
    .join(scope, scope.c.id == policy.c.scope_id)
    .where(scope.c.path.in_(bindparam("paths", expanding=True)))
)
_EVERY = select(scope.c.path, policy.c.name, policy.c.value).join(
    scope, scope.c.id == policy.c.scope_id
)
_ON = (
    select(scope.c.path, policy.c.value)
    .join(scope, scope.c.id == policy.c.scope_id)
    .where(policy.c.name == bindparam("name"))
)


def any_set(conn: Connection) -> bool:
    """Whether anything was ever set: most stores have nothing, and are asked in 5 µs."""
    return first(conn, _ANY) is not None


def in_force(conn: Connection, path: str) -> tuple[Policy, ...]:
    """Every policy as it holds in a scope, in a fixed order."""
    said = _nearest(conn, path)
    return tuple(
        Policy(
            name=name,
            value=said[name][1] if name in said else kind.default,
            scope=said[name][0] if name in said else None,
            default=kind.default,
            choices=kind.choices,
            means=kind.means,
        )
        for name, kind in KINDS.items()
    )


def all_set(conn: Connection) -> tuple[Policy, ...]:
    """Every word that was set anywhere, by scope and in the fixed order."""
    order = {name: place for place, name in enumerate(KINDS)}
    rows = [r for r in conn.execute(_EVERY).all() if r[1] in KINDS]
    return tuple(
        Policy(name, value, path, KINDS[name].default, KINDS[name].choices, KINDS[name].means)
        for path, name, value in sorted(rows, key=lambda r: (r[0], order[r[1]]))
    )


def values(conn: Connection, path: str) -> dict[str, str]:
    """Name → value, as they hold in a scope."""
    found = {name: kind.default for name, kind in KINDS.items()}
    if any_set(conn):
        found |= {name: value for name, (_, value) in _nearest(conn, path).items()}
    return found


def _nearest(conn: Connection, path: str) -> dict[str, tuple[str, str]]:
    """Name → (scope, value): of the scopes from the top down, the last one that says it."""
    rows = conn.execute(_NEAR, {"paths": ancestors(path)}).all()
    return {
        name: (where, value)
        for where, name, value in sorted(rows, key=lambda r: len(r[0]))
        if name in KINDS
    }


def set_somewhere(conn: Connection, name: str) -> dict[str, str]:
    """Scope → what was set there for one name."""
    if not any_set(conn):
        return {}
    return {str(path): str(value) for path, value in conn.execute(_ON, {"name": name})}


def check(name: str, value: str) -> tuple[str, str]:
    """Name and value as they are stored. Raises `Invalid` for what cannot be set."""
    kind = KINDS.get(name.strip().lower())
    if kind is None:
        raise Invalid(f"{name[:40]!r} is no policy.", f"One of: {', '.join(KINDS)}.")
    clean, wanted = name.strip().lower(), value.strip().lower()
    if kind.choices:
        if wanted not in kind.choices:
            raise Invalid(
                f"{clean} cannot be {value[:40]!r}.", f"One of: {', '.join(kind.choices)}."
            )
        return clean, wanted
    if not wanted.isascii() or not wanted.isdigit() or not 1 <= int(wanted[:9]) <= MOST_DAYS:
        raise Invalid(
            f"{clean} cannot be {value[:40]!r}.", f"A number of days, 1 to {MOST_DAYS:,}."
        )
    return clean, str(int(wanted))
