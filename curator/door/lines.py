"""What a client sends, line by line, so that the SDK can read it.

JSON may hold half of a surrogate pair as an escape (JavaScript writes one for an emoji that was
cut in two; RFC 8259, section 8.2). The SDK's reader refuses such a line without any answer, and
the client waits for ever; so the half becomes U+FFFD, the sign for a broken character.
"""

from __future__ import annotations

import io
import re
from typing import BinaryIO

_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a whole pair
    rb"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)


def whole(line: bytes) -> bytes:
    """A line of JSON without half surrogate pairs. Linear in its length."""
    if b"\\ud" not in line and b"\\uD" not in line:
        return line
    return _ESCAPE.sub(lambda m: m[0] if m["half"] is None else rb"\ufffd", line)


class WholeLines(io.RawIOBase):
    """The lines of a source, each `whole`. It has no file number, so the SDK reads it in place."""

    def __init__(self, source: BinaryIO) -> None:
        self._source, self._line, self._at = source, b"", 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        """The rest of a line, as far as there is room; 0 at the end."""
        if self._at >= len(self._line):
            self._line, self._at = whole(self._source.readline()), 0
        given = self._line[self._at : self._at + len(buffer)]
        buffer[: len(given)] = given
        self._at += len(given)
        return len(given)
