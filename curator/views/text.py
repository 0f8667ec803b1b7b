"""The Text tab: the whole text, what is odd in it, and what is known about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from textual.content import Content

from curator import glyphs, tones
from curator.safe import hidden_characters, visible, visible_str
from curator.views import lines, numbers, standing, when, worddiff
from curator.views.hits import matched
from curator.views.look import Look
from curator.views.page import Page
from store.model import Finding, Hit, Memory, Overrides

_MOST_NAMED = 5
"""Hidden characters named one by one; a text of a thousand says how many more."""


@dataclass(frozen=True, slots=True)
class TextPage:
    """The Text tab of one memory."""

    memory: Memory
    look: Look
    hit: Hit | None = None
    """For the matched words."""
    instructions: Sequence[tuple[int, int]] = ()
    """Ranges of instruction-like text, raw code points."""
    odd: Sequence[Finding] = ()
    """What screening found; look-alike letters and personal data are told from it."""
    today: Memory | None = None
    """When the past is shown: the version that answers now."""
    told: Sequence[tuple[str, str, int]] = ()
    """(version, agents, times): who was shown it."""
    overrides: Overrides = field(default_factory=Overrides)
    """What it overrides, and what overrides it in which scope."""
    compact: bool = False
    """For short screens: the pane's title says what the heading would."""

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room = min(width, lines.CARD_CELLS)
        text = matched(self.memory.text, self.hit, self.instructions)
        heading = [lines.between(*standing.heading(self.memory, self.look), room)]
        return Page(
            lines.joined(
                [
                    [] if self.compact else heading,
                    lines.wrap(text, min(width, lines.MEMORY_CELLS)),
                    warning_lines(self.memory, self.look, room, self.instructions),
                    odd_lines(self.memory.text, self.odd, self.look, room),
                    self._since(room),
                    self._off(room),
                    about_lines(self.memory, self.look, room, self.overrides),
                    time_lines(self.memory, self.look, room),
                    told_lines(self.told, room),
                ]
            )
        )

    def _off(self, width: int) -> list[Content]:
        """Why nothing can be done here, and what can."""
        if self.today is None:
            return []
        said = "Another moment cannot be edited. N goes back to now"
        ended = self.today.state == "closed" and self.today.version == self.memory.version
        said += "; there o restores this version as a new one." if ended else "."
        return [
            Content.styled("Acting is off", tones.STRONG_WARN),
            *lines.wrap(Content.styled(said, tones.MUTED), width),
        ]

    def _since(self, width: int) -> list[Content]:
        if self.today is None or self.today.version == self.memory.version:
            return []
        diff = worddiff.compare(self.memory.text, self.today.text)
        return [
            Content.styled("Then and now", tones.STRONG),
            *lines.wrap(worddiff.content(diff, self.look), width),
        ]


def warning_lines(
    memory: Memory, look: Look, width: int, instructions: Sequence[tuple[int, int]] = ()
) -> list[Content]:
    """What is odd in a text, by name and place: hidden characters, commands, masked secrets."""
    found: list[Content] = []
    hidden = hidden_characters(memory.text)
    if hidden:
        said = look.worded(glyphs.HIDDEN, numbers.many(len(hidden), "hidden character"))
        found.append(Content.styled(said, tones.STRONG_WARN))
        found += [
            Content.styled(f"  {lines.cut_text(str(one), width - 2)}", tones.MUTED)
            for one in hidden[:_MOST_NAMED]
        ]
        if len(hidden) > _MOST_NAMED:
            more = numbers.count(len(hidden) - _MOST_NAMED)
            found.append(Content.styled(f"  and {more} more", tones.MUTED))
    elif standing.hidden_count(memory):
        said = look.worded(glyphs.HIDDEN, "hidden characters beside the text")
        found.append(Content.styled(said, tones.STRONG_WARN))
    for start, end in instructions:
        quoted = visible_str(memory.text[start:end], multiline=False)
        label = Content.styled(look.worded(glyphs.INSTRUCTION), tones.STRONG_WARN)
        quote = Content.styled(f'"{quoted}"', tones.MUTED)
        found.append(lines.cut(lines.spaced([label, quote]), width))
    if memory.secrets_masked:
        said = numbers.many(memory.secrets_masked, "secret") + " masked before it was stored"
        found.append(Content.styled(look.worded(glyphs.MASKED, said), tones.WARN))
    return found


