"""Is this word a secret, or does it only stand where one could stand?

Precision first (domain.md, law 16): a reference (`process.env.X`), a placeholder
(`<your-token>`), a name (`harbor-prod-db-2`) and a technical term (`argon2id`) are no secrets.
"""

from __future__ import annotations

import re

_REFERENCE = re.compile(
    r"""
    < | \$[({]  | \$\$?[A-Z_][A-Z0-9_]*$ | \$\d | \#\{ | [\[({] | %\w+%$ | %[({]
    | ![A-Za-z_]+$ | @[A-Za-z_] | ~?/ | \.{1,2}/ | [A-Za-z]:\\ | --
    | (?:op|vault|ssm|arn|kms|file|https?|env|sops|gsm|sm|ref|keychain|keyring|secrets?|azurekv)
      (?::|\.[A-Za-z_])
    | (?i:sha\d+|md5|same):
    | \$(?i:\w*(?:pass|pw|token|secret|key|user|db|env)\w*)$
    """,
    re.VERBOSE,
)
"""What begins like this points at a value kept elsewhere."""

_CODE = re.compile(
    r"[\w.$:@?!]+[(\[]"  # a call or an index
    r"|[A-Za-z_]\w*(?:(?:\??\.|::|->)[A-Za-z_]\w*)+[!?]?$"  # a dotted name
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"  # A_CONSTANT
)
"""What an unquoted right-hand side looks like in code."""

_PLACEHOLDER = re.compile(
    r"""
    (?i:your|my|some|insert|enter|paste|sample|dummy|fake|mock|placeholder|change|replace|todo
       |tbd|test|foo|bar|baz|abc|none|null|nil|undefined|true|false|redacted|hidden|masked
       |n/a|deine?|votre)(?![A-Za-z])
    | (?i:change|replace)[-_ ]?(?i:me|this|it)
    | .*(?:EXAMPLE|(?i:example|placeholder|redacted|your[-_]))
    | .*(?:[xX]{4}|\*{3}|\.{3}|…|[●∗█]{3}|_{4})
    | (.)\1*$
    """,
    re.VERBOSE,
)

_TERM = re.compile(
    r"""(?:
    argon2(?:id?|d)? | b?crypt\d* | scrypt\d* | pbkdf2 | sha-?\d* | md[245] | base(?:16|32|58|62|64)
    | utf-?\d* | ascii | oauth2? | oidc | ed25519 | ed448 | x25519 | x509 | secp\d+[kr]?\d? | rsa\d*
    | e?c?dsa\d* | aes-?\d*(?:gcm|cbc|ctr)? | chacha20 | [hrep]s(?:256|384|512)k? | hmac | jwt | jwe
    | pkcs\d* | rfc\d* | nist | tls\d* | ssl\d* | totp | hotp | mfa | 2fa | sso | ldap | saml\d*
    | kms | hsm | kdf | pgp | gpg | ssh2? | http\d? | https | ipv[46] | k8s | i18n | l10n | s3 | ec2
    | v\d+ | m(?:in|ax)\d+\w* | [a-z]{1,2}\d{1,2} | t\d{4} | \d{4}q[1-4] | \d{1,3}(?-i:[a-z])*
    )(?![A-Za-z0-9!@\#$%^&*])""",
    re.VERBOSE | re.IGNORECASE,
)
"""Words with a digit that belong to the trade: algorithms, versions, sizes, quarters."""

