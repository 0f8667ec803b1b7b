"""Where the program's files are. `CURATOR_HOME` moves all of them: tests touch nothing else."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import PlatformDirs

PROGRAM = "curator"


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders of one person. None of them is made here; who writes, makes."""

    settings: Path
    """Folder of `settings.toml`, `themes/` and `keys/`."""
    data: Path
    """Folder of the default store."""
    state: Path
    """Folder of what may be lost: the log of the program."""

    @property
    def settings_file(self) -> Path:
        return self.settings / "settings.toml"

    @property
    def themes(self) -> Path:
        return self.settings / "themes"

    @property
    def keys(self) -> Path:
        """Folder of the keys of tombstones, one for each store; never beside a store."""
        return self.settings / "keys"

    @property
    def store(self) -> Path:
        """The store that is opened when none is named."""
        return self.data / "memories.db"


def find_paths(environ: Mapping[str, str] | None = None) -> Paths:
    """The platform's folders, or those below `CURATOR_HOME` when it is set."""
    home = (os.environ if environ is None else environ).get("CURATOR_HOME")
    if home:
        root = Path(home).expanduser()
        return Paths(root / "settings", root / "data", root / "state")
    dirs = PlatformDirs(PROGRAM, appauthor=False)
    return Paths(dirs.user_config_path, dirs.user_data_path, dirs.user_state_path)
