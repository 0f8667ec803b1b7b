"""Typed filters as one SQL predicate over version, memory and scope (search.md).

Filters hold before top-k in every channel. A state after `is:` that is not current takes the
place of the gates, for the curator; an agent's row must be current whatever is typed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from sqlalchemy import ColumnElement, and_, exists, not_, or_, select

from store.model import Trust
from store.reads.grants import Sight
from store.reads.predicate import current
from store.schema import memory, provenance, relation, scope, version
from store.search.filters import Filters, Has, Is
from store.search.fold import HIDDEN
from store.times import OPEN_END, to_us

_STATES = frozenset(Is) - {Is.CURRENT, Is.PINNED, Is.MASKED, Is.HIDDEN, Is.INSTRUCTION}
_ACTOR_KINDS = ("human", "agent", "system")
_CLOSED_AS = {
    Is.RETIRED: ("retired",),
    Is.SUPERSEDED: ("corrected", "changed", "merged"),
    Is.MERGED: ("merged",),
    Is.REJECTED: ("rejected",),
    Is.EXPIRED: ("expired", "cold"),
}
INSTRUCTION_LIKE = (
    r"(?i)(ignore|disregard|forget|override)\W+(\w+\W+){0,3}"
    r"(previous|prior|above|earlier|system|all)\W+(\w+\W+){0,2}(instruction|prompt|rule|message)"
    r"|(reveal|print|repeat|show)\W+(\w+\W+){0,3}system\W+prompt"
    r"|you\W+(are\W+now|must\W+(now|always|never))\W|do\W+not\W+(tell|inform)\W+the\W+user"
    r"|<\W*/?(system|assistant)\W*>|\[/?INST\]"
)
"""Text that speaks to a model rather than of a fact. Precision first: `is:instruction` is a
list for a person to look through, it holds nothing back."""

_live = version.c.closed_at.is_(None)


def names_a_state(filters: Filters) -> bool:
    """Whether the filters ask for rows that no default answer holds."""
    return bool(_STATES & set(filters.is_)) or Trust.QUARANTINED in filters.trusts


def passes(filters: Filters, sight: Sight) -> list[ColumnElement[bool]]:
    """What must hold of a row: of each field any value, of tags, is and has all.

    `scopes` is not here: it narrows the sight, so that the indexes narrow too.
    """
    held: list[ColumnElement[bool]] = []
    for name in ("tiers", "kinds", "trusts", "subjects", "by"):
        values = getattr(filters, name)
        if values:
            held.append(or_(*(_meets(name, v, sight) for v in values)))
    for name in ("tags", "is_", "has"):
        held += [_meets(name, v, sight) for v in getattr(filters, name)]
    if filters.before is not None:
        held.append(memory.c.asserted_at < to_us(filters.before))
    if filters.after is not None:
        held.append(memory.c.asserted_at >= to_us(filters.after))
    if Trust.QUARANTINED in filters.trusts and not _STATES & set(filters.is_):
        held.append(_live)
    return held


def leaves_out(without: Filters, sight: Sight) -> list[ColumnElement[bool]]:
    """What must hold so that a row meets no value of any negated filter."""
    met: list[ColumnElement[bool]] = []
    for name in ("scopes", "tiers", "kinds", "trusts", "tags", "subjects", "by", "is_", "has"):
        met += [_meets(name, v, sight) for v in getattr(without, name)]
    if without.before is not None:
        met.append(memory.c.asserted_at < to_us(without.before))
    if without.after is not None:
        met.append(memory.c.asserted_at >= to_us(without.after))
    return [not_(one) for one in met]


def _meets(name: str, value: str, sight: Sight) -> ColumnElement[bool]:
    if name == "is_":
        return _is(Is(value), sight)
    if name == "has":
        return _has(Has(value))
    if name == "scopes":
        below = select(scope.c.id).where(
            or_(scope.c.path == value, scope.c.path.startswith(value + "/", autoescape=True))
        )
        return version.c.scope_id.in_(below)
    if name == "tiers":
        return version.c.tier == value
    if name == "trusts":
        return memory.c.trust == value
    if name == "kinds":
        return _equals(version.c.kind, value)
    if name == "subjects":
        # A null subject must be "no", not "unknown", or its negation would lose the row.
        return and_(version.c.subject.is_not(None), _equals(version.c.subject, value))
    return _by(value) if name == "by" else _tag(value)


def _equals(column: ColumnElement[str], value: str) -> ColumnElement[bool]:
    """Equal without regard to (ASCII) case."""
    return column.ilike(_escaped(value), escape="\\")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _tag(value: str) -> ColumnElement[bool]:
    """One element of the stored JSON list. A quote inside a tag is escaped there, so what
    stands between `[` or `, ` and a bare quote is a whole tag."""
    element = _escaped(json.dumps(value, ensure_ascii=False))
    return or_(
        version.c.tags.ilike(f"[{element}%", escape="\\"),
        version.c.tags.ilike(f"%, {element}%", escape="\\"),
    )


def _by(value: str) -> ColumnElement[bool]:
    """A whole actor, a kind of actor, or a name."""
    if value in _ACTOR_KINDS:
        return version.c.written_by.startswith(f"{value}:", autoescape=True)
    if value.partition(":")[0] in _ACTOR_KINDS:
        return version.c.written_by == value
    return version.c.written_by.in_([f"{kind}:{value}" for kind in _ACTOR_KINDS])


def _is(state: Is, sight: Sight) -> ColumnElement[bool]:
    plain: dict[Is, ColumnElement[bool]] = {
        Is.PINNED: memory.c.pinned,
        Is.MASKED: version.c.masked > 0,
        Is.HIDDEN: version.c.text.regexp_match(HIDDEN.pattern),
        Is.INSTRUCTION: version.c.text.regexp_match(INSTRUCTION_LIKE),
        Is.LIVE: _live,
        Is.CLOSED: not_(_live),
        Is.CURRENT: current(sight),
        Is.ARCHIVED: and_(_live, memory.c.archived),
        Is.ANNOUNCED: and_(_live, version.c.valid_from > sight.t),
    }
    if state in plain:
        return plain[state]
    # Not null for a live row, so that the negation holds for it.
    closed = and_(not_(_live), version.c.closed_as.in_(_CLOSED_AS[state]))
    if state is Is.EXPIRED:
        return or_(closed, and_(_live, version.c.expires_at <= sight.t))
    return closed


def _has(what: Has) -> ColumnElement[bool]:
    if what is Has.SOURCE:
        return exists(
            select(provenance.c.rid).where(
                provenance.c.memory_id == version.c.memory_id,
                provenance.c.version == version.c.version,
            )
        )
    if what is Has.RELATION:
        ends: Iterable[ColumnElement[bool]] = (
            relation.c.source == memory.c.id,
            relation.c.target == memory.c.id,
        )
        return or_(*(exists(select(relation.c.rid).where(end)) for end in ends))
    plain: dict[Has, ColumnElement[bool]] = {
        Has.SUBJECT: and_(version.c.subject.is_not(None), version.c.subject != ""),
        Has.TAG: version.c.tags != "[]",
        Has.SECRET: version.c.masked > 0,
        Has.HIDDEN: version.c.text.regexp_match(HIDDEN.pattern),
        Has.HISTORY: memory.c.latest > 1,
        Has.EXPIRY: version.c.expires_at < OPEN_END,
    }
    return plain[what]
