"""How the verbs declare their arguments: the options that several share, and their types."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from curator.plain import safe

if TYPE_CHECKING:
    from datetime import datetime

    from store.model import Moment

    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]

Run = Callable[[argparse.Namespace], int]


@dataclass(slots=True)
class Done:
    """What a verb did before its answer is printed; lies in `args.done`."""

    wrote: bool = False


class Parser(argparse.ArgumentParser):
    """Complains about arguments without letting them reach the terminal as they are."""

    def error(self, message: str) -> NoReturn:
        super().error(safe(readable(_with_guess(message))))


_CHOICE = re.compile(r"argument (\S+): invalid choice: '(.*)' \(choose from (.*)\)", re.DOTALL)


def _with_guess(message: str) -> str:
    """argparse's complaint; where a word is none of the choices, in shorter words and with a
    guess at what was meant."""
    found = _CHOICE.fullmatch(message)
    if found is None:
        return message
    what, given, listed = found.groups()
    choices = [one.strip().strip("'") for one in listed.split(",")]
    close = difflib.get_close_matches(given, choices, n=2, cutoff=0.6)
    guess = f"did you mean {' or '.join(close)}?" if close else f"one of: {', '.join(choices)}"
    return f"{given[:60]!r} is no {what}; {guess}"


def add_verb(verbs: Verbs, name: str, run: Run, does: str) -> argparse.ArgumentParser:
    """A verb with `--store` and `--json`. `args.usage` is its parser, for wrong combinations."""
    parser = verbs.add_parser(name, help=does, description=does, allow_abbrev=False)
    add_store(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.set_defaults(run=run, usage=parser)
    return parser


def add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store",
        metavar="STORE",
        type=named,
        default=argparse.SUPPRESS,  # so that a verb does not undo what stands before it
        help="path of the store; else CURATOR_STORE; else the default one",
    )


def words(text: str) -> str:
    """Text from the command line. Bytes that are no UTF-8 are refused: to store something else
    than was meant would be worse."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(f"{readable(text)!r} is not UTF-8") from None
    return text


def readable(text: str) -> str:
    """An argument as a message may hold it: bytes that are no UTF-8 as �."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def named(text: str) -> str:
    """A name that may not be empty."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty")
    return text


def number(text: str) -> int:
    """The number of an event, with or without its #."""
    try:
        found = int(text.removeprefix("#"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{readable(text)!r} is no number") from None
    if not 0 <= found < 2**63:
        raise argparse.ArgumentTypeError(f"{readable(text)!r} is out of range")
    return found


def add_expect(parser: argparse.ArgumentParser) -> None:
    """`--expect`: the version that was seen."""
    parser.add_argument(
        "--expect", type=number, metavar="VERSION", help="refuse if it is another now"
    )


def at(text: str | None, option: str) -> datetime | None:
    """A date or time option. Raises `Invalid`."""
    if text is None:
        return None
    from store.times import parse_time

    return parse_time(text, option)


def of_a_moment(parser: argparse.ArgumentParser) -> None:
    """`--true-at` and `--known-at`, read by `moment_of`."""
    parser.add_argument("--true-at", metavar="T", help="what was true then")
    parser.add_argument("--known-at", metavar="T", help="what the store knew then")


def moment_of(args: argparse.Namespace) -> Moment:
    """The moment that is asked about; now without the options. Raises `Invalid`."""
    from store.model import Moment

    return Moment(at(args.true_at, "--true-at"), at(args.known_at, "--known-at"))


def of_a_judge(parser: argparse.ArgumentParser, does: str) -> None:
    """`--judge` and what says more of it."""
    parser.add_argument(
        "--judge",
        nargs="?",
        const="",
        metavar="URL",
        help=f"{does}: an OpenAI-compatible server; without URL the one of the settings",
    )
    parser.add_argument("--model", type=named, metavar="M", help="the model's name there")
    parser.add_argument("--key-env", metavar="NAME", help="the variable that holds its key")
