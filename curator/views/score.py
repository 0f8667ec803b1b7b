"""The Score tab: the answer taken apart, from the total down to each word (visual.md §4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod

from textual.content import Content

from curator import tones
from curator.safe import visible_str
from curator.views import lines, numbers, standing, when
from curator.views.bars import bar, plain_bar
from curator.views.hits import matched
from curator.views.look import Look
from curator.views.page import Page
from store.model import Channel, Evidence, Factor, Hit, Memory, Tier

LABEL_CELLS = 11
BAR_CELLS = 28
CHANNEL_BAR = 12
_RANK_AT, _BAR_AT, _RAW_AT, _REASON_AT = 13, 17, 31, 14
_TEXT_LINES = 6

CHANNELS = ("lexical", "semantic", "identifier")
FACTORS = ("authority", "recency", "confidence", "importance", "trust")
_RANGES = {
    "default": "stay in 0.8 to 1",
    "recent": "stay in 0.5 to 1",
    "relevance": "are off in this profile",
}


@dataclass(frozen=True, slots=True)
class ScorePage:
    """The Score tab of one hit."""

    hit: Hit
    look: Look
    profile: str = "default"
    degraded: Mapping[str, str] = field(default_factory=dict)
    """Channel → why it is off, from the answer."""
    query_words: int | None = None
    """Content words of the query, for `2 of 2 words`."""
    compact: bool = False
    """For short screens: no heading, no empty lines inside, no formula."""

    def page(self, width: int) -> Page:
        """See `Pageable`. Figures are flush right in at most 64 cells."""
        hit, room = self.hit, min(width, lines.CARD_CELLS)
        text = lines.clip(
            matched(hit.memory.text, hit), min(width, lines.MEMORY_CELLS), _TEXT_LINES
        )
        heading = (
            [] if self.compact else [lines.between(*standing.heading(hit.memory, self.look), room)]
        )
        if hit.score is None:
            told = [Content.styled("Not ranked: nothing was asked but filters.", tones.MUTED)]
            return Page(lines.joined([heading, text, told]))
        groups = [
            _total(hit, self.look, room),
            relevance_lines(hit, room),
            channel_lines(self, room),
            evidence_lines(
                hit.evidence, hit.channels, room, words=self.query_words, formula=not self.compact
            ),
            factor_lines(hit.factors, hit.memory, self.look, room, profile=self.profile),
        ]
        if self.compact:
            groups = [[line for group in groups for line in group]]
        return Page(lines.joined([heading, text, *groups]))


def _figure_line(label: str, said: Content, figure: str, width: int) -> Content:
    """`label      said                         0.995`."""
    left = Content.assemble(lines.pad(Content.styled(label, tones.STRONG), LABEL_CELLS), said)
    return lines.between(left, Content.styled(figure, tones.STRONG), width)


def _total(hit: Hit, look: Look, width: int) -> list[Content]:
    score, relevance = hit.score or 0.0, hit.relevance or 0.0
    cells = min(BAR_CELLS, width - LABEL_CELLS - 7)
    left = Content.assemble(
        lines.pad(Content.styled("score", tones.STRONG), LABEL_CELLS), bar(score, cells, look)
    )
    figure = Content.styled(numbers.share(score), tones.STRONG_ACCENT)
    factors = prod(factor.value for factor in hit.factors.values())
    told = f"relevance {numbers.share(relevance)} × factors {numbers.share(factors)}"
    return [
        lines.between(left, figure, width),
        lines.cut(Content.styled(told, tones.MUTED).pad_left(LABEL_CELLS), width),
    ]


def relevance_lines(hit: Hit, width: int) -> list[Content]:
    """relevance = rrf × evidence."""
    evidence = 0.0 if hit.evidence is None else hit.evidence.value
    told = f"rrf {numbers.share(hit.rrf or 0.0)} × evidence {numbers.share(evidence)}"
    return [
        _figure_line(
            "relevance",
            Content.styled(told, tones.MUTED),
            numbers.share(hit.relevance or 0.0),
            width,
        )
    ]


def channel_lines(page: ScorePage, width: int) -> list[Content]:
    """Channels that add up to rrf; under lexical its words as shares of it."""
    hit = page.hit
    told = Content.styled("add up to rrf", tones.MUTED)
    found = [_figure_line("channels", told, numbers.share(hit.rrf or 0.0), width)]
    for name in (*CHANNELS, *sorted(hit.channels.keys() - set(CHANNELS))):
        channel, off = hit.channels.get(name), page.degraded.get(name)
        if channel is not None:
            found.append(_channel(name, channel, page.look, width))
            found += _terms(channel, page.look, width)
        elif off is not None:
            found.append(_silent(name, f"off: {visible_str(off, multiline=False)}", width))
        elif not page.compact:
            found.append(_silent(name, _why_silent(name), width))
    return found


def _why_silent(name: str) -> str:
    return {
        "lexical": "no word of the query",
        "semantic": "not among the nearest",
        "identifier": "none in this query",
    }.get(name, "no part in it")


def _silent(name: str, why: str, width: int) -> Content:
    left = Content.styled(f"  {name} ".ljust(_RANK_AT) + why, tones.MUTED)
    return lines.between(left, Content.styled(numbers.share(0.0), tones.MUTED), width)


def _channel(name: str, channel: Channel, look: Look, width: int) -> Content:
    raw = {
        "lexical": numbers.many(len(channel.terms), "word"),
        "semantic": f"cos {numbers.cosine(channel.raw)}",
        "identifier": numbers.many(round(channel.raw), "match", "matches"),
    }.get(name, numbers.bm25(channel.raw))
    left = Content.assemble(
        lines.pad(Content(f"  {name}"), _RANK_AT),
        lines.pad(Content.styled(f"#{channel.rank}", tones.ACCENT), _BAR_AT - _RANK_AT),
        bar(channel.share, CHANNEL_BAR, look),
        (f"  {raw}", tones.MUTED),
    )
    return lines.between(left, Content(numbers.share(channel.share)), width)


def _terms(channel: Channel, look: Look, width: int) -> list[Content]:
    """The words of a channel, strongest first, as shares of its raw score.

    Their bars are on the channel's scale, so that they add up to its bar.
    """
    total = sum(channel.terms.values())
    found = []
    for word, value in sorted(channel.terms.items(), key=lambda item: (-item[1], item[0])):
        part = value / total if total else 0.0
        shown = lines.cut_text(visible_str(word, multiline=False), _BAR_AT - 5)
        left = Content.assemble(
            lines.pad(Content.styled(f"    {shown}", tones.MUTED), _BAR_AT),
            plain_bar(part * channel.share, CHANNEL_BAR, look),
            (numbers.bm25(value).rjust(6), tones.MUTED),
        )
        found.append(lines.between(left, Content.styled(numbers.percent(part), tones.MUTED), width))
    return found


def evidence_lines(
    evidence: Evidence | None,
    channels: Mapping[str, Channel],
    width: int,
    *,
    words: int | None = None,
    formula: bool = True,
) -> list[Content]:
    """How well the row supports the query, with the formula it was made by."""
    if evidence is None:
        return []
    lexical = channels.get("lexical")
    matching = 0 if lexical is None else len(lexical.terms)
    of = (
        numbers.many(matching, "word")
        if words is None
        else (f"{matching} of {numbers.many(words, 'word')}")
    )
    told = Content.styled(f"{evidence.tier}, {of}", tones.MUTED)
    found = [_figure_line("evidence", told, numbers.share(evidence.value), width)]
    if formula:
        cosine = (
            ""
            if evidence.cosine is None
            else (f"(1 - cosine {numbers.share(max(0.0, evidence.cosine))})")
        )
        made = f"  1 - (1 - coverage {numbers.share(evidence.coverage)}){cosine}"
        found += lines.wrap(Content.styled(made, tones.MUTED), width)
    return found


def factor_lines(
    factors: Mapping[str, Factor],
    memory: Memory,
    look: Look,
    width: int,
    *,
    profile: str = "default",
) -> list[Content]:
    """Each factor of the score with its reason; those that change nothing are muted."""
    if not factors:
        return []
    left = Content.assemble(
        lines.pad(Content.styled("factors", tones.STRONG), LABEL_CELLS),
        (_RANGES.get(profile, "multiply"), tones.MUTED),
    )
    figure = Content.assemble(
        ("× ", tones.MUTED),
        (numbers.share(prod(factor.value for factor in factors.values())), tones.STRONG),
    )
    found = [lines.between(left, figure, width)]
    for name in (*FACTORS, *sorted(factors.keys() - set(FACTORS))):
        if name in factors:
            found.append(_factor(name, factors[name], memory, look, width))
    return found


def _factor(name: str, factor: Factor, memory: Memory, look: Look, width: int) -> Content:
    shown = numbers.share(factor.value)
    figure = Content.styled(shown, tones.MUTED if shown == "1.000" else tones.PLAIN)
    left = Content.assemble(
        lines.pad(Content(f"  {name}"), _REASON_AT),
        (_reason(name, factor, memory, look), tones.MUTED),
    )
    return lines.between(left, figure, width)


def _reason(name: str, factor: Factor, memory: Memory, look: Look) -> str:
    """Why a factor is what it is, in the words of the memory itself."""
    if name == "authority":
        kind = memory.by.partition(":")[0]
        return {"human": "a person wrote it", "agent": "an agent wrote it"}.get(
            kind, "a job wrote it"
        )
    if name == "recency":
        if memory.tier is Tier.SEMANTIC:
            return "semantic: does not age"
        return f"stated {when.ago(memory.asserted_at, look.now)}"
    if name == "confidence":
        return "none stated" if memory.confidence is None else f"stated {memory.confidence:.2f}"
    if name == "importance":
        return "" if memory.importance == 0.5 else f"stated {memory.importance:.2f}"
    if name == "trust":
        trusted = look.worded(standing.TRUST_GLYPHS[memory.trust])
        others = int(factor.inputs.get("corroborated", 0))
        agree = "1 other source agrees" if others == 1 else f"{others} other sources agree"
        return f"{trusted}, {agree}" if others else trusted
    told = (f"{key} {value}" for key, value in factor.inputs.items())
    return visible_str(", ".join(told), multiline=False)
