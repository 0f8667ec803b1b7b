"""Must show 6: kill -9 at random points of merge, reject and undo."""

from __future__ import annotations

import shutil
from pathlib import Path

from store.keys import Keys
from tests.store import killed


def _copies(world: Path, folder: Path):
    """Fresh copies of a closed store file; they have its id, and so its key."""
    made = iter(range(100_000))

    def copy() -> str:
        path = folder / f"copy{next(made)}.db"
        shutil.copyfile(world, path)
        return str(path)

    return copy


def test_a_hundred_killed_acts_are_whole_or_absent(tmp_path):
    world = tmp_path / "world.db"
    keys = Keys(tmp_path / "keys")
    ids = killed.world(str(world), keys)
    acts = ("merge", "reject", "undo")
    toll = killed.trials(_copies(world, tmp_path), keys, ids, 100, names=acts)
    assert toll.killed == 100
    assert all(toll.absent[name] for name in acts), toll
    assert sum(toll.whole.values()), toll


def test_killed_erases_leave_no_byte_or_never_were(tmp_path):
    """Law 7: what was killed after its commit is finished by the next open. A thousand of them
    are killed by `python -m tests.soak`."""
    world = tmp_path / "world.db"
    keys = Keys(tmp_path / "keys")
    ids = killed.world(str(world), keys)
    toll = killed.trials(_copies(world, tmp_path), keys, ids, 100, names=["erase"])
    assert toll.killed == 100
    assert toll.absent["erase"] > 20
    assert toll.whole["erase"] > 20


def test_also_on_a_server(postgres, tmp_path):
    """A client that dies takes its transaction with it."""
    source = postgres.fresh()
    keys = Keys(tmp_path / "keys")
    ids = killed.world(source, keys)
    made: list[str] = []

    def copy() -> str:
        while made:
            postgres.drop(made.pop())
        made.append(postgres.copy(source))
        return made[0]

    toll = killed.trials(copy, keys, ids, 24, both_sides=False)
    assert toll.killed == 24
    assert sum(toll.absent.values()), toll
    for url in (*made, source):
        postgres.drop(url)
