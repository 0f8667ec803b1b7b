"""The Review place by keys: evidence first, one effect each, undo, and what is left to a person."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from curator.dialogs.choose import ChooseDialog
from curator.dialogs.text import TextDialog
from curator.screens.review import ReviewScreen
from store import Actor, open_store
from store.access.curator import CuratorView
from store.model import ClosedAs, ProposalStatus, Trust
from tests import seeds
from tests.curator import queue_world
from tests.curator.desk import Desk, desk


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return tmp_path / "harbor.db"


@pytest.fixture
def names(world: Path) -> dict[str, str]:
    return queue_world.write(world)


@pytest.fixture
def eve(world: Path, names: dict[str, str]) -> Iterator[CuratorView]:
    with open_store(world, create=False, clock=seeds.Clock()) as store:
        yield store.curator(Actor.human("eve"))


async def review(at: Desk, number: str | None = None) -> ReviewScreen:
    """Go there, and down to a proposal."""
    await at.press("down", "2")
    screen = at.app.screen
    assert isinstance(screen, ReviewScreen)
    await at.until(lambda: screen.waiting is not None)
    await at.settled()
    for _ in range(20):
        if number is None or screen.list.cursor_key == number:
            break
        await at.press("j")
    await at.until(lambda: screen.taken is not None)
    assert number is None or str(screen.taken and screen.taken.proposal.number) == number
    return screen


def status(eve: CuratorView, names: dict[str, str], name: str) -> ProposalStatus:
    return eve.proposal(int(names[name])).status


def ready(screen: ReviewScreen) -> bool:
    return not screen._deciding


async def choose(at: Desk, id: str, reason: str | None = None) -> None:
    dialog = at.app.screen
    assert isinstance(dialog, ChooseDialog)
    if reason is not None:
        dialog.query_one("#reason", Input).value = reason
    dialog.query_one(f"#{id}").focus()
    await at.press("enter")


async def test_the_queue_is_oldest_first_with_kinds_counts_and_a_badge(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        await at.until(lambda: "Review 6, oldest" in at.lines()[0])
        screen = await review(at)
        numbers = [int(key) for key in screen.list.keys]
        assert numbers == [one.number for one in eve.proposals()]
        assert "all 6" in at.text
        assert "merge 1" in at.text
        assert "oldest first" in at.text
        await at.press("]")
        assert screen.kind is not None
        assert len(screen.list.keys) == 1
        await at.press("[")
        assert len(screen.list.keys) == 6


async def test_texts_and_differing_words_are_seen_before_anything_is_decided(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    before = eve.changed()
    async with desk(world) as at:
        await review(at, names["p-merge"])
        for part in ("[prefers]", "[likes]", "[and Makefiles]", "+and Makefiles", "−spaces"):
            assert part in at.text
        assert "close as merged" in at.text
        assert "Decided before, like this" in at.text
    assert eve.changed() == before, "looking writes nothing"


async def test_approve_happens_once_however_often_it_is_pressed(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        screen = await review(at, names["p-merge"])
        for _ in range(3):
            screen.action_approve()
        await at.until(lambda: bool(at.toasts))
        await at.settled()
        assert at.toasts[0].startswith(f"Approved proposal {names['p-merge']}.")
        assert status(eve, names, "p-merge") is ProposalStatus.APPROVED
        decided = [one for one in eve.events(limit=50) if one.action == "approve"]
        assert len(decided) == 1
        waiting = [n for n in names if n.startswith("p-") and n != "p-merge"]
        assert all(status(eve, names, n) is ProposalStatus.WAITING for n in waiting)
        assert eve.chain(names["tabs"])[-1].memory.closed_as is ClosedAs.MERGED
        (hit,) = eve.search("tabs makefiles").hits
        assert hit.memory.text == queue_world.MERGED
        await at.until(partial(ready, screen))
        await at.press("u")
        await at.until(lambda: any(said.startswith("Undone") for said in at.toasts))
        assert at.toasts == [f"Undone: proposal {names['p-merge']} waits again."]
        assert status(eve, names, "p-merge") is ProposalStatus.WAITING
        assert eve.get(names["tabs"]).text == queue_world.TABS


async def test_another_terminal_was_faster(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        await review(at, names["p-merge"])
        eve.approve(int(names["p-merge"]))
        before = eve.changed()
        await at.press("a")
        await at.until(lambda: bool(at.toasts))
        assert "approved already by human:eve" in at.toasts[0]
        assert eve.changed() == before


async def test_decline_with_a_reason(world: Path, names: dict[str, str], eve: CuratorView) -> None:
    async with desk(world) as at:
        screen = await review(at, names["p-retire"])
        await at.press("n")
        await choose(at, "decline", "still useful")
        await at.until(lambda: bool(at.toasts))
        one = eve.proposal(int(names["p-retire"]))
        assert (one.status, one.reason) == (ProposalStatus.DECLINED, "still useful")
        assert one.decided_by == "human:dana"
        assert names["p-retire"] not in screen.list.keys
        assert eve.get(names["session"]).state == "live"


async def test_decline_and_tombstone_keeps_the_text_out(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        await review(at, names["p-verified"])
        await at.press("T")
        await choose(at, "exact", "invented")
        await at.until(lambda: bool(at.toasts))
        assert status(eve, names, "p-verified") is ProposalStatus.DECLINED
        stone = eve.tombstones()[0]
        assert (stone.text, stone.match) == ("Handbook: production is eu-west-1.", "exact")
        assert eve.get(names["right"]).text == seeds.RIGHT


async def test_what_a_tombstone_holds_needs_no_second_one(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    before = eve.changed()
    async with desk(world) as at:
        await review(at, names["p-held"])
        assert "rejected earlier, 2nd time" in at.text
        assert "agent:codex, remember, 2 times" in " ".join(at.text.split())
        assert "(T)" in at.lines()[-1]
        await at.press("T")
        assert "keeps its text out already" in at.toasts[0]
    assert eve.changed() == before


async def test_snooze_takes_it_out_until_then(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        screen = await review(at, names["p-retire"])
        await at.press("s")
        await choose(at, "week")
        await at.until(lambda: bool(at.toasts))
        one = eve.proposal(int(names["p-retire"]))
        assert one.snoozed_until == seeds.NOW + timedelta(days=7)
        assert names["p-retire"] not in screen.list.keys
        await at.until(partial(ready, screen))
        await at.press("u")
        await at.until(lambda: names["p-retire"] in screen.list.keys)


async def test_what_was_snoozed_is_behind_its_own_tab_and_can_be_decided_there(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        screen = await review(at, names["p-retire"])
        assert "snoozed" not in at.text
        await at.press("s")
        await choose(at, "week")
        await at.until(lambda: "snoozed 1" in at.text)
        await at.until(partial(ready, screen))
        await at.press("[")  # from all back over the end
        await at.until(lambda: list(screen.list.keys) == [names["p-retire"]])
        await at.until(partial(ready, screen))
        await at.press("a")
        await at.until(lambda: eve.proposal(int(names["p-retire"])).status == "approved")
        await at.until(lambda: "snoozed" not in at.text and len(screen.list.keys) == 5)


async def test_edit_then_approve_writes_the_edited_text(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        await review(at, names["p-merge"])
        await at.press("e")
        dialog = at.app.screen
        assert isinstance(dialog, TextDialog)
        assert "[prefers]" in at.text
        dialog.query_one(TextArea).text = "Dana wants tabs in Go and Makefiles."
        dialog.query_one("#do").focus()
        await at.press("enter")
        await at.until(lambda: bool(at.toasts))
        assert status(eve, names, "p-merge") is ProposalStatus.APPROVED
        (hit,) = eve.search("tabs makefiles").hits
        assert hit.memory.text == "Dana wants tabs in Go and Makefiles."


async def test_hidden_characters_are_only_kept_by_choice(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        screen = await review(at, names["p-extract"])
        assert "‹U+202E›" in at.text
        assert screen.parts["a"].has_class("-look"), "an amber frame round the source"
        assert "(A)" in at.lines()[-1]
        await at.press("A")
        assert "decided by itself" in at.toasts[0]
        await at.press("a")
        dialog = at.app.screen
        assert isinstance(dialog, TextDialog)
        text = dialog.query_one(TextArea)
        assert "\u202e" not in text.text
        text.text = queue_world.TRICK
        dialog.query_one("#do").focus()
        await at.press("enter")
        assert isinstance(at.app.screen, TextDialog), "not without saying so"
        dialog.query_one("#hidden-too").focus()
        await at.press("enter")
        await at.until(lambda: status(eve, names, "p-extract") is ProposalStatus.APPROVED)
        texts = {one.text for one in eve.list(limit=200).memories}
        assert queue_world.TRICK in texts


@pytest.mark.parametrize(("answer", "closed"), [("keep-1", True), ("both", False)])
async def test_of_a_contradiction_a_person_says_which_holds(
    world: Path, names: dict[str, str], eve: CuratorView, answer: str, closed: bool
) -> None:
    async with desk(world) as at:
        await review(at, names["p-contra"])
        assert "[5433]" in at.text
        assert "[6543]" in at.text
        await at.press("a")
        await choose(at, answer)
        await at.until(lambda: status(eve, names, "p-contra") is ProposalStatus.APPROVED)
    first = eve.chain(names["port"])[-1].memory
    second = eve.chain(names["port2"])[-1].memory
    assert (first.closed_at is not None) is closed
    assert second.closed_at is None
    if not closed:
        assert {first.trust, second.trust} == {Trust.DISPUTED}


async def test_a_stale_one_shows_what_differs_and_can_be_refreshed(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    eve.correct(names["tabs"], queue_world.TABS.replace("spaces", "blanks"))
    async with desk(world) as at:
        screen = await review(at, names["p-merge"])
        assert "1 source changed" in at.text
        assert "+blanks" in at.text
        await at.press("a")
        await choose(at, "refresh")
        await at.until(lambda: bool(at.toasts))
        await at.settled()
        assert not eve.proposal(int(names["p-merge"])).stale
        assert status(eve, names, "p-merge") is ProposalStatus.WAITING
        await at.until(partial(ready, screen))


async def test_two_proposals_on_one_memory_the_second_becomes_stale(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    other = eve.propose("retire", [names["tabs"]]).proposal
    assert other is not None
    async with desk(world) as at:
        screen = await review(at, names["p-merge"])
        await at.press("a")
        await at.until(lambda: status(eve, names, "p-merge") is ProposalStatus.APPROVED)
        await at.until(partial(ready, screen))
        await at.settled()
        for _ in range(10):
            if screen.list.cursor_key == str(other):
                break
            await at.press("j")
        assert "1 source changed" in at.text
        await at.press("a")
        assert isinstance(at.app.screen, ChooseDialog)
        await at.press("escape")
    assert eve.proposal(other).status is ProposalStatus.WAITING


async def test_approve_all_says_how_many_and_why_not_the_others(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    good = eve.propose("extract", [names["freeze"]], text="The freeze ends on 4 January.")
    async with desk(world) as at:
        screen = await review(at, str(good.proposal))
        assert "2 like this wait" in at.text
        await at.press("A")
        await choose(at, "all")
        await at.until(lambda: bool(at.toasts))
        assert at.toasts[0].startswith("Approved 1 of 2. Left")
        assert "holds hidden characters" in at.toasts[0]
        assert f"{names['p-extract']}:" in " ".join(at.text.split())
        assert status(eve, names, "p-extract") is ProposalStatus.WAITING
        await at.until(partial(ready, screen))
        await at.press("u")
        await at.until(lambda: any(said.startswith("Undone") for said in at.toasts))
        assert good.proposal is not None
        assert eve.proposal(good.proposal).status is ProposalStatus.WAITING


async def test_an_empty_queue_says_so(tmp_path: Path) -> None:
    path = tmp_path / "quiet.db"
    seeds.write(path)
    async with desk(path) as at:
        await at.press("down", "2")
        await at.until(lambda: "Nothing waits for you." in at.text)
        await at.press("a")
        assert at.toasts == ["Nothing waits under the cursor."]


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (140, 40)])
async def test_the_place_fits(world: Path, names: dict[str, str], size: tuple[int, int]) -> None:
    async with desk(world, size=size) as at:
        screen = await review(at, names["p-merge"])
        assert all(len(line) <= size[0] for line in at.lines())
        for part in ("[prefers]", "[likes]", "−spaces"):
            assert part in at.text
        await at.press("i")
        assert screen.views["impact"].has_focus
        assert "like this wait" in " ".join(at.text.split()) or "No other like" in at.text
        await at.press("escape")
        assert screen.list.has_focus
