"""The Links tab: where a memory came from and what hangs on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from textual.content import Content

from curator import tones
from curator.safe import visible, visible_str
from curator.views import lines, standing, when
from curator.views.look import Look
from curator.views.page import Note, Page, Stop
from store.model import Link, Overrides, Provenance, Relation, Shown

_LABEL = 15
_TEXT_LINES = 2
_PROVENANCE = ("source", "session", "client", "model", "tool", "place", "native_id")


@dataclass(frozen=True, slots=True)
class LinksPage:
    """Provenance, chain, relations, entities, who touched it.

    What names another memory is a stop by its id.
    """

    shown: Shown
    look: Look
    overrides: Overrides = field(default_factory=Overrides)

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room = min(width, lines.CARD_CELLS)
        laid: list[Content] = []
        stops: list[Stop] = []

        def section(title: str, rows: Sequence[tuple[list[Content], str | None]]) -> None:
            if not rows:
                return
            if laid:
                laid.append(Content(""))
            laid.append(Content.styled(title, tones.STRONG))
            for told, target in rows:
                if target is not None:
                    stops.append(Stop(target, len(laid), len(laid) + len(told)))
                laid.extend(told)

        own = self.shown.memory.id
        section("Came from", [(_provenance(p, room), None) for p in self.shown.provenance])
        section("Chain", [_link(link, own, self.look, room) for link in self.shown.chain])
        section("Scopes", _scopes(self.overrides, room))
        section("Relations", [_relation(r, own, room) for r in self.shown.relations])
        section(
            "Entities",
            [([_entity(entity.name, entity.type, room)], None) for entity in self.shown.entities],
        )
        if not laid:
            if not self.shown.events:
                return Note(Content.styled("Nothing is linked to it.", tones.MUTED)).page(width)
            laid.append(Content.styled("Nothing is linked to it.", tones.MUTED))
        section("Who", [(_who(self.shown, self.look, room), None)] if self.shown.events else [])
        return Page(tuple(laid), tuple(stops))


def _provenance(one: Provenance, width: int) -> list[Content]:
    found: list[Content] = []
    for name in _PROVENANCE:
        value = getattr(one, name)
        if value:
            label = f"  {name.replace('_', ' ')}"
            found += lines.field(label, visible(value, multiline=False), width)
    return found or [Content.styled("  nothing was said about it", tones.MUTED)]


def _who(shown: Shown, look: Look, width: int) -> list[Content]:
    """Who wrote it first, and who did the last thing to it; a refusal did nothing."""
    found: list[Content] = []
    if shown.versions:
        first = shown.versions[0].memory
        found += _act("written by", first.by, "", when.date(first.recorded_at, look.now), width)
    last = next((e for e in reversed(shown.events) if e.action != "refused"), None)
    if last is not None:
        day = when.date(last.at, look.now)
        found += _act("last touched", last.actor, last.action, day, width)
    return found


def _act(label: str, actor: str, action: str, day: str, width: int) -> list[Content]:
    said = ", ".join(part for part in (actor, action, day) if part)
    return lines.field(f"  {label}", visible(said, multiline=False), width, label_cells=_LABEL)


def _link(link: Link, own: str, look: Look, width: int) -> tuple[list[Content], str]:
    """`merged from 01JX7M0P v2`, seen from the memory that is shown."""
    inward = link.target == own
    other = link.source if inward else link.target
    version = link.source_version if inward else link.target_version
    kind = visible_str(link.kind, multiline=False)
    words = {("derived", True): "drawn from", ("derived", False): "drawn on by"}
    said = words.get((kind, inward), f"{kind} {'from' if inward else 'into'}")
    left = Content.assemble(
        f"  {said} ",
        (standing.short_id(other), tones.STRONG),
        ("" if version is None else f" v{version}", tones.MUTED),
    )
    date = Content.styled(when.date(link.at, look.now), tones.MUTED)
    told = [visible(link.by, multiline=False)]
    if link.reason:
        told.append(visible(f'"{link.reason}"', multiline=False))
    who = lines.cut(lines.spaced(told, gap=3).stylize_before(tones.MUTED), width - 2)
    return [lines.between(left, date, width), who.pad_left(2)], other


def _scopes(found: Overrides, width: int) -> list[tuple[list[Content], str | None]]:
    """What it overrides, and what overrides it, with the other text."""
    both = [("overrides", found.wide)] if found.wide else []
    both += [("overridden by", one) for one in found.narrow]
    rows: list[tuple[list[Content], str | None]] = []
    for words, one in both:
        head = Content.assemble(
            f"  {words} ",
            (standing.short_id(one.id), tones.STRONG),
            (f" {standing.version(one)} in ", tones.MUTED),
            visible(one.scope, multiline=False),
        )
        text = visible(one.text, multiline=False, style=tones.MUTED)
        told = [lines.cut(head, width)]
        told += [line.pad_left(2) for line in lines.clip(text, width - 2, _TEXT_LINES)]
        rows.append((told, one.id))
    return rows


def _relation(relation: Relation, own: str, width: int) -> tuple[list[Content], str | None]:
    """`runs in  Frankfurt`; a dangling one says so."""
    outward = relation.source == own
    name = relation.target_name if outward else relation.source_name
    other = relation.target if outward else relation.source
    kind = relation.target_kind if outward else relation.source_kind
    type_ = visible_str(relation.type.replace("_", " "), multiline=False)
    said = Content.assemble(
        "  ",
        (type_ if outward else f"is what it {type_}", tones.MUTED),
        "  ",
        visible(name, multiline=False)
        if name
        else Content.styled(standing.short_id(other or ""), tones.STRONG),
    )
    if other is None:
        said = lines.spaced([said, Content.styled("not found here", tones.MUTED)])
    return [lines.cut(said, width)], other if kind == "memory" else None


def _entity(name: str, type_: str, width: int) -> Content:
    left = Content.assemble("  ", visible(name, multiline=False))
    right = Content.styled(lines.cut_text(visible_str(type_, multiline=False), 20), tones.MUTED)
    return lines.between(left, right, width)
