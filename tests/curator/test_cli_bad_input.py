"""Bad input: a sentence that says what and what next, exit 1, nothing lost, never a traceback."""

from __future__ import annotations

import base64
import os
import pty
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import takewhile
from pathlib import Path

import pytest

from store import Actor, Draft, Store, open_store
from store.access.curator import CuratorView
from store.model import Written
from tests.curator.terminal import Ran, curator, ended, process

Note = Callable[..., Written]
NOBODY = 65534


@pytest.fixture(autouse=True)
def default_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_STORE", str(store_path))


def refused(ran: Ran, *parts: str) -> None:
    """One sentence or two for a person, on stderr only."""
    assert ran.code == 1
    assert "Traceback" not in ran.err
    assert ran.err.startswith("curator: ")
    for part in parts:
        assert part in ran.err


def _cursor(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


# --- what was asked ---------------------------------------------------------------------

ASKED: dict[str, tuple[list[str], list[str]]] = {
    "unknown id": (["show", "01ZZZZZZZZ"], ["no memory '01ZZZZZZZZ'", "Search"]),
    "hostile id": (["show", "\x1b[2J\u202e"], ["no memory"]),
    "ambiguous id": (["show", "01JN"], ["Several memories begin with 01JN", "more of its letters"]),
    "short id": (["show", "01"], ["'01' is too short", "4 letters"]),
    "no head": (["audit", "--verify", "--head", "zz"], ["'zz' is no head", "64 letters"]),
    "dots to write": (["remember", "x", "--scope", "a/../b"], ["'a/../b' is no scope"]),
    "cursor of a ranking": (["search", "fact", "--after", "banana"], ["cursor"]),
    "cursor far away": (["list", "--after", _cursor(f"{10**30}/A/1")], ["no cursor"]),
    "hostile cursor": (["list", "--after", _cursor("1/\x00/1")], ["no cursor"]),
    "cursor of a listing": (["search", "kind:fact", "--after", "banana"], ["no cursor"]),
    "no state": (["list", "--state", "banana"], ["'banana' is no state", "quarantined"]),
    "no cursor": (["list", "--after", "banana"], ["no cursor", "`next`"]),
    "no page": (["list", "--limit", "0"], ["limit 0", "1000"]),
    "much page": (["list", "--limit", "1001"], ["limit 1001", "1000"]),
    "much audit": (["audit", "--limit", "1001"], ["limit 1001"]),
    "look-alike scope": (["list", "--scope", "Project/A"], ["no scope Project/A", "project/a?"]),
    "close scope": (["list", "--scope", "project/ab"], ["no scope project/ab", "project/a?"]),
    "foreign scope": (["list", "--scope", "zzz"], ["no scope zzz", "curator scopes"]),
    "broken scope": (["list", "--scope", "a b"], ["'a b' is no scope", "without spaces"]),
    "hostile scope": (["list", "--scope", "a\u202eb"], ["is no scope"]),
    "scope to write": (["remember", "x", "--scope", "/a"], ["'/a' is no scope"]),
    "from": (["remember", "x", "--scope", "a", "--from", "soon"], ["--from: 'soon'", "2026-"]),
    "until": (["remember", "x", "--scope", "a", "--until", "2026-13-01"], ["--until"]),
    "expires": (["remember", "x", "--scope", "a", "--expires", ""], ["--expires"]),
    "never true": (
        ["remember", "x", "--scope", "a", "--from", "2026-02-01", "--until", "2026-01-01"],
        ["never be true"],
    ),
    "tier": (["remember", "x", "--scope", "a", "--tier", "deep"], ["'deep' is no tier"]),
    "confidence": (["remember", "x", "--scope", "a", "--confidence", "nan"], ["between 0 and 1"]),
    "no text": (["remember", " ", "--scope", "a"], ["no text to remember"]),
    "since": (["correct", "01ZZZZ", "x", "--since", "then"], ["--since: 'then'"]),
    "correct what": (["correct", "01ZZZZZZZZ", "x"], ["no memory"]),
    "undo what": (["undo", "4711"], ["no event #4711"]),
    "format": (["import", os.devnull, "--format", "banana"], ["'banana'", "mnemo"]),
    "no such path": (["import", "/nowhere/at/all"], ["nothing at /nowhere/at/all"]),
    "unknown content": (["import", __file__], ["no memory store of a known format", "mnemo"]),
    "long name": (["list", "--store", "x" * 5000], ["refused"]),
    "no home": (["list", "--store", "~no_such_user/x.db"], ["~no_such_user", "whole path"]),
    "address": (["list", "--store", "gopher://h/x"], ["gopher://"]),
    "demo over a file": (["demo", "--out", __file__], ["there already"]),
}


@pytest.mark.parametrize("case", ASKED)
def test_a_question_that_means_nothing_is_answered_with_what_would(
    case: str, note: Note, me: CuratorView
) -> None:
    note("a fact")
    note("another", scope="global")
    before = me.changed()
    argv, parts = ASKED[case]
    ran = curator(*[_ambiguous(me) if one == "01JN" else one for one in argv])
    refused(ran, *(part.replace("01JN", _ambiguous(me)) for part in parts))
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert "\x1b" not in ran.err
    assert "\u202e" not in ran.err
    assert me.changed() == before


def _ambiguous(me: CuratorView) -> str:
    """What the ids of all memories begin with."""
    one, other = (memory.id for memory in me.list().memories)
    return "".join(
        a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=True))
    )


