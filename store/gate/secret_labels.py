"""Secrets that only their label gives away: `password: hunter2`, `API_KEY=…`, `Bearer …`.

A label is looked for in lower-case text, then what follows it is read and judged by
`secret_values`. A refused value costs a bounded look ahead and the search goes on right after
the label, so that hostile text stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from store.gate.secret_formats import Span
from store.gate.secret_values import is_key, is_password, stands_elsewhere

_WORDS = (
    *("pass", "pwd", "contrase", "senha", "wachtwoord", "hasło", "lösenord", "пароль", "密码"),
    *("密碼", "パスワード", "비밀번호", "key", "secret", "token", "credential"),
)
_LABEL = re.compile("|".join(_WORDS))
"""Run over lower-case text: without IGNORECASE the engine skips by first letter, ten times
faster. Everything else is asked only where one of these words stands."""

_REST_OF_LABEL = {
    "pass": re.compile(r"(?:word|wort|wd|phrase|code|e)?"),
    "contrase": re.compile(r"[ñn]a"),
    "key": re.compile(r"(?:[ _-](?:secret|base))?"),
    "credential": re.compile(r"s?"),
}
_NOTHING = re.compile("")

_KEY_OF = re.compile(
    r"(?:api|access|secret|private|encryption|signing|master|account|auth|service|license|shared"
    r"|client|admin|deploy|webhook|storage|subscription|consumer|app)[ _-]?$"
)
"""What makes a key a secret one; stands before `key`."""

_NOT_AUTH = re.compile(
    r"(?:idempotency|cancel\w{0,8}|page|pagination|continuation|cursor|next|sync|device|request"
    r"|public(?:[ _-]?key)?|change|lock|client|update|start(?:ing)?|action|unit|product|resume)"
    r"[ _-]?$"
)
"""What stands before a `token` that guards nothing."""

_TYPE_OR_ARN = re.compile(r"::\w{0,40}$|\d:$")
"""What stands before a label that is part of a type's name or of an ARN."""

_FOLLOWS_A_FLAG = re.compile(r"--[\w-]{0,40}$")
_FOLLOWS_LOGIN = re.compile(r"login\s{1,3}\S{1,80}\s{1,3}$")
_BEFORE = 90
"""Characters before a label that are looked at."""

_BRIDGE = re.compile(
    r"""
    [\\\])"'`*]{0,4}
    (?: \ \([^)\n]{1,40}\) (?=\ ?[:：=])
      | \ (?:for|of|on|at|in|für)\ [^:：=\n"'`]{1,40} (?=[:：]\ ) )?
    (?: (?P<assign>[ \t]{0,3}(?::=|=>|={1,3})[ \t]{0,4})
      | (?P<colon>[ \t]{0,3}(?:[:：]|->|→)\*{0,2}[ \t]{0,4} | \ -\ (?=["'])
          | [ \t]{0,8}\|[ \t]{1,8} | > )
      | (?P<prose>\ (?:is|was|to|ist|war|lautet|est|es|são|é|это)\ )
      | (?P<space>[ \t]{1,4}) )
    """,
    re.VERBOSE,
)
"""From the label to its value: closing quotes, "(staging)" or "for the NAS", a separator."""

_VALUE = re.compile(
    r"""@?\*{0,2}\\?(?: "(?P<double>[^"\\\n•]{1,512})\\?" | '(?P<single>[^'\\\n•]{1,512})\\?'
      | `(?P<tick>[^`\n•]{1,512})` | (?P<bare>[^\s"'`<>•]{1,300}) )""",
    re.VERBOSE,
)
_RUN = re.compile(r"[^\s\"'`<>•]*")

_TAIL = re.compile(r"&[\w.-]{1,40}=|;(?=$|\s|[\w ]{1,40}=)|,(?=$|\s|[\w ]{1,40}[=:])|\\[nrt]")
"""Where an unquoted value ends inside its run: next parameter, next field, an escaped newline."""

_LEAST_KEY = 16
_LEAST_KEY_LOOSE = 20
"""Shortest generated key after `:` or `=`, and after a mere space or verb."""


def find_labelled(text: str, lowered: str) -> Iterator[Span]:
    """Secrets behind a label. `lowered`: the text in lower case, of the same length."""
    position = 0
    while stem := _LABEL.search(lowered, position):
        rest = _REST_OF_LABEL.get(stem[0], _NOTHING).match(lowered, stem.end())
        position = stem.end()
        bridge = rest and _BRIDGE.match(lowered, rest.end())
        value = bridge and _VALUE.match(text, bridge.end())
        if rest and bridge and value:
            label = text[stem.start() : rest.end()]
            before = lowered[max(0, stem.start() - _BEFORE) : stem.start()]
            span = _judge(text, _Label(label, before, bridge), value)
            if span:
                yield span
                position = span[1]


