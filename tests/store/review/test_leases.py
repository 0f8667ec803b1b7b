"""The lease: one at a time, whatever process; free again when its holder is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from store import Actor, open_store
from store.errors import NotPossible
from store.model import Tier
from store.review import leases
from store.review.leases import Holder, Lease, Process
from tests.store.review.judge_server import JudgeServer, answering, recorded

_CHILD = """
import sys
from store import Actor, open_store
with open_store(sys.argv[1], create=False, embedder=None) as store:
    with store.curator(Actor.human("worker")).alone():
        print("holds", flush=True)
        sys.stdin.readline()
"""


@contextmanager
def worker(location: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lease until it is told to end, or killed."""
    child = subprocess.Popen(
        [sys.executable, "-c", _CHILD, location],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "holds\n"
        yield child
    finally:
        child.kill()
        child.communicate()


@pytest.fixture
def elsewhere() -> Process:
    """A process of another machine: nobody here can tell whether it runs."""
    return replace(Process.this(), host="another machine")


def test_one_holds_it_and_the_other_is_told_who(store, clock, elsewhere):
    held = leases.take(store.engine, clock, process=elsewhere)
    assert isinstance(held, Lease)
    other = leases.take(store.engine, clock)
    assert isinstance(other, Holder)
    assert (other.process, other.since) == (elsewhere, clock.now)
    leases.free(store.engine, held)
    assert isinstance(leases.take(store.engine, clock), Lease)


def test_one_that_is_not_renewed_runs_out_and_its_holder_sees_that(store, clock, elsewhere):
    held = leases.take(store.engine, clock, process=elsewhere)
    assert isinstance(held, Lease)
    clock.step(seconds=80)
    assert leases.renew(store.engine, clock, held)
    clock.step(seconds=80)
    assert isinstance(leases.take(store.engine, clock), Holder)
    clock.step(seconds=20)
    assert leases.holder(store.engine, clock) is None
    taken = leases.take(store.engine, clock)
    assert isinstance(taken, Lease)
    assert not leases.renew(store.engine, clock, held)
    assert held.lost.is_set()
    leases.free(store.engine, held)  # it is not its own any more: nothing happens
    assert isinstance(leases.take(store.engine, clock), Holder)
    leases.free(store.engine, taken)


def test_a_dead_process_of_this_machine_holds_nothing(store, clock):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    leases.take(store.engine, clock, process=replace(Process.this(), pid=gone.pid, born=None))
    assert isinstance(leases.take(store.engine, clock), Lease)


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="no /proc to tell it by")
def test_another_process_that_got_its_number_holds_nothing(store, clock):
    leases.take(store.engine, clock, process=replace(Process.this(), born="1"))
    assert isinstance(leases.take(store.engine, clock), Lease)


def test_a_worker_that_is_killed_frees_it_at_once(store, store_location, me):
    """Issue: kill -9 of the worker frees the lease."""
    with worker(store_location) as child:
        with pytest.raises(NotPossible, match=f"process {child.pid}"):
            me.tend()
        os.kill(child.pid, signal.SIGKILL)  # not waited for: dead, but not yet buried
        _until_dead(child.pid)
        assert me.at_work() is None
        assert me.tend().rules.proposed == {}


def _until_dead(pid: int) -> None:
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def test_a_worker_that_ends_frees_it(store_location, store, me):
    with worker(store_location) as child:
        assert me.at_work() is not None
        assert child.stdin is not None
        child.stdin.write("end\n")
        child.stdin.flush()
        child.wait()
        assert me.at_work() is None


def test_two_at_once_on_one_store_one_works(store, store_location, clock, me, note):
    """From the moment one holds it until it lets go, the other is refused, and writes nothing."""
    note("Lunch with the team, nothing decided.", tier=Tier.EPISODIC)
    server = JudgeServer()
    server.start()
    asked, go = threading.Event(), threading.Event()

    def waits(handler, texts):
        asked.set()
        assert go.wait(30)
        answering(recorded)(handler, texts)

    server.always = waits
    worker = threading.Thread(target=lambda: me.tend(server.judge()))
    worker.start()
    try:
        assert asked.wait(30)
        with open_store(store_location, clock=clock, embedder=None) as second:
            sam = second.curator(Actor.human("sam"))
            before = sam.changed()
            with pytest.raises(NotPossible, match="works on this store"):
                sam.tend()
            assert sam.changed() == before
            go.set()
            worker.join()
            assert sam.tend().rules.examined == 0
    finally:
        go.set()
        worker.join()
        server.stop()


def test_the_lease_is_renewed_while_the_work_goes_on_and_the_work_stops_when_it_is_lost(
    store, clock, me
):
    with leases.holding(store.engine, clock, lasts=timedelta(seconds=0.03)) as held:
        first = leases.holder(store.engine, clock)
        assert first is not None
        clock.step(seconds=0.02)
        _wait_for(lambda: leases.holder(store.engine, clock).until > first.until)
        with store.engine.write() as conn:
            conn.exec_driver_sql("UPDATE lease SET owner = 'another'")
        assert held.lost.wait(30)


def _wait_for(holds) -> None:
    tick = threading.Event()
    for _ in range(3000):
        if holds():
            return
        tick.wait(0.01)
    raise AssertionError("it never came to hold")


def test_a_lease_leaves_no_event_and_no_row_in_an_export(store, me, tmp_path):
    before = me.changed()
    with me.alone():
        assert me.changed() == before
        target = tmp_path / "out.jsonl"
        with target.open("w", encoding="utf-8") as stream:
            me.export(stream)
    assert '"lease"' not in target.read_text(encoding="utf-8")
    assert '"judged"' not in target.read_text(encoding="utf-8")
