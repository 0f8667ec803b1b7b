"""The two rows at the top: places, and what is being looked at (visual.md §4, §6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from textual.content import Content

from curator import glyphs, tones
from curator.keys import KEYS
from curator.safe import visible_str
from curator.views import lines, numbers, when
from curator.views.look import Look
from store.model import NOW, Moment

_SHORTEST_SCOPE = 12
SMALLEST = (80, 24)
PLACES = tuple((key.keys, key.word) for key in KEYS if key.room == "go" and key.word != "Triage")


@dataclass(frozen=True, slots=True)
class Status:
    """What the person looks at, and what waits for them."""

    place: str
    store: str
    """File name or address, raw."""
    scope: str | None = None
    """None is the whole store."""
    moment: Moment = NOW
    live: bool = True
    """Whether changes of others appear by themselves."""
    new: int = 0
    """Rows that came since the person looked."""
    waiting: int = 0
    """Proposals in the review queue."""
    oldest: datetime | None = None
    notice: str | None = None
    """One thing that must be known: a broken log, meaning not loaded yet."""
    alarming: bool = False
    """Whether the notice is in the danger tone."""


def too_small(width: int, height: int) -> str | None:
    """What is said under 80×24; shorter where even that has no room."""
    if not width or (width >= SMALLEST[0] and height >= SMALLEST[1]):
        return None
    needs = f"needs {SMALLEST[0]}×{SMALLEST[1]}"
    whole = f"{needs}, has {width}×{height}"
    return whole if len(whole) + 2 <= width else needs


def wide(status: Status, look: Look, width: int) -> Content:
    """The status line of 100 columns and more."""
    if not status.moment.is_now:
        return _past(status, look, width)
    right = lines.spaced([_notice(status), _new(status), _live(status, look)], gap=3)
    store = Content(visible_str(status.store, multiline=False))
    as_of = Content.assemble(("as of ", tones.MUTED), "now")
    room = width - right.cell_length - store.cell_length - as_of.cell_length - 12
    return lines.between(lines.spaced([store, _scope(status, room), as_of], gap=3), right, width)


def narrow(status: Status, look: Look, width: int) -> Content:
    """Below 100 columns or 30 rows: it names the place too, and what waits."""
    if not status.moment.is_now:
        return _past(status, look, width)
    place = Content.styled(status.place, tones.STRONG_ACCENT)
    notice, live = _notice(status), _live(status, look)
    right = Content("")
    for said in ([notice, live, waiting(status, look, short=True)], [notice, live], [notice]):
        right = lines.spaced(said, gap=3)
        if right.cell_length + place.cell_length + 2 <= width:
            break
    else:
        return lines.cut(notice or place, width)
    store = Content.styled(visible_str(status.store, multiline=False), tones.MUTED)
    room = width - right.cell_length - place.cell_length - store.cell_length - 11
    scope = _path(status, room)
    now = Content.styled("now", tones.MUTED)
    return lines.between(lines.spaced([place, store, scope, now]), right, width)


def waiting(status: Status, look: Look, *, short: bool = False) -> Content:
    """`Review 12, oldest 3 d`; nothing when nothing waits."""
    if not status.waiting:
        return Content("")
    oldest = ""
    if status.oldest is not None:
        oldest = f", {'' if short else 'oldest '}{when.age(status.oldest, look.now)}"
    tone = tones.WARN if short else tones.STRONG_WARN
    return Content.styled(f"Review {numbers.count(status.waiting)}{oldest}", tone)


def _past(status: Status, look: Look, width: int) -> Content:
    """`◷ PAST  true at …   known at …   nothing can be changed here   N back to now`.

    Store and scope go first, then words; the moment itself is never cut.
    """
    at = (("true", status.moment.true_at), ("known", status.moment.known_at))
    where = [visible_str(status.store, multiline=False), _path_text(status, 40)]
    past = look.worded(_moment_glyph(status, look))
    line = Content("")
    for shown, word, said in (
        (where, " at", "nothing can be changed here   N back to now"),
        (where[:1], " at", "nothing can be changed here   N back to now"),
        ([], " at", "nothing can be changed here   N back to now"),
        ([], "", "nothing can be changed   N now"),
        ([], "", "N now"),
    ):
        times = [f"{axis}{word} {when.full(moment)}" for axis, moment in at if moment is not None]
        left = Content.styled(f"{past}  " + "   ".join(times), tones.STRONG)
        whole = lines.spaced([left, *map(Content, shown)], gap=3)
        right = Content.styled(said, tones.STRONG)
        line = lines.between(whole, right, width)
        if whole.cell_length + right.cell_length + 2 <= width:
            break
    return line.stylize_before(tones.PAST)


def is_ahead(moment: Moment, now: datetime) -> bool:
    """Whether it is what is announced, and no past: unless the store is shown as it was known
    before."""
    known_before = moment.known_at is not None and moment.known_at < now
    return moment.true_at is not None and moment.true_at > now and not known_before


def _moment_glyph(status: Status, look: Look) -> glyphs.Glyph:
    ahead = is_ahead(status.moment, look.now)
    return replace(glyphs.PAST, word="FUTURE") if ahead else glyphs.PAST


def _scope(status: Status, room: int) -> Content:
    label = Content.styled("scope ", tones.MUTED)
    if status.scope is None:
        return Content.assemble(label, "whole store")
    path = _path_text(status, max(_SHORTEST_SCOPE, room - 16))
    return Content.assemble(label, path, (" and below", tones.MUTED))


def _path(status: Status, room: int) -> Content:
    return Content(_path_text(status, max(_SHORTEST_SCOPE, room)))


def _path_text(status: Status, room: int) -> str:
    if status.scope is None:
        return "whole store"
    return lines.middle(visible_str(status.scope, multiline=False), room)


def _notice(status: Status) -> Content:
    if status.notice is None:
        return Content("")
    tone = tones.STRONG_DANGER if status.alarming else tones.WARN
    return Content.styled(visible_str(status.notice, multiline=False), tone)


def _new(status: Status) -> Content:
    said = f"{numbers.count(status.new)} new since you looked" if status.new else ""
    return Content.styled(said, tones.MUTED) if said else Content("")


def _live(status: Status, look: Look) -> Content:
    if status.live:
        return Content.styled(look.worded(glyphs.CURRENT, "live"), tones.ACCENT)
    return Content.styled(look.worded(glyphs.CLOSED, "not live"), tones.MUTED)