class _Label:
    """A label in its surroundings."""

    __slots__ = ("assigned", "before", "colon", "constant", "loose", "password", "space", "word")

    def __init__(self, word: str, before: str, bridge: re.Match[str]) -> None:
        self.word = word.lower()
        self.before = before
        self.password = not self.word.startswith(("key", "secret", "token", "credential"))
        self.assigned = bridge["assign"] is not None
        self.constant = bridge["assign"] == "=" and word.isascii() and word.isupper()
        self.colon = bridge["colon"] is not None
        self.space = bridge["space"] is not None
        self.loose = not (self.assigned or self.colon)


def _judge(text: str, label: _Label, match: re.Match[str]) -> Span | None:
    group = match.lastgroup or "bare"
    start, end = match.span(group)
    quoted = group != "bare"
    value = match[group] if quoted else _trimmed(match[group])
    accepted = _password if label.password else _key
    if not value or not accepted(label, value, quoted=quoted):
        return None
    if not quoted:
        run = _RUN.match(text, start)
        end = start + len(_trimmed(run[0] if run else value))
    return start, end, "password" if label.password else "labelled secret"


def _trimmed(value: str) -> str:
    cut = _TAIL.search(value)
    return (value[: cut.start()] if cut else value).rstrip(".,;:)]}*|")


def _password(label: _Label, value: str, *, quoted: bool) -> bool:
    if label.loose:
        if label.word == "pass":  # the verb
            return False
        flag = _FOLLOWS_A_FLAG.search(label.before)
        if label.space and not (quoted or flag or _FOLLOWS_LOGIN.search(label.before)):
            return False
        if value.isalpha() and not flag:  # a word of the sentence
            return False
    if label.word in ("pass", "pwd") and not label.constant and value.isalpha():
        return label.word == "pwd" and quoted and _judged(label, value, quoted=True)
    if label.word in ("pass", "pwd") and label.before[-1:].isalpha():  # compass, bypass
        return False
    return _judged(label, value, quoted=quoted)


def _judged(label: _Label, value: str, *, quoted: bool) -> bool:
    return is_password(
        value, quoted=quoted, assigned=label.assigned, constant=label.constant
    ) and not stands_elsewhere(value, quoted=quoted)


def _key(label: _Label, value: str, *, quoted: bool) -> bool:
    word = label.word
    if _TYPE_OR_ARN.search(label.before):
        return False
    if word.startswith("key") and not _KEY_OF.search(label.before):
        return False
    if word == "token" and _NOT_AUTH.search(label.before):
        return False
    short = label.constant or (quoted and label.assigned)
    if short and word != "token" and _chosen(value, quoted=quoted):
        return True
    least = _LEAST_KEY_LOOSE if label.loose else _LEAST_KEY
    return is_key(value, least=least) and not stands_elsewhere(value, quoted=quoted)


def _chosen(value: str, *, quoted: bool) -> bool:
    """`JWT_SECRET=s3cr3tvalue`: chosen by a person like a password, so judged like one, but only
    where nothing else is likely: right behind the equals sign of a constant or a setting."""
    return (
        8 <= len(value) <= 40
        and value.isalnum()
        and any(c.isdigit() for c in value)
        and is_password(value, quoted=quoted, assigned=True, constant=True)
        and not stands_elsewhere(value, quoted=quoted)
    )


_BEARER = re.compile(r"(?:bearer|authorization[\"']?\s?[:=]\s?[\"']?token)\s([\w.~+/=-]{16,512})")
_SPOKEN = {
    "identified by": re.compile(r"identified by [\"']([^\"'\n•]{4,128})[\"']"),
    "-u ": re.compile(r"(?<!\S)-u [\"']?[\w.@-]{1,64}:([^\s\"'•]{4,128})"),
    "sshpass": re.compile(r"sshpass -p ?[\"']?([^\s\"'•]{4,128})"),
    "docker login": re.compile(r"docker login [^\n]{0,80}?-p [\"']?([^\s\"'•]{4,128})"),
}
"""Places where a command takes a password without calling it one."""


def find_spoken(text: str, lowered: str) -> Iterator[Span]:
    """Bearer tokens, and passwords in the arguments of well-known commands."""
    if "bearer" in lowered or "authorization" in lowered:
        for match in _BEARER.finditer(lowered):
            start, end = match.span(1)
            value = text[start:end]
            if is_key(value, least=16) and not stands_elsewhere(value, quoted=False):
                run = _RUN.match(text, start)
                yield start, run.end() if run and end - start == 512 else end, "bearer token"
    for word, pattern in _SPOKEN.items():
        if word in lowered:
            for match in pattern.finditer(lowered):
                start, end = match.span(1)
                value = text[start:end]
                if is_password(
                    value, quoted=True, assigned=True, constant=True
                ) and not stands_elsewhere(value, quoted=False):
                    yield start, end, "password"
