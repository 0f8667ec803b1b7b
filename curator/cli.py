"""The command line (doors.md). Exit 0 done, 1 refused or not found, 2 wrong usage.

The store and the app are imported by the verb that needs them, the app last: `--version`
loads neither, nor textual, SQLAlchemy or numpy.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Sequence

from curator import plain
from curator.verbs import (
    deciding,
    demo,
    doctor,
    erasing,
    exporting,
    importing,
    keeping,
    marking,
    opening,
    policies,
    reading,
    recalling,
    reviewing,
    searching,
    serving,
    tending,
    upkeep,
    writing,
)
from curator.verbs.arguments import Done, Parser, add_store

DONE, REFUSED, WRONG_USAGE = 0, 1, 2
_GROUPS = (
    *(opening, demo, searching, reading, writing, marking, deciding, erasing, reviewing),
    *(policies, tending, importing, exporting, keeping, upkeep, doctor, recalling, serving),
)
_EPILOG = (
    "Without a verb the app opens on the default store. A text or query that begins with a "
    "minus comes after --. Exit codes: 0 done, 1 refused or not found, 2 wrong usage."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Never raises for what a person did; a bug leaves with its traceback."""
    _steady_streams()
    done = Done()
    try:
        code = _run(argv, done)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _drop_output()  # `| head` had enough; that is no failure
        if done.wrote:
            plain.tell(_UNHEARD)
        return DONE
    except OSError as error:
        return _system_refused(error, done)
    except KeyboardInterrupt:
        plain.tell("Stopped. What was done before stays; nothing is half done.")
        return REFUSED


def parser() -> Parser:
    """Every verb and option."""
    top = Parser(
        prog="curator",
        description="See, question and curate what your agents remember.",
        epilog=_EPILOG,
        allow_abbrev=False,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    add_store(top)
    top.set_defaults(run=opening.run, usage=top)
    verbs = top.add_subparsers(metavar="VERB", title="verbs")
    for group in _GROUPS:
        group.add(verbs)
    return top


class _Version(argparse.Action):
    """Asks for the version only when it is wanted: that reads the installation's metadata."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from curator.version import version

        print(f"curator {version()}")
        parser.exit()


def _run(argv: Sequence[str] | None, done: Done) -> int:
    """The verb's exit code; a refusal becomes one sentence on stderr."""
    from store.errors import StoreError

    try:
        args = parser().parse_args(argv, argparse.Namespace(done=done))
        code: int = args.run(args)
    except SystemExit as wanted:  # argparse has printed its help, version or complaint
        return wanted.code if isinstance(wanted.code, int) else WRONG_USAGE
    except StoreError as error:
        plain.tell(plain.refusal(error))
        return REFUSED
    return code


def _steady_streams() -> None:
    """Streams that can always be used: nothing stands in for a closed one, and where the
    terminal's encoding lacks a letter its escape is written."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115 - as long as the program
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Let what is still buffered go nowhere, or Python fails once more when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_UNHEARD = "It was done; only the answer could not be printed."


def _system_refused(error: OSError, done: Done) -> int:
    """A folder without permission, a name too long, a full disk under the output."""
    where = f" {error.filename}" if error.filename else ""
    came_of_it = _UNHEARD if done.wrote else "The store was not changed."
    plain.tell(f"The system refused{where}: {error.strerror or error}. {came_of_it}")
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()
    return REFUSED
