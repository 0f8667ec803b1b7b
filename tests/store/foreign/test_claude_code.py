"""Claude Code: memory folders, indexes, instruction files, project names, hostile folders."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.errors import CannotOpen, StoreError
from store.foreign import ForeignStore, detect, read
from store.foreign.claude_code import ClaudeCodeReader
from store.foreign.claude_code.projects import guess, slug
from tests.store.foreign.promises import (
    keeps_promises,
    memory_of,
    photographed,
    said,
    states,
    version_of,
)

HARBOR = "home/.claude/projects/-home-user-src-harbor-api/memory"
TIDEPOOL = "home/.claude/projects/-home-user-src-tidepool-web/memory"


def _topics(store: ForeignStore) -> list[str]:
    return [
        v.row
        for m in store.memories
        for v in m.versions
        if "/memory/" in v.row and "MEMORY.md" not in v.row
    ]


def _folder(base: Path, slug_: str = "-home-user-src-app", **files: str) -> Path:
    folder = base / ".claude" / "projects" / slug_ / "memory"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def test_the_sample_as_a_whole(unpacked: Path) -> None:
    before = photographed(unpacked)
    store = read(unpacked)
    assert photographed(unpacked) == before
    keeps_promises(store)
    assert len(_topics(store)) == 10
    assert states(store)["read"] == states(store)["memories"] == 25
    assert Counter(m.scope for m in store.memories) == {
        "project/harbor-api": 9,
        "project/tidepool-web": 3,
        "project/project": 10,
        "user/me": 2,
        "agent/reviewer": 1,
    }
    kinds = Counter(v.kind for m in store.memories for v in m.versions)
    assert kinds["instruction"] == 12
    tags = Counter(tag for m in store.memories for v in m.versions for tag in v.tags)
    assert tags == {"feedback": 2, "project": 3, "reference": 2, "user": 1}


def test_each_place_can_be_named_by_itself(unpacked: Path) -> None:
    claude = unpacked / "home" / ".claude"
    for path, count in (
        (claude, 15),
        (claude / "projects", 12),
        (unpacked / HARBOR, 9),
        ((unpacked / HARBOR).parent, 9),
        (unpacked / TIDEPOOL, 3),
        (claude / "agent-memory" / "reviewer", 1),
        (claude / "CLAUDE.md", 1),
        (claude / "rules" / "python.md", 1),
        (unpacked / "project", 10),
        (unpacked / "project" / "AGENTS.md", 2),
        (unpacked / "project" / ".cursor" / "rules" / "api.mdc", 1),
    ):
        store = read(path)
        keeps_promises(store)
        assert (path, store.read) == (path, count)


def test_keys_and_scopes_do_not_depend_on_the_path_that_led_there(unpacked: Path) -> None:
    whole = {m.key: m.scope for m in read(unpacked).memories}
    for path in (HARBOR, TIDEPOOL, "home/.claude", "home/.claude/CLAUDE.md", "project",
                 "home/.claude/rules/python.md", "project/.claude/rules/tests.md",
                 "home/.claude/agent-memory/reviewer"):  # fmt: skip
        for memory in read(unpacked / path).memories:
            assert whole[memory.key] == memory.scope


def test_a_topic_file_becomes_a_memory(unpacked: Path) -> None:
    store = read(unpacked / HARBOR)
    role = version_of(store, "The user maintains harbor-api: knows Python well")
    assert role.text.endswith("\n\nMaintains harbor-api, ten years of Python, new to TypeScript.")
    assert (role.subject, role.kind, role.tags) == ("user-role", "fact", ("user",))
    assert role.recorded_at == datetime(2026, 9, 1, 9, tzinfo=UTC)
    assert role.provenance.session == "5d0c1f6e-0000-4000-8000-000000000001"
    assert role.provenance.raw is not None
    assert "metadata: \n" in role.provenance.raw["content"]
    assert role.provenance.raw["index"][0].startswith("- [User role](user_role.md)")
    assert version_of(store, "Integration tests run against").kind == "preference"
    assert version_of(store, "Where the latency dashboard").kind == "reference"
    assert version_of(store, "No cache for the booking list, the joined").kind == "context"
    page = version_of(store, "Page size of the booking list is 50")
    assert page.recorded_at == datetime(2026, 9, 20, 9, tzinfo=UTC)  # the file's own time


def test_a_description_that_says_no_more_is_left_to_the_raw_record(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: The page size is 50\n---\nSince May the page size is 50."
    store = read(_folder(tmp_path, a=text))
    assert [v.text for m in store.memories for v in m.versions] == [
        "Since May the page size is 50."
    ]


def test_links_between_topics(unpacked: Path) -> None:
    store = read(unpacked / HARBOR)
    ends = {(r.source_key.rpartition("/")[2], (r.target_key or "").rpartition("/")[2])
            for r in store.relations}  # fmt: skip
    assert ends == {
        ("feedback_short_answers.md", "user_role.md"),
        ("project_page_size.md", "project_no_cache.md"),
    }


def test_broken_links_keep_their_name_and_code_is_no_link(tmp_path: Path) -> None:
    text = "See [[other-note]] and `[[ -f x ]]`\n```\n[[ -d y ]]\n```\n[[B|the second]] [[missing]]"
    store = read(_folder(tmp_path, a=text, b="---\nname: B\n---\nText b"))
    keeps_promises(store)
    assert [(r.target_name, r.target_key is None) for r in store.relations] == [
        ("other-note", True),
        ("B", False),
        ("missing", True),
    ]
    assert (
        said(store, "a.md") == "[[other-note]] names no file here; [[missing]] names no file here"
    )


def test_the_index_is_no_memory_and_its_faults_are_told(unpacked: Path) -> None:
    store = read(unpacked / HARBOR)
    assert not any("MEMORY.md" in m.key for m in store.memories)
    assert said(store, "MEMORY.md:11") == "it lists project_deleted.md, which is not there"
    assert said(store, "orphan_old_note.md") == "no line of MEMORY.md lists it"


def test_text_beside_the_index_lines_is_not_lost(tmp_path: Path) -> None:
    index = "# Index\n- [A](a.md) — x\n- [B](<b.md>)\n\nNever deploy on Fridays.\n"
    store = read(_folder(tmp_path, MEMORY=index, a="Text a", b="Text b"))
    keeps_promises(store)
    friday = version_of(store, "Never deploy on Fridays.")
    assert (friday.subject, friday.row) == ("Index", "MEMORY.md#Index")
    assert states(store)["read"] == 3


def test_what_claude_does_not_load_any_more_is_told(tmp_path: Path) -> None:
    lines = [f"- [T{n}](t{n}.md) — x" for n in range(210)]
    store = read(_folder(tmp_path, MEMORY="\n".join(lines)))
    assert "does not load" in said(store, "MEMORY.md:201")
    wide = "\n".join("- [T](t.md) " + "x" * 600 for _ in range(60))
    store = read(_folder(tmp_path / "wide", MEMORY=wide))
    assert "does not load" in said(store, "MEMORY.md:42")


def test_a_free_form_memory_is_read_by_section(unpacked: Path) -> None:
    store = read(unpacked / TIDEPOOL)
    assert [(v.subject, v.row) for m in store.memories for v in m.versions] == [
        ("Tidepool Web > Build", "MEMORY.md#Tidepool Web > Build"),
        ("Tidepool Web > Conventions", "MEMORY.md#Tidepool Web > Conventions"),
        ("debugging", "debugging.md"),
    ]
    mixed = version_of(store, "# Debugging notes")
    assert "\r" not in mixed.text
    assert mixed.provenance.raw is not None
    assert "\r\n" in mixed.provenance.raw["content"]


def test_instructions_by_section_with_their_imports(unpacked: Path) -> None:
    store = read(unpacked / "project")
    keeps_promises(store)
    commands = version_of(store, "- Tests: `make test`")
    assert (commands.subject, commands.kind) == ("harbor-api > Commands", "instruction")
    assert commands.provenance.place == f"{unpacked}/project/CLAUDE.md:5"
    assert "import it by itself" in said(store, "CLAUDE.md")
    rule = version_of(store, "- Plain asserts")
    assert rule.provenance.raw is not None
    assert rule.provenance.raw["fields"] == {"paths": ["tests/**"]}
    assert version_of(store, "- Return problem details on errors").subject == "api"
    base = read(unpacked / "home" / ".claude")
    assert said(base, "CLAUDE.md") == (
        "the imported @~/notes/style.md lies elsewhere; it is not read with this file"
    )


def test_imports_that_lead_nowhere_and_signs_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text(
        "@docs/missing.md, mail a@b.md or @mira; `@in/code.md`\n@../up.md.\n", encoding="utf-8"
    )
    assert said(read(tmp_path), "CLAUDE.md") == (
        "the imported @docs/missing.md does not exist; "
        "the imported @../up.md lies elsewhere; it is not read with this file"
    )


def test_equal_headings_are_two_memories(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("# A\none\n# A\ntwo\n## B\n```\n# no heading\n```\n")
    store = read(tmp_path)
    keeps_promises(store)
    assert [v.text for m in store.memories for v in m.versions] == [
        "one",
        "two",
        "```\n# no heading\n```",
    ]
    assert len({m.key for m in store.memories}) == 3


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("-home-user-src-harbor-api", "harbor-api"),
        ("-Users-dana-code-tidepool", "tidepool"),
        ("C--Users-dana-src-app", "app"),
        ("-srv-app", "srv-app"),
        ("-home-user", "user"),
        ("---", "unnamed"),
    ],
)
def test_a_guessed_name(name: str, expected: str) -> None:
    assert guess(name) == expected


@pytest.mark.parametrize("cwd", ["/srv/team.work/big_app", "/srv/team.work/big_app/web/src"])
def test_the_name_comes_from_a_transcripts_folder(tmp_path: Path, cwd: str) -> None:
    folder = _folder(tmp_path, slug("/srv/team.work/big_app"), a="Text a")
    (folder.parent / "0.jsonl").write_text('{"type":"summary"}\n{"cwd":"/somewhere/else"}\n')
    (folder.parent / "1.jsonl").write_text(f'{{"type":"user","cwd":"{cwd}"}}\n')
    store = read(folder)
    assert memory_of(store, "Text a").scope == "project/big_app"
    assert store.notes == ()


def test_a_windows_folder_in_a_transcript(tmp_path: Path) -> None:
    folder = _folder(tmp_path, slug("C:\\src\\my app"), a="Text a")
    (folder.parent / "1.jsonl").write_text('{"cwd":"C:\\\\src\\\\my app\\\\docs"}\n')
    assert memory_of(read(folder), "Text a").scope == "project/my-app"


def test_projects_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    for name in ("-home-a-src-api", "-home-b-src-api", "-home-a-src-web"):
        _folder(tmp_path / name, name, a=f"Text of {name}")
        (tmp_path / name / ".claude" / "projects" / name).rename(tmp_path / f"x{name}")
    projects = tmp_path / "home" / ".claude" / "projects"
    projects.mkdir(parents=True)
    for name in ("-home-a-src-api", "-home-b-src-api", "-home-a-src-web"):
        (tmp_path / f"x{name}").rename(projects / name)
    assert {m.scope for m in read(projects).memories} == {
        "project/home-a-src-api",
        "project/home-b-src-api",
        "project/web",
    }


def test_transcripts_are_never_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _folder(tmp_path, a="Text a")
    deep = folder.parent / "session" / "subagents"
    deep.mkdir(parents=True)
    (folder.parent / "t.jsonl").write_text('{"type":"entity","name":"x","observations":["y"]}\n')
    (deep / "memory.jsonl").write_text('{"type":"entity","name":"x","observations":["y"]}\n')
    (deep / "CLAUDE.md").write_text("never")
    listed: list[str] = []
    scandir = os.scandir

    def watched(path: object) -> object:
        listed.append(str(path))
        return scandir(path)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "scandir", watched)
    found = detect(tmp_path)
    assert [(one.reader.format, one.path) for one in found] == [
        ("claude-code", tmp_path / ".claude")
    ]
    assert [v.text for m in read(tmp_path).memories for v in m.versions] == ["Text a"]
    assert not [path for path in listed if "session" in path]


def test_links_are_named_and_never_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "CLAUDE.md").write_text("private")
    (outside / "x.md").write_text("private")
    repo = tmp_path / "repo"
    (repo / ".cursor").mkdir(parents=True)
    (repo / "AGENTS.md").write_text("- One rule")
    (repo / "CLAUDE.md").symlink_to(outside / "CLAUDE.md")
    (repo / ".cursor" / "rules").symlink_to(outside)
    (repo / ".claude").symlink_to(outside)
    store = read(repo)
    keeps_promises(store)
    assert [v.text for m in store.memories for v in m.versions] == ["- One rule"]
    assert {note.row for note in store.skipped} >= {"CLAUDE.md", ".cursor/rules"}
    folder = _folder(tmp_path, a="Text a")
    (folder / "loop").symlink_to(folder)
    (folder / "out.md").symlink_to(outside / "x.md")
    (folder.parent.parent / "-home-user-other").mkdir()
    (folder.parent.parent / "-home-user-other" / "memory").symlink_to(outside)
    store = read(folder.parent.parent)
    keeps_promises(store)
    assert [v.text for m in store.memories for v in m.versions] == ["Text a"]
    assert len(store.skipped) == 3


def test_odd_files_in_a_memory_folder(tmp_path: Path) -> None:
    folder = _folder(tmp_path, empty="", latin="")
    (folder / "latin.md").write_bytes("naïve façade".encode("latin-1"))
    (folder / "wide.md").write_text("Text in UTF-16", encoding="utf-16")
    (folder / "huge.md").write_text("x" * (1024 * 1024 + 1))
    (folder / "data.bin").write_bytes(b"\0")
    (folder / "sub").mkdir()
    (folder / "sub" / "deep note\n.md").write_text("---\nodd: [\n---\nDeep text")
    os.mkfifo(folder / "pipe.md")
    store = read(folder)
    keeps_promises(store)
    assert version_of(store, "naïve façade").subject == "latin"
    assert version_of(store, "Text in UTF-16").subject == "wide"
    assert version_of(store, "Deep text").subject == "deep note"
    assert "line by line" in said(store, "sub/deep note\n.md")
    assert said(store, "empty.md") == "an empty file"
    assert said(store, "data.bin") == "no Markdown file"
    assert "too large" in said(store, "huge.md")


def test_a_pipe_of_an_instruction_files_name_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("- One rule")
    os.mkfifo(tmp_path / "GEMINI.md")
    store = read(tmp_path)
    keeps_promises(store)
    assert "no ordinary file" in said(store, "GEMINI.md")


def test_agents_memory_of_a_repository_stays_the_repositorys(tmp_path: Path) -> None:
    folder = tmp_path / "harbor" / ".claude" / "agent-memory" / "code reviewer"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("# Notes\nCheck migrations")
    for path in (tmp_path / "harbor", folder):
        store = read(path)
        keeps_promises(store)
        assert {m.scope for m in store.memories} == {"project/harbor/agent/code-reviewer"}
        assert {str(m.by) for m in store.memories} == {"agent:code-reviewer"}


def test_a_home_with_an_agents_file_gives_both(tmp_path: Path) -> None:
    _folder(tmp_path, a="Text a")
    (tmp_path / "AGENTS.md").write_text("- Home rule")
    (tmp_path / ".claude" / "CLAUDE.md").write_text("- User rule")
    store = read(tmp_path)
    keeps_promises(store)
    texts = {v.text: m.scope.partition("/")[0] for m in store.memories for v in m.versions}
    assert texts == {"Text a": "project", "- Home rule": "project", "- User rule": "user"}


def test_a_copied_memory_folder_is_known_by_what_it_holds(tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("- [A](a.md) — x")
    (folder / "a.md").write_text("---\nname: a\ndescription: d\n---\nText a")
    assert memory_of(read(folder), "d\n\nText a").scope == "project/backup"


def test_where_nothing_of_the_kind_is(tmp_path: Path) -> None:
    (tmp_path / "projects" / "app" / "memory").mkdir(parents=True)
    (tmp_path / "projects" / "app" / "memory" / "pool.md").write_text("allocator")
    assert detect(tmp_path) == []
    with pytest.raises(CannotOpen, match="no memory of Claude Code"):
        read(tmp_path, "claude-code")


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8")),
       st.text(max_size=200).map(lambda t: f"---\n{t}".encode()))  # fmt: skip
def test_any_bytes_are_read_or_refused(index: bytes, topic: bytes) -> None:
    with tempfile.TemporaryDirectory() as home:
        folder = _folder(Path(home), "-x-y")
        (folder / "MEMORY.md").write_bytes(index)
        (folder / "topic.md").write_bytes(topic)
        (Path(home) / "AGENTS.md").write_bytes(index)
        try:
            store = ClaudeCodeReader().read(Path(home))
        except StoreError:
            return
        keeps_promises(store)
