"""The patterns of orders to a model, by what they try. Accents are taken off patterns and texts
alike, so `précédentes` and `precedentes` are one.

`words`: one of them stands in every text that can match, so that an ordinary note costs a few
looks for substrings. All repeats are bounded: no text makes a pattern slow.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from store.search.fold import expose


@dataclass(frozen=True, slots=True)
class Rule:
    """`imperative`: no order where someone is told to do it (`users cannot override …`)."""

    reason: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    imperative: bool = False


def _rule(reason: str, words: str, pattern: str, *, imperative: bool = False) -> Rule:
    plain = expose(pattern).text
    found = tuple(expose(word).text.lower() for word in words.split("|"))
    return Rule(reason, found, re.compile(plain, re.IGNORECASE | re.VERBOSE), imperative)


_FEW = r"(?:\W{1,8}\w{1,24}){0,3}?\W{1,8}"
_SOME = r"(?:\W{1,8}\w{1,24}){0,6}?\W{1,8}"

_IGNORE = "tells a model to ignore its instructions"
_ROLE = "a role marker that gives the text another speaker"
_TOOL = "a tool call written out"
_RUN = "tells a model to run or fetch something"
_LEAK = "tells a model to send or show what it holds"
_PERSONA = "gives a model another role"
_SECRET = "tells a model to hide something from its user"

_QUALIFIED = r"(?:previous|prior|above|earlier|preceding|foregoing|your|system|safety|original)"
_ORDERS = (
    r"(?:instruction|direction|rule|guideline|prompt|command|order|directive|message|restriction"
    r"|polic(?:y|ies)|training)s?\b"
)

_IGNORING = (
    _rule(
        _IGNORE,
        "ignor|disregard|forget|overrid|overrul|follow|obey|attention to",
        rf"""\b(?:ignore|disregard|forget|overr(?:ide|ule)|stop\s(?:following|obeying)
             |(?:do\snot|don.?t)\s(?:follow|obey)|pay\sno\sattention\sto)\b
             (?:{_FEW}{_QUALIFIED}\b{_FEW}{_ORDERS}
               |{_FEW}{_ORDERS}{_FEW}(?:above|before|earlier|so\sfar)\b
               |\W{{1,8}}all\s(?:the\s|of\sthe\s)?instructions\b
               |\W{{1,8}}(?:all\s|everything\s)?(?:of\s)?(?:the\s)?above\b(?!\W{{1,4}}\w+ing)
               |\W{{1,8}}(?:everything|anything|all|what){_FEW}(?:told|asked|said|instructed|learned)\b)""",
        imperative=True,
    ),
    _rule(
        _IGNORE,
        "anweisung|instruktion|regel|vorgabe|anordnung",
        rf"\b(?:ignorier|vergiss|vergesst|missacht|uebergeh|übergeh)\w{{0,4}}\b{_FEW}"
        rf"(?:vorherig|bisherig|obig|früher|alle|vorangeh|vorig)\w*\b{_FEW}"
        r"(?:anweisung|instruktion|regel|vorgabe|anordnung)",
    ),
    _rule(
        _IGNORE,
        "instructions|consignes|règles|directives",
        rf"\b(?:ignor|oubli)(?:e|ez|er)\b{_FEW}(?:instructions|consignes|règles|directives)"
        rf"(?:{_FEW})(?:précédente?s?|antérieure?s?|ci-dessus|initiales)\b",
    ),
    _rule(
        _IGNORE,
        "instrucciones|reglas|órdenes|instruções|regras|istruzioni|regole",
        rf"\b(?:ignor|olvid|esque[cç]|dimentic)\w{{1,4}}\b{_FEW}"
        r"(?:instrucciones|reglas|órdenes|instruções|regras|istruzioni|regole)"
        rf"{_FEW}(?:anterior|previ|precedent|de\sarriba|acima)\w*",
    ),
    _rule(
        _IGNORE,
        "instructies|opdrachten|regels|instrukcj|polece",
        rf"\b(?:negeer|vergeet|z?ignoruj|zapomnij)\b{_FEW}(?:eerdere|vorige|bovenstaande|alle"
        rf"|wszystkie|poprzedni\w{{1,3}}){_FEW}(?:instructies|opdrachten|regels|instrukcj|polece)",
    ),
    _rule(
        _IGNORE,
        "talimat|kural",
        rf"\b(?:önceki|yukarıdaki|tüm)\b{_FEW}(?:talimat|kural)\w{{0,8}}\b{_FEW}"
        r"(?:yok\ssay|görmezden\sgel|unut)",
    ),
    _rule(
        _IGNORE,
        "bỏ qua|quên|phớt lờ",
        rf"\b(?:bỏ\squa|quên|phớt\slờ)\b{_FEW}(?:chỉ\sdẫn|hướng\sdẫn|quy\stắc|mệnh\slệnh|chỉ\sthị)"
        rf"{_FEW}(?:trước|phía\strên|ở\strên|bên\strên|trên)\b",
    ),
    _rule(
        _IGNORE,
        "忽略|无视|無視|忘记|忘掉|忘れ|不要理会",
        r"(?:忽略|无视|無視|忘记|忘掉|不要理会)[^。！？\n]{0,4}(?:之前|以上|上面|先前|前面|所有|一切)"
        r"[^。！？\n]{0,6}(?:指令|指示|规则|規則|提示|要求|说明)"
        r"|(?:以前|上記|これまで|前|すべて)[^。\n]{0,10}(?:指示|命令|ルール|プロンプト)[^。\n]{0,8}(?:無視|忘れ)",
    ),
    _rule(
        _IGNORE,
        "무시|잊",
        r"(?:이전|위의|모든)[^.\n]{0,12}(?:지시|명령|규칙|지침)[^.\n]{0,8}(?:무시|잊)",
    ),
    _rule(
        _IGNORE,
        "игнорируй|забудь|обращай внимания",
        rf"(?:игнорируй|забудь|не\sобращай\sвнимания)\w{{0,2}}{_FEW}"
        rf"(?:предыдущ|прежн|все|выше){{1}}\w*{_FEW}(?:инструкци|указани|правил|команд)",
    ),
    _rule(
        _IGNORE,
        "تجاهل|انس|نادیده|התעלם|התעלמי",
        r"(?:تجاهل|انس)[^.\n]{0,12}(?:تعليمات|قواعد|أوامر)"
        r"|(?:دستور|قوانین)[^.\n]{0,24}نادیده|(?:התעלם|התעלמי)[^.\n]{0,12}(?:הוראות|כללים)",
    ),
)

_SPEECH = r"(?:(?:you|your|i|we|sure|yes|okay|ok|now|please|ignore|certainly)\b|i['’](?:m|ve|ll)\b)"
_TAGS = r"(?:system|assistant|user|human|developer|instructions?|important|admin|system-reminder)"

_MARKING = (
    _rule(
        _ROLE, "<|", r"<\|(?:im_start|im_end|system|user|assistant|end|eot_id|start_header_id)\|>"
    ),
    _rule(_ROLE, "[inst]|<<sys>>", r"<<SYS>>|\[INST\][^\n]{1,2000}?\[/INST\]"),
    _rule(
        _ROLE,
        "</",
        rf"<(?P<tag>{_TAGS})\s{{0,4}}>\s{{0,8}}\w{{1,40}}(?:[^\w<]{{1,8}}\w{{1,40}}){{3,400}}?[^<]{{0,80}}"
        r"</(?P=tag)\s{0,4}>",
    ),
    _rule(
        _ROLE,
        "system|assistant|human|user|developer",
        rf"(?:^|\n)[ \t#>*]{{0,8}}(?:system|assistant|human|user|developer)\*{{0,2}}\s?:\*{{0,2}}"
        rf"[ \t]{{0,4}}{_SPEECH}",
    ),
    _rule(
        _ROLE,
        "system ",
        r"(?:^|\n)[ \t#*\[]{0,6}(?:new\s)?system\s(?:message|override|notice|instruction)s?\s?[:\]]"
        r"|\b(?:begin|end|new)\ssystem\s(?:prompt|message|instructions?)\b(?=\s*(?:\n|$|:))",
    ),
    _rule(
        _ROLE,
        "### instruction",
        r"\#{2,4}\sInstructions?:\s[^\0]{0,2000}?\#{2,4}\sResponse:",
    ),
    _rule(
        _ROLE,
        '"role"',
        r'"role"\s{0,4}:\s{0,4}"(?:system|developer)"\s{0,4},\s{0,4}"content"\s{0,4}:\s{0,4}"',
    ),
    _rule(_ROLE, "](#", r"\[(?:system|assistant|user)\]\(\#"),
    _rule(
        _ROLE,
        "the user has",
        r"\bthe\suser\shas\s(?:already\s)?(?:approved|authori[sz]ed|granted|confirmed)\s"
        r"(?:all|any|every)\b",
    ),
)

_CALLING = (
    _rule(
        _TOOL,
        "<tool_|<function|<invoke|<use_mcp|<antml",
        r"<(?:tool_calls?|tool_use|function_calls?|use_mcp_tool)>\s{0,8}[{<\[]"
        r"|<(?:antml:)?invoke\s{1,4}name\s?=|<function=\w",
    ),
    _rule(
        _TOOL,
        '"tool_|"function_call',
        r'"tool_calls"\s{0,4}:\s{0,4}\[\s{0,4}\{|"type"\s{0,4}:\s{0,4}"tool_use"\s{0,4},'
        r'|"function_call"\s{0,4}:\s{0,4}\{',
    ),
    _rule(_TOOL, "functions.", r"\bfunctions\.\w{1,40}\(\{"),
    _rule(
        _RUN,
        "curl|wget",
        r"\b(?:tool|immediately|this\smemory|this\snote|agents?|assistants?|models?|before\s"
        r"(?:answer|repl|respond)ing)\b[^\n]{0,120}?\b(?:curl|wget)\b[^\n|]{0,200}\|\s{0,4}"
        r"(?:sudo\s)?(?:ba|z|da)?sh\b",
    ),
    _rule(
        _RUN,
        "this",
        rf"\b(?:agents?|assistants?|models?|ais?|llms?){_FEW}(?:reading|reads?|sees?|processing)\s"
        rf"this\b|\b(?:when|if|once)\s(?:you|an?\s(?:agent|assistant|model))\s(?:reads?|sees?"
        rf"|process(?:es)?)\sthis\b",
    ),
    _rule(
        _RUN,
        "before answering|before replying|before responding|before doing anything",
        r"\bbefore\s(?:answering|replying|responding|doing\sanything)\b[^.\n]{0,30}?,?\s"
        r"(?:fetch|read|call|run|send|upload|execute|open|post|visit)\b",
        imperative=False,
    ),
    _rule(
        _RUN,
        "always|must",
        r"\b(?:always|must)\s(?:append|include|add|attach|insert)\b[^\n]{0,200}?\b(?:to|in|with)\s"
        r"(?:every|each|all|your)\s(?:of\syour\s)?(?:answer|response|repl(?:y|ies)|message)s?\b",
    ),
)

_PERSONAS = (
    _rule(
        _PERSONA,
        "you are now|you are no longer",
        r"\byou\sare\snow\s(?:in\s(?:\w{1,20}\s)?mode\b|dan\b|\w{1,20}(?:mode|gpt|bot)\b|root\b"
        r"|an?\s(?:\w{1,20}\s){0,2}(?:assistant|ai|model|bot|hacker|root|persona)\b|unrestricted|free\sof)"
        r"|\byou\sare\sno\slonger\s(?:bound|restricted|limited|required|subject)\b",
    ),
    _rule(
        _PERSONA,
        "from now on|from here on|từ giờ|ab jetzt",
        r"\bfrom\s(?:now|here)\son,?\s(?:you|reply|answer|respond|act|always|never|ignore)\b"
        r"|\btừ\sgiờ\sbạn\slà\b",
    ),
    _rule(
        _PERSONA,
        "act as|behave as|pretend|respond as",
        r"\b(?:act|behave|respond)\sas\s(?:if\syou|though\syou|(?:an?|the)\s(?:ai|unrestricted"
        r"|unfiltered|evil|root|administrator)\b)|\bpretend\s(?:to\sbe|(?:that\s)?you)\b",
        imperative=True,
    ),
    _rule(
        _PERSONA,
        " mode",
        r"\b(?:enter|activate|enable|switch\sto|you\sare\sin)\s(?:developer|dan|jailbreak|god|debug"
        r"|unrestricted|maintenance)\smode\b[^\n]{0,80}?\b(?:safety|checks?|restrict\w{0,6}|filters?"
        r"|limits?|refus\w{0,4})\b",
    ),
    _rule(
        _PERSONA,
        "your real|your true|your new|your actual",
        r"\byour\s(?:real|true|new|actual)\s(?:instructions?|tasks?|goals?|purpose|rules|objectives?)"
        r"\s(?:is|are)\b",
    ),
    _rule(_PERSONA, "do anything now", r"\bdo\sanything\snow\b"),
    _rule(_PERSONA, "ai language model", r"\bas\san?\sai\slanguage\smodel,?\syou\b"),
)

_KEPT = (
    r"(?:conversation|system\sprompt|memories|api\skeys?|credentials?|\.env|private\skeys?|id_rsa"
    r"|ssh\skeys?|environment\svariables|chat\shistory|repository)"
)
_HIDING = (
    _rule(
        _SECRET,
        "tell|inform|mention",
        r"\b(?:do\snot|don.?t|never|without)\s(?:ever\s)?(?:tell|inform|mention)(?:ing)?\b"
        r"(?:\W{1,8}\w{1,24}){0,2}?\W{1,8}(?:(?:the|your)\s)?(?:user|human|operator|anyone|anybody)\b",
        imperative=False,
    ),
    _rule(
        _LEAK,
        "reveal|print|repeat|output|show|display|dump|leak",
        rf"\b(?:reveal|print|repeat|output|show|display|dump|leak)\b{_SOME}(?:your|hidden|initial|original|system)\s"
        r"(?:\w{1,20}\s){0,2}(?:prompt|instructions?)\b"
        r"|\b(?:reveal|print|repeat|output)\s(?:everything|all|the\s(?:text|words))\s"
        r"(?:\w{1,12}\s)?above\b",
        imperative=True,
    ),
    _rule(
        _LEAK,
        "send|upload|post|forward|mail|paste|fetch",
        rf"\b(?:send(?:_e?mail)?|upload|post|forward|e?mail|paste|fetch)\b[^.\n]{{0,80}}?\b{_KEPT}"
        r"[^\n]{0,60}?(?:\bto\s(?:https?://|\S{1,64}@\w)|https?://)"
        rf"|\b(?:send|fetch|open|visit|upload|post)\b[^\n]{{0,20}}https?://\S{{1,200}}[^\n]{{0,60}}\b{_KEPT}",
        imperative=True,
    ),
)

RULES: tuple[Rule, ...] = (*_IGNORING, *_MARKING, *_CALLING, *_PERSONAS, *_HIDING)
