"""The README is true: its keys are the bindings, its commands are understood."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from curator.cli import main, parser
from curator.demo import write
from curator.keys import readme_table

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
_BLOCKS = re.findall(r"```\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line.split("   ")[0].strip()
    for block in _BLOCKS
    for line in block.splitlines()
    if line.startswith("curator ")
]


def test_the_key_table_is_that_of_the_bindings():
    assert readme_table() in README


def test_every_picture_is_there():
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert len(pictures) >= 3
    for picture in pictures:
        assert (ROOT / picture).is_file(), picture


def _spelled_out(command: str) -> list[list[str]]:
    """A command as typed; alternatives `a|b` one by one, ID and its like filled in."""
    words = shlex.split(command.replace("[SEQ]", "").replace("ID...", "ID"))
    for at, word in enumerate(words):
        if "|" in word:
            return [[*words[:at], one, *words[at + 1 :]] for one in word.split("|")]
    return [words]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_understood(command):
    for words in _spelled_out(command):
        parsed = parser().parse_args(words[1:])
        assert callable(parsed.run)


def test_the_command_line_tour_runs_as_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "harbor.db")
    tour = [c for c in COMMANDS if c.startswith("curator --store harbor.db")]
    assert len(tour) >= 6
    for command in tour:
        assert main(shlex.split(command)[1:]) == 0, command
        assert capsys.readouterr().out.strip()


def test_the_tour_of_the_screen_is_what_the_demo_holds(tmp_path):
    """First the wrong memory, further below the handbook that names the right region."""
    from store import Actor, open_store

    write(tmp_path / "demo.db")
    with open_store(tmp_path / "demo.db") as store:
        hits = store.curator(Actor.human("reader")).search("deploy region").hits
    assert "us-east-1" in hits[0].memory.text
    assert hits[0].memory.trust == "unreviewed"
    handbook = [h for h in hits[1:] if "Handbook" in h.memory.text]
    assert handbook[0].memory.trust == "verified"
    assert "eu-central-1" in handbook[0].memory.text
