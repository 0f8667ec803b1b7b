"""Running the program in a test: in this process, or as a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

from curator.cli import main


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout; anything beside it makes this fail."""
        return json.loads(self.out)


def curator(*argv: object, stdin: bytes = b"") -> Ran:
    """Run `main` with these arguments and streams that are no terminal."""
    out, err = _stream(), _stream()
    with redirect_stdout(out), redirect_stderr(err), _input(stdin):
        code = main([str(argument) for argument in argv])
    return Ran(code, _text(out), _text(err))


def process(
    *argv: object, env: Mapping[str, str] | None = None, **how: Any
) -> subprocess.Popen[bytes]:
    """Start the program as a process; stdin, stdout and stderr are pipes unless said."""
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(
        [sys.executable, "-m", "curator", *map(str, argv)],
        env={**os.environ, **(env or {})},
        **{**streams, **how},
    )


def ended(running: subprocess.Popen[bytes], stdin: bytes | None = None) -> Ran:
    """Wait for a process to end by itself."""
    out, err = running.communicate(stdin, timeout=60)
    return Ran(running.returncode, (out or b"").decode(), (err or b"").decode())


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8")


@contextmanager
def _input(data: bytes) -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before
