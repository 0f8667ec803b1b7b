"""Texts that try to talk to a judge: to be looked at by a person, whatever came of them.

Beside what reads like an order to any model (gate/screening), these look like an answer of the
judge, a verdict, a citation, or the fence around the data. Simple and on the safe side: a flag
costs a person one look.
"""

from __future__ import annotations

import re

from store.gate.flags import hides, text_flags
from store.model import Flag
from store.search.fold import exact_form

_TO_A_JUDGE = re.compile(
    r"""
      "\s*(?:facts|citations?|verdicts?|proposals?|episodes?|tool_calls?|role|quote)\s*"\s*:
    | (?:^|\n)\W{0,20}(?:begin|end)\s+(?:of\s+)?(?:the\s+)?
        (?:data|notes?|memory|memories|context)\b
    | <\|[a-z_]{2,30}\|> | \[/?INST\] | <<\s*/?SYS\s*>>
    | \b(?:cite|cites|cited|citations?|citing|sources?|episodes?|quotes?)\b\s*[:=]?\s*
        [\[("']{0,2}\#?[EPG]\d{1,3}\b
    | \[[EPG]\d{1,3}\]
    | \b(?:mark|treat|consider|accept|count|label|classify)\b [^.;\n]{0,60}
        \b(?:verified|trusted|approved|confirmed|authoritative|facts?)\b
    | \b(?:approve|verify|retire|delete|erase|quarantine|reject|merge|lift)\s
        [^.;\n]{0,20} \b(?:all|every|any|each|these|everything|other)\b [^.;\n]{0,20}
        \b(?:memor|proposal|fact|episode|note|entr|tombstone)
    | \b(?:respond|reply|answer|output|return)\s+(?:\w+\s+){0,2}?only\b
    | \b(?:add|include|emit|insert|extract|report)\b [^.;\n]{0,30}
        \b(?:the|this|following)\s+facts?\b
    | \b(?:extractor|curator|judge|assistant|model|AI|LLM)\b \s*[,:] [^.;\n]{0,40}
        \b(?:please|must|should|now|ignore|extract|add|say|answer|return|approve)\b
    | \b(?:new|updated|revised|real|actual|true)\s+(?:instructions?|task|system\s+message)\b
    | \b(?:curator|judge|reviewer)\s+has\s+(?:already\s+)?
        (?:approved|verified|authori[sz]ed|confirmed)\b
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


def suspicious(text: str) -> str | None:
    """Why a person should look at a text, in words; None for an ordinary one."""
    if Flag.INSTRUCTION in text_flags(text):
        return "it reads like an instruction to a model"
    if any(_TO_A_JUDGE.search(form) for form in (text, exact_form(text))):
        return "it looks like an answer or an order of a judge"
    return "it holds characters that cannot be seen" if hides(text) else None
