"""The part of the curator's view about what a person comes back to, and whole copies."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from store.copies import backup as backups
from store.copies import copying
from store.copies.exporting import Progress
from store.keeping import questions as standing
from store.keeping import searches
from store.keeping.kept import Question, SavedSearch
from store.lifecycle.writer import Writer

if TYPE_CHECKING:
    from store.review.judge.answering import Worded
    from store.review.judge.protocol import Judge


class Keeping:
    """Saved searches and standing questions. Every method is safe to call from any thread."""

    _writer: Writer

    def saved(self) -> tuple[SavedSearch, ...]:
        """Saved searches by name: those that look nowhere beyond this view."""
        with self._writer.engine.read() as conn:
            return searches.saved(conn, self._writer.grant)

    def save_search(self, name: str, query: str, *, scope: Iterable[str] | None = None) -> int:
        """Keep a search under a name; the event. Raises `Invalid`, `TooLarge`."""
        return searches.save(self._writer, name, query, scope)

    def drop_search(self, name: str) -> int:
        """Forget a saved search; the event. Raises `NotFound`."""
        return searches.drop(self._writer, name)

    def questions(self) -> tuple[Question, ...]:
        """Standing questions and whether their answers still stand. Asks nothing anew."""
        with self._writer.engine.read() as conn:
            return standing.questions(conn, self._writer.sight(conn), self._writer.grant)

    def ask(self, text: str, *, scope: Iterable[str] | None = None) -> Question:
        """Ask, and keep the question with what its answer rests on. Raises as `search`."""
        return standing.ask(self._writer, text, scope)

    def refresh_question(self, number: int) -> Question:
        """Ask again. Raises `NotFound`."""
        return standing.refresh(self._writer, number)

    def word_question(self, number: int, by: Judge) -> Worded:
        """Its answer in a judge's words; nothing is written and no text is kept. What it rests
        on is sent, secrets masked.

        Raises `NotFound`, `NoAnswer`, and `NotPossible` where the words are not borne out.
        """
        from store.review.judge.answering import worded

        with self._writer.engine.read() as conn:
            asked = standing.one(conn, self._writer.sight(conn), self._writer.grant, number)
        return worded(asked, by)

    def drop_question(self, number: int) -> int:
        """Forget a question; the event. Raises `NotFound`."""
        return standing.drop(self._writer, number)

    def backup(
        self, target: str | os.PathLike[str], progress: Progress | None = None
    ) -> backups.BackedUp:
        """Write the whole store to a new file while it is in use; the log knows of it.

        Raises `CannotOpen`, `StorageFull`, `Invalid` for a store on a server, `NotPossible` when
        `progress` stopped it.
        """
        return backups.backup(self._writer, target, progress)

    def copy_to(self, other: Keeping, progress: Progress | None = None) -> copying.Copied:
        """Make another, empty store equal to this one, also on the other engine, and verify it.

        Raises `Invalid` for one that holds something, `NotPossible` when `progress` stopped it.
        """
        return copying.copy(self._writer, other._writer, progress)
