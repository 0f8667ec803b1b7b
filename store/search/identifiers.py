"""Identifiers: which words are names made by programmers, their pieces, their spellings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from store.search.fold import expose

MAX_SPELLING = 128
"""Code points of the longest spelling kept for the identifier channel."""
_MOST_PIECES = 8  # more humps than this is an encoded blob, not a name
_MOST_SEGMENTS = 8
_HASH = re.compile(r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,64}")
_HUMPS = re.compile(r"A+(?!a)|A?a+|0+")
_RUNS = re.compile(r"[aA]+|0+")
_CANDIDATE = re.compile(r"[^\s\x00-\x1f\x7f-\x9f\"'`<>()\[\]{},;|=*!?&$%^…“”«»，。、；！？（）]+")
_LINE = re.compile(r":\d+(?::\d+)?$")

_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
_NOT_CAMEL = re.compile(r"Mc[A-Z][a-z]+|[A-Z]{2,}s|[a-z]?[A-Z]+[a-z]?")
_MEASURE = re.compile(
    r"\d+(?:st|nd|rd|th|am|pm|x|s|m|h|d|w|y|ms|us|ns|min|mo|hz|khz|mhz|ghz|px|em|rem|pt"
    r"|k|b|kb|mb|gb|tb|kib|mib|gib|tib|kbps|mbps|gbps|mm|cm|km|g|kg|mg|v|kw|kwh|usd|eur)"
)
_SHAPES = re.compile(
    r"--[a-z0-9][\w-]*"  # flag
    r"|_*[^\W_]+(?:_+[^\W_]+)+_*|_+[^\W_]+_*"  # snake
    r"|(?:[^\W_]+-)+[^\W_]+"  # kebab
    r"|v?\d+(?:\.\d+){2,}(?:[-+][\w.+-]+)?|v\d+(?:\.\d+)+(?:[-+][\w.+-]+)?"  # version
    r"|#\d+|[a-z]{1,2}(?:\+\+|#)"  # issue, language
    r"|[\w~-]+(?:::[\w~-]+)+|::\w+(?:::\w+)*"  # C++, Rust
    r"|\.[a-z][\w-]+(?:\.[\w-]+)*"  # dot file
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # address
)
_SEGMENT = re.compile(r"[\w-]+")
_PATH = re.compile(r"(?:[a-z][a-z0-9+.-]*://|[a-z]:[\\/]|~?/|\.{1,2}[\\/])\S*[\w-]\S*")
# Two humps, yet prose: a query that says GitHub is not asking for a spelling.
_BRAND_LIST = """
    github gitlab bitbucket postgresql mysql mariadb sqlite nosql mongodb dynamodb cockroachdb
    couchdb influxdb duckdb graphql javascript typescript coffeescript webassembly nodejs nextjs
    youtube linkedin whatsapp facebook paypal fedex iphone ipad ipod ios ipados macos macbook
    imessage icloud airpods ebay openai chatgpt deepmind langchain llamaindex huggingface pytorch
    tensorflow numpy scipy devops devsecops gitops mlops finops saas paas iaas opentelemetry
    kubecon redhat opensuse centos freebsd openbsd netbsd openssl openssh openapi restful
    powershell powerpoint onedrive sharepoint wordpress cloudflare circleci teamcity jetbrains
    intellij pycharm webstorm vscode phd latex bibtex wifi bluetooth
