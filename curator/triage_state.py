"""Where triage was left: one small file a store in the person's state folder.

It may be lost without harm: memories keep what was decided; only the place, what was put off
and which verified memories were looked at again would be asked anew.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from store.vitals import JUDGED_DAYS

ASK_AGAIN = timedelta(days=JUDGED_DAYS)
"""A verified memory that was looked at is not asked about again before that."""
_MOST = 5000
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class Progress:
    """`at`: the memory that is looked at. `trail`: those before it, the last one last."""

    at: str | None = None
    later: tuple[str, ...] = ()
    checked: Mapping[str, str] = field(default_factory=dict)
    """Verified memories that still hold, with when that was said (ISO 8601)."""
    trail: tuple[str, ...] = ()
    done: int = 0

    def put_off(self, identifier: str) -> Progress:
        """The same, with a memory for later: last of what was put off."""
        rest = tuple(one for one in self.later if one != identifier)
        return replace(self, later=(*rest, identifier))

    def hold(self, identifier: str, now: datetime) -> Progress:
        """The same, with a verified memory that still holds."""
        return replace(self, checked={**self.checked, identifier: now.isoformat()})

    def without(self, identifier: str) -> Progress:
        """The same, as if the memory had been neither put off nor looked at again."""
        checked = {k: v for k, v in self.checked.items() if k != identifier}
        later = tuple(one for one in self.later if one != identifier)
        return replace(self, checked=checked, later=later)

    def resting(self, now: datetime) -> frozenset[str]:
        """Verified memories that are not asked about yet."""
        return frozenset(k for k, v in self.checked.items() if now - _moment(v, now) < ASK_AGAIN)


def _moment(text: str, now: datetime) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=now.tzinfo)


def place(folder: Path, store_id: str) -> Path:
    """The file of a store."""
    return folder / "triage" / f"{_UNFIT.sub('_', store_id) or 'store'}.json"


def load(folder: Path, store_id: str) -> Progress:
    """What was left; a new start where the file is not there or cannot be read."""
    try:
        raw = json.loads(place(folder, store_id).read_text(encoding="utf-8"))
        return _read(raw)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return Progress()


def _read(raw: Mapping[str, Any]) -> Progress:
    checked = {str(k): str(v) for k, v in raw["checked"].items()}
    for moment in checked.values():
        datetime.fromisoformat(moment)
    at = raw["at"]
    return Progress(
        None if at is None else str(at),
        tuple(map(str, raw["later"])),
        checked,
        tuple(map(str, raw["trail"])),
        max(0, int(raw["done"])),
    )


def save(folder: Path, store_id: str, progress: Progress) -> None:
    """Write it whole or not at all, for this person only. Raises `OSError`."""
    file = place(folder, store_id)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    kept = replace(
        progress,
        later=progress.later[-_MOST:],
        trail=progress.trail[-50:],
        checked=dict(list(progress.checked.items())[-_MOST:]),
    )
    handle, name = tempfile.mkstemp(prefix=".triage-", dir=file.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            json.dump(asdict(kept), out, ensure_ascii=False)
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, file)
    except OSError:
        with suppress(OSError):
            os.unlink(name)
        raise
