"""A thousand killed acts, at points of a new seed each run."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

from store.keys import Keys
from tests.store import killed


def run(times: int = 1000) -> str:
    """How many acts were whole and how many absent. Raises for one that is neither."""
    seed = random.SystemRandom().randrange(2**32)
    with tempfile.TemporaryDirectory(prefix="curator-killed-") as folder:
        world, copy = Path(folder) / "world.db", Path(folder) / "copy.db"
        keys = Keys(Path(folder) / "keys")
        ids = killed.world(str(world), keys)

        def copies() -> str:
            for path in Path(folder).glob("copy.db*"):
                path.unlink()
            shutil.copyfile(world, copy)
            return str(copy)

        toll = killed.trials(copies, keys, ids, times, seed)
        erased = killed.trials(copies, keys, ids, times, seed, names=["erase"])
    return f"seed {seed}: {toll}; of erases alone {erased}; log intact each time, no byte left"