"""
_BRANDS = frozenset(_BRAND_LIST.split())


def is_identifier(word: str) -> bool:
    """Whether a word as typed looks like a name from code: camelCase, snake_case, kebab-case,
    a.dotted.name, a path, a SHA, a version, a --flag, #123, or letters mixed with digits.

    Ordinals, measures (10ms, 3rd), abbreviations (e.g.), pairs (CI/CD) and well-known brands
    (GitHub) do not.
    """
    bare = expose(word[: MAX_SPELLING + 1]).text.strip("\"'`()[]{}<>,;!?")
    bare = bare.rstrip(".:")
    low = bare.casefold()
    if not 1 < len(bare) <= MAX_SPELLING or low in _BRANDS:
        return False
    if "/" in bare or "\\" in bare:
        return _is_path(bare, low)
    if is_hash(low) or _SHAPES.fullmatch(low) or _is_dotted(bare):
        return True
    if not bare.isalnum():
        return False
    if bare.isalpha():
        return bool(_CAMEL.search(bare)) and not _NOT_CAMEL.fullmatch(bare)
    return not bare.isdecimal() and not _MEASURE.fullmatch(low)


def is_hash(low: str) -> bool:
    """Whether a lower-case word looks like a (short) SHA: 7–64 hex digits of both sorts."""
    return _HASH.fullmatch(low) is not None


def abbreviations(low: str) -> list[str]:
    """The short forms under which people quote a SHA: its first 7 to 12 digits."""
    return [low[:n] for n in range(7, min(13, len(low)))]


def pieces(text: str, kinds: str) -> list[list[str]]:
    """The ways to take one word apart at its humps and digits, each in order; often none.

    `kinds` says for each character of `text` whether it is a capital (A), another letter (a)
    or a digit (0). `HTTPServer2` → [HTTP, Server, 2] and [HTTPServer, 2].
    """
    if "A" not in kinds[1:] and ("0" not in kinds or "a" not in kinds.replace("A", "a")):
        return []
    if text.endswith("s") and set(kinds[:-1]) == {"A"}:  # URLs, APIs
        return []
    if text[:2] in ("0x", "0X") or is_hash(text.casefold()):
        return []
    ways = []
    for cut in (_HUMPS, _RUNS):
        found = [text[m.start() : m.end()] for m in cut.finditer(kinds)]
        if 1 < len(found) <= _MOST_PIECES and found not in ways:
            ways.append(found)
    return ways


def spellings(text: str) -> Iterator[tuple[str, int, int, bool]]:
    """Identifiers of a text in lower case: (spelling, start, end, whole).

    `whole` ones stand in the text as they are; the others are what a person also calls them:
    the end of a path (`terms.py` of `store/search/terms.py`), a flag without its dashes, a
    component that is an identifier itself, the short form of a SHA. Their range is the whole.
    """
    exposed = expose(text)
    for match in _CANDIDATE.finditer(exposed.text):
        raw = match[0]
        left = len(raw) - len(raw.lstrip(":+,"))
        bare = raw[left:].rstrip(".:+-/\\@~")
        if raw.endswith("++") and bare + "++" == raw[left:]:
            bare += "++"
        if not bare:
            continue
        start, end = exposed.span(match.start() + left, match.start() + left + len(bare))
        seen: set[str] = set()
        for number, spelling in enumerate(_names(bare)):
            low = spelling.casefold()
            if low not in seen and len(low) <= MAX_SPELLING and is_identifier(spelling):
                seen.add(low)
                yield low, start, end, number == 0


def _names(bare: str) -> Iterator[str]:
    """A candidate, then what else it may be called. The candidate may be no identifier."""
    bare = _LINE.sub("", bare)
    yield bare
    if bare.startswith("--"):
        yield bare[2:]
    if is_hash(bare.casefold()):
        yield from abbreviations(bare)
    segments = re.split(r"[/\\]+", bare)[-_MOST_SEGMENTS:]
    for i in range(1, len(segments)):
        yield "/".join(segments[i:])
    for segment in segments:
        if len(segments) > 1:
            yield segment
        components = re.split(r"::|[.:@#]", segment)[-_MOST_SEGMENTS:]
        if len(components) > 1:
            yield from components


def _is_dotted(bare: str) -> bool:
    """`node.js`, `deploy.region`; not `e.g`, `3.14`, `done...`."""
    segments = bare.removeprefix("@").split(".")
    return (
        len(segments) > 1
        and all(map(_SEGMENT.fullmatch, segments))
        and any(len(s) > 1 and not s[0].isdecimal() for s in segments)
    )


def _is_path(bare: str, low: str) -> bool:
    if _PATH.fullmatch(low):
        return True
    segments = [s for s in re.split(r"[/\\]", bare) if s]
    if len(segments) > 2:
        return all(re.search(r"\w", s) for s in segments)
    return len(segments) == 2 and any(is_identifier(s) for s in segments)
