"""The demo store's content: an invented software company and what its two agents remember.

`script` gives the world as operations in time order, `bulk` any number of plain notes. Nothing
here writes: whoever opens a store plays them through its public views.
"""

from __future__ import annotations

from curator.demo.bulk_notes import bulk
from curator.demo.world import script

__all__ = ["bulk", "script"]
