"""The facets beside the results: how many memories each filter value would leave."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from textual.content import Content

from curator import glyphs, tones
from curator.glyphs import Glyph
from curator.safe import visible, visible_str
from curator.views import lines, numbers, standing
from curator.views.look import Look
from curator.views.page import Page, Stop

MOST_VALUES = 5
"""Values of an open list that are shown; the rest is one line."""

_FLAGS: Mapping[str, tuple[Glyph, str]] = {
    "pinned": (glyphs.PINNED, "pinned"),
    "masked": (glyphs.MASKED, "masked"),
    "hidden": (glyphs.HIDDEN, "hidden chars"),
    "instruction": (glyphs.INSTRUCTION, "instruction"),
}
_SINCE: Mapping[str, tuple[Glyph, str]] = {
    "same": (glyphs.SAME, "same"),
    "replaced": (glyphs.CHANGES, "replaced"),
    "closed": (glyphs.CLOSED, "closed"),
}
_SIGNED: Mapping[str, Mapping[str, tuple[Glyph, str]]] = {
    "trust": {t.value: (g, t.value) for t, g in standing.TRUST_GLYPHS.items()},
    "is": _FLAGS,
    "since": _SINCE,
}
_TITLES = {
    "scope": "Scope",
    "tier": "Tier",
    "trust": "Trust",
    "since": "Since then",
    "kind": "Kind",
    "is": "Flags",
}
_FIXED = ("trust", "since")
"""Groups whose values are all shown, also at zero, in their own order."""
_TOLD = ("since",)
"""Groups that are no filters."""


@dataclass(frozen=True, slots=True)
class FacetsPage:
    """Filter name (`scope`, `tier`, `trust`, `kind`, `is`, `since`) → value → count.

    A stop's key is the filter as it is typed, `tier:semantic`; `active` holds those that are on.
    What became of rows of another moment (`since`) is told, and is no filter.
    """

    counts: Mapping[str, Mapping[str, int]]
    look: Look
    active: Collection[str] = field(default_factory=frozenset)

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        laid: list[Content] = []
        stops: list[Stop] = []
        for name, title in _TITLES.items():
            rows = self._rows(name, self.counts.get(name, {}), width)
            if not rows:
                continue
            if laid:
                laid.append(Content(""))
            laid.append(Content.styled(title, tones.STRONG))
            for value, label, count in rows:
                key = f"{name}:{value}"
                if value and name not in _TOLD:
                    stops.append(Stop(key, len(laid), len(laid) + 1))
                laid.append(self._line(label, count, key in self.active, width))
        return Page(tuple(laid), tuple(stops))

    def _rows(
        self, name: str, counts: Mapping[str, int], width: int
    ) -> list[tuple[str, Content, int]]:
        """(value, label, count); the line of the rest has no value."""
        if name == "scope":
            return _scopes(counts, width - 3)
        if name in _SIGNED:
            return self._signed(name, counts)
        rows = [(value, visible(value, multiline=False), n) for value, n in counts.items()]
        on = [row for row in rows[MOST_VALUES:] if f"{name}:{row[0]}" in self.active]
        rest = [row for row in rows[MOST_VALUES:] if row not in on]
        if len(rest) > 1:
            more = Content(f"{numbers.count(len(rest))} more")
            return [*rows[:MOST_VALUES], *on, ("", more, sum(row[2] for row in rest))]
        return rows

    def _signed(self, name: str, counts: Mapping[str, int]) -> list[tuple[str, Content, int]]:
        rows = []
        for value, (glyph, word) in _SIGNED[name].items():
            if counts and (name in _FIXED or value in counts):
                label = Content.assemble((self.look.sign(glyph), glyph.tone), f" {word}")
                rows.append((value, label, counts.get(value, 0)))
        return rows

    def _line(self, label: Content, count: int, on: bool, width: int) -> Content:
        figure = Content.styled(numbers.count(count), tones.ACCENT if on else tones.MUTED)
        if on:
            label = label.stylize(tones.STRONG_ACCENT)
        mark = self.look.sign(glyphs.MARKED) if on else " "
        left = Content.assemble((f"{mark} ", tones.ACCENT), label)
        return lines.between(left, figure, width, gap=1)


def _scopes(counts: Mapping[str, int], width: int) -> list[tuple[str, Content, int]]:
    """Scopes as a tree: what lies below another listed one is indented and named from there."""
    rows = []
    for path in sorted(counts):
        parents = [other for other in counts if path.startswith(f"{other}/")]
        parent = max(parents, key=len, default="")
        own = path[len(parent) + 1 :] if parent else path.removeprefix("project/")
        indent = "  " * len(parents)
        room = width - len(indent) - len(numbers.count(counts[path]))
        shown = lines.middle(visible_str(own, multiline=False), max(4, room))
        rows.append((path, Content(indent + shown), counts[path]))
    return rows
