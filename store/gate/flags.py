"""What about a text asks for a person's own look: it is never approved among others.

The same screening that the gate does (store/gate/screening), as flags of a proposal.
"""

from __future__ import annotations

from store.gate.screening.finding import HIDDEN, kinds, screen
from store.gate.screening.unseen import find_unseen, without_unseen
from store.model import FindingKind, Flag


def text_flags(*texts: str | None) -> frozenset[Flag]:
    """The flags of texts alone."""
    found = kinds(one for text in texts if text for one in screen(text))
    flags = set()
    if found & HIDDEN:
        flags.add(Flag.HIDDEN)
    if FindingKind.INSTRUCTION in found:
        flags.add(Flag.INSTRUCTION)
    if FindingKind.LOOK_ALIKE in found:
        flags.add(Flag.LOOK_ALIKE)
    return frozenset(flags)


def hides(text: str) -> bool:
    """Whether a character cannot be seen. What a script or a picture needs does its work."""
    return next(find_unseen(text), None) is not None


def cleaned(text: str) -> str:
    """The text without hidden characters, as an editor is opened with it."""
    return without_unseen(text)
