"""What cannot be reached is named, and exports that are still there are written anew when asked."""

from __future__ import annotations

from store import Draft
from tests.store.erasing.worlds import CANARY


def test_exports_are_written_anew_where_they_still_are(store, me, note, tmp_path):
    gone = note(f"The {CANARY} opens the vault")
    note("Staging is small")
    me.remember(Draft("Of another scope", "project/b"))
    whole, part, moved = (tmp_path / f"{name}.jsonl" for name in ("whole", "part", "moved"))
    me.export(whole)
    me.export(part, scope=["project/a"])
    me.export(moved)
    moved.rename(tmp_path / "elsewhere.jsonl")
    me.export_markdown(tmp_path / "page.md")
    receipt = me.erase([gone.id])
    assert [one.path for one in receipt.unreachable if one.path][:2] == [str(whole), str(part)]
    assert any("(moved)" in one.what for one in receipt.unreachable)
    assert CANARY in whole.read_text()
    found = me.rewrite_exports()
    assert found.done == (str(whole), str(part))
    assert {path for path, _ in found.left} == {str(moved), str(tmp_path / "page.md")}
    for path in (whole, part):
        assert CANARY not in path.read_text()
        assert "Staging is small" in path.read_text()
    assert "Of another scope" not in part.read_text()


def test_what_is_no_export_of_this_store_is_left(store, me, note, tmp_path):
    note("Staging is small")
    me.export(tmp_path / "mine.jsonl")
    (tmp_path / "mine.jsonl").write_text("something of the person\n")
    found = me.rewrite_exports()
    assert found.done == ()
    assert "no export of this store" in found.left[0][1]
    assert (tmp_path / "mine.jsonl").read_text() == "something of the person\n"
