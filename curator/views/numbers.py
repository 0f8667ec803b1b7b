"""Figures in words (visual.md §3). The screen rounds last, so sums may miss by a last digit."""

from __future__ import annotations


def share(value: float) -> str:
    """Scores, shares, factors: `0.975`."""
    return f"{value:.3f}"


def cosine(value: float) -> str:
    """`.55`, `-.07`, `1.00`: two decimals without the zero."""
    said = f"{value:.2f}"
    return said.replace("0.", ".", 1) if abs(float(said)) < 1 else said


def bm25(value: float) -> str:
    """`6.3`."""
    return f"{value:.1f}"


def percent(value: float) -> str:
    """A share of 1 as `61 %`."""
    return f"{value * 100:.0f} %"


def count(value: int) -> str:
    """`1,204`."""
    return f"{value:,}"


def event(seq: int) -> str:
    """`#4182`: numbers of events have no comma."""
    return f"#{seq}"


def many(value: int, one: str, more: str | None = None) -> str:
    """`1 secret`, `2 secrets`, `0 memories`."""
    return f"{count(value)} {one if value == 1 else more or one + 's'}"


def milliseconds(value: float) -> str:
    """`14 ms`, `0.4 ms` under one."""
    return f"{value:.1f} ms" if 0 < value < 0.95 else f"{value:.0f} ms"
