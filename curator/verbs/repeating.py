"""Work that is done again and again: one process at a time, waiting while another is at it."""

from __future__ import annotations

import argparse
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from curator import plain
from curator.verbs.arguments import readable
from curator.verbs.session import Session, session

Once = Callable[[argparse.Namespace, Session], int]
"""Does the work and says what came of it; the exit code."""

_SPAN = re.compile(r"(\d{1,6})([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_LONGEST = 366 * _SECONDS["d"]
_LOOK_SECONDS = 1.0
"""How often one that waits looks whether the other has finished."""


def span(text: str) -> int:
    """Seconds of `90s`, `30m`, `6h` or `1d`."""
    found = _SPAN.fullmatch(text)
    seconds = int(found[1]) * _SECONDS[found[2]] if found else 0
    if not 1 <= seconds <= _LONGEST:
        raise argparse.ArgumentTypeError(f"{readable(text)!r} is no span such as 30m, 6h or 1d")
    return seconds


def again(args: argparse.Namespace, once: Once) -> int:
    """Once; or every so often until ctrl+c, which is how it is meant to end. The store is
    opened anew each time, so that nothing is held in between.

    `args.stop` is set by ctrl+c: what is under way ends where it may, and whole.
    """
    args.stop = threading.Event()
    if args.every is None:
        with session(args) as s:
            return once(args, s)
    try:
        with _stopped_by_ctrl_c(args.stop):
            while not args.stop.is_set():
                _in_turn(args, once)
                sys.stdout.flush()
                args.stop.wait(args.every)
    except KeyboardInterrupt:
        pass
    return 0


@contextmanager
def _stopped_by_ctrl_c(stop: threading.Event) -> Iterator[None]:
    """The first ctrl+c asks to stop, another one stops at once."""

    def asked(number: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, asked)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _in_turn(args: argparse.Namespace, once: Once) -> None:
    """One round. While another process is at work it is waited for; a store that is busy or full
    just now is told, and tried in the next round."""
    from store.errors import Busy, StorageFull
    from store.review.leases import AtWork

    with session(args) as s:
        told = False
        while not args.stop.is_set():
            try:
                once(args, s)
                return
            except AtWork as other:
                if not told:
                    plain.tell(f"Waiting: {other}")
                    told = True
                while s.view.at_work() is not None and not args.stop.wait(_LOOK_SECONDS):
                    pass
            except (Busy, StorageFull) as error:
                plain.tell(plain.refusal(error))
                return
