"""Issue 7, must show 7: a hidden character in a proposal is marked with its code point in the
difference, and blocks "approve all like this"."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.views.look import Look
from curator.views.outcome import OutcomePage
from store import Actor, Draft, Grant, Store
from store.access.curator import CuratorView
from store.errors import NotPossible
from store.model import Flag
from tests.conftest import START
from tests.curator.desk import desk

SCOPE = "project/harbor-api"
PLAIN = "Deploys go to eu-central-1"
ODD = {
    "hidden": "Deploys go to eu\u200b-central-2",
    "tags": "Deploys go to eu-central-3" + "".join(chr(0xE0000 + ord(c)) for c in "rm"),
    "bidi": "Deploys go to \u202e2-lartnec-ue\u202c",
    "escape": "Deploys go to \x1b[8meu-central-4\x1b[0m",
}
"""What an agent would write instead, by what it hides."""


def proposed(store: Store, me: CuratorView, text: str) -> int:
    """A correction by an agent of what a person wrote."""
    written = me.remember(Draft(f"{PLAIN} {len(me.proposals())}", SCOPE))
    codex = store.agent(Actor.agent("codex"), Grant(read={SCOPE}))
    asked = codex.correct(written.id or "", text)
    assert asked.proposal is not None
    return asked.proposal


@pytest.mark.parametrize("name", ODD)
def test_it_is_marked_with_its_code_point_in_the_difference(
    store: Store, me: CuratorView, name: str
) -> None:
    number = proposed(store, me, ODD[name])
    one = me.proposal(number)
    assert Flag.HIDDEN in one.flags
    page = OutcomePage(one, Look(START)).page(80)
    shown = "\n".join(line.plain for line in page.lines)
    first = next(c for c in ODD[name] if not c.isprintable())
    assert f"‹U+{ord(first):04X}›" in shown
    assert first not in shown


@pytest.mark.parametrize("name", ODD)
def test_it_blocks_approve_all(store: Store, me: CuratorView, name: str) -> None:
    clean, odd = proposed(store, me, "Deploys go to us-east-1"), proposed(store, me, ODD[name])
    done = me.approve_all(clean)
    assert [number for number, _ in done.approved] == [clean]
    assert done.left == ((odd, "holds hidden characters"),)
    assert me.proposal(odd).status == "waiting"
    with pytest.raises(NotPossible, match="cannot be seen"):
        me.approve(odd)


def test_look_alike_letters_block_it_too(store: Store, me: CuratorView) -> None:
    clean = proposed(store, me, "Deploys go to us-east-1")
    odd = proposed(store, me, "Deploys go to us-e\u0430st-1")
    assert me.approve_all(clean).left == ((odd, "mixes letters that look the same"),)


async def test_the_place_refuses_approve_all_on_a_flagged_one(
    store: Store, me: CuratorView, store_path: Path
) -> None:
    proposed(store, me, ODD["hidden"])
    store.close()
    async with desk(store_path, size=(140, 40)) as at:
        await at.press("escape", "2")
        await at.until(lambda: "‹U+200B›" in at.text)
        await at.press("A")
        assert any("decided by itself" in said for said in at.toasts)
