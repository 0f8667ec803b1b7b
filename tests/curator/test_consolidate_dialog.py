"""Consolidation from the app: by rules, with a judge, stopped; and what it drew, decided."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from curator import tones
from curator.commands import CuratorCommands
from curator.config import LoadedSettings, Settings
from curator.dialogs.choose import ChooseDialog
from curator.dialogs.consolidate import CLOSE, JUDGE, RULES, STOP, ConsolidateDialog
from curator.screens.review import ReviewScreen
from curator.screens.review_many import DRAWN
from store import Actor, Draft, Tier, open_store
from tests import seeds
from tests.curator.desk import Desk, desk
from tests.seeds import SCOPE
from tests.store.review.judge_server import ANSWERS, JudgeServer, serving

DEPLOYS = next(text for text in ANSWERS["facts"] if "staging deploys" in text)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """The seed world with one recorded episode."""
    path = tmp_path / "harbor.db"
    seeds.write(path)
    with open_store(path, create=False, clock=seeds.Clock()) as store:
        dana = store.curator(Actor.human("dana"))
        dana.remember(Draft(DEPLOYS, SCOPE, tier=Tier.EPISODIC))
    return path


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeServer]:
    yield from serving(monkeypatch)


async def opened(at: Desk, server: JudgeServer | None) -> ConsolidateDialog:
    """The dialog over Review, by the palette's command; with a server that the settings name."""
    if server is not None:
        named = {"url": f"http://127.0.0.1:{server.port}/v1", "model": "recorded"}
        at.app.start = replace(at.app.start, settings=LoadedSettings(Settings(judge=named)))
    await at.press("down", "2")
    commands = {words: act for words, _, act in CuratorCommands(at.app.screen)._all()}
    commands["consolidate…"]()
    await at.until(lambda: "Look through every scope" in at.text)
    dialog = at.app.screen
    assert isinstance(dialog, ConsolidateDialog)
    return dialog


async def pressed(at: Desk, dialog: ConsolidateDialog, id: str) -> None:
    dialog.query_one(f"#{id}").focus()
    await at.pilot.press("enter")


async def test_rules_run_offline_and_say_what_they_proposed(world: Path) -> None:
    async with desk(world) as at:
        dialog = await opened(at, None)
        assert "nothing leaves" in at.text
        assert not dialog.query(f"#{JUDGE}")
        await pressed(at, dialog, RULES)
        await at.until(lambda: bool(dialog.lines))
        assert dialog.lines[0].startswith("By rules: ")
        await pressed(at, dialog, CLOSE)
        await at.settled()
        assert isinstance(at.app.screen, ReviewScreen)


async def test_a_judge_is_asked_by_its_own_button_and_its_facts_are_decided_together(
    world: Path, server: JudgeServer
) -> None:
    async with desk(world) as at:
        dialog = await opened(at, server)
        assert "The judge is recorded at http://127.0.0.1" in at.text
        assert server.asked == []
        await pressed(at, dialog, JUDGE)
        await at.until(lambda: bool(dialog.lines))
        assert any("2 extract" in line for line in dialog.lines)
        await pressed(at, dialog, CLOSE)
        await at.settled()
        screen = at.app.screen
        assert isinstance(screen, ReviewScreen)
        await at.until(lambda: screen.waiting is not None and bool(screen.waiting.proposals))
        for _ in range(20):
            await at.settled()
            if screen.one is not None and screen.one.kind == "extract":
                break
            await at.press("j")
        assert screen.one is not None
        assert screen.one.rule == "judge-extract"
        page = screen.views["a"]
        marked = [page.line(y) for y in range(page.line_count)]
        cited = "".join(
            line.plain[span.start : span.end]
            for line in marked
            if line is not None
            for span in line.spans
            if span.style == tones.MATCH
        )
        assert cited.replace(" ", "").startswith("stagingdeployscomefrommain")
        assert screen.parts["a"].position.plain == "cited words underlined"
        await at.press("A")
        choice = at.app.screen
        assert isinstance(choice, ChooseDialog)
        choice.query_one(f"#{DRAWN}").focus()
        await at.press("enter")
        await at.until(lambda: any("Approved 2 of 2" in toast for toast in at.toasts))
    with open_store(world, create=False, clock=seeds.Clock()) as store:
        eve = store.curator(Actor.human("eve"))
        assert [one for one in eve.proposals() if one.kind == "extract"] == []
        assert len(eve.proposals(status="approved")) == 2


async def test_a_run_is_stopped_while_the_model_thinks(world: Path, server: JudgeServer) -> None:
    asked, never = threading.Event(), threading.Event()

    def thinks(handler, texts):
        asked.set()
        never.wait(60)

    server.always = thinks
    try:
        async with desk(world) as at:
            dialog = await opened(at, server)
            await pressed(at, dialog, JUDGE)
            await at.until(asked.is_set)
            await at.until(lambda: "Stop" in at.text)
            await pressed(at, dialog, STOP)
            await at.until(lambda: bool(dialog.lines))
            assert dialog.lines[-1] == "Stopped by hand."
            assert any("left for the next run" in line for line in dialog.lines)
            await at.press("escape")
            assert isinstance(at.app.screen, ReviewScreen)
    finally:
        never.set()
    with open_store(world, create=False, clock=seeds.Clock()) as store:
        eve = store.curator(Actor.human("eve"))
        assert eve.at_work() is None
        assert [one for one in eve.proposals() if one.proposer == "system:judge"] == []
