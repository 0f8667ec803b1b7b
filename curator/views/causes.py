"""Movements and causes of a replay, and the shifts of an impact, in words."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from curator import glyphs, tones
from curator.glyphs import Glyph
from curator.safe import visible_str
from curator.views import numbers, when
from curator.views.look import Look
from store.search.told import Because, Cause, Moved, Replay, Replayed

_TONES = {
    Moved.SAME: tones.MUTED,
    Moved.UP: tones.STRONG_ACCENT,
    Moved.DOWN: tones.STRONG_WARN,
    Moved.NEW: tones.STRONG_ACCENT,
    Moved.GONE: tones.STRONG_DANGER,
    Moved.HELD: tones.STRONG_DANGER,
}
_SIGNS: dict[Moved, Glyph] = {
    Moved.SAME: glyphs.SAME,
    Moved.UP: glyphs.UP,
    Moved.DOWN: glyphs.DOWN,
    Moved.NEW: glyphs.NEW,
    Moved.GONE: glyphs.ERASED,
    Moved.HELD: glyphs.QUARANTINED,
}
_DONE = {
    "correct": "corrected",
    "change": "changed",
    "retire": "retired",
    "reject": "rejected",
    "restore": "restored",
    "merge": "merged",
    "unmerge": "unmerged",
    "move": "moved",
    "supersede": "superseded",
    "forget": "forgotten",
    "undo": "undone",
    "verify": "verified",
    "dispute": "disputed",
    "quarantine": "quarantined",
    "release": "released",
    "archive": "archived",
    "unarchive": "unarchived",
    "erase": "erased",
}
_PLAIN = {
    Because.WRITTEN: "written after the recall",
    Because.TIME: "its time came or was over",
    Because.CONSTANTS: "constants changed",
    Because.MODEL: "another model",
    Because.STATISTICS: "statistics moved",
    Because.OTHERS: "one that changed passed it",
}


def movement(row: Replayed, look: Look) -> Content:
    """`= same`, `▲ up 2`, `▼ down 1`, `+ new`, `× gone`, `⊘ held back`."""
    sign = look.sign(_SIGNS[row.moved])
    by = ""
    if row.logged is not None and row.now is not None and row.moved is not Moved.SAME:
        by = f" {abs(row.logged.rank - row.now.rank)}"
    return Content.styled(f"{sign} {row.moved.value}{by}", _TONES[row.moved])


def cause(one: Cause, look: Look) -> str:
    """`corrected 26 Nov`, `2 above it left`, `constants changed`."""
    if one.because is Because.LEFT:
        return f"{numbers.count(one.count)} above it left"
    if one.because is Because.CAME:
        return f"{numbers.count(one.count)} new above it"
    if one.event is not None and one.because in (Because.CHANGED, Because.ERASED):
        done = _DONE.get(one.event.action, visible_str(one.event.action, multiline=False))
        by = f" by {visible_str(one.event.actor.partition(':')[2], multiline=False)}"
        return f"{done} {when.day(one.event.at, look.now)}{by}"
    return _PLAIN.get(one.because, one.because.value)


def because(causes: Sequence[Cause], look: Look) -> str:
    """All causes of one row."""
    return "; ".join(cause(one, look) for one in causes)


def summary(replay: Replay, look: Look) -> Content:
    """What a row of the list says: `= same`, `× 2 gone, 4 moved`, `no match`."""
    gone = sum(row.moved in (Moved.GONE, Moved.HELD) for row in replay.rows)
    moved = sum(row.moved in (Moved.UP, Moved.DOWN) for row in replay.rows)
    new = sum(row.moved is Moved.NEW for row in replay.rows)
    rewritten = sum(
        row.logged is not None and row.now is not None and row.logged.version != row.now.version
        for row in replay.rows
    )
    parts = [
        f"{numbers.count(n)} {word}"
        for n, word in ((gone, "gone"), (new, "new"), (rewritten, "rewritten"), (moved, "moved"))
        if n
    ]
    if not replay.rows:
        return Content.styled("no match", tones.WARN)
    if not parts:
        return Content.styled(look.worded(glyphs.SAME), tones.MUTED)
    glyph = glyphs.ERASED if gone else glyphs.NEW if new else glyphs.DIFFERS
    if moved and not (gone or new or rewritten):
        sign = look.sign(glyphs.UP) + look.sign(glyphs.DOWN)
    else:
        sign = look.sign(glyph)
    parts = parts[:2]  # the rest is in the replay
    tone = tones.DANGER if gone else tones.ACCENT if new and not rewritten else tones.WARN
    return Content.styled(f"{sign} {', '.join(parts)}", tone)
