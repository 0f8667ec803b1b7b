"""Short answers in words: counters, positions, and what is said when nothing is found."""

from __future__ import annotations

from textual.content import Content

from curator import tones
from curator.safe import visible_str
from curator.views import lines, numbers, withheld
from curator.views.look import Look
from store.model import Answer

ONLY_WEAK = "Only weak matches: none holds more than one of your words."
SEARCHING = Content.styled("searching…", tones.MUTED)


def opening(store: str) -> Content:
    """The first answer of a store takes longest: `opening harbor.db…`."""
    return Content.styled(f"opening {visible_str(store, multiline=False)}…", tones.MUTED)


def counter(answer: Answer, took: float | None = None) -> Content:
    """What the query bar says: `7 of 640   14 ms`; `took` in milliseconds, None is not said."""
    figure = (numbers.count(answer.total), tones.STRONG)
    of = "" if answer.browse else f" of {numbers.count(answer.searched)}"
    time = "" if took is None else f"   {numbers.milliseconds(took)}"
    return Content.assemble(figure, (of + time, tones.MUTED))


def position(first: int, last: int, total: int) -> str:
    """Which rows are in sight, counted from 1: `1–8 of 12`; one row is `3 of 12`."""
    if not total:
        return ""
    rows = str(first) if first == last else f"{numbers.count(first)}–{numbers.count(last)}"
    return f"{rows} of {numbers.count(total)}"


def no_match(answer: Answer, look: Look, width: int) -> tuple[Content, ...]:
    """What stands in place of the rows: what was asked where, what was held back, what to do."""
    where = " and ".join(answer.scopes) if answer.scopes else "the whole store"
    scope = visible_str(where, multiline=False)
    asked = visible_str(answer.query, multiline=False)
    said = Content.assemble(f'Nothing in {scope} comes close to "', (asked, tones.STRONG), '".')
    held = [] if answer.withheld is None else [withheld.line(answer.withheld, look, width)]
    wider = Content.assemble(("S", tones.KEY), ("  search in a wider scope", tones.MUTED))
    return lines.joined(
        [
            lines.wrap(said, min(width, lines.MEMORY_CELLS)),
            [line for line in held if line],
            [wider] if answer.scopes else [],
        ]
    )
