"""ULIDs: 48 bits of milliseconds, 80 bits of chance, Crockford's base 32 (github.com/ulid/spec).

Monotonic: within one millisecond, or when the clock steps back, the last id plus one. The
entropy is injected so that the demo world and the tests are equal for an equal seed.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 26
_CHANCE_BITS = 80
_PAIRS = tuple(high + low for high in ALPHABET for low in ALPHABET)
_PLACES = range(5 * LENGTH - 10, -1, -10)

Entropy = Callable[[int], bytes]


def encode(value: int) -> str:
    """128 bits as 26 letters."""
    return "".join([_PAIRS[(value >> place) & 1023] for place in _PLACES])


class Ulids:
    """A source of ids that never goes back."""

    def __init__(self, entropy: Entropy = secrets.token_bytes) -> None:
        self._entropy = entropy
        self._last = 0
        self._lock = threading.Lock()

    def __call__(self, at_us: int) -> str:
        """The next id for a moment in microseconds since 1970."""
        with self._lock:
            fresh = (max(at_us, 0) // 1000) << _CHANCE_BITS
            fresh |= int.from_bytes(self._entropy(_CHANCE_BITS // 8), "big")
            same_millisecond = (fresh >> _CHANCE_BITS) <= (self._last >> _CHANCE_BITS)
            self._last = self._last + 1 if same_millisecond else fresh
            return encode(self._last)

    def salt(self) -> bytes:
        """16 bytes that make a commitment untestable by guessing."""
        return self._entropy(16)
