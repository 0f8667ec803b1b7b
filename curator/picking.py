"""Finding any memory of the store to point at, whatever state it is in."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curator.questions import Question, rows_of
from curator.views import withheld
from curator.views.hits import HitRow, browsed
from curator.views.look import Look
from store.errors import NotFound

if TYPE_CHECKING:
    from store.access.curator import CuratorView

_SHORTEST_ID = 4


@dataclass(frozen=True, slots=True)
class Picked:
    """Rows to choose from, each memory once."""

    rows: tuple[HitRow, ...]


def pick(me: CuratorView, text: str, look: Look) -> Picked:
    """The memory whose id begins so, then what the words find, then what that held back."""
    question = Question(text, typing=True)
    answer = me.search(question.asked(limit=40, with_withheld=question.asks))
    rows = list(rows_of(answer, look, several=True))
    if len(text.strip()) >= _SHORTEST_ID and " " not in text.strip():
        with suppress(NotFound):  # most words are no id
            rows.insert(0, browsed(me.show(text.strip()).memory, look, show_scope=True))
    if answer.withheld is not None:
        rows += withheld.rows(answer.withheld, look)
    once: dict[str, HitRow] = {}
    for row in rows:
        once.setdefault(row.key, row)
    return Picked(tuple(once.values()))
