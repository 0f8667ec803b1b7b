"""Asking before reject, merge and unmerge: what it means, what it also matches, the new text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from curator import acts
from curator.acts import Done
from curator.dialogs.choose import ChooseDialog, Chosen, Option
from curator.dialogs.text import TextDialog, Typed
from curator.safe import visible
from curator.views import impact, numbers, standing
from curator.views.tombstones import MATCHES, preview
from store.errors import StoreError
from store.model import Memory

if TYPE_CHECKING:
    from curator.screens.acting import Host

Then = Callable[[Done], None]
Lost = Callable[[StoreError], None]
_PREVIEW_CELLS = 86
_MOST_SHOWN = 600
_WHY = "Why (may stay empty)"


def ask_reject(host: Host, memory: Memory, then: Then, lost: Lost) -> None:
    """Which match, with the live memories that it would take too."""
    options = [
        Option(match, f"Reject, {match}", f"It answers no longer. Kept out: {MATCHES[match]}.")
        for match in ("near", "exact", "meaning")
    ]
    dialog = ChooseDialog(
        f"Reject {standing.short_id(memory.id)}",
        Content.assemble(
            visible(memory.text[:_MOST_SHOWN]),
            "\n\nNothing is destroyed: u undoes, and the tombstone can be lifted in 4.",
        ),
        options,
        reason=_WHY,
        beside=partial(_look_up, host, memory),
    )

    def chosen(answer: Chosen | None) -> None:
        if answer is not None:
            host.bridge.act(
                host.curator,
                lambda me: acts.reject(me, memory, answer.id, answer.reason),
                then,
                lost,
            )

    host.curator.push_screen(dialog, chosen)


def _look_up(host: Host, memory: Memory, dialog: ChooseDialog, match: str) -> None:
    """Which others the match would take: read when its button has the focus."""
    look = host.curator.look

    def refused(error: StoreError) -> None:
        dialog.forbid(match, f"{error} {error.hint}".strip())

    host.bridge.ask(
        dialog,
        "preview",
        lambda me: (me.preview_reject(memory.id, match), me.impact(closes=[memory.id])),
        lambda found: dialog.tell(
            Content("\n").join(
                [preview(found[0], look, _PREVIEW_CELLS), impact.brief(found[1], _PREVIEW_CELLS)]
            )
        ),
        refused,
    )


def ask_merge(
    host: Host,
    memories: Sequence[Memory],
    then: Then,
    lost: Lost,
    typed: Typed | None = None,
    problem: StoreError | None = None,
) -> None:
    """The sources with their differing words, and the text they become."""
    dialog = TextDialog(
        f"Merge {numbers.many(len(memories), 'memory', 'memories')} into one",
        "Merge into this text",
        memories[0].text if typed is None else typed.text,
        sources=[one.text for one in memories],
        problem=problem,
        reason=None if typed is None else typed.reason,
    )

    def again(answer: Typed, error: StoreError) -> None:
        """Nothing typed is lost."""
        ask_merge(host, memories, then, lost, answer, error)

    def chosen(answer: Typed | None) -> None:
        if answer is not None:
            host.bridge.act(
                host.curator,
                lambda me: acts.merge(me, memories, answer.text, answer.reason),
                then,
                partial(again, answer),
            )

    host.curator.push_screen(dialog, chosen)


def ask_unmerge(host: Host, memory: Memory, then: Then, lost: Lost) -> None:
    """What comes back; or how to merge, where nothing was merged into it."""
    short = standing.short_id(memory.id)

    def counted(sources: int) -> None:
        if not sources:
            host.curator.refuse(
                f"{short} was not merged. To merge: space marks two or more, then M."
            )
            return
        many = numbers.many(sources, "memory", "memories")
        said = f"{many} went into it and come back as they were; {short} is closed."
        option = Option("unmerge", "Unmerge", "An edit made since stays in the closed one's chain.")
        dialog = ChooseDialog(f"Unmerge {short}", Content(said), [option], reason=_WHY)
        host.curator.push_screen(dialog, chosen)

    def chosen(answer: Chosen | None) -> None:
        if answer is not None:
            host.bridge.act(
                host.curator, lambda me: acts.unmerge(me, memory, answer.reason), then, lost
            )

    host.bridge.ask(host.curator, "unmerge", lambda me: acts.merged_from(me, memory), counted, lost)
