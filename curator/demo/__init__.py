"""The demo store: an invented software company and what its two agents remember.

`script` gives the world as operations in time order, `bulk` any number of plain notes, and
`write` plays both into a new store.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from curator.demo.bulk_notes import bulk
from curator.demo.world import script

__all__ = ["bulk", "script", "write"]


def write(path: Path, *, seed: int = 7, memories: int = 0, now: datetime | None = None) -> int:
    """Write the demo store to a new file; see `curator.demo.player`."""
    from curator.demo.player import write as play

    return play(path, seed=seed, memories=memories, now=now)
