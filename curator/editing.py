"""A text through the person's own editor: a private file that is gone afterwards."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from curator.leftovers import draft_prefix
from curator.safe import visible_str

MOST_READ = 1 << 20
"""Bytes that are read back; a text in the store is far shorter (domain.md, law 9)."""


MOST_NAMED = 16
"""Cells of an editor's name on its button."""
NOBODY_CHOSE = (
    "EDITOR is not set, so this opens vi: there :wq takes the text back, :q! leaves it as it was. "
    "Press again to open it."
)


class EditorFailed(Exception):
    """Why no text came back, in words; nothing was changed."""


def editor_command(environ: Mapping[str, str]) -> list[str]:
    """`VISUAL`, else `EDITOR`, with its arguments, else vi. Raises `EditorFailed`."""
    named = environ.get("VISUAL") or environ.get("EDITOR") or "vi"
    try:
        command = shlex.split(named)
    except ValueError as error:
        raise EditorFailed(f"EDITOR is {named!r}, which cannot be read: {error}.") from None
    if not command or shutil.which(command[0]) is None:
        raise EditorFailed(
            f"There is no program {command[0] if command else named!r}, which EDITOR names. "
            "Set EDITOR, or edit the text here."
        )
    return command


def is_chosen(environ: Mapping[str, str]) -> bool:
    """Whether the person named an editor."""
    return bool(environ.get("VISUAL") or environ.get("EDITOR"))


def editor_name(environ: Mapping[str, str]) -> str:
    """The program's name for a button, whether it is there or not."""
    try:
        (first, *_) = shlex.split(environ.get("VISUAL") or environ.get("EDITOR") or "vi")
    except ValueError:
        return "EDITOR"
    return visible_str(Path(first).name, multiline=False)[:MOST_NAMED]


def edited(text: str, environ: Mapping[str, str] | None = None) -> str:
    """The text as the editor left it. The terminal must be free for it.

    The file is 0600 in a folder of its own (0700) and is removed whatever happens. A line
    feed that the editor adds at the end is taken off. Raises `EditorFailed`.
    """
    command = editor_command(os.environ if environ is None else environ)
    with tempfile.TemporaryDirectory(prefix=draft_prefix()) as folder:
        file = Path(folder) / "memory.txt"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(text.encode("utf-8", "surrogatepass"))
        try:
            code = subprocess.run([*command, str(file)], check=False).returncode
        except OSError as error:
            raise EditorFailed(f"The editor did not start: {error.strerror}.") from None
        if code:
            raise EditorFailed(f"The editor ended with {code}, so its text was not taken.")
        return _read(file, text)


def _read(file: Path, before: str) -> str:
    try:
        data = file.read_bytes()[: MOST_READ + 1]
        if len(data) > MOST_READ:
            raise EditorFailed("The text is over 1 MiB long; it was not taken.")
        after = data.decode("utf-8", "surrogatepass")
    except (OSError, UnicodeDecodeError):
        raise EditorFailed("The file is gone or is no UTF-8 any more; nothing was taken.") from None
    return after if before.endswith("\n") else after.removesuffix("\n")
