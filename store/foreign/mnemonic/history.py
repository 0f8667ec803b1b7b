"""Notes that a vault's git history still holds, though `forget` took their files away.

git is asked only for what is stored (log, cat-file). A vault may come from anywhere, so
settings of its repository that would run a program or reach a network are switched off.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from store.foreign.files import MAX_TEXT, decoded
from store.foreign.plain import moment

TIMEOUT = 30
"""Seconds for one question to git."""
MAX_FORGOTTEN = 5_000
_COMMIT = re.compile(r"\x01([0-9a-f]{40,64}) (\S+) (\S*)")
_NOTE = re.compile(r"[^\x00-\x1f]{1,400}\.md")
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "log.showSignature=false",
    "protocol.allow=never",
)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A note's last text, and the commit that took the file away."""

    id: str
    path: str
    """Inside the repository."""
    commit: str
    at: datetime | None
    text: str | None
    """None: it could not be read."""


@dataclass(frozen=True, slots=True)
class History:
    forgotten: tuple[Forgotten, ...] = ()
    moved: tuple[str, ...] = ()
    """Ids of notes that went to another vault."""
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class _Gone:
    path: str
    commit: str
    at: datetime | None
    moved: bool

    @property
    def name(self) -> str:
        return f"{self.commit}^:{self.path}"


def history(vault: Path, present: set[str]) -> History:
    """What the vault's repository knows of notes that are not `present` (ids)."""
    if _git(vault, "rev-parse", "--is-inside-work-tree")[0] != b"true\n":
        return _refused(vault)
    log, trouble = _git(
        vault, "log", "--no-renames", "--no-ext-diff", "--no-textconv", "--diff-filter=D",
        "--name-only", "-z", "--format=%x01%H %aI %f", "HEAD", "--", "notes",
    )  # fmt: skip
    if trouble:
        # A repository without a commit has no history; anything else is said.
        unborn = _git(vault, "rev-parse", "--verify", "--quiet", "HEAD")[1] is not None
        return History(problem=None if unborn else trouble)
    gone = [g for g in _gone(log.decode("utf-8", "replace")) if _id(g.path) not in present]
    texts = _texts(vault, [g.name for g in gone if not g.moved][:MAX_FORGOTTEN])
    return History(
        tuple(
            Forgotten(_id(g.path), g.path, g.commit, g.at, texts.get(g.name))
            for g in gone
            if not g.moved
        )[:MAX_FORGOTTEN],
        tuple(_id(g.path) for g in gone if g.moved),
    )


def _refused(vault: Path) -> History:
    """No repository, no history; but one that git will not open is worth a word."""
    inside = any((folder / ".git").exists() for folder in (vault, *vault.parents))
    trouble = _git(vault, "rev-parse", "--is-inside-work-tree")[1]
    return History(problem=trouble if inside else None)


def _gone(log: str) -> list[_Gone]:
    """Each note once, by the newest commit that took it away."""
    found: dict[str, _Gone] = {}
    commit, at, moved = "", None, False
    for part in re.split(r"[\x00\n]+", log):
        head = _COMMIT.fullmatch(part)
        if head:
            commit, at, moved = head[1], moment(head[2]), head[3].startswith("move-")
        elif commit and _NOTE.fullmatch(part) and "/notes/" in f"/{part}":
            found.setdefault(part, _Gone(part, commit, at, moved))
    return list(found.values())


def _id(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _texts(vault: Path, names: list[str]) -> dict[str, str]:
    """The blobs of these names, as text; those too large or missing are left out."""
    sizes, _ = _git(vault, "cat-file", "--batch-check", given=names)
    wanted = [
        name
        for name, line in zip(names, sizes.decode("utf-8", "replace").splitlines(), strict=False)
        if (parts := line.split())[-2:-1] == ["blob"] and int(parts[-1]) <= MAX_TEXT
    ]
    data, _ = _git(vault, "cat-file", "--batch", given=wanted)
    texts: dict[str, str] = {}
    for name in wanted:
        head, _, data = data.partition(b"\n")
        if not head.split()[2:]:
            break
        size = int(head.split()[2])
        texts[name] = decoded(data[:size])[0]
        data = data[size + 1 :]
    return texts


def _git(vault: Path, *words: str, given: list[str] | None = None) -> tuple[bytes, str | None]:
    """What git answers, and what went wrong."""
    command = ["git", "--no-pager", "--no-replace-objects", "-C", str(vault)]
    for setting in _SETTINGS:
        command += ["-c", setting]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment |= {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_LITERAL_PATHSPECS": "1",
        "LC_ALL": "C",
    }
    text = "".join(f"{name}\n" for name in given or ()).encode("utf-8", "replace")
    try:
        done = subprocess.run(
            [*command, *words], input=text, env=environment, capture_output=True, timeout=TIMEOUT
        )
    except FileNotFoundError:
        return b"", "git is not installed; forgotten notes were not looked for"
    except (OSError, subprocess.TimeoutExpired) as error:
        return b"", f"git gave no answer ({type(error).__name__}); forgotten notes are missing"
    if done.returncode != 0:
        why = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0][:200]
        return b"", f"git refused ({why}); forgotten notes were not looked for"
    return done.stdout, None
