"""Finding stores below a folder, and what is said when there are none, or several."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from store.errors import CannotOpen, Invalid
from store.foreign import READERS, ForeignStore, detect, read, reader_of
from store.foreign.records import ForeignMemory, ForeignVersion
from store.model import Actor, Provenance, RowNote
from tests.store.foreign.conftest import FIXTURES
from tests.store.foreign.promises import keeps_promises, photographed, states

Sample = Callable[[str], Path]


def test_every_sample_is_found_once(tmp_path: Path) -> None:
    everything = tmp_path / "everything"
    shutil.copytree(FIXTURES, everything)
    before = photographed(everything)
    found = detect(everything)
    assert Counter(one.reader.format for one in found) == {
        "mnemo": 2,
        "mneme": 1,
        "mnemonic": 2,
        "mcp-server-memory": 6,
    }
    for one in found:
        keeps_promises(one.reader.read(one.path))
    assert photographed(everything) == before


def test_a_folder_with_one_store_is_read(sample: Sample) -> None:
    assert states(read(sample("mneme")))["read"] == 19


def test_a_folder_with_several_says_which(sample: Sample) -> None:
    folder = sample("mnemo")
    with pytest.raises(Invalid, match="holds 2 stores") as refused:
        read(folder)
    assert "memories.db (mnemo)" in refused.value.hint
    assert "export.jsonl" in refused.value.hint


def test_formats_that_gather_read_a_folder_of_several(sample: Sample) -> None:
    assert states(read(sample("mnemonic")))["read"] == 15


def test_the_format_chooses_among_several(tmp_path: Path, sample: Sample) -> None:
    shutil.copy(sample("mneme/mneme.db"), tmp_path / "sample" / "memory.db")
    (tmp_path / "sample" / "AGENTS.md").write_text("- One rule")
    assert read(tmp_path / "sample", "claude-code").read == 1
    with pytest.raises(Invalid, match="holds 3 stores"):
        read(tmp_path / "sample")


def test_an_unknown_format_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="'dream'") as refused:
        read(tmp_path, "dream")
    for reader in READERS:
        assert reader.format in refused.value.hint
        assert reader_of(reader.format) is reader


def test_what_is_no_store_is_refused_with_the_known_formats(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    with pytest.raises(Invalid, match="no memory store") as refused:
        read(path)
    assert "mcp-server-memory" in refused.value.hint


def test_nothing_at_the_path(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="nothing at"):
        detect(tmp_path / "missing")


def test_a_circle_of_links_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for reader in READERS:
        with pytest.raises((CannotOpen, Invalid)):
            read(tmp_path / "a", reader.format)


def test_links_to_stores_are_not_followed_below_a_folder(tmp_path: Path, sample: Sample) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "linked.db").symlink_to(sample("mneme/mneme.db"))
    (folder / "up").symlink_to(tmp_path)
    assert detect(folder) == []
    assert read(folder / "linked.db").read == 19  # but a link the user names is


@pytest.mark.parametrize("format", ["mnemo", "mneme"])
def test_a_named_format_on_the_wrong_file_cannot_be_opened(tmp_path: Path, format: str) -> None:
    path = tmp_path / "x.db"
    path.write_text("no database at all, but long enough to have a header of hundred bytes" * 3)
    with pytest.raises(CannotOpen, match="cannot be read") as refused:
        read(path, format)
    assert "never changed" in refused.value.hint


def test_a_named_format_on_another_programs_store_is_refused(sample: Sample) -> None:
    with pytest.raises(CannotOpen, match="is no store of Mneme"):
        read(sample("mnemo/memories.db"), "mneme")
    with pytest.raises(CannotOpen, match="is no store of Mnemo"):
        read(sample("mneme/mneme.db"), "mnemo")


def test_an_entry_that_a_reader_loses_is_a_bug_that_shows() -> None:
    version = ForeignVersion(text="x", row="1", provenance=Provenance())
    memory = ForeignMemory(key="1", scope="a", versions=(version,), by=Actor.agent("a"))
    with pytest.raises(ValueError, match="2 entries seen"):
        ForeignStore(format="a", path="b", read=2, memories=(memory,))
    kept = ForeignStore(
        format="a", path="b", read=2, memories=(memory,), skipped=(RowNote("2", "why"),)
    )
    assert kept.read == 2
