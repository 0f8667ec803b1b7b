"""Readers of other programs' memory stores.

`detect` says what is at a path, `read` turns it into plain records (records.py). Nothing here
writes: not to the source, which stays byte for byte as it was, with no file beside it, and not
to our store, which the importer does.
"""

from store.foreign.records import (
    ForeignEntity,
    ForeignMemory,
    ForeignRelation,
    ForeignStore,
    ForeignVersion,
    Found,
    Mention,
    Reader,
)
from store.foreign.registry import READERS, detect, read, reader_of

__all__ = [
    "READERS",
    "ForeignEntity",
    "ForeignMemory",
    "ForeignRelation",
    "ForeignStore",
    "ForeignVersion",
    "Found",
    "Mention",
    "Reader",
    "detect",
    "read",
    "reader_of",
]
