"""Several processes on one store: none lost, no lock error, laws 1 and 6 hold."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

from store import Actor, Draft, open_store
from tests.soak import rivals


def test_four_processes_of_mixed_acts(store_location):
    rivals.fight(store_location, processes=4, acts=120)
    versions, events = rivals.check(store_location)
    assert versions > rivals.IDS
    assert events > versions


def _create(path: str, number: int) -> None:
    with open_store(path, embedder=None) as store:
        store.curator(Actor.human("dana")).remember(Draft(f"note {number}", "project/a"))


def test_eight_processes_create_one_store(tmp_path: Path):
    path = tmp_path / "new.db"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_create, args=(str(path), n)) for n in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [w.exitcode for w in workers] == [0] * 8
    with open_store(path, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        assert me.list().total == 8
        assert me.verify_log().intact
