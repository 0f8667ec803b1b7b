"""The bytes that reach a real terminal, and that it is as before after any end (cases A1, A17)."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator import hidden
from tests import seeds
from tests.curator.pty_run import OnPty

ALT_OFF, CURSOR_ON = b"\x1b[?1049l", b"\x1b[?25h"
# What a driver may write: sequences of its own, in forms that no text of the store can take.
OURS = re.compile(
    rb"\x1b\[[0-9;?]*\$[a-z]|\x1b\[[0-9;?>=<]*[a-zA-Z]|\x1b[78=>()][B0]?|\x1bP[^\x1b]*\x1b\\"
    rb"|\x1b\]22;[a-z-]*\x07"
)
"""`OSC 22` is the shape of the mouse pointer, by Textual itself; only letters pass here."""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    return path


@pytest.fixture
def running(world: Path, tmp_path: Path) -> Iterator[OnPty]:
    at = OnPty("open", world, env={"CURATOR_HOME": str(tmp_path / "home")})
    at.until(lambda written: b"Results" in written and b" ms" in written)
    yield at
    at.close()


def without_ours(written: bytes) -> str:
    return OURS.sub(b"", written).decode("utf-8")


def test_no_control_escape_bidi_or_osc_byte_of_a_text_is_written(running: OnPty) -> None:
    """Every tab of the card, dialogs and the chain, while they show the hostile texts."""
    running.press("deploy")  # all of them hold that word
    running.until(lambda written: "‹U+202E›".encode() in written)
    running.leave_the_line()
    for _ in range(8):
        running.press("]]]]]]")
        running.press("j")
    # All at rest before the next key: a screen that is covered at once is never written.
    marks = [f"‹U+{one}›".encode() for one in ("001B", "202E", "200B")]
    running.until(lambda written: all(mark in written for mark in marks))
    for opened in ("x", "c", "e", "r", "w", "S", "?"):
        running.press(opened)
        mark = len(running.written)
        running.until(lambda written, mark=mark: len(written) > mark + 100)  # type: ignore[misc]
        mark = len(running.written)
        running.press("\x1b")
        running.until(lambda written, mark=mark: len(written) > mark + 100)  # type: ignore[misc]
    os.kill(running.process.pid, signal.SIGTERM)
    running.ended()
    text = without_ours(running.written)
    assert "‹U+202E›" in text
    assert "‹U+200B›" in text
    assert "]52;c;cm0gLXJmIH4=" in text, "the harmless part of the sequence is shown as text"
    assert b"\x1b]52" not in running.written
    leaked = {f"U+{ord(one):04X}" for one in text if one not in "\r\n" and hidden.HIDDEN.match(one)}
    assert leaked == set()


@pytest.mark.parametrize("how", ["quit", "SIGTERM", "SIGHUP", "SIGINT"])
def test_the_terminal_is_as_before_after_every_end(running: OnPty, how: str) -> None:
    if how == "quit":
        running.leave_the_line()
        running.press("q")
    else:
        os.kill(running.process.pid, getattr(signal, how))
    code = running.ended()
    assert code == (0 if how == "quit" else 128 + getattr(signal, how))
    assert ALT_OFF in running.written
    assert running.written.rindex(CURSOR_ON) > running.written.index(b"Results")
    assert running.modes()[:4] == list(running.before[:4])
    assert b"Traceback" not in running.written


def test_a_bug_ends_loudly_and_gives_the_terminal_back(world: Path, tmp_path: Path) -> None:
    broken = tmp_path / "sitecustomize.py"
    broken.write_text(
        "import curator.screens.search as s\n"
        "def boom(self): raise RuntimeError('a bug')\n"
        "s.SearchScreen.action_held_back = boom\n"
    )
    path = f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"
    at = OnPty("open", world, env={"CURATOR_HOME": str(tmp_path / "home"), "PYTHONPATH": path})
    try:
        at.until(lambda written: b" ms" in written)
        at.leave_the_line()
        at.press("w")
        assert at.ended() == 1
        assert b"RuntimeError" in at.written
        assert ALT_OFF in at.written
        assert at.modes()[:4] == list(at.before[:4])
    finally:
        at.close()


@pytest.mark.parametrize(
    ("env", "theme"),
    [
        ({"TERM": "xterm", "COLORTERM": ""}, "terminal"),
        ({"TERM": "xterm", "COLORTERM": "", "COLORFGBG": "0;15"}, "terminal-light"),
        ({"NO_COLOR": "1"}, "ink"),
    ],
)
def test_few_colours_and_none(world: Path, tmp_path: Path, env: dict[str, str], theme: str) -> None:
    at = OnPty("open", world, env={"CURATOR_HOME": str(tmp_path / "home"), **env})
    try:
        written = at.until(lambda written: b"Results" in written and b" ms" in written)
        true_colours = set(re.findall(rb"38;2;(\d+);(\d+);(\d+)", written))
        if theme.startswith("terminal"):
            assert not true_colours
        else:
            assert all(red == green == blue for red, green, blue in true_colours)
        os.kill(at.process.pid, signal.SIGTERM)
        at.ended()
    finally:
        at.close()
