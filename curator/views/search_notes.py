"""What the Search place says around its rows: above them, below them, in place of them."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from curator import tones
from curator.safe import visible
from curator.views import lines, sayings, withheld
from curator.views.look import Look
from curator.views.page import Page
from store.model import Answer, Withheld

NOTHING_YET = "Nothing is remembered yet."
NOTHING_THEN = "Nothing was known and true then. N goes back to now, t asks of another moment."
NOTHING_FILTERED = "Nothing passes these filters."


@dataclass(frozen=True, slots=True)
class NothingPage:
    """In place of the rows of an answer without any."""

    answer: Answer
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        if not self.answer.moment.is_now and not self.answer.query.strip():
            return Page(tuple(lines.wrap(Content(NOTHING_THEN), width)))
        if not self.answer.query.strip():
            enter = Content.assemble(("enter", tones.KEY), ("  how to begin", tones.MUTED))
            return Page(lines.joined([lines.wrap(Content(NOTHING_YET), width), [enter]]))
        if self.answer.browse:
            return Page(tuple(lines.wrap(Content(NOTHING_FILTERED), width)))
        return Page(sayings.no_match(self.answer, self.look, width))


def held_line(held: Withheld, look: Look, width: int) -> Content:
    """`held back 3 superseded, 2 below floor   w show`."""
    return withheld.line(held, look, width)


def banner(answer: Answer, width: int) -> Content:
    """What concerns the whole answer: weak matches, a channel that is off, words left out."""
    said = []
    if answer.only_weak:
        said.append(Content.styled(sayings.ONLY_WEAK, tones.WARN))
    for channel, why in answer.degraded.items():
        told = Content.assemble(f"{channel.capitalize()} search is off: ", visible(why), ".")
        said.append(told.stylize_before(tones.WARN))
    said += [Content.styled(note, tones.MUTED) for note in answer.notes]
    if answer.pruned:
        words = visible(", ".join(answer.pruned), multiline=False)
        told = Content.assemble("Too common to look for: ", words, ".")
        said.append(told.stylize_before(tones.MUTED))
    return Content("\n").join([line for part in said for line in lines.wrap(part, width)])
