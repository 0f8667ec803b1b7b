"""The demo's script holds what its screens need, obeys the store's laws, and repeats itself."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from curator.demo import ops, script, world
from store.model import Actor, Draft
from store.scopes import clean_path, fold
from tests.curator.demo_replay import Told, replay

NOW = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)
DEMO = Path(world.__file__).parent


@pytest.fixture(scope="module")
def acts() -> list[ops.Op]:
    return script(7, NOW)


@pytest.fixture(scope="module")
def told(acts: list[ops.Op]) -> dict[str, Told]:
    """Also the proof that every act is possible: `replay` fails on one that is not."""
    return replay(acts)


@pytest.fixture(scope="module")
def drafts(acts: list[ops.Op]) -> list[Draft]:
    return [op.draft for op in acts if isinstance(op, ops.Remember)]


def _of(acts: list[ops.Op], kind: type[ops.Op]) -> list[ops.Op]:
    return [op for op in acts if isinstance(op, kind)]


# --- the script as a whole --------------------------------------------------------------


def test_equal_for_equal_seed_and_moment(acts: list[ops.Op]) -> None:
    assert script(7, NOW) == acts


def test_another_seed_tells_the_same_story_at_other_hours(acts: list[ops.Op]) -> None:
    other = script(8, NOW)
    assert [op.at for op in other] != [op.at for op in acts]
    assert [(op.key, type(op), op.at.date()) for op in other] == [
        (op.key, type(op), op.at.date()) for op in acts
    ]


def test_a_moment_without_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        script(1, datetime(2026, 11, 30))


def test_in_time_order_over_six_months(acts: list[ops.Op]) -> None:
    moments = [op.at for op in acts]
    assert moments == sorted(set(moments))
    assert NOW - timedelta(days=183) < moments[0] < NOW - timedelta(days=165)
    assert NOW - timedelta(days=2) < moments[-1] < NOW


@pytest.mark.parametrize(
    "now",
    [
        datetime(2028, 2, 29, 0, 0, tzinfo=UTC),
        datetime(2026, 12, 31, 23, 59, tzinfo=UTC),
        datetime(2027, 1, 1, 6, 0, tzinfo=UTC),
    ],
)
def test_holds_on_awkward_days(now: datetime) -> None:
    acts = script(1, now)
    replay(acts)
    assert all(op.at < now for op in acts)


def test_four_hundred_memories_in_every_scope(drafts: list[Draft]) -> None:
    scopes = Counter(draft.scope for draft in drafts)
    assert 400 <= len(drafts) <= 450
    assert scopes.pop("project/My-App") == 2
    assert scopes.pop("project/my_app") == 3
    assert set(scopes) == {
        "project/harbor-api",
        "project/harbor-api/auth",
        "project/tidepool-web",
        "user/dana",
        "agent/claude-code",
        "agent/codex",
        "global",
    }
    assert min(scopes.values()) >= 15
    assert all(clean_path(draft.scope) == draft.scope for draft in drafts)


def test_two_agents_and_a_person_write(acts: list[ops.Op]) -> None:
    writers = Counter(str(op.actor) for op in _of(acts, ops.Remember))
    assert set(writers) == {"agent:claude-code", "agent:codex", "human:dana"}
    assert min(writers.values()) >= 100


def test_agents_say_where_they_know_it_from(acts: list[ops.Op]) -> None:
    for op in _of(acts, ops.Remember):
        assert isinstance(op, ops.Remember)
        source = op.draft.provenance
        assert source.client
        if op.actor.kind == "agent":
            assert source.session
            assert source.model
            assert source.tool
    places = [op.draft.provenance.place for op in acts if isinstance(op, ops.Remember)]
    assert sum(place is not None for place in places) >= 8


def test_no_text_is_told_twice_and_no_mark_is_left(acts: list[ops.Op], drafts: list[Draft]) -> None:
    times = Counter((draft.scope, draft.text) for draft in drafts)
    assert max(times.values()) == 1
    replaced = [op.text for op in acts if isinstance(op, ops.Correct | ops.Change | ops.Merge)]
    left = re.compile(r"\{(date|month|next|year)\b")
    assert [t for t in [*replaced, *(d.text for d in drafts)] if left.search(t)] == []


# --- what the screens need --------------------------------------------------------------


def test_chains(told: dict[str, Told]) -> None:
    corrected = [key for key, memory in told.items() if len(memory.texts) > len(memory.changes) + 1]
    assert len(corrected) >= 12
    assert max(len(memory.texts) for memory in told.values()) == 4
    assert len(told["login.limit"].texts) == len(told[world.RIGHT].texts) == 4


def test_changes_and_the_announced_one(acts: list[ops.Op], told: dict[str, Told]) -> None:
    changed = [since for memory in told.values() for since in memory.changes]
    assert len(changed) >= 5
    assert sum(since <= NOW for since in changed) >= 5
    dublin = told[world.RIGHT]
    assert dublin.changes == [datetime(2026, 12, 1, tzinfo=UTC)]
    assert "eu-west-1, Dublin" in dublin.texts[-1]
    assert "1 December" in dublin.texts[-1]
    starts = {op.key: op.draft.valid_from for op in acts if isinstance(op, ops.Remember)}
    for op in _of(acts, ops.Change):
        assert isinstance(op, ops.Change)
        start = starts[op.key]
        assert start is None or start < op.since


def test_merges_close_their_sources(told: dict[str, Told]) -> None:
    assert sum(memory.state == "merged" for memory in told.values()) >= 8
    assert sum(key.endswith(".merged") for key in told) >= 4


def test_contradictions_are_both_live(told: dict[str, Told]) -> None:
    assert len(world.CONTRADICTIONS) >= 5
    for pair in world.CONTRADICTIONS:
        assert {told[key].state for key in pair} == {"live"}
    disputed = {key for key, memory in told.items() if "dispute" in memory.marks}
    assert len(disputed) >= 5
    assert any(set(pair) & disputed for pair in world.CONTRADICTIONS)


def test_agents_reach_for_what_a_person_verified(told: dict[str, Told]) -> None:
    assert {key for key, memory in told.items() if memory.refused} == set(world.OVERREACH)
    assert all("verify" in told[key].marks for key in world.OVERREACH)


def test_expiry_and_validity(drafts: list[Draft]) -> None:
    expiries = [draft.expires_at for draft in drafts if draft.expires_at]
    assert len(expiries) >= 6
    assert sum(at <= NOW for at in expiries) >= 3
    assert sum(at > NOW for at in expiries) >= 3
    assert any(draft.valid_from and draft.valid_from > NOW for draft in drafts)


def test_every_kind_of_decision_was_made(acts: list[ops.Op]) -> None:
    made = Counter(type(op).__name__ for op in acts)
    assert made["Verify"] >= 80
    for name in ("Retire", "Restore", "Dispute", "Quarantine", "Archive", "Pin", "Relate"):
        assert made[name] >= 2, name


def test_both_tiers_and_many_kinds(drafts: list[Draft]) -> None:
    tiers = Counter(str(draft.tier) for draft in drafts)
    assert tiers["episodic"] >= 50
    assert all((draft.kind == "event") == (draft.tier == "episodic") for draft in drafts)
    assert {"fact", "preference", "decision", "procedure", "event", "context", "reference"} == {
        draft.kind for draft in drafts
    }


def test_one_phrase_in_two_projects(drafts: list[Draft]) -> None:
    scopes = {d.scope for d in drafts if d.text == "The cache is warmed by a nightly job at 03:10."}
    assert scopes == {"project/harbor-api", "project/tidepool-web"}


def test_look_alike_scopes() -> None:
    assert fold("project/My-App") == fold("project/my_app")


def test_languages(acts: list[ops.Op]) -> None:
    texts = {op.key: op.draft.text for op in acts if isinstance(op, ops.Remember)}
    vietnamese = [t for key, t in texts.items() if key.startswith("vi.")]
    assert len(vietnamese) >= 5
    assert all(re.search("[ạảấầậắặẹếềệịọốộớợụứừự]", t) for t in vietnamese)
    chinese = [t for key, t in texts.items() if key.startswith("zh.")]
    assert len(chinese) >= 5
    assert all(re.search("[\u4e00-\u9fff]{4}", t) for t in chinese)
    assert sum(key.startswith("de.") for key in texts) >= 5


# --- the README's tour ------------------------------------------------------------------


def _says(memory: Told, *words: str) -> int:
    text = f"{memory.texts[-1]} {memory.draft.subject or ''}".lower()
    return min(text.count(word) for word in words)


def test_the_tours_wrong_memory_says_the_query_most_often(told: dict[str, Told]) -> None:
    wrong = told[world.WRONG]
    assert wrong.draft.text.startswith("Deploy region is us-east-1.")
    assert wrong.draft.scope == "project/harbor-api"
    assert wrong.by == Actor.agent("codex")
    assert (wrong.state, wrong.marks) == ("live", set())
    assert wrong.draft.confidence == 0.9
    said = {key: _says(memory, "deploy", "region") for key, memory in told.items()}
    assert said.pop(world.WRONG) >= 3
    assert max(said.values()) == 1


def test_the_right_value_is_verified_twice(told: dict[str, Told]) -> None:
    right, handbook = told[world.RIGHT], told[world.HANDBOOK]
    assert {"verify", "pin"} <= right.marks
    assert "verify" in handbook.marks
    assert world.RIGHT_VALUE in right.texts[-2]
    assert world.RIGHT_VALUE in handbook.texts[-1]
    assert "region.hcl" in handbook.texts[-1]
    claims = [k for k, m in told.items() if m.state == "live" and "us-east-1" in m.texts[-1]]
    assert claims == [world.WRONG]
