"""Files of this program outside a store that could hold a memory's text (domain.md, law 7).

An edit in $EDITOR lies in a private folder for as long as the editor is open; a program that was
killed meanwhile leaves it. Where triage was left is ids only, and is searched all the same.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from curator.paths import find_paths

DRAFTS = "curator-edit-"
_OF = re.compile(rf"{DRAFTS}(\d+)-")


def draft_prefix() -> str:
    """How a folder for a draft begins: it says whose it is."""
    return f"{DRAFTS}{os.getpid()}-"


def clear() -> tuple[Path, ...]:
    """Remove drafts that no running program has; the files that are left to be searched."""
    found: list[Path] = []
    for folder in Path(tempfile.gettempdir()).glob(f"{DRAFTS}*"):
        owner = _OF.match(folder.name)
        if owner is None or not folder.is_dir() or folder.stat().st_uid != os.getuid():
            continue
        if _runs(int(owner[1])):
            found += [p for p in folder.iterdir() if p.is_file()]
        else:
            shutil.rmtree(folder, ignore_errors=True)
    state = find_paths().state
    found += [p for p in state.rglob("*") if p.is_file()] if state.is_dir() else []
    return tuple(found)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
