"""Stores of other programs, imported and opened: a word of each is found and taken apart."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

import pytest

from tests.curator.desk import desk
from tests.curator.terminal import curator

SAMPLES = Path(__file__).parents[1] / "fixtures" / "foreign"


def mnemo(folder: Path) -> Path:
    """A copy: what is imported is never touched, and git must see that too."""
    return Path(shutil.copy2(SAMPLES / "mnemo" / "memories.db", folder / "memories.db"))


def claude_code(folder: Path) -> Path:
    """Unpacked; git keeps no file times, so the sample is a tar."""
    with tarfile.open(SAMPLES / "claude-code" / "claude-code.tar") as archive:
        archive.extractall(folder, filter="data")
    return folder / "home" / ".claude"


@pytest.mark.parametrize("size", [(80, 24), (140, 40)], ids=["80x24", "140x40"])
@pytest.mark.parametrize(
    ("unpack", "typed", "first"),
    [
        (mnemo, "formatter", "Always run the formatter before committing."),
        (claude_code, "database", "Integration tests use the database in the container"),
    ],
)
async def test_an_imported_store_is_searched_and_its_first_row_taken_apart(
    tmp_path: Path, unpack: object, typed: str, first: str, size: tuple[int, int]
) -> None:
    assert callable(unpack)
    store = tmp_path / "store.db"
    ran = curator("import", unpack(tmp_path), "--store", store, "--json")
    assert ran.code == 0, ran.err
    assert ran.json["added"] > 0
    async with desk(store, size=size) as at:
        assert at.search.finder.found is not None
        assert at.search.finder.found.answer.total > 5, "the newest, before anything is typed"
        await at.ask(typed, by_key=True)
        row = at.search.finder.hits[at.row_keys()[0]]
        assert first in row.memory.text
        assert row.score is not None
        assert "█" in at.text
        assert first.split()[0] in at.text
        await at.press("enter")
        assert at.search.card_has_focus
        assert at.search.card.tab == "Score"
        for said in ("channels", "factors", f"{row.score:.3f}"):
            assert said in at.text
        await at.press("]", "]")
        assert at.search.card.tab == "History"
        await at.until(lambda: "import" in at.text)
