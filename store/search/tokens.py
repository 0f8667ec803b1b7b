"""About how many tokens a text costs: four bytes of UTF-8 each, which for most models is on the
high side, so what is made to fit a budget does."""

from __future__ import annotations

from math import ceil

BYTES_A_TOKEN = 4


def tokens(text: str) -> int:
    """At least 1 for any text that is not empty."""
    return ceil(len(text.encode("utf-8", "surrogatepass")) / BYTES_A_TOKEN)
