"""A store with one word in every column that can hold words, and a search for that word that
shares nothing with the product's own scan."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    Table,
    func,
    insert,
    select,
)

from store import Actor, Draft, Grant, Store, open_store
from store.access.curator import CuratorView
from store.model import Provenance
from store.schema import metadata

CANARY = "zanzibarkanarek"
ACCENTED = "żółwiekanarkowe"
CONTROL = "quaggacontrolword"


def words_columns() -> list[tuple[str, str]]:
    """Every column of the schema that can hold words, derived tables among them."""
    return [
        (t.name, c.name) for t in metadata.sorted_tables for c in t.columns if c.info.get("text")
    ]


@dataclass(frozen=True)
class World:
    victims: tuple[str, ...]
    bystander: str
    planted: frozenset[tuple[str, str]]
    """The columns that held the word before the erase."""


def plant(store: Store, folder: Path) -> World:
    """Put the word everywhere a program or a person could, and by hand where only a later
    version of the product will."""
    me = store.curator(Actor.human("dana"))
    bystander = str(me.remember(Draft(f"The {CONTROL} stays where it is", "project/a")).id)
    victims = [_corrected(me), _imported(me, folder), _rejected(store, me)]
    victims += [_alone(me), _joined(store, me, folder)]
    _proposed(me, victims[0], bystander)
    me.export(folder / f"{CANARY}-export.jsonl")
    with store.engine.write() as conn:
        for table in metadata.sorted_tables:
            if table.name not in _BY_VERBS and not _holds_everywhere(conn, table):
                plant_row(conn, table, victims[0])
    return World(tuple(victims), bystander, frozenset(holding(store)))


_BY_VERBS = {"scope", "version", "entity", "relation", "tombstone"} | {
    t.name for t in metadata.sorted_tables if t.info.get("derived")
}
"""Tables that the verbs above fill whole, or that are made from others."""


def _everywhere() -> Provenance:
    names = ("source", "session", "client", "model", "tool", "place", "native_id")
    return Provenance(
        **{n: f"{CANARY}-{n}" for n in names}, raw={CANARY: [ACCENTED, {"a": CANARY}]}
    )


def _corrected(me: CuratorView) -> str:
    draft = Draft(
        f"Staging {CANARY} deploys run from the preview branch, says {ACCENTED}",
        "project/a",
        subject=f"{CANARY}.subject",
        kind=CANARY,
        tags=(CANARY, f"{ACCENTED}-tag"),
        provenance=_everywhere(),
    )
    identifier = str(me.remember(draft).id)
    me.correct(identifier, f"Staging {CANARY} deploys run from main", reason=f"{CANARY} moved")
    return identifier


def _imported(me: CuratorView, folder: Path) -> str:
    source = folder / f"{CANARY}.jsonl"
    service = {"type": "entity", "name": f"{CANARY}-service", "entityType": CANARY}
    lines: list[dict[str, Any]] = [{**service, "observations": [f"{CANARY} is slow"]}]
    lines.append(
        {"type": "relation", "from": service["name"], "to": f"{CANARY}-x", "relationType": CANARY}
    )
    source.write_text("\n".join(map(json.dumps, lines)))
    assert me.import_(str(source), scope="project/a").added == 1
    (found,) = [m.id for m in me.list().memories if "is slow" in m.text]
    return found


def _rejected(store: Store, me: CuratorView) -> str:
    text = f"The {CANARY} password rotates on Mondays"
    identifier = str(me.remember(Draft(text, "project/a", subject=CANARY)).id)
    me.reject(identifier, reason=f"{CANARY} is wrong")
    agent = store.agent(Actor.agent("codex"), Grant(read={"project/a"}, write={"project/a"}))
    assert agent.remember(text).outcome == "held"
    me.lift(1, reason=f"{CANARY} may return")
    return identifier


def _alone(me: CuratorView) -> str:
    return str(me.remember(Draft(f"Alone in its scope: {CANARY}", f"project/{CANARY}")).id)


def _joined(store: Store, me: CuratorView, folder: Path) -> str:
    with open_store(folder / "neighbour.db", clock=store.clock, embedder=None) as neighbour:
        them = neighbour.curator(Actor.human("sam"))
        identifier = str(them.remember(Draft(f"The neighbour's {CANARY} is blue", "project/c")).id)
        them.mark("pin", identifier, reason=f"{CANARY} matters")
        them.export(folder / "neighbour.jsonl", scope="project/c")
    for path in folder.glob("neighbour.db*"):
        path.unlink()
    assert me.import_(str(folder / "neighbour.jsonl")).added == 1
    return identifier


def _proposed(me: CuratorView, victim: str, bystander: str) -> None:
    for text in (f"One of both, {CANARY}", f"Another of both, {ACCENTED}"):
        me.propose("merge", [victim, bystander], text=text, reason=f"alike: {CANARY}")
    me.decline(me.proposals(kind="merge")[0].number, reason=f"no, {CANARY} differs")


# --- any table ------------------------------------------------------------------------------


def plant_row(conn: Connection, table: Table, memory_id: str) -> None:
    """A row with the word in every column that can hold it: also of tables that nobody had
    thought of when this was written."""
    conn.execute(insert(table), {c.name: _value(conn, c, memory_id) for c in table.columns})


def _value(conn: Connection, column: Column[Any], memory_id: str) -> Any:
    if column.name == "memory_id":
        return memory_id
    if column.name == "scope_id":
        return 1
    for key in column.foreign_keys:
        return conn.execute(select(func.max(key.column))).scalar()
    if column.info.get("text"):
        return json.dumps({"note": f"about {CANARY}"}) if column.info["json"] else f"on {CANARY}"
    kind = column.type
    if isinstance(kind, Boolean):
        return False
    if isinstance(kind, BigInteger | Integer):
        return int(conn.execute(select(func.coalesce(func.max(column), 0))).scalar_one()) + 1
    return 0.5 if isinstance(kind, Float) else b"salt" if isinstance(kind, LargeBinary) else "x"


def _holds_everywhere(conn: Connection, table: Table) -> bool:
    cells = [c for c in table.columns if c.info.get("text")]
    return all(_count(conn, c) for c in cells)


def _count(conn: Connection, column: Column[Any]) -> int:
    """Rows with the word in a column, or the beginning of its stem."""
    cells = conn.execute(select(column)).scalars()
    return sum(any(w in str(cell).casefold() for w in SPELLED) for cell in cells)


SPELLED = (CANARY[:-1], ACCENTED[:-1], "zolwiekanarkow", "\\u017c\\u00f3\\u0142w")
"""Without the letter a stemmer may take, without accents, and as JSON may write it."""


def holding(store: Store) -> set[tuple[str, str]]:
    """The columns that hold the word now."""
    with store.engine.read() as conn:
        return {
            (t.name, c.name)
            for t in metadata.sorted_tables
            for c in t.columns
            if c.info.get("text") is not None and _count(conn, c)
        }


# --- bytes ----------------------------------------------------------------------------------


def hits(folder: Path, name: str, words: Iterable[str] = SPELLED) -> Mapping[str, int]:
    """How often the words stand in files that begin with `name`, in any spelling. A plain search,
    so that it errs in no way the product's own could."""
    patterns = set()
    for word in words:
        for form in (word, word.upper(), word.capitalize()):
            for coding in ("utf-8", "utf-16-le", "utf-16-be"):
                patterns.add(form.encode(coding))
            patterns.add(json.dumps(form)[1:-1].encode())
    found = {}
    for path in sorted(folder.glob(f"{name}*")):
        data = path.read_bytes()
        if many := sum(data.count(p) for p in patterns):
            found[path.name] = many
    return found
