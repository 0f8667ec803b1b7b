"""Texts that try to talk to a judge: to be looked at by a person, whatever came of them.

Beside what reads like an order to any model (gate/flags), these look like an answer of the judge,
a verdict, a citation, or the fence around the data. Simple and on the safe side: a flag costs a
person one look.
"""

from __future__ import annotations

import re

from store.gate.flags import hides, speaks_to_a_model
from store.search.fold import exact_form

_TO_A_JUDGE = re.compile(
    r"""
      "\s*(?:facts|citations?|verdicts?|proposals?|episodes?|approved?|trust|tool_calls?|
        role|quote|actions?)\s*"\s*:
    | \b(?:begin|end|start)\s+(?:of\s+)?(?:the\s+)?(?:data|notes?|memory|memories|context)\b
    | <\|[a-z_]{2,30}\|> | \[/?INST\] | <<\s*/?SYS\s*>>
    | \[?\b(?:cite|cites|cited|citation|citing|source|sources|episode|quote)\b\]?
        \s*[:=\[(]?\s*\[?\(?\s*["']?\#?[EPG]?\d{1,3}\b["']?\s*[\])]
    | \[E\d{1,3}\]
    | \b(?:mark|set|flag|label|treat|consider|accept|count|record|store|save)\b .{0,60}
        \b(?:as\s+)?(?:verified|trusted|approved|confirmed|authoritative|a\s+fact|facts)\b
    | \b(?:approve|verify|retire|delete|erase|quarantine|reject|merge)\b .{0,30}
        \b(?:all|every|any|each|these|everything)\b .{0,30}
        \b(?:memor|proposal|fact|episode|note|entr|tombstone|other)
    | \b(?:add|return|output|respond|reply|answer|emit|write|include)\b .{0,40}
        \b(?:json|fact\s*list|the\s+following\s+fact|this\s+fact|only\s+with|schema|verbatim)\b
    | \b(?:extractor|curator|judge|assistant|language\s+model|\bAI\b|\bLLM\b)\b \s*[,:]\s* .{0,40}
        \b(?:please|must|should|now|ignore|extract|add|say|answer|return|approve)\b
    | \b(?:new|updated|revised|real|actual|true)\s+(?:instructions?|rules?|task|system\s+message)\b
    | \b(?:administrator|admin|operator|developer|user|owner|curator)\s+has\s+
        (?:already\s+)?(?:approved|verified|authori[sz]ed|confirmed)\b
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


def suspicious(text: str) -> str | None:
    """Why a person should look at a text, in words; None for an ordinary one."""
    if speaks_to_a_model(text):
        return "it reads like an instruction to a model"
    if any(_TO_A_JUDGE.search(form) for form in (text, exact_form(text))):
        return "it looks like an answer or an order of a judge"
    return "it holds characters that cannot be seen" if hides(text) else None
