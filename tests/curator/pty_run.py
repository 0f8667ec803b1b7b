"""The real program on a pseudo-terminal: keys in, the bytes it really wrote out."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Mapping
from time import monotonic

PATIENCE = 30.0


class OnPty:
    """A `curator` process whose terminal is this object."""

    def __init__(
        self, *argv: object, size: tuple[int, int] = (140, 40), env: Mapping[str, str] | None = None
    ) -> None:
        self.master, child = pty.openpty()
        columns, rows = size
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(child)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "curator", *map(str, argv)],
            stdin=child,
            stdout=child,
            stderr=child,
            start_new_session=True,
            env={
                **{k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")},
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                "TEXTUAL_ANIMATIONS": "none",
                **(env or {}),
            },
        )
        self._child = child
        self.written = b""

    def until(self, holds: Callable[[bytes], bool]) -> bytes:
        """Read until what was written holds; answers everything so far."""
        end = monotonic() + PATIENCE
        while not holds(self.written):
            assert monotonic() < end, self.written[-2000:]
            if not self._read(0.05) and self.process.poll() is not None:
                assert holds(self.written), self.written[-2000:]
        return self.written

    def press(self, keys: str) -> None:
        """Keys as a terminal sends them."""
        os.write(self.master, keys.encode())

    def leave_the_line(self) -> None:
        """Down into the results, and wait until keys go there."""
        focused = "▸ Results".encode()
        had = self.written.count(focused)
        self.press("\r")
        self.until(lambda written: written.count(focused) > had)

    def ended(self) -> int:
        """Read to the end; the exit code."""
        end = monotonic() + PATIENCE
        while self.process.poll() is None:
            assert monotonic() < end, "it did not end"
            self._read(0.05)
        while self._read(0.05):
            pass
        return self.process.returncode

    def modes(self) -> list[object]:
        """The terminal's modes as they are now."""
        return list(termios.tcgetattr(self._child))

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self._child)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:
            return False
        self.written += data
        return bool(data)
