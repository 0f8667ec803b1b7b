"""Why a memory stands where it does for a question, or what kept it out of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from textual.content import Content

from curator import tones
from curator.safe import visible, visible_str
from curator.views import lines, numbers, standing
from curator.views.look import Look
from curator.views.page import Page
from curator.views.score import ScorePage, channel_lines, evidence_lines, factor_lines
from store.model import Gate, Hit, Why

REASONS: dict[str, str] = {
    Gate.OUT_OF_SCOPE: "It lies outside the scope that was asked.",
    Gate.FILTERED: "The question's own filters leave it out.",
    Gate.CHANGED: "The world has changed: a later version holds now.",
    Gate.MERGED: "It was merged; the memory it went into answers in its place.",
    Gate.REJECTED: "It was rejected, and a tombstone keeps its value out.",
    Gate.RETIRED: "It was retired without a successor.",
    Gate.SUPERSEDED: "A correction replaced it: it was never true.",
    Gate.QUARANTINED: "It is quarantined: nobody is told it until a person releases it.",
    Gate.DISPUTED: "It is disputed, and disputed memories are not shown here.",
    Gate.UNREVIEWED: "No person has reviewed it, and such memories are not shown here.",
    Gate.ARCHIVED: "It is archived: kept, but out of ordinary answers.",
    Gate.EXPIRED: "Its time has expired.",
    Gate.NOT_YET_KNOWN: "The store did not know it yet then.",
    Gate.NOT_YET_VALID: "It is not true yet.",
    Gate.NO_LONGER_VALID: "It is no longer true.",
    Gate.OVERRIDDEN: "A memory of a narrower scope overrides it here.",
    Gate.BELOW_FLOOR: "Too little of the question is in it: its evidence is below the floor.",
    Gate.HELD: "It is held back.",
    "rank": "Others ranked above it.",
}


@dataclass(frozen=True, slots=True)
class WhyPage:
    """The answer of `why`, as a page; `degraded` as in the search's answer."""

    why: Why
    query: str
    look: Look
    degraded: Mapping[str, str] = field(default_factory=dict)

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        why, room = self.why, min(width, lines.CARD_CELLS)
        if why.hit is not None:
            score = ScorePage(why.hit, self.look, degraded=self.degraded).page(width)
            return Page(lines.joined([self._asked(room), score.lines]))
        text = visible(why.memory.text, multiline=False)
        # The channels of a row that was kept out are laid as those of a hit without a score.
        as_hit = Hit(
            why.memory,
            None,
            rrf=sum(channel.share for channel in why.channels.values()),
            evidence=why.evidence,
            channels=why.channels,
            factors=why.factors,
        )
        shown = ScorePage(as_hit, self.look, degraded=self.degraded)
        return Page(
            lines.joined(
                [
                    self._asked(room),
                    [lines.between(*standing.heading(why.memory, self.look), room)],
                    lines.clip(text, min(width, lines.MEMORY_CELLS), 3),
                    self._reason(room),
                    channel_lines(shown, room) if why.channels else [],
                    evidence_lines(why.evidence, why.channels, room),
                    factor_lines(why.factors, why.memory, self.look, room),
                ]
            )
        )

    def _asked(self, width: int) -> list[Content]:
        asked = visible_str(self.query, multiline=False)
        return [lines.cut(Content.assemble(("asked  ", tones.MUTED), f'"{asked}"'), width)]

    def _reason(self, width: int) -> list[Content]:
        """What kept it out, its rank and score with what it needed, and the advice."""
        why = self.why
        gate = why.gate or "rank"
        said = Content.styled(REASONS.get(gate, "It was kept out."), tones.STRONG_WARN)
        found = lines.wrap(said, width)
        if why.rank is not None:
            about = "about " if why.about else ""
            told = f"It would be at rank {about}{numbers.count(why.rank)}"
            if why.score is not None:
                told += f" with a score of {numbers.share(why.score)}"
            if why.needed is not None:
                told += f"; the last one shown has {numbers.share(why.needed)}"
            found += lines.wrap(Content(f"{told}."), width)
        if why.advice:
            found += lines.wrap(visible(why.advice), width)
        return found
