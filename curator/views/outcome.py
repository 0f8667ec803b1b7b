"""What a proposal would become, on what grounds it was made, and how the like was decided."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from textual.content import Content

from curator import glyphs, tones
from curator.safe import visible, visible_str
from curator.views import impact as impacts
from curator.views import lines, numbers, review, sources, when, worddiff
from curator.views.hits import matched
from curator.views.look import Look
from curator.views.page import Page
from curator.views.review import letter
from curator.views.sources import Shown
from store.model import Draft, Flag, Proposal, ProposalKind
from store.review.judge.evidence import wording_of
from store.search.told import Impact

_LABEL = 12
_GLYPHS = {
    Flag.HIDDEN: glyphs.HIDDEN,
    Flag.INSTRUCTION: glyphs.INSTRUCTION,
    Flag.STALE: glyphs.DIFFERS,
    Flag.CROSS_SCOPE: glyphs.DISPUTED,
}
_CLOSES = {
    ProposalKind.MERGE: "close as merged",
    ProposalKind.CONTRADICTION: "one closes, or both are doubted",
}
_A_NAME = re.compile(r"[a-z]+(?:_[a-z]+)+")
_NOT_SAID = ("findings", "attempts", "cited", "wording")
"""Shown elsewhere: who tried, the cited words in the source, a wording under the text."""


@dataclass(frozen=True, slots=True)
class OutcomePage:
    """The text that would be written, `+` and `−` against A; then what happens to the rest."""

    proposal: Proposal
    look: Look
    instructions: Sequence[tuple[int, int]] = ()
    compact: bool = False
    shown: Mapping[str, Shown] = field(default_factory=dict)

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room = min(width, lines.MEMORY_CELLS)
        written = self.proposal.result is not None
        trust = self.look.worded(glyphs.UNREVIEWED) if written else ""
        head = Content.assemble(
            (deed(self.proposal) + "   ", tones.MUTED),
            (trust, tones.MUTED),
        )
        text, wording = self._text(room), self._wording(room)
        groups = [[lines.cut(head, room)], text, wording, self._rest(room)]
        if self.compact:
            groups = [text, wording, [lines.cut(head, room)], self._brief(room)]
        return Page(lines.joined(groups))

    def _text(self, width: int) -> list[Content]:
        draft = self.proposal.result
        if draft is None:
            return []
        before = self.proposal.sources[0].text if self.proposal.sources else None
        if before is None or self.proposal.kind is ProposalKind.EXTRACT:
            return lines.wrap(matched(draft.text, None, self.instructions), width)
        diff = worddiff.compare(before, draft.text)
        return lines.wrap(worddiff.content(diff, self.look), width)

    def _wording(self, width: int) -> list[Content]:
        """What a judge would write for a merge; taken only by hand."""
        text = wording_of(self.proposal)
        if text is None:
            return []
        head = Content.assemble(
            ("a model words it so; ", tones.MUTED), ("e", tones.KEY), (" takes it", tones.MUTED)
        )
        return [head, *lines.wrap(visible(text), width)]

    def _rest(self, width: int) -> list[Content]:
        """The sources, the tags, the time, and what approving means for hidden characters."""
        one, found = self.proposal, list[Content]()
        for role, words in (
            ("closes", _CLOSES.get(one.kind, "close")),
            ("stays", "stays as it is"),
            ("returns", "comes back"),
            ("frees", "agents recall it again"),
            ("source", "stays, named as its source"),
        ):
            named = [letter(at) for at, s in enumerate(one.sources) if s.role == role]
            if named:
                said = Content.assemble(f"{words}; ", ("u", tones.KEY), (" undoes", tones.MUTED))
                label = lines.cut_text(" and ".join(named), _LABEL - 1)
                found += lines.field(label, said, width, label_cells=_LABEL)
        if one.result is not None:
            found += self._draft(one.result, width)
        if Flag.HIDDEN in one.flags:
            found += lines.wrap(Content("approve opens it without the hidden characters"), width)
        return found

    def _draft(self, draft: Draft, width: int) -> list[Content]:
        found = lines.field("in", visible(draft.scope, multiline=False), width, label_cells=_LABEL)
        if draft.subject:
            subject = visible(draft.subject, multiline=False)
            found += lines.field("subject", subject, width, label_cells=_LABEL)
        if draft.tags:
            tags = visible(", ".join(draft.tags), multiline=False)
            found += lines.field("tags", tags, width, label_cells=_LABEL)
        return found

    def _brief(self, width: int) -> list[Content]:
        """One line each of precedent, impact and flags; then why, and who tried."""
        one, before = self.proposal, self.proposal.precedents
        rule = visible_str(one.rule, multiline=False)
        line = Content.assemble(
            (f"by {rule}   before: ", tones.MUTED),
            f"{numbers.count(before.approved)} approved, {numbers.count(before.declined)} declined",
        )
        see = Content.assemble(("i", tones.KEY), (" see", tones.MUTED))
        flags = lines.spaced(flag_lines(one, self.look, width), gap=3)
        because = [] if not one.rationale else lines.wrap(visible(one.rationale), width)
        tried = sources.attempt_lines(one, self.look, width)
        return [
            *(lines.wrap(flags, width) if flags else []),
            lines.cut(line, width),
            lines.between(self._impact(), see, width),
            *because,
            *tried,
        ]

    def _impact(self) -> Content:
        told = [
            f"{letter(at)} shown {numbers.many(self.shown[source.id].times, 'time')}"
            for at, source in enumerate(self.proposal.sources)
            if source.id in self.shown
        ]
        said = ", ".join(told) or "no agent was shown it"
        return Content.assemble(("impact  ", tones.MUTED), said)


def deed(one: Proposal) -> str:
    """What approving does, in words: `merge A and B into one`."""
    names = " and ".join(letter(at) for at in range(len(one.sources)))
    words = {
        ProposalKind.MERGE: f"merge {names} into one",
        ProposalKind.CONTRADICTION: f"{names} contradict; you choose which holds",
        ProposalKind.RETIRE: f"retire {names}",
        ProposalKind.EXTRACT: f"1 new memory from {names}",
        ProposalKind.HELD: "1 new memory"
        if not one.sources
        else f"{visible_str(one.act)} {'' if one.act == 'release' else 'of '}{names}",
    }
    if one.kind is ProposalKind.SUPERSEDE:
        return f"{names.partition(' ')[0]} is replaced" + (
            "" if one.result is not None else " by B"
        )
    return words[one.kind]


def flag_lines(one: Proposal, look: Look, width: int) -> list[Content]:
    """Flags in words, each by itself."""
    return [lines.cut(sign.content(look).stylize("bold"), width) for sign in review.signs(one)]


@dataclass(frozen=True, slots=True)
class GroundsPage:
    """By whom or what rule, why, and how proposals like it were decided before."""

    proposal: Proposal
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        one, room = self.proposal, min(width, lines.CARD_CELLS)
        proposer = visible(one.proposer, multiline=False)
        by_rule = one.proposer.startswith("system:")
        found = lines.field("by rule" if by_rule else "rule", _said(one.rule), room)
        found += lines.field("proposed by", proposer, room)
        if one.rationale:
            found += lines.field("because", visible(one.rationale), room)
        for name, value in one.evidence.items():
            if name not in _NOT_SAID and value is not None:
                found += lines.field(
                    lines.cut_text(visible_str(name.replace("_", " "), multiline=False), 12),
                    _value(value),
                    room,
                )
        tried = [] if not one.sources else sources.attempt_lines(one, self.look, room)
        groups = [found, flag_lines(one, self.look, room), tried, self._before(room)]
        return Page(lines.joined(groups))

    def _before(self, width: int) -> list[Content]:
        before, look = self.proposal.precedents, self.look
        found = [Content.styled("Decided before, like this", tones.STRONG)]
        for glyph, word, count in (
            (glyphs.VERIFIED, "approved", before.approved),
            (glyphs.DECLINED, "declined", before.declined),
        ):
            left = Content.styled(look.worded(glyph, word), glyph.tone)
            found.append(lines.between(left, Content(numbers.count(count)), width))
        if before.last_at is not None:
            why = "" if not before.last_reason else f': "{before.last_reason}"'
            last = visible(f"last {when.day(before.last_at, look.now)}{why}", style=tones.MUTED)
            found += lines.clip(last, width, 2)
        return found


def _is_sides(value: object) -> TypeGuard[list[list[dict[str, str]]]]:
    """The words in which two texts differ, side by side, as the rules found them."""
    return (
        isinstance(value, list)
        and any(value)
        and all(isinstance(side, list) for side in value)
        and all(isinstance(w, dict) and isinstance(w.get("text"), str) for s in value for w in s)
    )


def _said(text: str) -> Content:
    return visible(text, multiline=False)


def _value(value: object) -> Content:
    """In words: `one value differs`, 0.762, `15 minutes / 20 minutes`; else as JSON."""
    if isinstance(value, float):
        return Content(f"{value:.3f}")
    if isinstance(value, str) and _A_NAME.fullmatch(value):
        return Content(value.replace("_", " "))
    if _is_sides(value):
        return visible(
            " / ".join(", ".join(w["text"] for w in side) or "nothing" for side in value)
        )
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return visible(shown)


@dataclass(frozen=True, slots=True)
class ImpactPage:
    """What agents were told of the sources until now, and what "approve all" would take."""

    proposal: Proposal
    look: Look
    shown: Mapping[str, Shown] = field(default_factory=dict)
    alike: int = 0
    """Proposals of the same kind, rule and scope that wait, this one among them."""
    impact: Impact | None = None
    """What approving would do to the last recalls; None until that is known."""

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room = min(width, lines.MEMORY_CELLS)
        if self.impact is None:
            waiting = [Content.styled("asking the last recalls again…", tones.MUTED)]
            return Page(lines.joined([waiting, self._told(room), self._all(room)]))
        answers = impacts.groups(self.impact, self.look, room)
        return Page(lines.joined([*answers, self._told(room), self._all(room)]))

    def _told(self, width: int) -> list[Content]:
        one = self.proposal
        if not one.sources:
            return lines.wrap(
                Content("No agent has been shown this text; it never was stored."), width
            )
        found: list[Content] = []
        for at, source in enumerate(one.sources):
            known = self.shown.get(source.id)
            if known is None:
                said = Content("was never shown to an agent")
            else:
                ago = when.ago(known.last_at, self.look.now)
                many = numbers.many(known.times, "time")
                said = Content.assemble("was shown ", (many, tones.STRONG), f", last {ago}")
            found += lines.field(letter(at), said, width, label_cells=3)
        return found

    def _all(self, width: int) -> list[Content]:
        key = ("A", tones.KEY)
        if self.proposal.flags:
            said = Content.assemble(key, "  approve all does not take flagged proposals.")
        elif self.alike > 1:
            said = Content.assemble(
                key, f"  {numbers.count(self.alike)} like this wait; flagged ones are left."
            )
        else:
            said = Content.styled("No other like this waits.", tones.MUTED)
        return lines.wrap(said, width)
