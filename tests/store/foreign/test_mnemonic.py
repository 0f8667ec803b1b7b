"""mnemonic: vaults alone and together, chains and merges, what only git remembers."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.errors import CannotOpen
from store.foreign import detect, read
from store.model import ClosedAs, Tier
from tests.store.foreign.conftest import FIXTURES
from tests.store.foreign.promises import (
    keeps_promises,
    memory_of,
    photographed,
    said,
    states,
    version_of,
)

Sample = Callable[[str], Path]
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def _git(folder: Path, *words: str) -> None:
    author = ["-c", "user.name=Sample", "-c", "user.email=sample@example.org"]
    subprocess.run(
        ["git", "-C", str(folder), *author, *words], check=True, capture_output=True, timeout=60
    )


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    """Both repositories with their history, side by side."""
    folder = tmp_path / "clones"
    folder.mkdir()
    for name, branch in (("main-vault", "main"), ("greenhouse", "notes")):
        _git(folder, "clone", "-b", branch, str(FIXTURES / f"mnemonic/{name}.bundle"), name)
    return folder


def _note(vault: Path, id_: str, body: str = "Body", **fields: str) -> Path:
    (vault / "notes").mkdir(parents=True, exist_ok=True)
    lines = [f"{key}: {value}" for key, value in fields.items()]
    path = vault / "notes" / f"{id_}.md"
    path.write_text("\n".join(["---", *lines, "---", "", body, ""]), encoding="utf-8")
    return path


def _supersedes(*ids: str) -> str:
    return "[" + ", ".join(f"{{id: {id_}, type: supersedes}}" for id_ in ids) + "]"


def test_the_main_vault_alone(sample: Sample) -> None:
    store = read(sample("mnemonic/main-vault"))
    keeps_promises(store)
    figures = states(store)
    assert (figures["read"], figures["memories"], figures["superseded"]) == (3, 3, 0)
    assert Counter(m.scope for m in store.memories) == {"global": 2, "project/greenhouse": 1}
    assert figures["dangling"] == 1
    assert "not among the notes read" in said(store, "greenhouse-roadmap-cabf7bb1.md")


def test_the_project_with_its_sub_vault(sample: Sample) -> None:
    store = read(sample("mnemonic/greenhouse"))
    keeps_promises(store)
    figures = states(store)
    assert (figures["read"], figures["versions"], figures["memories"]) == (12, 12, 11)
    assert (figures["superseded"], figures["retired"]) == (3, 0)
    assert {m.scope for m in store.memories} == {"project/greenhouse"}


def test_both_together_follow_links_across_vaults(sample: Sample) -> None:
    store = read(sample("mnemonic"))
    keeps_promises(store)
    figures = states(store)
    assert (figures["read"], figures["versions"], figures["superseded"]) == (15, 15, 3)
    assert figures["dangling"] == 0
    kinds = Counter(relation.type for relation in store.relations)
    assert kinds == {
        "related-to": 2,
        "example-of": 2,
        "derives-from": 1,
        "explains": 1,
        "follows": 1,
    }


def test_one_old_note_and_its_successor_are_one_memory(sample: Sample) -> None:
    memory = memory_of(read(sample("mnemonic/greenhouse")), "The garden planner beta ships on")
    first, second = memory.versions
    assert first.text.startswith("The garden planner beta ships on the first Monday of June.")
    assert second.text.startswith("The garden planner beta now ships on the second Monday")
    assert (first.closed_as, second.closed_as) == (ClosedAs.CORRECTED, None)
    assert first.closed_at == second.recorded_at
    # relate dated the old note anew; nobody said it again then.
    assert first.asserted_at == first.recorded_at
    assert (second.subject, second.kind) == ("Beta ships on the second Monday of June", "decision")


def test_two_notes_replaced_by_a_third_are_merged_into_it(sample: Sample) -> None:
    store = read(sample("mnemonic/greenhouse"))
    merged = [m for m in store.memories if m.merged_into is not None]
    target = memory_of(store, "The watering reminder defaults to 07:00 in the morning.")
    assert {m.merged_into for m in merged} == {target.key}
    assert len(merged) == 2
    assert all(m.versions[-1].closed_as is ClosedAs.MERGED for m in merged)


def test_frontmatter_becomes_our_fields(sample: Sample) -> None:
    store = read(sample("mnemonic"))
    stack = version_of(store, "The greenhouse project uses FastAPI and SQLite.")
    assert (stack.pinned, stack.kind, stack.tier) == (True, "reference", Tier.SEMANTIC)
    assert sum(v.pinned for m in store.memories for v in m.versions) == 1
    assert stack.provenance.raw is not None
    assert "vaultPath: /vaults/main-vault" in str(stack.provenance.raw["content"])
    temporary = [v for m in store.memories for v in m.versions if "temporary" in v.tags]
    assert len(temporary) == 5
    assert all(v.tier is Tier.EPISODIC for v in temporary)
    vietnamese = version_of(store, "Ines viết ghi chú phát hành")
    assert (vietnamese.subject, vietnamese.tags) == (
        "Ghi chú phát hành",
        ("people", "tiếng-việt"),
    )
    assert vietnamese.recorded_at == datetime(2026, 11, 30, 20, 59, 38, 60_000, UTC)


@needs_git
def test_forgotten_notes_come_back_from_git_as_retired(clones: Path) -> None:
    before = photographed(clones)
    store = read(clones, "mnemonic")
    assert photographed(clones) == before
    keeps_promises(store)
    figures = states(store)
    assert (figures["read"], figures["versions"], figures["retired"]) == (17, 17, 2)
    gone = version_of(store, "This note is removed again with forget.")
    assert (gone.closed_as, gone.subject) == (ClosedAs.RETIRED, "Note to be forgotten")
    assert gone.closed_at == datetime(2026, 11, 30, 20, 59, 43, tzinfo=UTC)
    assert gone.row == "greenhouse/.mnemonic/notes/note-to-be-forgotten-f3776c71.md@11c8607a"
    assert memory_of(store, "This global note is removed again.").scope == "global"


@needs_git
def test_a_moved_note_is_not_taken_for_a_forgotten_one(clones: Path) -> None:
    store = read(clones / "main-vault")
    keeps_promises(store)
    assert (states(store)["read"], states(store)["retired"]) == (4, 1)
    assert (
        said(store, "key-rotation-reminder-ad26b76d.md") == "moved to a vault that is not read here"
    )


@needs_git
def test_settings_of_a_strangers_repository_run_no_program(tmp_path: Path) -> None:
    vault, marker = tmp_path / ".mnemonic", tmp_path / "ran"
    program = tmp_path / "evil.sh"
    program.write_text(
        f"#!/bin/sh\ntouch {marker}\nprintf '\\n[GNUPG:] SIG_CREATED \\n' >&2\n"
        "printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'\n"
    )
    program.chmod(0o755)
    _git(tmp_path, "init", "-b", "main", ".")
    _git(tmp_path, "config", "gpg.program", str(program))
    path = _note(vault, "one-00000001", "To be forgotten", title="One")
    _git(tmp_path, "add", ".mnemonic")
    _git(tmp_path, "commit", "-S", "-m", "remember: One")
    path.unlink()
    _git(tmp_path, "commit", "-S", "-am", "forget: One")
    for setting in ("core.fsmonitor", "core.pager", "diff.external", "core.sshCommand"):
        _git(tmp_path, "config", setting, str(program))
    _git(tmp_path, "config", "log.showSignature", "true")
    marker.unlink()
    (vault / "notes").mkdir(exist_ok=True)
    store = read(tmp_path)
    assert version_of(store, "To be forgotten").closed_as is ClosedAs.RETIRED
    assert not marker.exists()


@needs_git
def test_a_repository_without_a_commit_has_no_history(tmp_path: Path) -> None:
    _git(tmp_path, "init", ".")
    _note(tmp_path / ".mnemonic", "one-00000001", title="One")
    store = read(tmp_path)
    assert states(store)["read"] == 1
    assert store.notes == ()


def test_without_git_the_notes_are_read_and_the_gap_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _note(tmp_path / ".mnemonic", "one-00000001", title="One")
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    store = read(tmp_path)
    assert states(store)["read"] == 1
    assert "git is not installed" in said(store, ".mnemonic/notes")


def test_successors_that_lead_nowhere_or_in_a_ring(tmp_path: Path) -> None:
    vault = tmp_path / ".mnemonic"
    _note(vault, "a", "Text a", title="A", relatedTo=_supersedes("b"))
    _note(vault, "b", "Text b", title="B", relatedTo=_supersedes("a"))
    _note(vault, "c", "Text c", title="C", relatedTo=_supersedes("gone"))
    _note(vault, "d", "Text d", title="D", relatedTo=_supersedes("e", "c"))
    _note(vault, "e", "Text e", title="E")
    store = read(vault)
    keeps_promises(store)
    assert "leads back here" in said(store, "notes/b.md")
    assert "gone is not there" in said(store, "notes/c.md")
    assert version_of(store, "Text c").closed_as is ClosedAs.RETIRED
    assert "2 successors" in said(store, "notes/d.md")
    assert [v.text for v in memory_of(store, "Text e").versions] == ["Text d", "Text e"]


def test_a_successor_in_another_scope_is_merged_into_not_chained(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    _note(vault, "a", "Text a", title="A", project="p", lifecycle="permanent",
          createdAt="2026-01-01", relatedTo=_supersedes("b"))  # fmt: skip
    _note(vault, "b", "Text b", title="B", lifecycle="permanent", createdAt="2026-01-02")
    store = read(vault)
    keeps_promises(store)
    assert memory_of(store, "Text a").merged_into == "b"
    assert {m.scope for m in store.memories} == {"project/p", "global"}


def test_one_project_under_both_spellings_and_two_of_one_name(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    _note(vault, "a", "Text a", memoryVersion="1", project="https-github-com-x-harbor",
          projectName="harbor")  # fmt: skip
    _note(vault, "b", "Text b", project="github-com-x-harbor", projectName="harbor")
    _note(vault, "c", "Text c", project="gitlab-com-y-berth", projectName="berth")
    _note(vault, "d", "Text d", project="gitlab-com-z-berth", projectName="berth")
    _note(tmp_path / "app" / ".mnemonic", "e", "Text e", project="app-id", projectName="app")
    _note(tmp_path / "app" / ".mnemonic", "f", "Text f")
    store = read(tmp_path, "mnemonic")
    keeps_promises(store)
    assert {m.key: m.scope for m in store.memories} == {
        "a": "project/harbor",
        "b": "project/harbor",
        "c": "project/gitlab-com-y-berth",
        "d": "project/gitlab-com-z-berth",
        "e": "project/app",
        "f": "project/app",
    }


def test_odd_notes_are_read_or_named(tmp_path: Path) -> None:
    vault = tmp_path / ".mnemonic"
    folder = _note(vault, "good", "Good body", title="Good").parent
    (folder / "bare.md").write_text("No frontmatter here")
    (folder / "crlf.md").write_bytes(b"\xef\xbb\xbf---\r\ntitle: Carriage\r\n---\r\nBody crlf\r\n")
    (folder / "latin.md").write_bytes("---\ntitle: Café\n---\nnaïve\n".encode("latin-1"))
    (folder / "bad.md").write_text("---\ntitle: [unclosed\nrole: plan\n---\nBad yaml body")
    (folder / "empty.md").write_text("")
    (folder / "huge.md").write_text("x" * (1024 * 1024 + 1))
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder / "link.md").symlink_to(tmp_path / "elsewhere.md")
    (tmp_path / "elsewhere.md").write_text("secret")
    (folder / ".hidden").write_text("x")
    store = read(vault)
    keeps_promises(store)
    assert "no frontmatter" in said(store, "bare.md")
    assert version_of(store, "No frontmatter here").subject == "bare"
    assert version_of(store, "Body crlf").subject == "Carriage"
    assert version_of(store, "naïve").subject == "Café"
    assert version_of(store, "Bad yaml body").kind == "plan"
    assert said(store, "empty.md") == "an empty note"
    assert "too large" in said(store, "huge.md")
    assert said(store, "picture.png") == "no Markdown file"
    assert "not followed" in said(store, "link.md")
    assert (store.read, len(store.skipped), len(store.unreadable)) == (9, 3, 1)


def test_a_name_that_is_no_utf_8_is_spelled_out(tmp_path: Path) -> None:
    vault = tmp_path / ".mnemonic"
    _note(vault, "good", title="Good")
    odd = os.path.join(os.fsencode(vault / "notes"), b"caf\xe9.md")
    try:
        with open(odd, "wb") as file:
            file.write(b"---\ntitle: Odd name\n---\nBody of it")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    store = read(vault)
    keeps_promises(store)
    assert memory_of(store, "Body of it").key == "caf\\xe9"


def test_the_same_id_in_two_vaults_is_read_once(tmp_path: Path) -> None:
    for name in (".mnemonic", ".mnemonic-lib"):
        _note(tmp_path / name, "same-00000001", f"In {name}", title="Same")
    store = read(tmp_path)
    keeps_promises(store)
    assert [v.text for m in store.memories for v in m.versions] == ["In .mnemonic"]
    assert "read before: .mnemonic/notes/same-00000001.md" in said(
        store, "-lib/notes/same-00000001.md"
    )


def test_where_no_vault_is(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "plain.md").write_text("---\ntitle: A blog post\n---\nText")
    assert detect(tmp_path) == []
    with pytest.raises(CannotOpen, match="no mnemonic vault"):
        read(tmp_path, "mnemonic")
