"""What about a text asks for a person's own look: it is never approved among others.

Simple and on the safe side: a flag costs one look, a missed one can reach every agent.
"""

from __future__ import annotations

import re

from store.model import Flag
from store.search.fold import HIDDEN, exact_form

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")
_JOINED_PICTURE = re.compile(
    "(?<=[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f])\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])"
)
_DRESSED = re.compile("(?<=[#*0-9\u00a9-\u00ae\u203c-\u3299\U0001f000-\U0001faff])\ufe0f")
_SPEAKS_TO_A_MODEL = re.compile(
    r"""
      \b(?:ignore|disregard|forget|override)\b .{0,40}
        \b(?:previous|prior|above|earlier|all|any|your|other|the)\b .{0,20}
        \b(?:instruction|rule|prompt|direction|guideline|message|memor)
    | \b(?:system|developer)\s{1,5}(?:prompt|message|instruction)
    | <[\s/]{0,5}(?:system|assistant|user|instructions?|important|tool_call|function_calls?)
        \b[^>]{0,200}>
    | (?:^|\n)[ \t]{0,20}(?:system|assistant|user|human)[ \t]{0,5}:
    | \byou\s{1,5}are\s{1,5}now\b | \bfrom\s{1,5}now\s{1,5}on\s{0,5},?\s{0,5}you\b
    | \bact\s{1,5}as\s{1,5}(?:if\s{1,5}you|(?:an?|the)\s{1,5}(?:ai|assistant|root|administrator))\b
    | \bpretend\s{1,5}(?:to\s{1,5}be|you)\b
    | \b(?:do\s{1,5}not|don't|never)\s{1,5}(?:tell|inform|mention|reveal|show)\b .{0,30}
        \b(?:user|human|person|anyone|anybody)\b
    | \b(?:always|must|immediately|first)\b .{0,20}
        \b(?:run|execute|call|invoke|fetch|upload|send|email|post|curl|delete)\b .{0,60}
        (?:https?:// | \b(?:shell|token|password|credential|secret|private\s{1,5}key)s?\b)
    | \b(?:curl|wget)\b [^\n]{0,200} \|\s{0,5}(?:ba|z|da)?sh\b
    | \bas\s{1,5}an?\s{1,5}(?:ai|assistant|language\s{1,5}model)\b
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


def text_flags(*texts: str | None) -> frozenset[Flag]:
    """The flags of texts alone."""
    found = set()
    for text in texts:
        if not text:
            continue
        if hides(text):
            found.add(Flag.HIDDEN)
        if speaks_to_a_model(text):
            found.add(Flag.INSTRUCTION)
    return frozenset(found)


def hides(text: str) -> bool:
    """Whether a character cannot be seen. Joiners and variants inside pictures do their work."""
    if text.isascii():
        return _CONTROLS.search(text) is not None
    plain = _DRESSED.sub("", _JOINED_PICTURE.sub("", text))
    return HIDDEN.search(plain) is not None or _CONTROLS.search(plain) is not None


def speaks_to_a_model(text: str) -> bool:
    """Whether it reads like an order to the model that will be shown it, also in disguise."""
    return any(_SPEAKS_TO_A_MODEL.search(form) for form in (text, exact_form(text)))


def cleaned(text: str) -> str:
    """The text without hidden characters, as an editor is opened with it."""
    if text.isascii():
        return _CONTROLS.sub("", text)
    visible = _CONTROLS.sub("", text)
    kept = _JOINED_PICTURE.sub("\x00", _DRESSED.sub("\x01", visible))
    return HIDDEN.sub("", kept).replace("\x00", "\u200d").replace("\x01", "\ufe0f")
