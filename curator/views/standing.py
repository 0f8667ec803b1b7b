"""What a memory is at this moment, in glyph and word: trust, state, flags, and its short id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from curator import glyphs, tones
from curator.glyphs import Glyph
from curator.safe import hidden_characters, visible_str
from curator.views import numbers, when
from curator.views.look import Look
from store.model import ClosedAs, Finding, FindingKind, Memory, Trust

SHORT_ID = 8

TRUST_GLYPHS: dict[Trust, Glyph] = {
    Trust.VERIFIED: glyphs.VERIFIED,
    Trust.UNREVIEWED: glyphs.UNREVIEWED,
    Trust.DISPUTED: glyphs.DISPUTED,
    Trust.QUARANTINED: glyphs.QUARANTINED,
}

CLOSED_SINCE = Glyph(glyphs.CLOSED.sign, "closed since", tones.WARN, glyphs.CLOSED.ascii)
"""In the past: what was open then and is closed now."""

_CLOSED: dict[ClosedAs, tuple[Glyph, str]] = {
    ClosedAs.CORRECTED: (glyphs.CLOSED, "corrected"),
    ClosedAs.CHANGED: (glyphs.CLOSED, "changed"),
    ClosedAs.MERGED: (glyphs.CLOSED, "merged"),
    ClosedAs.RETIRED: (glyphs.CLOSED, "retired"),
    ClosedAs.EXPIRED: (glyphs.CLOSED, "expired"),
    ClosedAs.COLD: (glyphs.CLOSED, "gone cold"),
    ClosedAs.REJECTED: (glyphs.ERASED, "rejected"),
}


@dataclass(frozen=True, slots=True)
class Flag:
    """One thing to know about a row beside its text: a glyph, and words that may go."""

    glyph: Glyph
    words: str
    brief: str = ""
    """What stays of the words where there is little room; empty: only the glyph."""

    def content(self, look: Look, *, words: bool = True) -> Content:
        """`◆ pinned`, or only `◆`; `→ changes 1 Dec`, or `→ 1 Dec`."""
        sign, said = look.sign(self.glyph), self.words if words else self.brief
        return Content.styled(f"{sign} {said}" if said else sign, self.glyph.tone)


def short_id(identifier: str, others: Sequence[str] = ()) -> str:
    """The first 8 letters, more where another id begins the same."""
    shown = visible_str(identifier, multiline=False)
    length = SHORT_ID
    while length < len(shown) and any(
        other != identifier and other.startswith(shown[:length]) for other in others
    ):
        length += 1
    return shown[:length]


def version(memory: Memory) -> str:
    """`v3`."""
    return f"v{memory.version}"


def trust(memory: Memory, look: Look) -> Content:
    """`✓ verified` in its tone."""
    glyph = TRUST_GLYPHS[memory.trust]
    return Content.styled(look.worded(glyph), glyph.tone)


def state(memory: Memory, look: Look) -> Content:
    """`● current`, `◎ announced`, or how it closed: `○ retired`, `× rejected`."""
    glyph, word = state_glyph(memory, look)
    return Content.styled(look.worded(glyph, word), glyph.tone)


def state_glyph(memory: Memory, look: Look) -> tuple[Glyph, str]:
    """Glyph and word of a version's state at the moment that is looked from.

    A version closed as changed still holds until `true_until`; a live one that is not yet
    true is announced; one whose time is over has ended by itself; seen from a past moment,
    one that was closed later is closed since.
    """
    now = look.now
    if memory.closed_at is not None and now < memory.closed_at:
        return CLOSED_SINCE, CLOSED_SINCE.word
    if memory.closed_as is not None:
        still_true = memory.closed_as is ClosedAs.CHANGED and (
            memory.true_until is not None and now < memory.true_until
        )
        return (glyphs.CURRENT, "current") if still_true else _CLOSED[memory.closed_as]
    if memory.archived:
        return glyphs.CLOSED, "archived"
    if memory.valid_from is not None and now < memory.valid_from:
        return glyphs.ANNOUNCED, "announced"
    if memory.valid_to is not None and now >= memory.valid_to:
        return glyphs.CLOSED, "no longer true"
    if memory.expires_at is not None and now >= memory.expires_at:
        return glyphs.CLOSED, "expired"
    return glyphs.CURRENT, "current"


def flags(
    memory: Memory,
    look: Look,
    *,
    by_meaning: bool = False,
    instructions: int = 0,
    odd: Sequence[Finding] = (),
) -> tuple[Flag, ...]:
    """What a row says beside trust and age, most needed first.

    An unusual state, then pinned, a change to come, masked secrets, hidden characters,
    instruction-like text, look-alike letters, personal data, found by meaning only.
    """
    found: list[Flag] = []
    glyph, word = state_glyph(memory, look)
    if glyph is not glyphs.CURRENT:
        found.append(Flag(glyph, word))
    if memory.pinned:
        found.append(Flag(glyphs.PINNED, "pinned"))
    if memory.changes_at is not None and look.now < memory.changes_at:
        day = when.day(memory.changes_at, look.now)
        found.append(Flag(glyphs.CHANGES, f"changes {day}", day))
    if memory.secrets_masked:
        found.append(Flag(glyphs.MASKED, numbers.many(memory.secrets_masked, "secret") + " masked"))
    if hidden := hidden_count(memory):
        found.append(Flag(glyphs.HIDDEN, numbers.many(hidden, "hidden character")))
    if instructions:
        found.append(Flag(glyphs.INSTRUCTION, "instruction-like"))
    found += odd_flags(odd)
    if by_meaning:
        found.append(Flag(glyphs.MEANING, "by meaning only"))
    return tuple(found)


def odd_flags(odd: Sequence[Finding]) -> tuple[Flag, ...]:
    """Look-alike letters and personal data, each once."""
    kinds = {one.kind for one in odd}
    found = []
    if FindingKind.LOOK_ALIKE in kinds:
        found.append(Flag(glyphs.LOOK_ALIKE, "look-alike letters"))
    if kinds & _PERSONAL:
        found.append(Flag(glyphs.PERSONAL, "personal data"))
    return tuple(found)


def is_flagged(one: Finding, flag: Flag) -> bool:
    """Whether it is among what a flag of `odd_flags` stands for."""
    if flag.glyph is glyphs.LOOK_ALIKE:
        return one.kind is FindingKind.LOOK_ALIKE
    return one.kind in _PERSONAL


_PERSONAL = {FindingKind.EMAIL, FindingKind.PHONE, FindingKind.CARD, FindingKind.IBAN}


def hidden_count(memory: Memory) -> int:
    """Hidden characters in everything of the memory that a writer chose."""
    written = (memory.text, memory.subject or "", memory.scope, *memory.tags)
    return sum(len(hidden_characters(text)) for text in written)


def heading(memory: Memory, look: Look) -> tuple[Content, Content]:
    """The left and right part of a card's first line: id, version, trust; state."""
    left = Content.assemble(
        (short_id(memory.id), tones.STRONG),
        (f"  {version(memory)}  ", tones.MUTED),
        trust(memory, look),
    )
    return left, state(memory, look)