_DATE = re.compile(r"(?:19|20)\d\d[-/.]?(?:0[1-9]|1[0-2])[-/.]?(?:0[1-9]|[12]\d|3[01])(?!\d)")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[a-z]{2,})+$", re.IGNORECASE)
_NAMES_A_SECRET = re.compile(r"passw|passphrase|token|secret|api_?key|credential", re.IGNORECASE)
_DIGIT_INSIDE = re.compile(r"(?!oauth|base|sha)[a-z]{3,}\d[a-z]{3,}$")
"""`hunter2secretword`: a name of a thing has its number at the end (`token2`, `db_password_1`)."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$", re.IGNORECASE)
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}$")
_WORD_NUMBER = re.compile(r"[a-z]+-\d+$")
_RUN = re.compile(r"[A-Za-z0-9]+")
_SMALL_RUN = re.compile(r"[a-z]{3,}")
_STEP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")

_WORDS = """
    password passwort passwd pass passphrase secret token login user username admin name
    value string text number boolean object field input label hidden visible required
    optional invalid incorrect wrong missing expired changed unchanged current confirm
    confirmed please enter empty blank enabled disabled always never maybe default unknown
    none null true false test testing tests example sample item issue ticket step level
    phase line page chapter table team docs wiki drawer option rule node ident plus minus
    type version release build branch stage staging prod production local remote server
    client public private shared same different following above below here there this that
    these those reset forgot forgotten change update rotate rotated encrypted hashed plain
    plaintext cleartext stored saved generated random unset asked account settings config
    env environment vault keychain keyring manager bitwarden lastpass dashlane keepass
    opaque include omit inherit bearer basic digest negotiate weak medium strong short
    long valid group role scope session cookie header params query body form model schema
    entity index access refresh service system root guest nobody anonymous owner member
    draft week month year only required expires rotates yubikey bytes chars characters
    letters digits words safari chrome
"""
_ORDINARY = frozenset(_WORDS.split())
"""Letters of values that are words of a sentence, a form, or a type, never a real password."""


def stands_elsewhere(value: str, *, quoted: bool) -> bool:
    """A reference, a piece of code, a placeholder: the value is not here."""
    if _REFERENCE.match(value) or _PLACEHOLDER.match(value):
        return True
    return not quoted and bool(_CODE.match(value)) and not _holds_random(value)


def _holds_random(value: str) -> bool:
    return any(len(run) >= 16 and looks_random(run) for run in _RUN.findall(value))


def looks_random(value: str, steps: float = 0.2) -> bool:
    """Whether letters and digits change as often as in a generated key.

    `steps`: least share of places inside runs of letters and digits where lower turns to upper
    case, or a letter meets a digit. Base-62 noise has .44, hexadecimal .47, base 32 .30; names
    in camelCase .17, words joined by - or _ almost none.
    """
    runs = _RUN.findall(value)
    size = sum(map(len, runs))
    found = sum(len(_STEP.findall(run)) for run in runs)
    return size > 0 and found >= steps * size and len(set(value)) >= min(8, size * 0.5)


def _is_camel_case(value: str) -> bool:
    """Mixed case of which half lies in runs of three small letters or more: words. In base-62
    noise that share is .15, and of twenty characters it reaches a half once in fifty."""
    if value.islower() or value.isupper():
        return False
    small = sum(map(len, _SMALL_RUN.findall(value)))
    return 2 * small >= sum(c.isalnum() for c in value)


_ENOUGH = 128
"""Characters of a key that tell whether it is one."""


def is_key(value: str, *, least: int) -> bool:
    """A machine's secret of at least `least` characters: generated, no ULID, no date."""
    if len(value) < least or _ULID.match(value) or _TERM.match(value):
        return False
    head = value[:_ENOUGH]
    if "=" in head.rstrip("="):  # padding stands at the end only; else it is a query or code
        return False
    return bool(_UUID.match(value)) or (looks_random(head) and not _is_camel_case(head))


def is_password(value: str, *, quoted: bool, assigned: bool, constant: bool) -> bool:
    """A person's password.

    `assigned`: an equals sign stands before it, so it is no word of a sentence. `constant`: the
    label is an environment variable (`DB_PASSWORD=letmein`), where plain words are passwords.
    """
    if not 6 <= len(value) <= 128 or " " in value or "|" in value:
        return False
    core = value.rstrip("!?")
    if _DATE.match(value) or _EMAIL.match(value) or core.lower() in _ORDINARY:
        return False
    letters = re.sub(r"[\d_-]+", "", core).lower()
    if letters in _ORDINARY and not re.search(r"\d{3}", value):
        return False
    digits = sum(c.isdigit() for c in value)
    named = _NAMES_A_SECRET.search(value) is not None and not _DIGIT_INSIDE.match(value)
    if named and value.isidentifier() and digits < 2:
        return False
    if core.isdigit():
        return True
    if not quoted and not assigned and (_TERM.match(value) or _WORD_NUMBER.match(value)):
        return False
    if digits and any(c.isalpha() for c in value):
        return not _TERM.match(value)
    if any(c.isalpha() for c in core) and re.search(r"[!@#$%^&*]", core):
        return True
    return (quoted or constant) and core.isalpha() and (core.islower() or core.isupper())
