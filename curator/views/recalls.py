"""What agents asked: a row each, and one asked again, as logged, then and now (visual.md §4)."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from curator import glyphs, tones
from curator.safe import visible, visible_str
from curator.views import causes, lines, numbers, standing, when
from curator.views.look import Look
from curator.views.page import Page, Stop
from curator.views.standing import Flag
from store.search.told import Moved, Recall, Replay, Replayed, Standing

_AGENT, _RANK, _COLUMN = 14, 6, 9
_MOST_READ = 600


@dataclass(frozen=True, slots=True)
class RecallRow:
    """Two lines: the question and what became of its answer; who, when, how much was shown."""

    recall: Recall
    look: Look
    outcome: Content | None = None
    """How the answer differs now; None while that is not known."""

    @property
    def key(self) -> str:
        return str(self.recall.number)

    def lines(self, width: int, moved: Flag | None = None) -> tuple[Content, ...]:
        """See `rows.Row`."""
        one, now = self.recall, self.look.now
        right = self.outcome or Content("")
        if one.query is not None and not one.shown and self.outcome is None:
            right = Content.styled("no match", tones.WARN)
        agent = lines.cut(visible(one.actor.partition(":")[2], multiline=False), _AGENT - 1)
        today = when.day(one.at, now) == when.day(now, now)
        at = when.date(one.at, now)[-5:] if today else when.date(one.at, now)
        left = Content.assemble(lines.pad(agent, _AGENT), at).stylize_before(tones.MUTED)
        shown = Content.styled(f"{numbers.count(one.shown)} shown", tones.MUTED)
        return (
            lines.between(question(one), right, width),
            lines.between(left, shown, width),
        )


def question(one: Recall) -> Content:
    """The question in quotes, or that it was erased."""
    if one.query is None:
        return Content.styled("(question erased)", tones.MUTED)
    if not one.query.strip():
        return Content.styled("(everything, newest first)", tones.MUTED)
    return Content.assemble('"', visible(one.query[:_MOST_READ], multiline=False), '"')


@dataclass(frozen=True, slots=True)
class ErasedPage:
    """A recall whose question was erased: what is left of it."""

    recall: Recall
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room = min(width, lines.MEMORY_CELLS)
        said = "The question was erased, and with it what it was shown."
        return Page(lines.joined([head(self.recall, room), lines.wrap(Content(said), room)]))


def head(one: Recall, width: int) -> list[Content]:
    """Question and moment; who asked, with which grant and profile."""
    date = Content.styled(when.second(one.at), tones.MUTED)
    session = () if one.session is None else (f"session {visible_str(one.session)}",)
    scopes = ", ".join(visible_str(path, multiline=False) for path in one.scopes)
    agent = visible_str(one.actor.partition(":")[2], multiline=False)
    said = lines.spaced([Content(agent), *(Content(s) for s in session)])
    grant = Content(f"read grant {scopes}")
    left = lines.spaced([said, grant], gap=3).stylize_before(tones.MUTED)
    profile = Content.styled(f"profile {visible_str(one.profile, multiline=False)}", tones.MUTED)
    strong = question(one).stylize_before(tones.STRONG)
    return [lines.between(strong, date, width), lines.between(left, profile, width)]


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """Logged, then and now side by side; each memory is a stop, by its id."""

    replay: Replay
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room = min(width, lines.MEMORY_CELLS + 3 * _COLUMN)
        laid = [*head(self.replay.recall, room), Content(""), *self._titles(room)]
        stops: list[Stop] = []
        for row in self.replay.rows:
            if stops:
                laid.append(Content(""))
            start = len(laid)
            laid += self._row(row, room)
            stops.append(Stop(row.id, start, len(laid)))
        if not self.replay.rows:
            laid.append(Content("Nothing was shown, and nothing would be shown now."))
        laid += [Content(""), *self._legend(room)]
        return Page(tuple(laid), tuple(stops))

    def _titles(self, width: int) -> list[Content]:
        ranks = "".join(name.rjust(_RANK).ljust(_COLUMN) for name in ("logged", "then", "now"))
        left = Content.styled(f"{ranks}memory", tones.MUTED)
        right = Content.styled("moved, and why", tones.MUTED)
        return [lines.between(left, right, width), lines.rule(width)]

    def _row(self, row: Replayed, width: int) -> list[Content]:
        ranks = Content.assemble(
            _rank(row.logged, tones.PLAIN),
            _rank(row.then, tones.PLAIN),
            _rank(row.now, tones.STRONG),
        )
        first = Content.assemble(ranks, _text(row))
        below = Content.assemble(" " * (3 * _COLUMN), self._state(row))
        why = causes.because(row.causes, self.look)
        moved = causes.movement(row, self.look)
        found = [lines.between(first, moved, width)]
        said = Content.styled(why, tones.MUTED)
        if below.cell_length + said.cell_length + 2 <= width:
            return [*found, lines.between(below, said, width)]
        room = max(20, width - 3 * _COLUMN)
        pushed = [line.pad_left(3 * _COLUMN) for line in lines.wrap(said, room)]
        return [*found, lines.cut(below, width), *pushed]

    def _state(self, row: Replayed) -> Content:
        """`v2 → v3  ✓ verified`."""
        if row.text is None and row.memory is None:
            gone = (self.look.worded(glyphs.ERASED), tones.DANGER)
            return Content.assemble((f"{standing.short_id(row.id)}  ", tones.MUTED), gone)
        versions = [s.version for s in (row.logged or row.then, row.now) if s is not None]
        said = f" {self.look.sign(glyphs.CHANGES)} ".join(
            f"v{number}" for number in dict.fromkeys(versions)
        )
        parts = [Content.styled(said, tones.MUTED)]
        if row.memory is not None:
            parts.append(standing.trust(row.memory, self.look))
            if row.memory.closed_at is not None:
                parts.append(standing.state(row.memory, self.look))
        return lines.spaced(parts)

    def _legend(self, width: int) -> list[Content]:
        said = Content.assemble(
            ("logged", tones.STRONG),
            (" what the agent was shown   ", tones.MUTED),
            ("then", tones.STRONG),
            (" the same question on the store of that moment   ", tones.MUTED),
            ("now", tones.STRONG),
            (" what it would be shown now.", tones.MUTED),
        )
        grounds = _grounds(self.replay)
        notes = [Content.styled(note, tones.WARN) for note in (*grounds, *self.replay.notes)]
        return [*lines.wrap(said, width), *(line for n in notes for line in lines.wrap(n, width))]


def _grounds(replay: Replay) -> list[str]:
    """What of the ranking is another than when it was asked, where that shows."""
    if all(row.logged == row.then or row.moved is Moved.NEW for row in replay.rows):
        return []
    found = [
        name
        for name, changed in (
            ("the model", replay.model_changed),
            ("the ranking's constants", replay.constants_changed),
            ("the statistics of words", replay.statistics_changed),
        )
        if changed
    ]
    if not found:
        return ["Rows differ between logged and then because marks carry no history."]
    return [f"Since it was asked {' and '.join(found)} changed: logged and then may differ."]


def _rank(standing: Standing | None, tone: str) -> Content:
    said, tone = ("–", tones.MUTED) if standing is None else (str(standing.rank), tone)
    return Content.styled(said.rjust(_RANK), tone).pad_right(_COLUMN - _RANK)


def _text(row: Replayed) -> Content:
    if row.text is None:
        return Content.styled("(text erased)", tones.MUTED)
    return visible(row.text[:_MOST_READ], multiline=False)