def odd_lines(text: str, odd: Sequence[Finding], look: Look, width: int) -> list[Content]:
    """Words of two scripts with their code points, and what personal data there is."""
    found: list[Content] = []
    for flag in standing.odd_flags(odd):
        found.append(Content.styled(look.worded(flag.glyph, flag.words), tones.STRONG_WARN))
        alike = flag.glyph is glyphs.LOOK_ALIKE
        those = [one for one in odd if standing.is_flagged(one, flag)]
        for one in those[:_MOST_NAMED]:
            quoted = visible_str(text[slice(*one.span)], multiline=False)
            points = " ".join(f"U+{point:04X}" for point in one.points[:_MOST_NAMED])
            said = f"  {quoted}  {points}" if alike else f"  {one.reason}, {quoted}"
            found.append(lines.cut(Content.styled(said, tones.MUTED), width))
        if len(those) > _MOST_NAMED:
            more = numbers.count(len(those) - _MOST_NAMED)
            found.append(Content.styled(f"  and {more} more", tones.MUTED))
    return found


def about_lines(
    memory: Memory, look: Look, width: int, overrides: Overrides | None = None
) -> list[Content]:
    """Scope, subject, kind, tags, who said it and how surely, and where another text stands."""
    found = [("scope", _said(memory.scope))]
    if memory.subject:
        found.append(("subject", _said(memory.subject)))
    found.append(("kind", _said(f"{memory.kind}, {memory.tier.value}")))
    if memory.tags:
        found.append(("tags", _said(", ".join(memory.tags))))
    found.append(("written by", _said(memory.by)))
    if memory.confidence is not None:
        found.append(("confidence", Content(f"{memory.confidence:.2f}")))
    if memory.importance != 0.5:
        found.append(("importance", Content(f"{memory.importance:.2f}")))
    if memory.pinned:
        pinned = look.worded(glyphs.PINNED, "always offered in its scope")
        found.append(("pinned", Content.styled(pinned, glyphs.PINNED.tone)))
    if memory.overrides:
        wide = None if overrides is None else overrides.wide
        where = "" if wide is None else f", in {wide.scope}"
        found.append(("overrides", _said(standing.short_id(memory.overrides) + where)))
    for one in () if overrides is None else overrides.narrow:
        said = f"by {standing.short_id(one.id)}, in {one.scope}"
        found.append(("overridden", _said(said)))
    if memory.successor:
        found.append(("merged into", _said(standing.short_id(memory.successor))))
    return _fields(found, width)


def time_lines(memory: Memory, look: Look, width: int) -> list[Content]:
    """When it is true, and when the store knew it."""
    found: list[tuple[str, str]] = []
    if memory.valid_from is not None:
        found.append(("true from", when.full(memory.valid_from)))
    until = memory.true_until or memory.valid_to
    if until is not None:
        successor = f", v{memory.version + 1}" if memory.true_until else ""
        found.append(("true until", when.full(until) + successor))
    found.append(("known from", when.full(memory.recorded_at)))
    if memory.closed_at is not None and memory.closed_as is not None:
        found.append(("known until", when.full(memory.closed_at)))
        # One that a change will end still answers, and is called current: `changes` says when.
        if standing.state_glyph(memory, look)[0] is not glyphs.CURRENT:
            found.append(("closed", f"as {memory.closed_as.value}"))
    if memory.changes_at is not None:
        found.append(("changes", when.full(memory.changes_at)))
    if memory.asserted_at != memory.recorded_at:
        stated = f"{when.full(memory.asserted_at)}, {when.ago(memory.asserted_at, look.now)}"
        found.append(("last stated", stated))
    if memory.expires_at is not None:
        found.append(("expires", when.full(memory.expires_at)))
    return _fields([(label, Content(said)) for label, said in found], width)


def told_lines(told: Sequence[tuple[str, str, int]], width: int) -> list[Content]:
    """Which version which agents were shown, how often."""
    if not told:
        return []
    found = [Content.styled("Told to agents", tones.STRONG)]
    for version, agents, times in told:
        left = Content.assemble((f"{version:<13}", tones.MUTED), _said(agents))
        found.append(lines.between(left, Content(numbers.many(times, "time")), width))
    return found


def _said(text: str) -> Content:
    return visible(text, multiline=False)


def _fields(found: Sequence[tuple[str, Content]], width: int) -> list[Content]:
    return [line for label, value in found for line in lines.field(label, value, width)]
