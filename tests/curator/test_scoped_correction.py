"""A correction for one scope, in the edit dialog: what the store says then, who is told what."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import TextArea

from curator.app import CuratorApp
from curator.dialogs.edit import EditDialog
from curator.dialogs.scope_field import ScopeField, narrower
from store import Actor, Draft, Store, open_store
from store.access.curator import CuratorView
from store.model import ScopeCount
from store.search.pipeline import Asked
from tests import seeds
from tests.curator.desk import Desk, desk, start_for

WIDE = "The quay rule of all ports: call the pilot at noon."
NARROW = "The quay rule of all ports: call the pilot at one."
BELOW, OTHER = seeds.SCOPE, "project/web"


class Stepping(seeds.Clock):
    """A minute later whenever it is asked: ids differ in their first letters."""

    def __init__(self) -> None:
        super().__init__(seeds.NOW - timedelta(hours=1))

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    """The same store, opened by somebody else; a rule of all in it."""
    seeds.write(tmp_path / "harbor.db")
    with open_store(tmp_path / "harbor.db", create=False, clock=Stepping()) as store:
        yield store


@pytest.fixture
def eve(other: Store) -> CuratorView:
    return other.curator(Actor.human("eve"))


@pytest.fixture
def wide(eve: CuratorView) -> str:
    eve.remember(Draft("Cranes are green.", OTHER))
    return str(eve.remember(Draft(WIDE, "global", subject="quay.rule")).id)


def told(view: CuratorView, scope: str) -> list[str]:
    """What one is told who asks in a scope and in that of all."""
    found = view.search(Asked("quay rule pilot", within=(scope, "global"))).hits
    return [hit.memory.text for hit in found]


async def opened(at: Desk, wide: str) -> EditDialog:
    await at.ask("quay rule pilot")
    at.search.results.move_to_key(wide)
    await at.settled()
    await at.press("e")
    dialog = at.app.screen
    assert isinstance(dialog, EditDialog)
    await at.until(lambda: bool(dialog.query_one(ScopeField).offers))
    return dialog


async def test_only_in_a_scope_another_text_stands(
    tmp_path: Path, eve: CuratorView, wide: str
) -> None:
    async with desk(tmp_path / "harbor.db") as at:
        dialog = await opened(at, wide)
        dialog.query_one(TextArea).text = NARROW
        field = dialog.query_one(ScopeField)
        field.focus()
        await at.press("p", "r", "down")
        assert (field.value, field.offers) == (BELOW, (BELOW, OTHER, "user/dana"))
        await at.press("down")
        assert field.value == OTHER
        await at.press("up")
        assert "Only in this scope; everywhere else v1 stays" in at.text
        dialog.query_one("#correct").focus()
        await at.press("enter")
        await at.until(lambda: bool(at.toasts))
        (narrow,) = eve.overrides(wide).narrow
        assert at.toasts == [
            f"Corrected only in {BELOW}, as {narrow.id[:8]}. Elsewhere nothing changes.  u undoes"
        ]
        assert (narrow.text, narrow.scope, narrow.overrides) == (NARROW, BELOW, wide)
        assert (narrow.subject, narrow.by) == ("quay.rule", "human:dana")
        assert eve.get(wide).text == WIDE
        assert (told(eve, BELOW), told(eve, OTHER)) == ([NARROW], [WIDE])
        held_back = eve.withheld(Asked("quay rule pilot", within=(BELOW, "global")))
        assert held_back.counts == {"overridden": 1}
        await at.press("u")
        await at.until(lambda: told(eve, BELOW) == [WIDE])
        assert not eve.overrides(wide)


async def test_card_and_chain_say_it_in_both_directions(
    tmp_path: Path, eve: CuratorView, wide: str
) -> None:
    narrow = str(eve.override(wide, BELOW, NARROW).id)
    async with desk(tmp_path / "harbor.db") as at:
        for own, other, told_on_card, told_in_chain in (
            (wide, narrow, f"by {narrow[:8]}, in", "overridden in"),
            (narrow, wide, f"{wide[:8]}, in global", "what it overrides, in global"),
        ):
            at.search.desk.show_id(own)
            await at.until(lambda own=own: at.search.card.key == own)
            at.search.card.go_to("Text")
            await at.until(lambda said=told_on_card: said in at.text)
            at.search.card.go_to("Links")
            await at.until(lambda other=other: f"{other[:8]} v1 in" in at.text)
            at.search.card.go_to("Chain")
            await at.until(lambda said=told_in_chain: said in at.text)


async def test_what_overrides_it_can_be_acted_on_from_the_chain(
    tmp_path: Path, eve: CuratorView, wide: str
) -> None:
    narrow = str(eve.override(wide, BELOW, NARROW).id)
    async with desk(tmp_path / "harbor.db") as at:
        at.search.desk.show_id(wide)
        await at.until(lambda: at.search.card.key == wide)
        await at.press("c")
        await at.until(lambda: "overridden in" in at.text)
        assert [one.id for one in at.app.screen.subjects] == [wide], "its own newest comes first"
        await at.press("k", "v")
        await at.until(lambda: eve.get(narrow).trust == "verified")
        assert eve.get(wide).trust == "unreviewed"


async def test_a_change_is_everywhere_and_a_refusal_keeps_what_was_typed(
    tmp_path: Path, eve: CuratorView, wide: str
) -> None:
    eve.override(wide, BELOW, NARROW)
    events = eve.changed()
    async with desk(tmp_path / "harbor.db", size=(80, 24)) as at:
        dialog = await opened(at, wide)
        dialog.query_one(TextArea).text = "The quay rule: call nobody."
        dialog.query_one(ScopeField).value = BELOW
        dialog.query_one("#change").focus()
        await at.press("enter")
        assert "A change is about the text everywhere" in " ".join(at.text.split())
        dialog.query_one("#correct").focus()
        await at.press("enter")
        await at.until(lambda: at.app.screen is not dialog and "stands in its place" in at.text)
        again = at.app.screen
        assert isinstance(again, EditDialog)
        assert again.query_one(ScopeField).value == BELOW
        assert again.query_one(TextArea).text == "The quay rule: call nobody."
    assert eve.changed() == events


def test_no_scope_above_is_offered_and_the_own_one_comes_first() -> None:
    known = [ScopeCount(path, 1, 1) for path in ("global", "project", "project/a", "project/b/x")]
    assert narrower(known, "project", None) == ("project/a", "project/b/x", "global")
    assert narrower(known, "project/a", "project/b/x") == ("project/b/x", "global")
    assert narrower(known, "global", "project/new")[0] == "project/new"


@pytest.mark.parametrize("size", [(80, 24), (140, 40)], ids=["80x24", "140x40"])
@pytest.mark.parametrize("state", ["edit", "chain"])
def test_looks(
    snap_compare: Any,
    tmp_path: Path,
    eve: CuratorView,
    wide: str,
    state: str,
    size: tuple[int, int],
) -> None:
    if state == "chain":
        eve.override(wide, BELOW, NARROW)
    app = CuratorApp(start_for(tmp_path / "harbor.db", tmp_path))

    async def bring(pilot: Pilot[int]) -> None:
        at = Desk(app, pilot)
        await at.until(lambda: bool(at.app.screen_stack) and at.search.finder.found is not None)
        if state == "chain":
            at.search.desk.show_id(wide)
            await at.settled()
            await at.press("c")
            return
        dialog = await opened(at, wide)
        dialog.query_one(TextArea).text = NARROW
        dialog.query_one(ScopeField).focus()
        await at.press("down")

    assert snap_compare(app, terminal_size=size, run_before=bring)
    assert app.bridge is not None
    app.bridge.close()
