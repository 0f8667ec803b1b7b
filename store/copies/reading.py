"""A file of lines, read back: checked whole before anything is taken from it."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from store.copies import lines
from store.copies.lines import Header
from store.copies.vetting import vet
from store.errors import CannotOpen, Invalid, NewerSchema
from store.foreign.plain import shown
from store.schema import SCHEMA_VERSION

_LONGEST_HEADER = 1024 * 1024
_CHUNK = 1024 * 1024
_LINES_AT_ONCE = 500
_UNTOUCHED = "Nothing was changed."


def is_export(path: Path) -> bool:
    """Whether the file at a path says in its first line that it is an export of ours.

    Raises `Invalid` for one of another version of the format, or with a damaged first line.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return False
        with path.open("rb") as file:
            first = file.readline(_LONGEST_HEADER)
    except (OSError, ValueError):
        return False
    return first.startswith(b"{") and lines.read_header(first) is not None


class ExportFile:
    """An export at a path, held open. Raises `CannotOpen`, `Invalid`, `NewerSchema`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = shown(path)
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise CannotOpen(f"{self.name} cannot be read: {error.strerror}.") from None
        try:
            self.header = self._header()
        except BaseException:
            self._file.close()
            raise
        self._start = self._file.tell()
        self._state = self._stamp()
        self._sections: dict[str, int] = {}

    def _header(self) -> Header:
        found = lines.read_header(self._file.readline(_LONGEST_HEADER))
        if found is None:
            raise Invalid(f"{self.name} is no export of a curator store.")
        if found.schema > SCHEMA_VERSION:
            raise NewerSchema(
                f"{self.name} was exported by a newer curator (schema {found.schema}, this one "
                f"knows {SCHEMA_VERSION}). {_UNTOUCHED}",
                "Install the newer curator to read it.",
            )
        return found

    def __enter__(self) -> ExportFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    # --- checking -----------------------------------------------------------------------

    def check(self) -> None:
        """Read all of it: checksum, counts, order, every value. Raises `Invalid` in words."""
        self._check_whole()
        counts: dict[str, int] = {}
        order = {table.name: place for place, table in enumerate(lines.exported())}
        before: tuple[int, tuple[Any, ...]] = (-1, ())
        at, head = self._start, None
        for number, raw in enumerate(self._raw(self._start, sum(self.header.counts.values())), 2):
            try:
                table, row = lines.read_line(raw)
                vet(table, row)
            except ValueError as fault:
                raise self._refused(f"line {number}: {fault}") from None
            place = (order[table.name], tuple(row[c.name] for c in lines.key(table)))
            if place <= before:
                raise self._refused(f"line {number} stands out of order, or twice")
            before = place
            self._sections.setdefault(table.name, at)
            counts[table.name] = counts.get(table.name, 0) + 1
            at += len(raw)
            head = row["hash"] if table.name == "event" else head
        self._check_said(counts, head)

    def _check_whole(self) -> None:
        digest, found = hashlib.sha256(), 0
        self._file.seek(self._start)
        while chunk := self._file.read(_CHUNK):
            digest.update(chunk)
            found += chunk.count(b"\n")
        said = sum(self.header.counts.values())
        if found < said:
            raise Invalid(
                f"{self.name} is cut short: {found:,} of its {said:,} rows are there.",
                f"{_UNTOUCHED} Copy the file again, or export again.",
            )
        if found > said or digest.hexdigest() != self.header.sha256:
            raise Invalid(
                f"{self.name} was changed after it was written: its checksum does not fit.",
                f"{_UNTOUCHED} Import the file as it was exported.",
            )

    def _check_said(self, counts: dict[str, int], head: str | None) -> None:
        known = {table.name for table in lines.exported()}
        named = set(self.header.counts)
        if named - known or (self.header.schema == SCHEMA_VERSION and named != known):
            raise self._refused("its first line counts other tables than there are")
        if counts != {name: n for name, n in self.header.counts.items() if n}:
            raise self._refused("its rows are not those that its first line counts")
        if head is not None and head != self.header.head:
            raise self._refused("its first line names another head than its log ends with")

    def _refused(self, what: str) -> Invalid:
        return Invalid(f"{self.name} cannot be taken over: {what}.", _UNTOUCHED)

    def _stamp(self) -> tuple[int, int]:
        found = os.fstat(self._file.fileno())
        return found.st_size, found.st_mtime_ns

    def check_same(self) -> None:
        """Raise `Invalid` if somebody wrote to the file since it was opened."""
        if self._stamp() != self._state:
            raise self._refused("it was written to while it was read")

    # --- rows ---------------------------------------------------------------------------

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """The rows of a table, in order. After `check`."""
        for raw in self._raw(self._sections.get(table, 0), self.count(table)):
            yield lines.read_line(raw)[1]

    def count(self, table: str) -> int:
        return self.header.counts.get(table, 0)

    def places(self, table: str, column: str) -> dict[Any, list[int]]:
        """Value of a column → where the rows with it lie in the file, for `row_at`."""
        found: dict[Any, list[int]] = {}
        at = self._sections.get(table, 0)
        for raw in self._raw(at, self.count(table)):
            found.setdefault(lines.read_line(raw)[1][column], []).append(at)
            at += len(raw)
        return found

    def row_at(self, place: int) -> dict[str, Any]:
        self._file.seek(place)
        return lines.read_line(self._file.readline(lines.LONGEST_LINE))[1]

    def _raw(self, at: int, count: int) -> Iterator[bytes]:
        """Lines from a place on. Several such walks may be under way at once."""
        while count > 0:
            self._file.seek(at)
            some = [
                self._file.readline(lines.LONGEST_LINE) for _ in range(min(count, _LINES_AT_ONCE))
            ]
            at, count = self._file.tell(), count - len(some)
            yield from some
