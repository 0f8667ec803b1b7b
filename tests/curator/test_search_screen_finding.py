"""Search: type, see ranked rows and why; every key leads where it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curator.dialogs.memories import HeldBackDialog, PickDialog
from curator.dialogs.why import WhyDialog
from curator.keys import KEYS
from curator.questions import Found, Question, half_typed
from curator.views.whynot import REASONS
from store.model import Gate
from tests import seeds
from tests.curator.desk import desk


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    return path


@pytest.fixture
def names(tmp_path: Path) -> dict[str, str]:
    return seeds.write(tmp_path / "names.db")


async def test_typing_shows_ranked_rows_with_bars_and_the_card_of_the_first(
    world: Path, names: dict[str, str]
) -> None:
    async with desk(world) as at:
        assert at.search.query_bar.typing
        await at.ask("deploy region", by_key=True)
        assert at.search.results.has_focus
        assert at.row_keys()[0] == names["wrong"]
        scores = [at.search.finder.hits[key].score for key in at.row_keys()]
        assert scores == sorted(scores, key=lambda score: -(score or 0))
        assert "██" in at.text
        assert "0.9" in at.text
        assert "relevance" in at.text
        assert "evidence" in at.text


async def test_the_key_for_the_query_pressed_inside_the_empty_query_types_nothing(
    world: Path,
) -> None:
    async with desk(world) as at:
        await at.press("slash", "d")
        assert at.search.query_bar.value == "d"
        await at.press("slash", "u")
        assert at.search.query_bar.value == "d/u"


async def test_every_tab_of_the_card_shows_its_page(world: Path) -> None:
    shown = {}
    async with desk(world) as at:
        await at.ask("deploy region")
        await at.press("enter")
        for _ in range(6):
            await at.until(lambda: at.search.card.view.line_count > 0)
            await at.settled()
            shown[at.search.card.tab] = at.text
            await at.press("]")
    assert "us-east-1" in shown["Text"]
    assert "channels" in shown["Score"]
    assert "first written" in shown["Chain"]
    assert "remember" in shown["History"]
    assert "Nothing is linked to it." in shown["Links"]
    assert "importance" in shown["Raw"]


async def test_an_answer_that_nobody_asks_for_any_more_is_dropped(world: Path) -> None:
    async with desk(world) as at:
        painted: list[str] = []
        paint = at.search.paint

        def noted(found: Found, **how: Any) -> None:
            painted.append(found.question.text)
            paint(found, **how)

        at.search.paint = noted  # type: ignore[method-assign]
        finder = at.search.finder
        for text in ("tea", "port", "deploy"):
            finder.change(text=text)
        await at.settled()
        assert painted == ["deploy"]


async def test_without_a_question_the_newest_come_first_and_the_end_can_be_jumped_to(
    tmp_path: Path,
) -> None:
    path = tmp_path / "many.db"
    seeds.write(path, more=400)
    async with desk(path) as at:
        total = at.search.results.total
        assert total > 400
        await at.press("enter", "G")
        await at.until(lambda: at.search.results.cursor_key is not None)
        await at.settled()
        assert at.search.results.cursor == total - 1
        assert f"{total} of {total}" in at.text.replace("–", " ")
        oldest = at.search.finder.hits[at.search.results.cursor_key or ""].memory
        assert oldest.asserted_at == min(
            hit.memory.asserted_at for hit in at.search.finder.hits.values()
        )
        await at.press("g")
        assert at.search.results.cursor == 0


async def test_nothing_found_says_what_was_asked_and_what_to_do(world: Path) -> None:
    async with desk(world) as at:
        at.search.finder.change(within=("user/dana",))
        await at.ask("kafka retention")
        assert 'Nothing in user/dana comes close to "kafka retention".' in at.text
        assert "search in a wider scope" in at.text


async def test_a_filter_that_means_nothing_is_refused_above_the_old_rows(world: Path) -> None:
    async with desk(world) as at:
        await at.ask("deploy")
        before = at.row_keys()
        await at.press("/", *"space|t|i|e|r|colon|z|z".split("|"))
        await at.until(lambda: at.search.finder.error is not None)
        await at.settled()
        assert "tier:zz means nothing here" in at.text
        assert at.row_keys() == before
        assert at.search.results_pane.has_class("-stale")
        await at.press(*["backspace"] * 8)
        await at.until(lambda: not at.search.results_pane.has_class("-stale"))


async def test_what_was_held_back_is_counted_and_its_rows_open(
    world: Path, names: dict[str, str]
) -> None:
    async with desk(world) as at:
        await at.ask("deploys went to Frankfurt")
        assert "held back" in at.text
        await at.press("w")
        assert isinstance(at.app.screen, HeldBackDialog)
        assert "held back: retired" in at.text
        await at.press("x")
        assert isinstance(at.app.screen, WhyDialog)
        await at.until(lambda: "retired" in at.dialog_words)
        await at.press("escape")
        assert isinstance(at.app.screen, HeldBackDialog), "back in the list one came from"
        await at.press("enter")
        await at.until(lambda: at.search.card.key == names["old"])
        assert at.search.card_has_focus
        assert at.search.subjects[0].id == names["old"]


async def test_why_and_why_not_of_a_memory_that_is_not_among_the_rows(
    world: Path, names: dict[str, str]
) -> None:
    async with desk(world) as at:
        await at.ask("deploy region")
        await at.press("x")
        assert isinstance(at.app.screen, WhyDialog)
        await at.until(lambda: "relevance" in at.text)
        await at.press("tab", "tab", "enter")
        assert isinstance(at.app.screen, PickDialog)
        await at.press(*names["tea"].lower())
        await at.until(lambda: "green tea" in at.text)
        await at.settled()
        await at.press("enter")
        assert isinstance(at.app.screen, WhyDialog)
        await at.until(lambda: REASONS[Gate.BELOW_FLOOR] in at.dialog_words)


async def test_a_facet_is_put_into_the_question_and_taken_out_again(world: Path) -> None:
    async with desk(world) as at:
        await at.ask("deploy")
        await at.press("f")
        assert at.search.facets.has_focus
        at.search.facets.move_to_key("tier:episodic")
        await at.press("enter")
        await at.until(
            lambda: (
                at.search.finder.found is not None and at.search.finder.found.filters != frozenset()
            )
        )
        assert at.search.query_bar.value == "deploy tier:episodic"
        await at.settled()
        tiers = {at.search.finder.hits[key].memory.tier.value for key in at.row_keys()}
        assert tiers == {"episodic"}
        await at.press("enter")
        await at.until(lambda: at.search.query_bar.value == "deploy")


async def test_the_scope_banner_says_where_one_looks_and_the_switcher_changes_it(
    world: Path,
) -> None:
    async with desk(world) as at:
        assert "whole store" in at.lines()[1]
        await at.press("enter", "S")
        at.app.screen.query_one("PageView").move_to_key("user/dana")  # type: ignore[attr-defined]
        await at.press("enter")
        assert "scope user/dana and below" in at.lines()[1]
        scopes = {at.search.finder.hits[key].memory.scope for key in at.row_keys()}
        assert scopes == {"user/dana"}


async def test_a_constant_changed_live_moves_rows_and_says_how(world: Path) -> None:
    async with desk(world) as at:
        await at.ask("deploy")
        before = at.row_keys()
        await at.press("=")
        assert at.search.ranking.has_focus
        at.search.ranking.move_to_key("semantic")
        await at.press(*["right"] * 12)
        assert "1 changed" in at.text
        assert "was 1.00" in at.text
        after = at.row_keys()
        assert before != after
        assert "▲ up" in at.text or "▼ down" in at.text
        at.search.ranking.move_to_key("reset")
        await at.press("enter")
        assert at.row_keys() == before
        lines = at.search.ranking.line_count
        assert lines > 5
        await at.press("escape", "=")
        assert at.search.ranking.line_count == lines, "it is as full when it is opened again"


@pytest.mark.parametrize("size", [(80, 24), (120, 30)])
async def test_small_screens_show_card_and_facets_in_place(
    world: Path, size: tuple[int, int]
) -> None:
    async with desk(world, size=size) as at:
        await at.ask("deploy")
        assert at.search.facets not in at.search.panes()
        await at.press("enter")
        assert at.search.card_has_focus
        assert (at.search.results in at.search.panes()) is (size[0] >= 100)
        await at.press("escape")
        assert at.search.results.has_focus
        await at.press("f")
        assert at.search.facets.has_focus
        await at.press("escape")
        assert at.search.results.has_focus


async def test_places_that_are_not_built_say_so_and_nothing_else(world: Path) -> None:
    async with desk(world) as at:
        await at.press("enter")
        modes = at.app.MODES
        for place in (one for one in KEYS if one.room == "go"):
            name = place.id.partition(".")[2]
            if name not in modes:
                await at.press(place.keys)
                assert at.toasts == [
                    f"{place.word} is not in this version yet. Nothing was changed."
                ]
                assert at.app.current_mode == "search"
        await at.press("j")
        assert at.toasts == []


async def test_enter_keeps_the_order_that_typing_showed(world: Path) -> None:
    async with desk(world) as at:
        at.search.query_bar.value = "deplo"
        finder = at.search.finder
        await at.until(lambda: finder.found is not None and finder.found.question.text == "deplo")
        await at.settled()
        before, found = at.row_keys(), finder.found
        assert before
        await at.press("enter")
        assert at.search.results.has_focus
        assert (at.row_keys(), finder.found) == (before, found)


@pytest.mark.parametrize(
    ("text", "half"),
    [("deplo", False), ("deploy region", False), ("db", True), ("tier:sem", True), ("-", True),
     ("deploy tier:semantic", False), ('"deploy regi', False), ("port -", True)],
)  # fmt: skip
def test_what_is_half_typed_is_asked_anew(text: str, half: bool) -> None:
    assert half_typed(Question(text, typing=True)) is half
