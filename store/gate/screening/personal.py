"""Personal data: e-mail addresses, phone numbers, cards (Luhn), IBANs (checksum).

Precision first: a number is a phone number only where a word or its form says so, a card only
with an issuer's prefix, its length and a right check digit (ISO/IEC 7812-1), an IBAN only with its
country's length and a right checksum (ISO 13616, ISO 7064 MOD 97-10).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from store.model import Finding, FindingKind

_EMAIL = re.compile(
    r"(?<![\w.+:/@-])(?!git@)[^\W_](?:[\w.+-]{0,62}[\w+-])?@"
    r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,6}[^\W\d_]{2,24}(?![\w@]|[:/]\S|-\w)"
)
_IN_ADDRESS = re.compile(r"://\S*$")
"""What stands between `://` and `@` is a login, not a mailbox."""
_SEPARATED = r"(?:[ .\-/()\u00a0]{0,2}\d)"
_PHONE_FORM = re.compile(
    rf"(?<![\w.+])(?:\+[1-9]{_SEPARATED}{{7,14}}|\(\d{{3}}\) ?\d{{3}}-\d{{4}})(?![\w]|-\d|\.\d)"
)
_PHONE_SAID = re.compile(
    r"(?:\b(?:phone|mobile|cell|tel(?:efon|ephone)?|call(?: (?:me|him|her|them))?|fax|sms|handy"
    r"|whatsapp|reach \w{2,4}|portable|m[oó]vil|số)|điện thoại|电话|手机|電話)"
    rf"(?:\s?(?:number|no\.?|at|on|is))?[\s.:#]{{1,3}}\(?\d{_SEPARATED}{{7,13}}(?![\w]|-\d|\.\d)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<!\w)\(?\d")
_CARD = re.compile(
    r"(?<![\w.+/-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{5})"
    r"(?![\w]|[-.]\d)"
)
_ISSUER = re.compile(
    r"4\d{12}(?:\d{3})?(?:\d{3})?$|(?:5[1-5]|2[2-6]\d|27[01])\d*$|3[47]\d{13}$"
    r"|(?:6011|65\d\d|64[4-9]\d)\d{12}$|35(?:2[89]|[3-8]\d)\d{12}$|3(?:0[0-5]|[68]\d)\d{11}$"
)
_IBAN = re.compile(r"(?<![\w-])([A-Z]{2})\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)")
# fmt: off
_IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22,
    "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28,
    "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23,
    "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26,
    "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20,
    "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18,
    "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24,
    "SC": 31, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24,
    "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}
# fmt: on
_MANY_DIGITS = re.compile(r"\d(?:[ .\-/()\u00a0]{0,2}\d){7}")


def find_personal(text: str) -> Iterator[Finding]:
    """E-mail addresses and numbers that belong to a person."""
    if "@" in text:
        for match in _EMAIL.finditer(text):
            if not _IN_ADDRESS.search(text, max(0, match.start() - 80), match.start()):
                yield Finding(FindingKind.EMAIL, "an e-mail address", match.span())
    if _MANY_DIGITS.search(text) is None:
        return
    taken = [*_ibans(text), *_cards(text)]
    yield from taken
    for start, end in sorted(set(_phones(text))):
        if not any(start < f.span[1] and f.span[0] < end for f in taken):
            yield Finding(FindingKind.PHONE, "a phone number", (start, end))


def _phones(text: str) -> Iterator[tuple[int, int]]:
    formed = [match.span() for match in _PHONE_FORM.finditer(text)]
    yield from formed
    for match in _PHONE_SAID.finditer(text):
        number = _NUMBER.search(text, match.start(), match.end())
        if number is not None and not any(
            a < match.end() and number.start() < b for a, b in formed
        ):
            yield number.start(), match.end()


def _cards(text: str) -> Iterator[Finding]:
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if _ISSUER.match(digits) and _fits_issuer(digits) and luhn(digits):
            yield Finding(FindingKind.CARD, "a card number", match.span())


def _fits_issuer(digits: str) -> bool:
    """Mastercard's ranges have sixteen digits."""
    return digits[0] not in "25" or len(digits) == 16


def luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit)
        if place % 2:
            value = value * 2 - 9 if value > 4 else value * 2
        total += value
    return total % 10 == 0


def _ibans(text: str) -> Iterator[Finding]:
    for match in _IBAN.finditer(text):
        length = _IBAN_LENGTHS.get(match[1])
        end = None if length is None else _end_of(text, match.start(), length)
        if end is not None and end <= match.end() and is_iban(text[match.start() : end]):
            yield Finding(FindingKind.IBAN, "an account number (IBAN)", (match.start(), end))


def _end_of(text: str, start: int, letters: int) -> int | None:
    """Where the n-th letter after `start` ends, spaces not counted."""
    for at in range(start, len(text)):
        letters -= text[at] != " "
        if letters == 0:
            follows = text[at + 1 : at + 2]
            return None if follows.isalnum() else at + 1
    return None


def is_iban(text: str) -> bool:
    """Whether its checksum is right (ISO 7064 MOD 97-10)."""
    letters = text.replace(" ", "")
    return int("".join(str(int(c, 36)) for c in letters[4:] + letters[:4])) % 97 == 1
