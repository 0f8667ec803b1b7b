"""What an answer held back: the line below the results, and the rows behind `w`."""

from __future__ import annotations

from dataclasses import replace

from textual.content import Content

from curator import glyphs, tones
from curator.glyphs import Glyph
from curator.views import hits, lines, numbers
from curator.views.hits import HitRow
from curator.views.look import Look
from curator.views.standing import Flag
from store.model import Gate, Hit, Withheld

FULL_AT = 50
"""The shadow pool's size: a count of None means that it was full."""
_LABEL = "held back"

GATES: dict[str, tuple[str, Glyph | None]] = {
    Gate.SUPERSEDED: ("superseded", None),
    Gate.CHANGED: ("changed", None),
    Gate.MERGED: ("merged", None),
    Gate.RETIRED: ("retired", None),
    Gate.ARCHIVED: ("archived", None),
    Gate.EXPIRED: ("expired", None),
    Gate.NOT_YET_KNOWN: ("not yet known", None),
    Gate.NOT_YET_VALID: ("not yet true", None),
    Gate.NO_LONGER_VALID: ("no longer true", None),
    Gate.OVERRIDDEN: ("overridden", None),
    Gate.BELOW_FLOOR: ("below floor", None),
    Gate.OUT_OF_SCOPE: ("out of scope", None),
    Gate.FILTERED: ("filtered out", None),
    Gate.UNREVIEWED: ("unreviewed", glyphs.UNREVIEWED),
    Gate.DISPUTED: ("disputed", glyphs.DISPUTED),
    Gate.REJECTED: ("rejected", glyphs.ERASED),
    Gate.QUARANTINED: ("quarantined", glyphs.QUARANTINED),
    Gate.HELD: ("held", glyphs.HELD),
}
"""In the order they are said: the quiet ones first, those that carry a glyph last."""


def line(
    withheld: Withheld, look: Look, width: int, *, key: str = "w", said: str = "show"
) -> Content:
    """`held back 3 superseded, 2 below floor, ⊘ 1 quarantined   w show`, in one line.

    What does not fit is counted: `and 4 others`. Empty when nothing was held back.
    """
    parts = [_part(gate, count, look) for gate, count in _counted(withheld)]
    if not parts:
        return Content("")
    right = Content.assemble((key, tones.KEY), (f" {said}", tones.MUTED)) if key else Content("")
    label = Content.styled(f"{_LABEL} ", tones.MUTED)
    room = width - label.cell_length - right.cell_length - 2
    for kept in range(len(parts), 0, -1):
        rest = _rest(_counted(withheld)[kept:])
        told = Content(", ").join([*parts[:kept], *([rest] if rest else [])])
        if told.cell_length <= room or kept == 1:
            return lines.between(Content.assemble(label, told), right, width)
    return Content("")


def rows(withheld: Withheld, look: Look) -> tuple[HitRow, ...]:
    """The rows that were held back, each with its gate as the first flag; browsed, unranked."""
    several = len({held.memory.scope for held in withheld.rows}) > 1
    found = []
    for held in withheld.rows:
        words, glyph = GATES.get(held.gate, (held.gate.replace("_", " "), None))
        row = hits.row(Hit(held.memory, None), look, show_scope=several)
        why = Flag(glyph or glyphs.CLOSED, f"held back: {words}")
        kept = tuple(flag for flag in row.flags if flag.glyph not in (glyphs.CLOSED, glyphs.ERASED))
        found.append(replace(row, flags=(why, *kept)))
    return tuple(found)


def _counted(withheld: Withheld) -> list[tuple[str, int | None]]:
    """Gates that held something back, in the order they are said; unknown ones last."""
    counts = withheld.counts
    known = [(str(gate), counts[gate]) for gate in GATES if counts.get(gate, 0) != 0]
    return known + [(g, n) for g, n in sorted(counts.items()) if g not in GATES and n != 0]


def _number(count: int | None) -> str:
    return f"{FULL_AT}+" if count is None else numbers.count(count)


def _part(gate: str, count: int | None, look: Look) -> Content:
    words, glyph = GATES.get(gate, (gate.replace("_", " "), None))
    said = f"{_number(count)} {words}"
    if glyph is None:
        return Content(said)
    return Content.styled(look.worded(glyph, said), glyph.tone)


def _rest(counts: list[tuple[str, int | None]]) -> Content | None:
    """What had no room, as `4 others`."""
    if not counts:
        return None
    total = sum(FULL_AT if count is None else count for _, count in counts)
    more = "+" if any(count is None for _, count in counts) else ""
    return Content(f"{numbers.count(total)}{more} other{'s' if total != 1 else ''}")
