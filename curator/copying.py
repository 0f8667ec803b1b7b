"""Memories on their way out of the program: to the terminal's clipboard, or to a file."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curator.outgoing import outgoing
from curator.safe import visible_str
from curator.views import numbers, when
from curator.views.look import Look
from store.model import Memory

MOST_CLIPBOARD = 6000
"""Bytes: base64 makes 8,000 of them, about what every terminal and tmux passes on whole."""
_MASK = re.compile("•{8,}")
_TRIES = 100


@dataclass(frozen=True, slots=True)
class Copied:
    """`text` None: it was not sent, and the words say why."""

    text: str | None
    words: str


@dataclass(frozen=True, slots=True)
class Saved:
    """`path` None: nothing was written, and the words say why."""

    path: Path | None
    words: str


def copied(memories: Sequence[Memory], look: Look) -> Copied:
    """The text of a memory, or several as Markdown, with secrets masked.

    The text itself is sent, hidden characters and all; the words count them. A terminal never
    tells whether it took it, so nobody claims that.
    """
    clean = [outgoing(memory) for memory in memories]
    text = clean[0].text if len(clean) == 1 else markdown(clean, look, "the selection")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_CLIPBOARD:
        said = f"{numbers.count(size)} bytes are too many for a terminal's clipboard."
        return Copied(None, f"{said} Y saves a file.")
    characters = numbers.many(len(text), "character")
    masked = sum(len(_MASK.findall(memory.text)) for memory in clean)
    also = f", {numbers.many(masked, 'secret')} masked" if masked else ""
    return Copied(
        text.encode("utf-8", "replace").decode(),
        f"Sent to the terminal's clipboard, {characters}{also}. "
        "If it did not arrive: Y saves a file.",
    )


def saved(memories: Sequence[Memory], look: Look, name: str, folder: Path | None = None) -> Saved:
    """Write the memories as Markdown to a new file (0600) in `folder`, else the current one."""
    clean = [outgoing(memory) for memory in memories]
    data = markdown(clean, look, name).encode("utf-8", "replace")
    where = Path.cwd() if folder is None else folder
    stem = f"memories-{look.now:%Y-%m-%d-%H%M%S}"
    for number in range(_TRIES):
        path = where / f"{stem}{f'-{number}' if number else ''}.md"
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                out.write(data)
        except FileExistsError:
            continue
        except OSError as error:
            said = f"Nothing was saved: {error.strerror or error} in {where}."
            return Saved(None, f"{said} Start curator in a folder you may write to.")
        many = numbers.many(len(clean), "memory", "memories")
        return Saved(path, f"Saved {many} to {path}.")
    return Saved(None, f"Nothing was saved: {where} holds too many files of this name.")


def markdown(memories: Sequence[Memory], look: Look, name: str) -> str:
    """One section a memory; every text is visible text in a fence that it cannot close."""
    many = numbers.many(len(memories), "memory", "memories")
    title = (
        f"# {many} from {visible_str(name, multiline=False)}\n\nSaved {when.full(look.now)} UTC."
    )
    return "\n\n".join([title, *(_section(memory) for memory in memories)]) + "\n"


def _section(memory: Memory) -> str:
    text = visible_str(memory.text)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    state = memory.state if memory.closed_as is None else memory.closed_as.value
    facts = [
        ("version", str(memory.version)),
        ("state", state),
        ("trust", memory.trust.value),
        ("scope", memory.scope),
        ("subject", memory.subject or ""),
        ("kind", f"{memory.kind}, {memory.tier.value}"),
        ("tags", ", ".join(memory.tags)),
        ("written by", memory.by),
        ("recorded", when.exact(memory.recorded_at)),
    ]
    listed = "\n".join(f"- {name}: {_inline(value)}" for name, value in facts if value)
    return f"## {memory.id}\n\n{listed}\n\n{fence}text\n{text}\n{fence}"


def _inline(value: str) -> str:
    """A value as code where Markdown could make something of it."""
    shown = visible_str(value, multiline=False)
    if re.fullmatch(r"[\w .,:@/+-]*", shown):
        return shown
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    ticks = "`" * (longest + 1)
    return f"{ticks} {shown} {ticks}"
