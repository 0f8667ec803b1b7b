"""Where an export goes: a new file that only its owner can read, or an open stream.

A file is written under another name beside its place and renamed when it is whole, so there is
never half of one. What stands there already is only replaced if it is an export itself.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol, TextIO

from store.errors import CannotOpen, Invalid, StorageFull
from store.foreign.plain import shown

JSONL_START = b'{"format": "curator-export"'
MARKDOWN_START = b"<!-- curator-export -->"


class Delivery(Protocol):
    @property
    def name(self) -> str | None:
        """The file's path; None for a stream."""

    def write(self, data: bytes) -> None: ...

    def done(self) -> None:
        """Everything was written and the log knows: put the file in its place."""


@contextmanager
def delivering(target: str | os.PathLike[str] | TextIO) -> Iterator[Delivery]:
    """Somewhere to write an export to. Leaves no part of a file behind when it fails.

    Raises `CannotOpen` for a place that cannot be written, `StorageFull`.
    """
    if not isinstance(target, str | os.PathLike):
        if not hasattr(target, "write"):
            raise Invalid("The target of an export is a path or an open stream of text.")
        yield _Stream(target)
        return
    file = _File(Path(target).expanduser())
    try:
        yield file
    finally:
        file.drop()


class _Stream:
    name: str | None = None

    def __init__(self, stream: TextIO) -> None:
        stream.flush()
        self._stream = stream
        # UTF-8 whatever the stream's own encoding: the checksum is one of bytes.
        self._bytes: IO[bytes] | None = getattr(stream, "buffer", None)

    def write(self, data: bytes) -> None:
        if self._bytes is None:
            self._stream.write(data.decode("utf-8", "surrogatepass"))
        else:
            self._bytes.write(data)

    def done(self) -> None:
        (self._stream if self._bytes is None else self._bytes).flush()


class _File:
    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = str(path.absolute())
        _check_place(path)
        self._part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
        with _refusing(path):
            opened = os.open(self._part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        self._file: Any = os.fdopen(opened, "wb", buffering=1024 * 1024)

    def write(self, data: bytes) -> None:
        with _refusing(self._path):
            self._file.write(data)

    def done(self) -> None:
        with _refusing(self._path):
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            os.replace(self._part, self._path)

    def drop(self) -> None:
        """Take the unfinished file away; nothing to do once it is in its place."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            os.unlink(self._part)


def _check_place(path: Path) -> None:
    """Refuse to replace what is no earlier export."""
    if not os.path.lexists(path):
        return
    if path.is_file():
        with _refusing(path), path.open("rb") as file:
            start = file.read(len(JSONL_START))
        if not start or start.startswith((JSONL_START, MARKDOWN_START)):
            return
    raise CannotOpen(
        f"{shown(path)} is there already and is no export. It was not changed.",
        "Name another file.",
    )


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise StorageFull(
                f"No room left to write {shown(path)}.", "The store is as it was. Free some space."
            ) from None
        raise CannotOpen(
            f"{shown(path)} cannot be written: {error.strerror}. Nothing was exported."
        ) from None
