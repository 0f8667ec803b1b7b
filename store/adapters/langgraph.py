"""LangGraph's long-term memory over an agent's view (`pipx install '.[langgraph]'`).

    from store.adapters.langgraph import CuratorStore
    graph = builder.compile(store=CuratorStore(agent))

A namespace is a scope path, `("project", "harbor-api")` is `project/harbor-api`; a key is a
memory's subject. A value `{"text": …}` is that text; any other value is its JSON. The gate, the
grant and the laws are those of the view: what it holds or refuses is raised, never swallowed,
and a recall is logged like any other. Times are the store's: both are of the newest version.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from store.access.agent import AgentView
from store.errors import NotPossible
from store.model import Memory, Outcome, Written

JSON = "json"
"""The kind of a memory whose text is a value that is more than a text."""
_PAGE = 1000


class CuratorStore(BaseStore):
    """A `BaseStore`. Safe to use from any thread; the async half runs in threads."""

    __slots__ = ("_agent",)

    def __init__(self, agent: AgentView) -> None:
        self._agent = agent

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """See `BaseStore`. One after the other; raises `StoreError` at the first refusal."""
        return [self._do(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """See `BaseStore`."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _do(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            found = self._named(op.namespace, op.key)
            return None if found is None else _item(found)
        if isinstance(op, PutOp):
            self._put(op)
            return None
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        raise NotPossible(f"{type(op).__name__} is not an operation of this store.")

    def _named(self, namespace: tuple[str, ...], key: str) -> Memory | None:
        found = self._agent.named(key, "/".join(namespace))
        return found[0] if found else None

    def _put(self, op: PutOp) -> None:
        old = self._named(op.namespace, op.key)
        if op.value is None:
            if old is not None:
                _done(self._agent.withdraw(old.id))
            return
        text, kind = _as_text(op.value)
        if old is not None and old.kind != kind:
            _done(self._agent.withdraw(old.id))  # a correction keeps the kind
            old = None
        if old is not None:
            _done(self._agent.correct(old.id, text, expect=old.version))
            return
        scope = "/".join(op.namespace)
        _done(self._agent.remember(text, scope=scope, subject=op.key, kind=kind))

    def _search(self, op: SearchOp) -> list[SearchItem]:
        scope = ["/".join(op.namespace_prefix)] if op.namespace_prefix else None
        wanted = [] if op.limit < 1 else list(self._found(op, scope))
        return wanted[op.offset : op.offset + op.limit]

    def _found(self, op: SearchOp, scope: list[str] | None) -> Iterable[SearchItem]:
        if op.query:
            most = _PAGE if op.filter else min(_PAGE, op.limit + op.offset)
            for hit in self._agent.recall(op.query, limit=most, scope=scope).hits:
                if _meets(_value(hit.memory), op.filter):
                    yield _search_item(hit.memory, hit.score)
            return
        for one in self._all(scope):
            if _meets(_value(one), op.filter):
                yield _search_item(one, None)

    def _all(self, scope: list[str] | None) -> Iterable[Memory]:
        after: str | None = None
        while True:
            page = self._agent.list(scope=scope, limit=_PAGE, after=after)
            yield from page.memories
            after = page.next
            if after is None:
                return

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        known = {tuple(one.scope.split("/")) for one in self._all(None)}
        conditions = op.match_conditions or ()
        met = {space for space in known if all(_matches(one, space) for one in conditions)}
        if op.max_depth is not None:
            met = {space[: op.max_depth] for space in met}
        return sorted(met)[op.offset : op.offset + op.limit]


def _done(written: Written) -> None:
    """Raise what was not done: an agent must not take a held write for a stored one."""
    if written.outcome in (Outcome.HELD, Outcome.REFUSED):
        raise NotPossible(f"Not stored ({written.outcome.value}): {written.reason}.")


def _as_text(value: Mapping[str, Any]) -> tuple[str, str]:
    if value.keys() == {"text"} and isinstance(value["text"], str):
        return value["text"], "fact"
    return json.dumps(value, ensure_ascii=False, sort_keys=True), JSON


def _value(one: Memory) -> dict[str, Any]:
    if one.kind == JSON:
        try:
            found = json.loads(one.text)
        except ValueError:  # a secret was masked, and a quote with it
            return {"text": one.text}
        if isinstance(found, dict):
            return found
    return {"text": one.text}


def _place(one: Memory) -> dict[str, Any]:
    return {
        "namespace": tuple(one.scope.split("/")),
        "key": one.subject or one.id,
        "value": _value(one),
        "created_at": one.recorded_at,
        "updated_at": one.asserted_at,
    }


def _item(one: Memory) -> Item:
    return Item(**_place(one))


def _search_item(one: Memory, score: float | None) -> SearchItem:
    return SearchItem(**_place(one), score=score)


def _matches(condition: MatchCondition, space: tuple[str, ...]) -> bool:
    path, parts = tuple(condition.path), space
    if len(parts) < len(path):
        return False
    if condition.match_type == "suffix":
        path, parts = path[::-1], parts[::-1]
    return all(wanted in ("*", part) for wanted, part in zip(path, parts, strict=False))


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: bool(value == wanted),
    "$ne": lambda value, wanted: bool(value != wanted),
    "$gt": lambda value, wanted: float(value) > float(wanted),
    "$gte": lambda value, wanted: float(value) >= float(wanted),
    "$lt": lambda value, wanted: float(value) < float(wanted),
    "$lte": lambda value, wanted: float(value) <= float(wanted),
}


def _meets(value: Any, filter: Mapping[str, Any] | None) -> bool:
    return all(_equal(value.get(name), wanted) for name, wanted in (filter or {}).items())


def _equal(value: Any, wanted: Any) -> bool:
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    if any(name.startswith("$") for name in wanted):
        return all(_compared(name, value, limit) for name, limit in wanted.items())
    return isinstance(value, dict) and _meets(value, wanted)


def _compared(name: str, value: Any, limit: Any) -> bool:
    if name not in _OPERATORS:
        raise NotPossible(
            f"{name!r} is no operator of a filter.", f"One of: {', '.join(_OPERATORS)}."
        )
    try:
        return _OPERATORS[name](value, limit)
    except (TypeError, ValueError):
        return False  # what is no number is neither above nor below one
