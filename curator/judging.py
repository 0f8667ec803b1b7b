"""Which judge is meant: a server of the command line, or the one that the settings name.

[judge]
url = "http://localhost:11434/v1"      # any OpenAI-compatible chat server
model = "qwen2.5:7b"
key_env = "MY_KEY"                     # the NAME of an environment variable, never a key
price_in = 0.15                        # per million tokens, to say what a run cost
price_out = 0.60

Naming one sends nothing: a judge is only asked where `--judge` or the app's command says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from curator.embedding import settings_table

if TYPE_CHECKING:
    from store.review.judge.remote import ChatJudge

TABLE = "judge"


def judge_from(given: Mapping[str, Any]) -> ChatJudge:
    """The judge of these settings, those of the file where they say nothing.

    With an address of its own nothing of the file is taken over: neither its key nor its price
    is meant for another server. Raises `Invalid`.
    """
    from store.errors import Invalid

    named = {name: value for name, value in given.items() if value not in (None, "")}
    settings = named if "url" in named else {**settings_table(TABLE), **named}
    judge = judge_of(settings)
    if judge is None:
        raise Invalid(
            "No judge is named.",
            "Give --judge URL --model M, or a [judge] table with url and model in the settings.",
        )
    return judge


def judge_of(settings: Mapping[str, Any]) -> ChatJudge | None:
    """The judge that settings name, None where they name none. Asks nobody. Raises `Invalid`."""
    from store.review.judge.choice import server_from
    from store.review.judge.remote import ChatJudge

    server = server_from(settings)
    return None if server is None else ChatJudge(server)
