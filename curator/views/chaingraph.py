"""How a chain is drawn: lanes, nodes and forks, and each step's lines (visual.md §4)."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from curator import glyphs, tones
from curator.glyphs import Glyph
from curator.safe import visible, visible_str
from curator.views import lines, worddiff
from curator.views.look import Look
from curator.views.page import Page, Stop
from curator.views.worddiff import Diff

_TEXT_LINES = 2
_NUMBER_CELLS = 4


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened to the chain: a version was written, or the last one ended."""

    key: str
    """`id@version`, or `id@end`."""
    lane: int
    glyph: Glyph
    state: str | None
    """Word beside the title, for the version that is current or announced."""
    version: str
    title: str
    date: str
    who: str
    why: str | None
    session: str | None
    effect: str | None
    diff: Diff | None
    text: str | None
    """Raw; shown where there is nothing to compare with."""
    forks: tuple[int, ...] = ()
    """Lanes that begin below this step."""
    alone: bool = False
    """Another memory beside the chain: no line leads to it or from it."""


@dataclass(frozen=True, slots=True)
class ChainPage:
    """The whole graph. Every step is a stop."""

    steps: tuple[Step, ...]
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        lanes = 1 + max((step.lane for step in self.steps), default=0)
        last = {step.lane: at for at, step in enumerate(self.steps) if not step.alone}
        running: set[int] = set()
        laid: list[Content] = []
        stops: list[Stop] = []
        for at, step in enumerate(self.steps):
            if laid:
                laid.append(_lanes(None, running, lanes, self.look))
            start = len(laid)
            title, *told = self._told(step, width - _graph_cells(lanes))
            laid.append(Content.assemble(_lanes(step, running, lanes, self.look), title))
            if not step.alone:
                goes_on = {step.lane} if last[step.lane] != at else set()
                running = (running - {step.lane}) | goes_on
            for number, line in enumerate(told):
                graph = _lanes(None, running, lanes, self.look)
                if number == 0 and step.forks:
                    running = running | set(step.forks)
                    graph = _fork(step, running, lanes)
                laid.append(Content.assemble(graph, line))
            stops.append(Stop(step.key, start, len(laid)))
        return Page(tuple(laid), tuple(stops))

    def _told(self, step: Step, width: int) -> list[Content]:
        """Title with date, who and why, the change, its effect; behind the version's column."""
        announced = step.glyph is glyphs.ANNOUNCED
        number = Content.styled(step.version, tones.STRONG_WARN if announced else tones.STRONG)
        room = max(10, width - _NUMBER_CELLS)
        title = Content.styled(step.title, tones.WARN if announced else tones.PLAIN)
        state = Content("")
        if step.state is not None:
            state = Content.styled(self.look.worded(step.glyph, step.state), step.glyph.tone)
        date = Content.styled(step.date, tones.MUTED)
        whole = lines.spaced([title, state])
        if whole.cell_length + 2 + date.cell_length <= room:
            head = [lines.between(whole, date, room)]
        else:
            head = [*lines.wrap(title, room), lines.between(state, date, room)]
        effect = Content.styled(step.effect or "", tones.MUTED)
        body = [
            *head[1:],
            *lines.clip(_who(step), room, _TEXT_LINES),
            *self._change(step, room),
            *(lines.wrap(effect, room) if effect else []),
        ]
        first = Content.assemble(lines.pad(number, _NUMBER_CELLS), head[0])
        return [first, *(line.pad_left(_NUMBER_CELLS) for line in body)]

    def _change(self, step: Step, width: int) -> list[Content]:
        if step.diff is not None and step.diff.kind != "same":
            return worddiff.excerpt(step.diff, self.look, width, _TEXT_LINES)
        if step.text is None:
            return []
        text = visible(step.text, multiline=False, style=tones.MUTED)
        return lines.clip(text, width, _TEXT_LINES)


def _who(step: Step) -> Content:
    """`human:dana   "reason"`."""
    parts = [visible(step.who, multiline=False)] if step.who else []
    if step.session:
        told = f"session {visible_str(step.session, multiline=False)}"
        parts.append(Content.styled(told, tones.MUTED))
    if step.why:
        quoted = Content.assemble('"', visible(step.why, multiline=False), '"')
        parts.append(quoted.stylize_before(tones.MUTED))
    return lines.spaced(parts, gap=3)


def _graph_cells(lanes: int) -> int:
    """Cursor cell, two cells a lane, and two of air."""
    return 1 + 2 * lanes + 2


def _lanes(node: Step | None, running: set[int], lanes: int, look: Look) -> Content:
    """One row of the graph: the node of a step, and `│` where other lanes run on."""
    parts: list[Content | tuple[str, str]] = [(" ", "")]
    for lane in range(lanes):
        if node is not None and node.lane == lane:
            parts.append((look.sign(node.glyph) + " ", node.glyph.tone))
        else:
            parts.append(("│ " if lane in running else "  ", tones.RULE))
    return Content.assemble(*parts, "  ")


def _fork(step: Step, running: set[int], lanes: int) -> Content:
    """`├─╮`: from the lane of a merge to the lanes that were merged into it."""
    last = max(step.forks)
    cells = ""
    for lane in range(lanes):
        if lane == step.lane:
            cells += "├─" if lane in running else "╰─"
        elif lane in step.forks:
            cells += "╮ " if lane == last else "┬─"
        elif step.lane < lane < last:
            cells += "┼─" if lane in running else "──"
        else:
            cells += "│ " if lane in running else "  "
    return Content.assemble(" ", (cells, tones.RULE), "  ")
