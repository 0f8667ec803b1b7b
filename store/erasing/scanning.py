"""Looking for many byte patterns at once in files of any size, with bounded memory.

Every place of a block is looked up by the eight (or, for short patterns, five) bytes that stand
there in a table of one bit a hash: nearly all places end there, the rest is compared whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, LargeBinary, Table, select

from store.engines.protocol import StoreEngine
from store.erasing.columns import ROWS_AT_ONCE
from store.schema import metadata

if TYPE_CHECKING:
    import numpy as np

_BLOCK = 1 << 21
_BITS = 22
_FACTOR = 0x9E3779B97F4A7C15
_SHORT, _LONG = 5, 8
_LOW_FIVE = (1 << 40) - 1


@dataclass(frozen=True, slots=True)
class Looked:
    """What one file holds. `found`: patterns, with how often."""

    path: Path
    size: int
    found: Mapping[bytes, int]


class Search:
    """Byte patterns of at least five bytes, ready to be looked for."""

    def __init__(self, patterns: Iterable[bytes]) -> None:
        every = [p for p in set(patterns) if len(p) >= _SHORT]
        self._longest = max(map(len, every), default=0)
        self._groups = [
            _Group([p for p in every if len(p) >= _LONG], _LONG),
            _Group([p for p in every if len(p) < _LONG], _SHORT),
        ]

    def in_file(self, path: Path) -> Looked:
        """Every pattern in a file. One that is gone, or may not be read, holds nothing."""
        found: Counter[bytes] = Counter()
        size = 0
        with suppress(FileNotFoundError), path.open("rb") as file:
            tail = b""
            while True:
                block = file.read(_BLOCK)
                size += len(block)
                whole = tail + block
                last = len(block) < _BLOCK
                upto = len(whole) if last else max(0, len(whole) - self._longest)
                found.update(self.in_bytes(whole, upto))
                if last:
                    break
                tail = whole[upto:]
        return Looked(path, size, dict(found))

    def in_bytes(self, data: bytes, upto: int | None = None) -> Counter[bytes]:
        """Patterns that begin before `upto`."""
        end = len(data) if upto is None else upto
        found: Counter[bytes] = Counter()
        if end > 0:
            for group in self._groups:
                group.find(data, end, found)
        return found


class _Group:
    """Patterns known by the same number of first bytes."""

    def __init__(self, patterns: list[bytes], known_by: int) -> None:
        self._known_by = known_by
        self._by_start: dict[bytes, list[bytes]] = {}
        for one in patterns:
            self._by_start.setdefault(one[:known_by], []).append(one)
        self._table = self._hashed() if patterns else None

    def _hashed(self) -> np.ndarray[Any, Any]:
        import numpy as np

        keys = [int.from_bytes(start.ljust(_LONG, b"\0"), "little") for start in self._by_start]
        table = np.zeros(1 << _BITS, dtype=bool)
        table[self._places(np.array(keys, dtype="<u8"))] = True
        return table

    def _places(self, windows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        import numpy as np

        if self._known_by == _SHORT:
            windows = windows & np.uint64(_LOW_FIVE)
        return (windows * np.uint64(_FACTOR)) >> np.uint64(64 - _BITS)

    def find(self, data: bytes, end: int, found: Counter[bytes]) -> None:
        if self._table is None:
            return
        import numpy as np

        padded = data + bytes(_LONG)
        for shift in range(_LONG):
            count = (len(padded) - shift) // _LONG
            windows = np.frombuffer(padded, dtype="<u8", offset=shift, count=count)
            for place in np.nonzero(self._table[self._places(windows)])[0].tolist():
                at = place * _LONG + shift
                if at < end:
                    self._compare(data, at, found)

    def _compare(self, data: bytes, at: int, found: Counter[bytes]) -> None:
        for one in self._by_start.get(data[at : at + self._known_by], ()):
            if data.startswith(one, at):
                found[one] += 1


# --- what the rows themselves hold ------------------------------------------------------


def living(conn: Connection, engine: StoreEngine, patterns: Iterable[bytes]) -> set[bytes]:
    """Which of these patterns rows of the store hold. Reads tables until all are found."""
    left, found = set(patterns), set[bytes]()
    first = ("version", "version_terms", "event_detail")
    tables = sorted(metadata.sorted_tables, key=lambda t: t.name not in first)
    for block in _blocks(conn, engine, tables):
        met = left.intersection(Search(left).in_bytes(block))
        found |= met
        left -= met
        if not left:
            break
    return found


def _blocks(conn: Connection, engine: StoreEngine, tables: Iterable[Table]) -> Iterator[bytes]:
    """Everything that rows hold, and how the tables are defined, some rows at once."""
    yield "\0".join(engine.definitions(conn)).encode()
    for table in tables:
        binary = [isinstance(c.type, LargeBinary) for c in table.columns]
        query = select(*table.columns).execution_options(yield_per=ROWS_AT_ONCE)
        for rows in conn.execute(query).partitions():
            yield b"\0".join(
                bytes(cell) if raw else str(cell).encode("utf-8", "surrogatepass")
                for row in rows
                for cell, raw in zip(row, binary, strict=True)
                if cell is not None
            )
