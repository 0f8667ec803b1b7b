"""The command line itself: what is imported, which exit code, where the store is, who acts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from curator.cli import parser
from curator.safe import hidden_characters
from store import open_store
from tests.curator.terminal import Ran, curator, ended, process

VERBS = (
    "open demo search why show list scopes audit remember correct undo verify dispute quarantine "
    "release pin unpin retire restore archive unarchive import stats reindex doctor "
    "reject tombstones merge unmerge move review consolidate forget"
).split()


def imported_after(*argv: str) -> set[str]:
    """Top-level modules that are loaded once `main(argv)` has run in a fresh process."""
    code = (
        "import sys\nfrom curator.cli import main\n"
        f"main({list(argv)!r})\n"
        "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    return set(run.stderr.decode().splitlines()[-1].split())


HEAVY = {"textual", "rich", "sqlalchemy", "numpy", "model2vec", "pysqlite3", "httpx"}


@pytest.mark.parametrize(
    "argv", [["--version"], ["--help"], ["open"], [], ["demo"], ["list", "-x"]]
)
def test_nothing_heavy_is_imported_for_a_word_of_help_or_a_refusal(argv: list[str]) -> None:
    loaded = imported_after(*argv)
    assert not HEAVY & loaded
    assert "curator" in loaded


def test_version_and_help_go_to_stdout() -> None:
    version = curator("--version")
    assert (version.code, version.err) == (0, "")
    assert version.out.startswith("curator ")
    help_ = curator("--help")
    assert help_.code == 0
    assert all(f"\n    {verb} " in help_.out for verb in VERBS)


def test_each_verb_says_what_it_does_and_takes_the_store_before_and_after() -> None:
    for verb in VERBS:
        said = curator(verb, "--help")
        assert said.code == 0
        assert "--store" in said.out
    for argv in (["--store", "a", "list"], ["list", "--store", "a"]):
        assert parser().parse_args(argv).store == "a"
    assert parser().parse_args(["--store", "a", "list", "--store", "b"]).store == "b"


@pytest.mark.parametrize("argv", [["open"], [], ["demo"], ["--store", "x.db"]])
def test_without_a_terminal_the_app_says_so(argv: list[str]) -> None:
    ran = ended(process(*argv))
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert "terminal" in ran.err


def test_a_closed_stream_is_no_terminal_and_no_crash(tmp_path: Path) -> None:
    """`make demo` on a build machine: Textual would wait for ever."""
    said = _closing("<&-", "open")
    assert (said.code, said.err.count("\n")) == (2, 1)
    path = tmp_path / "new.db"
    for closed in (">&-", "2>&-", "<&- >&- 2>&-"):
        ran = _closing(closed, "remember", closed, "--scope", "a", "--store", str(path))
        assert (ran.code, ran.err) == (0, "")
    assert curator("stats", "--store", path, "--json").json["memories"] == 3


def _closing(streams: str, *argv: str) -> Ran:
    script = f'exec "$@" {streams}'
    command = ["sh", "-c", script, "sh", sys.executable, "-m", "curator", *argv]
    run = subprocess.run(command, capture_output=True, timeout=60)
    return Ran(run.returncode, run.stdout.decode(), run.stderr.decode())


def test_wrong_usage_does_not_let_the_terminal_be_spoken_to() -> None:
    ran = curator("list", "--x\x1b[2J\u202e")
    assert ran.code == 2
    assert not hidden_characters(ran.err)


WRONG = [
    ["frobnicate"],
    ["list", "--nope"],
    ["list", "--limit", "many"],
    ["list", "--lim", "3"],
    ["list", "--store", ""],
    ["show"],
    ["verify"],
    ["remember", "no scope"],
    ["remember", "x", "--scope", "a", "--confidence", "high"],
    ["correct", "01AB"],
    ["undo", "soon"],
    ["undo", "-3"],
    ["audit", "--head", "ab"],
    ["audit", "--verify", "--limit", "3"],
    ["audit", "--verify", "--actor", "human"],
    ["audit", "--after", "x"],
    ["open", "a.db", "--store", "b.db"],
    ["demo", "--json"],
    ["demo", "--store", "a.db"],
    ["demo", "--memories", "-1", "--out", "x.db"],
    ["import"],
    ["search"],
    ["why", "01AB"],
]


@pytest.mark.parametrize("argv", WRONG, ids=" ".join)
def test_wrong_usage_is_two_and_shows_the_usage(argv: list[str], tmp_path: Path) -> None:
    ran = curator(*argv)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("usage: curator")
    assert not (tmp_path / "xdg").exists()


def test_the_store_is_the_named_one_then_the_variable_then_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("named", "variable", "settings"):
        curator("remember", f"the {name} store", "--scope", "a", "--store", tmp_path / f"{name}.db")
    curator("remember", "the default store", "--scope", "a")
    assert "the default store" in curator("list").out
    assert list((tmp_path / "xdg" / "data").rglob("*.db"))

    settings = tmp_path / "xdg" / "config" / "curator" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'[store]\npath = "{tmp_path}/settings.db"\n[person]\nname = "Dana B."\n')
    assert "the settings store" in curator("list").out
    monkeypatch.setenv("CURATOR_STORE", str(tmp_path / "variable.db"))
    assert "the variable store" in curator("list").out
    assert "the named store" in curator("list", "--store", tmp_path / "named.db").out
    curator("remember", "by whom", "--scope", "a")
    assert "human:Dana-B." in curator("audit").out


@pytest.mark.parametrize(
    ("user", "actor"),
    [("dana", "human:dana"), ("Dana Böck/x", "human:Dana-B-ck-x"), ("…", "human:unknown")],
)
def test_who_acts_is_a_name_that_the_log_can_hold(
    user: str, actor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURATOR_USER", user)
    curator("remember", "a fact", "--scope", "a")
    assert curator("audit", "--json").json["events"][0]["actor"] == actor


def test_a_reading_verb_makes_no_store(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    for argv in (["list"], ["search", "x"], ["stats"], ["doctor"], ["show", "01AB"], ["scopes"]):
        ran = curator(*argv, "--store", path)
        assert ran.code == 1
        assert "no store" in ran.err.lower()
    assert not path.exists()


def test_a_store_made_here_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "own.db"
    assert curator("remember", "a fact", "--scope", "a", "--store", path).code == 0
    assert path.stat().st_mode & 0o777 == 0o600
    with open_store(path, create=False) as store:
        assert store.engine.location == str(path)
