"""Records → lines for a terminal or a pipe. Every word of the store is made visible-safe here."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from store.model import Event, Memory, Moment, Shown, Version, Written

INDENT = "    "


def say(lines: Iterable[str]) -> None:
    """Lines on stdout."""
    for line in lines:
        sys.stdout.write(line + "\n")


def tell(message: str) -> None:
    """One message on stderr, where it cannot be mistaken for the answer."""
    sys.stderr.write(f"curator: {safe(message)}\n")


def refusal(error: Exception) -> str:
    """What happened and what to do next, as one line."""
    return " ".join(part for part in (str(error), getattr(error, "hint", "")) if part)


def safe(text: str, *, multiline: bool = False) -> str:
    """Raw text → visible text: no control, nothing hidden."""
    if text.isascii() and text.isprintable():
        return text
    from curator.safe import visible_str  # loads textual

    return visible_str(text, multiline=multiline)


def fitted(text: str, used: int = 0) -> str:
    """Visible text of one line, cut to what a terminal has left; whole in a pipe."""
    line = safe(text)
    if not sys.stdout.isatty():
        return line
    room = max(20, shutil.get_terminal_size().columns - used)
    if cells(line) <= room:
        return line
    from rich.cells import set_cell_size

    return set_cell_size(line, room - 1).rstrip() + "…"


def cells(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns as wide as their widest cell; the last one is left as it is."""
    if not rows:
        return []
    widths = [max(cells(row[n]) for row in rows) for n in range(len(rows[0]))]
    return [
        "  ".join(
            cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def day(moment: datetime | None) -> str:
    return "" if moment is None else moment.strftime("%Y-%m-%d")


def minute(moment: datetime | None) -> str:
    return "" if moment is None else moment.strftime("%Y-%m-%d %H:%M:%SZ")


def moment_line(moment: Moment) -> str:
    """Which moment an answer is of."""
    return f"As true {minute(moment.true_at) or 'now'}, known {minute(moment.known_at) or 'now'}."


def count(number: int, one: str, many: str | None = None) -> str:
    """`1 memory`, `1,204 memories`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def counted(counts: Mapping[str, object]) -> str:
    """`3 superseded, 50+ below floor`."""
    parts = [f"{n:,}" if isinstance(n, int) else str(n) for n in counts.values()]
    return ", ".join(f"{n} {name.replace('_', ' ')}" for n, name in zip(parts, counts, strict=True))


# --- memories ---------------------------------------------------------------------------


def memory_lines(one: Memory, *before: str) -> list[str]:
    """Two lines: what it is, and what it says. `before`: rank and score of a hit."""
    facts = [*before, one.id, f"v{one.version}", standing(one), one.kind, one.scope]
    if one.subject:
        facts.append(one.subject)
    facts.append(day(one.asserted_at))
    if one.valid_from is not None:
        facts.append(f"true from {day(one.valid_from)}")
    if one.changes_at is not None or one.valid_to is not None:
        facts.append(f"true until {day(one.changes_at or one.valid_to)}")
    return [fitted("  ".join(facts)), INDENT + fitted(one.text, len(INDENT))]


def standing(one: Memory) -> str:
    """`verified`, `unreviewed pinned`, `corrected`: how it stands, in words."""
    if one.closed_as is not None and one.changes_at is None:
        return one.closed_as.value
    words = [one.trust.value]
    words += ["pinned"] * one.pinned + ["archived"] * one.archived
    return " ".join(words)


def shown_lines(found: Shown, now: datetime) -> list[str]:
    """The card: the text, every fact, versions, chain, events, where it came from."""
    one = found.memory
    lines = safe(one.text, multiline=True).split("\n")
    if found.asked != one.id:
        lines += ["", f"{found.asked} became {one.id}"]
    lines += ["", *table(_facts(one))]
    named = version_standings(found, now)
    lines += _announced(named, one)
    lines += _part("versions", [_version(v, named) for v in reversed(found.versions)])
    chain = [_joined(e.kind, f"{e.source} → {e.target}", minute(e.at), e.by) for e in found.chain]
    lines += _part("chain", chain)
    sources = [
        _joined(*(p for p in (s.source, s.client, s.session, s.tool, s.place, s.native_id) if p))
        for s in found.provenance
    ]
    lines += _part("from", [line for line in dict.fromkeys(sources) if line])
    relations = [
        _joined(r.source_name or r.source, r.type, r.target_name or r.target or "?")
        for r in found.relations
    ]
    lines += _part("relations", relations)
    lines += _part("entities", [_joined(e.name, e.type) for e in found.entities])
    return lines + _part("events", table([event_cells(e) for e in found.events]))


def version_standings(found: Shown, now: datetime) -> dict[int, str]:
    """Version → `current` (what is told now) or `announced` (holds from a later date; what acts
    are about), for those that are either."""
    return {
        v.memory.version: "current" if _begun(v.memory, now) else "announced"
        for v in found.versions
        if v.memory.closed_at is None or (v.memory.true_until or now) > now
    }


def _begun(one: Memory, now: datetime) -> bool:
    return one.valid_from is None or one.valid_from <= now


def _announced(standings: Mapping[int, str], one: Memory) -> list[str]:
    """Which version it is that is shown, where another one is announced."""
    if standings.get(one.latest) != "announced":
        return []
    acts = f"verify, correct, retire and other acts are about version {one.latest}."
    if one.version == one.latest:
        return ["", f"Version {one.version} is announced and not true yet; {acts}"]
    return [
        "",
        f"This is version {one.version}, current until {minute(one.changes_at)}. Version "
        f"{one.latest} is announced from then on; {acts}",
    ]


def _facts(one: Memory) -> list[tuple[str, str]]:
    pairs = [
        ("id", one.id),
        ("version", f"{one.version} of {one.latest}"),
        ("state", one.state if one.closed_as is None else f"{one.state}, {one.closed_as.value}"),
        ("trust", standing(one) if one.closed_as is None else one.trust.value),
        ("scope", one.scope),
        ("subject", one.subject or ""),
        ("tier, kind", f"{one.tier.value}, {one.kind}"),
        ("tags", ", ".join(one.tags)),
        ("confidence", "" if one.confidence is None else f"{one.confidence:g}"),
        ("importance", f"{one.importance:g}"),
        ("true from", minute(one.valid_from)),
        ("true until", minute(one.true_until or one.valid_to)),
        ("known from", minute(one.recorded_at)),
        ("known until", minute(one.closed_at)),
        ("asserted", minute(one.asserted_at)),
        ("expires", minute(one.expires_at)),
        ("changes", minute(one.changes_at)),
        ("overrides", one.overrides or ""),
        ("merged into", one.successor or ""),
        ("secrets masked", str(one.secrets_masked or "")),
        ("by", one.by),
    ]
    return [(name, safe(value)) for name, value in pairs if value]


def _version(one: Version, standings: Mapping[int, str]) -> str:
    old = one.memory
    end = "live" if old.closed_as is None else f"{old.closed_as.value} {minute(old.closed_at)}"
    standing = standings.get(old.version)
    if standing == "announced":
        end = f"announced, true from {minute(old.valid_from)}"
    elif standing == "current" and old.true_until is not None:
        end = f"current, {old.closed_as or 'true'} until {minute(old.true_until)}"
    head = _joined(f"v{old.version}", end, minute(old.recorded_at), old.by, one.reason or "")
    return f"{head}\n{INDENT}{fitted(old.text, len(INDENT))}"


def _joined(*parts: str) -> str:
    return "  ".join(safe(part) for part in parts if part)


def _part(name: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    return ["", name, *(f"  {part}" for line in lines for part in line.split("\n"))]


def event_cells(one: Event) -> tuple[str, ...]:
    about = "" if one.memory is None else one.memory
    about += f" v{one.version}" if about and one.version is not None else ""
    cells = (str(one.seq), minute(one.at), one.actor, one.action, about, one.reason or "")
    return tuple(safe(cell) for cell in cells)


def written_line(one: Written, done: str, subject: str | None = None) -> str:
    """`01J… v2: corrected (event 14)`; what became of a write, with the reason. `subject`: what
    it is about where that is no memory."""
    name = f"{one.id} v{one.version}" if one.version is not None else one.id or "nothing"
    name = subject or name
    word = done if one.outcome.value == "stored" else one.outcome.value
    tail = f" ({one.reason})" if one.reason else ""
    if one.outcome.value == "held" and one.proposal is not None:
        tail += f"; it waits for a decision as proposal {one.proposal}"
    elif one.event is not None:
        tail += f" (event {one.event})"
    return safe(f"{name}: {word}{tail}")