def test_an_unknown_scope_of_an_empty_store_says_that_it_is_empty(me: CuratorView) -> None:
    refused(curator("list", "--scope", "a"), "holds no memories yet")


# --- what the path holds ----------------------------------------------------------------


def _text(path: Path) -> None:
    path.write_text("Dear diary, today nothing happened.\n" * 20)


def _folder(path: Path) -> None:
    path.mkdir()


def _foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE TABLE t (a)")


def _made(path: Path) -> None:
    with open_store(path) as store:
        store.curator(Actor.human("dana")).remember(Draft("a fact", "project/a"))


def _newer(path: Path) -> None:
    _made(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA user_version = 999")


def _cut(path: Path) -> None:
    _made(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _stub(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\0" * 20)


def _scrambled(path: Path) -> None:
    _made(path)
    data = bytearray(path.read_bytes())
    data[4096 : len(data) // 2] = b"\xa5" * (len(data) // 2 - 4096)
    path.write_bytes(data)


HELD = {
    "text": (_text, "not a curator store"),
    "folder": (_folder, "is a folder"),
    "another program's": (_foreign, "of another program"),
    "newer": (_newer, "newer curator"),
    "cut short": (_cut, "cut short"),
    "a few bytes": (_stub, "cut short"),
    "scrambled": (_scrambled, "damaged"),
}


@pytest.mark.parametrize("case", HELD)
def test_what_is_no_store_is_said_and_left_as_it_is(case: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.db"
    make, words = HELD[case]
    make(path)
    before = None if path.is_dir() else path.read_bytes()
    for argv in (["list"], ["remember", "x", "--scope", "a"], ["doctor"], ["audit", "--verify"]):
        refused(curator(*argv, "--store", path), words)
    assert (None if path.is_dir() else path.read_bytes()) == before
    assert path.exists()


@contextmanager
def _as_nobody() -> Iterator[None]:
    """As a person without rights; the tests may run as root, who may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights are of another kind here")
def test_without_permission(me: CuratorView) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        _made(folder / "mine.db")
        shutil.copy(folder / "mine.db", folder / "closed.db")
        folder.chmod(0o755)
        (folder / "closed.db").chmod(0)
        (folder / "room").mkdir(mode=0o000)
        with _as_nobody():
            closed = curator("list", "--store", folder / "closed.db")
            room = curator("list", "--store", folder / "room" / "x.db")
            new = curator("remember", "x", "--scope", "a", "--store", folder / "room" / "x.db")
        refused(closed, "closed.db", "permission")
        refused(room, "room", "ermission")
        refused(new, "room", "ermission")
    finally:
        shutil.rmtree(folder)


def test_a_store_that_another_program_writes_to(
    store: Store, note: Note, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.engines.sqlite_open.BUSY_TIMEOUT_MS", 20)
    written = note("a fact")
    with store.engine.write():
        refused(curator("remember", "x", "--scope", "a"), "Another program is writing", "again")
        many = curator("verify", written.id, "--json")
        assert curator("list", "--json").json["total"] == 1
    refused(many, "not tried", "Another program is writing")
    assert many.json["counts"]["refused"] == 1
    assert curator("verify", written.id).code == 0


# --- what the system does ---------------------------------------------------------------


def _small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (96 * 1024, 96 * 1024))


def test_a_full_disk_takes_nothing_with_it(store_path: Path) -> None:
    _made(store_path)
    before = curator("audit", "--verify", "--json").json
    text = " ".join(f"word{number}" for number in range(6000)).encode()
    argv = ("remember", "-", "--scope", "project/a")
    refused(ended(process(*argv, preexec_fn=_small_files), text), "No room left", "again")
    assert curator("audit", "--verify", "--json").json == before
    assert curator("list", "--json").json["total"] == 1
    assert curator(*argv, stdin=text).code == 0


def test_a_disk_too_small_for_a_new_store(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    argv = ("remember", "x", "--scope", "a", "--store", path)
    refused(ended(process(*argv, preexec_fn=_small_files)), "No room left")
    assert curator(*argv).code == 0


def test_a_demo_without_room_leaves_no_half_store(tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    refused(ended(process("demo", "--out", path, preexec_fn=_small_files)), "No room left")
    assert list(tmp_path.glob("demo.db*")) == []


def test_an_answer_that_cannot_be_written(note: Note) -> None:
    note("a fact")
    with Path("/dev/full").open("wb") as full:
        refused(ended(process("list", stdout=full)), "refused")


def test_a_reader_that_stops_is_no_failure(me: CuratorView) -> None:
    me.remember_many(Draft(f"fact {n} " + "word " * 100, "project/a") for n in range(400))
    for argv in (["list", "--limit", 1000], ["list", "--limit", 1000, "--json"]):
        running = process(*argv)
        assert running.stdout is not None
        assert running.stdout.readline()
        running.stdout.close()
        assert running.stderr is not None
        assert running.stderr.read() == b""
        assert running.wait(timeout=60) == 0


def test_nobody_reads_the_help() -> None:
    read, write = os.pipe()
    os.close(read)
    ran = ended(process("--help", stdout=write))
    os.close(write)
    assert ran.err == ""


def test_ctrl_c_stops_with_a_sentence(store_path: Path) -> None:
    mine, its = pty.openpty()
    running = process("remember", "-", "--scope", "a", stdin=its)
    assert running.stderr is not None
    assert b"ctrl+d" in running.stderr.readline()  # it reads the terminal from here on
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    os.close(mine)
    os.close(its)
    refused(Ran(running.returncode, "", err.decode()), "Stopped", "half done")
    assert not store_path.exists()


def test_bytes_that_are_no_text_on_the_command_line(me: CuratorView) -> None:
    """Refused: something else than was meant would be stored."""
    for argv in (
        [b"remember", b"caf\xe9 \xff", b"--scope", b"a"],
        [b"remember", b"x", b"--scope", b"a", b"--tag", b"\xff"],
        [b"search", b"\xff"],
    ):
        run = subprocess.run([sys.executable, "-m", "curator", *argv], capture_output=True)
        assert run.returncode == 2
        assert b"is not UTF-8" in run.stderr
    assert me.list(state="all").total == 0


# --- a write whose answer is lost -------------------------------------------------------


def test_a_write_whose_answer_cannot_be_printed_was_done(me: CuratorView) -> None:
    for argv in (
        ["remember", "a fact", "--scope", "a"],
        ["remember", "two", "--scope", "a", "--json"],
    ):
        with Path("/dev/full").open("wb") as full:
            ran = ended(process(*argv, stdout=full))
        refused(ran, "It was done", "could not be printed")
        assert "not changed" not in ran.err
    assert me.list().total == 2
    with Path("/dev/full").open("wb") as full:
        refused(ended(process("list", stdout=full)), "The store was not changed")


def test_a_write_into_a_closed_pipe_says_that_it_was_done(me: CuratorView) -> None:
    read, write = os.pipe()
    os.close(read)
    ran = ended(process("remember", "a fact", "--scope", "a", stdout=write))
    os.close(write)
    assert (ran.code, ran.err) == (
        0,
        "curator: It was done; only the answer could not be printed.\n",
    )
    assert me.list().total == 1


# --- no store where nothing was stored --------------------------------------------------


@pytest.mark.parametrize(
    "argv",
    [
        ["list"],
        ["doctor"],
        ["stats"],
        ["export", "--out", "part.jsonl"],
        ["remember", " ", "--scope", "a"],
        ["remember", "x", "--scope", ".."],
        ["remember", "x" * 70_000, "--scope", "a"],
        ["import", "nothing.here"],
        ["import", "empty.txt"],
        ["import", "nothing.here", "--dry-run"],
    ],
)
def test_what_stores_nothing_makes_no_store(
    argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.txt").touch()
    (tmp_path / "zero.db").touch()
    before = sorted(tmp_path.rglob("*"))
    for place in ("new/folder/x.db", "zero.db"):
        ran = curator(*argv, "--store", place)
        assert ran.code == 1
        assert "Traceback" not in ran.err
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "zero.db").stat().st_size == 0
    assert curator("remember", "x", "--scope", "a", "--store", "zero.db").code == 0
    assert curator("remember", "x", "--scope", "a", "--store", "new/folder/x.db").code == 0


def test_the_hint_of_a_missing_store_names_what_works(tmp_path: Path) -> None:
    ran = curator("list", "--store", tmp_path / "x.db")
    refused(ran, "no store at", "remember TEXT --scope SCOPE", "demo --out FILE")


def test_a_demo_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "demo.db"
    refused(ended(process("demo", "--out", path, preexec_fn=_small_files)), "No room left")
    assert list(tmp_path.glob("new*")) == []


def test_what_is_no_file_at_all_is_said_at_once(tmp_path: Path) -> None:
    pipe, end = tmp_path / "pipe", tmp_path / "socket"
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(end))
        for path, kind in ((pipe, "a pipe"), (end, "a socket"), (Path(os.devnull), "a device")):
            for argv in (["list"], ["remember", "x", "--scope", "a"], ["doctor"]):
                refused(curator(*argv, "--store", path), f"{path} is {kind}, not a store")


# --- words that are none ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["serach", "x"], "'serach' is no VERB; did you mean search?"),
        (["rember", "x", "--scope", "a"], "did you mean remember?"),
        (["reject", "01", "--match", "neer"], "did you mean near?"),
        (["zzzzzz"], "one of: open, demo, search"),
    ],
)
def test_an_unknown_word_is_answered_with_a_near_one(argv: list[str], said: str) -> None:
    ran = curator(*argv)
    assert ran.code == 2
    assert said in ran.err
