"""An export that says something else under an id that is here: from the dialog to the decision."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from store import Actor, Draft, Store, open_store
from store.access.curator import CuratorView
from tests import seeds
from tests.curator.desk import desk
from tests.curator.test_transfer_dialog import opened, pressed, typed


class Stepping(seeds.Clock):
    """A minute later whenever it is asked."""

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


def curating(store: Store) -> CuratorView:
    return store.curator(Actor.human("sam"))


@pytest.fixture
def clash(tmp_path: Path) -> tuple[Path, Path, str]:
    """A store here, an export of another one that corrected a memory both have, and its id."""
    here, there, file = tmp_path / "here.db", tmp_path / "there.db", tmp_path / "x.jsonl"
    clock = Stepping(seeds.NOW - timedelta(days=2))
    with open_store(there, clock=clock) as other, open_store(here, clock=clock) as own:
        me, them = curating(own), curating(other)
        me.remember(Draft("Tides are read at noon.", "project/tide"))
        gate = str(them.remember(Draft("Gate 1 opens at six.", "project/tide")).id)
        them.export(file)
        me.import_(str(file))
        me.correct(gate, "Gate 1 opens at eight.")
        them.correct(gate, "Gate 1 opens at seven.")
        them.export(file)
    return here, file, gate


@pytest.mark.parametrize(("key", "text"), [("a", "seven"), ("n", "eight")])
async def test_it_waits_in_review_and_a_person_decides(
    clash: tuple[Path, Path, str], key: str, text: str
) -> None:
    here, file, gate = clash
    async with desk(here) as at:
        dialog = await opened(at, "import…")
        await typed(at, dialog, path=str(file))
        said = await pressed(at, dialog, "import")
        assert "nothing was overwritten; it waits in Review as proposal 1" in said
        await at.press("escape")
        await at.press("2")
        await at.until(lambda: "+seven" in at.text)
        assert "−eight" in at.text
        assert "human:sam wrote it there" in " ".join(at.text.split())
        await at.press(key)
        if key == "n":
            await at.press("enter", "enter")
        await at.until(lambda: "Nothing waits for you" in at.text)
    with open_store(here, create=False, clock=seeds.Clock()) as store:
        me = curating(store)
        assert me.get(gate).text == f"Gate 1 opens at {text}."
        assert "Gate 1 opens at eight." in [one.memory.text for one in me.chain(gate)]
        assert me.import_(str(file)).event is None
        assert me.proposals() == ()
