"""Private key blocks, masked whole: from the BEGIN line to the END line.

One pass over the markers, so that thousands of BEGINs without an END stay linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from store.gate.secret_formats import Span

KEY_WORDS = ("PRIVATE KEY", "PuTTY-User-Key-File")
"""One of these stands in every block."""

_MARKER = re.compile(r"-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BODY = re.compile(r"[A-Za-z0-9+/=]{16}")
_ARMOUR = re.compile(r"(?:\s|\\n|[A-Za-z0-9+/=_:,.-])*")
"""What a block without an END may consist of: base64, headers, real or escaped newlines."""

_PUTTY = re.compile(r"PuTTY-User-Key-File-\d:|Private-MAC: [0-9a-f]{40,64}")


def find_private_keys(text: str) -> Iterator[Span]:
    """PEM, OpenSSH, PGP and PuTTY blocks that hold a body; a bare BEGIN line is only talk."""
    start: re.Match[str] | None = None
    for marker in _MARKER.finditer(text):
        if marker[1] == "BEGIN":
            yield from _cut_short(text, start, marker.start())
            start = marker
        elif start is not None:
            if _BODY.search(text, start.end(), marker.start()):
                yield start.start(), marker.end(), "private key"
            start = None
    yield from _cut_short(text, start, len(text))
    yield from _putty(text)


def _cut_short(text: str, begin: re.Match[str] | None, limit: int) -> Iterator[Span]:
    """A block whose END is missing, up to where its armour stops."""
    if begin is None:
        return
    armour = _ARMOUR.match(text, begin.end(), limit)
    end = armour.end() if armour else begin.end()
    body = list(_BODY.finditer(text, begin.end(), end))
    if body:
        last = re.compile(r"[A-Za-z0-9+/=]*").match(text, body[-1].start())
        yield begin.start(), last.end() if last else end, "private key"


def _putty(text: str) -> Iterator[Span]:
    start: int | None = None
    for marker in _PUTTY.finditer(text):
        if marker[0].startswith("PuTTY"):
            start = marker.start() if start is None else start
        elif start is not None:
            yield start, marker.end(), "private key"
            start = None
