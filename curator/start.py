"""What the app starts with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from curator.config import LoadedSettings, load_settings
from curator.paths import Paths, find_paths

if TYPE_CHECKING:
    from store.model import Answer


def system_now() -> datetime:
    """The moment that ages are seen from."""
    return datetime.now(UTC)


def measured(answer: Answer) -> float | None:
    """Milliseconds that the store measured for an answer."""
    return answer.timings_ms.get("total")


@dataclass(frozen=True, slots=True)
class Start:
    """A store, a person, their settings, and what time it is."""

    location: str | None
    """None: there is no store yet, and the first-run choices are shown."""
    person: str
    paths: Paths
    settings: LoadedSettings
    demo: bool = False
    clock: Callable[[], datetime] = system_now
    took: Callable[[Answer], float | None] = measured
    """What is said of an answer's time; pictures say the same in every run."""


def start_on(location: str | None, *, demo: bool = False) -> Start:
    """With the person's own folders and settings; the default store where none is named."""
    from curator.verbs.session import person

    paths = find_paths()
    if location is None and Path(paths.store).exists():
        location = str(paths.store)
    return Start(location, person(), paths, load_settings(paths.settings_file), demo=demo)


def shown_name(location: str | None) -> str:
    """File name of a path, host and database of an address, never a password."""
    if location is None:
        return "no store"
    if "://" not in location:
        return PurePath(location).name
    from curator.verbs.session import without_password

    return without_password(location)
