"""All verbs in any order, with the laws as invariants: the machine that test_machine.py and the
soak run.

Beside the laws it holds two oracles: what a write answers is what the store then holds, and an
undo of the last act leaves what people and agents can see exactly as it was before that act.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from sqlalchemy import select, text

from store import Actor, Draft, Grant, Store, open_store
from store.errors import Conflict, Invalid, NotFound, NotPossible
from store.gate.fingerprints import prints_of
from store.keys import Keys
from store.model import Outcome, Written
from store.schema import memory, proposal, scope, scope_stat, term_count, tombstone, version
from store.search.terms import words_and_parts
from tests.conftest import START, SteppingClock

SCOPES = ("project/a", "project/a/deep", "user/dana")
TEXTS = tuple(
    f"the {noun} limit is {number}" for noun in ("crane", "berth", "pilot") for number in (3, 4, 5)
)
SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    str.upper,
    lambda t: t.replace(" ", "  "),
    lambda t: "limit of the " + t.split()[1] + ": " + t.split()[-1],
)
MARKS = ("verify", "dispute", "quarantine", "release", "pin", "unpin", "archive", "unarchive")
REFUSALS = (Conflict, Invalid, NotFound, NotPossible)

pick = st.integers(0, 10_000)
texts = st.builds(lambda t, s: s(t), st.sampled_from(TEXTS), st.sampled_from(SPELLINGS))
scopes = st.sampled_from(SCOPES)

Seen = tuple[Any, ...]
"""What can be seen of a store: live memories with their marks, tombstones, proposals."""


class Verbs(RuleBasedStateMachine):
    """`opened` gives a fresh store; the test says of which engine."""

    opened: Callable[[SteppingClock, Keys], Store]
    steps: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="curator-machine-"))
        self.clock = SteppingClock(START)
        self.store = type(self).opened(self.clock, Keys(self.folder))
        self.me = self.store.curator(Actor.human("dana"))
        self.store_id = self.me.stats().store_id
        self.agent = self.store.agent(Actor.agent("codex"), Grant(read={"project/a"}))
        self.acts: dict[int, tuple[Seen, Seen]] = {}
        """The event of each act → what could be seen before and after it."""
        self.last: Seen = ((), (), ())
        self.merged: list[str] = []

    def teardown(self) -> None:
        self.store.close()
        shutil.rmtree(self.folder)

    # --- acting -------------------------------------------------------------------------

    def act(self, name: str, do: Callable[[], Written]) -> Written | None:
        """One act. A refusal is an answer; then nothing may have changed."""
        type(self).steps[name] += 1
        self.clock.step(seconds=1)
        before = self.seen()
        try:
            written = do()
        except REFUSALS:
            type(self).steps[f"{name} refused"] += 1
            assert self.seen() == before
            return None
        self.last = after = self.seen()
        if written.outcome is Outcome.STORED and written.event is not None:
            self.acts[written.event] = (before, after)
            if name == "merge":
                self.merged.append(str(written.id))
        if written.outcome in (Outcome.HELD, Outcome.REFUSED):
            assert self.live_of(after) == self.live_of(before)
            assert written.proposal is not None or written.outcome is Outcome.REFUSED
        return written

    def any_id(self, at: int, live: bool = True) -> str:
        state = "live" if live else "all"
        found = self.me.list(state=state, limit=200).memories
        return found[at % len(found)].id if found else "0" * 26

    def newest(self, identifier: str) -> int:
        """What is announced is judged by its number only."""
        return self.me.chain(identifier)[-1].memory.version

    def any_proposal(self, at: int) -> int:
        """Mostly one that may be decided; now and then one that rests or was decided."""
        found = self.me.proposals()
        if not found or at % 9 == 0:
            return int(self.last[2][at % len(self.last[2])][0])
        fresh = [p for p in found if not p.stale] if at % 3 else found
        return (fresh or list(found))[at % len(fresh or found)].number

    def _is_editable(self, number: int) -> bool:
        return self.me.proposal(number).act in ("remember", "correct", "merge")

    @initialize()
    def begin(self) -> None:
        for words in TEXTS[:3]:
            self.act("remember", lambda words=words: self.agent.remember(words))

    @rule(words=texts, where=scopes)
    def remember(self, words: str, where: str) -> None:
        written = self.act("remember", lambda: self.me.remember(Draft(words, where)))
        assert written is not None
        if written.outcome in (Outcome.STORED, Outcome.ALREADY):
            assert written.id in {m.id for m in self.me.list().memories}

    @rule(words=texts, episode=st.booleans())
    def agent_remembers(self, words: str, episode: bool) -> None:
        tier = "episodic" if episode else "semantic"
        self.act("agent remember", lambda: self.agent.remember(words, tier=tier))

    @rule(at=pick, words=texts, later=st.booleans())
    def correct(self, at: int, words: str, later: bool) -> None:
        target = self.any_id(at)
        since = self.clock.now + timedelta(days=1) if later else None
        written = self.act("correct", lambda: self.me.correct(target, words, since=since))
        if written is not None and written.outcome is Outcome.STORED:
            assert self.me.chain(target)[-1].memory.text == words

    @rule(at=pick, words=texts)
    def agent_corrects(self, at: int, words: str) -> None:
        target = self.any_id(at)
        self.act("agent correct", lambda: self.agent.correct(target, words))

    @rule(at=pick)
    def agent_withdraws(self, at: int) -> None:
        target = self.any_id(at)
        self.act("agent withdraw", lambda: self.agent.withdraw(target))

    @rule(at=pick, verb=st.sampled_from(MARKS))
    def mark(self, at: int, verb: str) -> None:
        target = self.any_id(at)
        self.act(verb, lambda: self.me.mark(verb, target, expect=self.newest(target)))

    @rule(at=pick)
    def retire(self, at: int) -> None:
        target = self.any_id(at)
        self.act("retire", lambda: self.me.retire(target))

    @rule(at=pick)
    def restore(self, at: int) -> None:
        target = self.any_id(at, live=False)
        self.act("restore", lambda: self.me.restore(target))

    @rule(at=pick, match=st.sampled_from(["exact", "near"]), lifts=st.booleans())
    def reject_or_lift(self, at: int, match: str, lifts: bool) -> None:
        if lifts and self.last[1]:
            number = self.last[1][at % len(self.last[1])][0]
            self.act("lift", lambda: self.me.lift(number, reason="it was right"))
            return
        target = self.any_id(at)
        newest = self.newest
        self.act("reject", lambda: self.me.reject(target, match=match, expect=newest(target)))

    @rule(at=pick, other=pick, words=texts, apart=st.booleans())
    def merge_or_unmerge(self, at: int, other: int, words: str, apart: bool) -> None:
        if apart and self.merged:
            target = self.merged[-1 - at % len(self.merged)] if at % 4 else self.any_id(at)
            self.act("unmerge", lambda: self.me.unmerge(target))
            return
        ids = [self.any_id(at), self.any_id(at + 1 + other % 2)]
        self.act("merge", lambda: self.me.merge(ids, words, scope="project/a"))

    @rule(at=pick, where=scopes)
    def move(self, at: int, where: str) -> None:
        target = self.any_id(at)
        self.act("move", lambda: self.me.move(target, where))

    @rule(
        at=pick,
        other=pick,
        words=texts,
        kind=st.sampled_from(["merge", "supersede", "extract", "contradiction", "retire"]),
    )
    def propose(self, at: int, other: int, words: str, kind: str) -> None:
        two = kind in ("merge", "contradiction") or (kind == "supersede" and other % 2 == 0)
        ids = [self.any_id(at), self.any_id(at + 1 + other % 2)][: 2 if two else 1]
        alone = kind in ("contradiction", "retire") or (kind == "supersede" and two)
        view = self.agent if at % 2 else self.me
        said = None if alone else words
        self.act("propose", lambda: view.propose(kind, ids, text=said))

    @precondition(lambda self: self.last[2])
    @rule(at=pick, words=texts)
    def approve(self, at: int, words: str) -> None:
        number = self.any_proposal(at)
        said = words if at % 4 == 0 and self._is_editable(number) else None
        written = self.act("approve", lambda: self.me.approve(number, text=said))
        if written is not None and written.outcome is Outcome.STORED:
            again = self.act("approve again", lambda: self.me.approve(number))
            assert again is not None
            assert again.outcome is Outcome.ALREADY

    @precondition(lambda self: self.last[2])
    @rule(at=pick, how=st.sampled_from(["decline", "keep out", "snooze", "refresh"]))
    def decide(self, at: int, how: str) -> None:
        number = self.any_proposal(at)
        if how == "decline":
            self.act("decline", lambda: self.me.decline(number))
        elif how == "keep out":
            self.act("keep out", lambda: self.me.decline(number, tombstone="near"))
        elif how == "snooze":
            until = self.clock.now + timedelta(minutes=5)
            self.act("snooze", lambda: self.me.snooze(number, until))
        else:
            self.act("refresh", lambda: self.me.refresh(number))

    @precondition(lambda self: self.last[2])
    @rule(at=pick)
    def approve_all(self, at: int) -> None:
        number = self.any_proposal(at)
        type(self).steps["approve all"] += 1
        done = self.me.approve_all(number)
        for approved, _ in done.approved:
            assert self.me.proposal(approved).status == "approved"
        for left, why in done.left:
            assert why
            assert self.me.proposal(left).status == "waiting"
        self.last = self.seen()

    @rule(at=pick)
    def upkeep(self, at: int) -> None:
        if at % 3:
            type(self).steps["consolidate"] += 1
            live = self.live_of(self.seen())
            self.me.consolidate()
            assert self.live_of(self.seen()) == live
            assert not self.me.consolidate().proposed
        else:
            type(self).steps["forget"] += 1
            self.clock.step(days=1)
            wanted = self.me.forget(dry_run=True, cold_after_days=1)
            done = self.me.forget(cold_after_days=1)
            assert (done.expired, done.cold) == (wanted.expired, wanted.cold)
        self.last = self.seen()

    @rule()
    def undo(self) -> None:
        self._undo(None)

    @rule(at=pick)
    def undo_an_older_act(self, at: int) -> None:
        known = sorted(self.acts)
        if known:
            self._undo(known[at % len(known)])

    def _undo(self, seq: int | None) -> None:
        now = self.seen()
        written = self.act("undo", lambda: self.me.undo(seq))
        if written is None or written.outcome is not Outcome.STORED:
            return
        undone = self.me.events(limit=1)[0].undoes
        if undone in self.acts and self.acts[undone][1] == now:
            type(self).steps["undo compared"] += 1
            wanted, found = self.acts[undone][0], self.seen()
            assert found == wanted, f"undo of #{undone}: {_apart(wanted, found)}"

    # --- what can be seen ---------------------------------------------------------------

    def seen(self) -> Seen:
        with self.store.engine.read() as conn:
            live = conn.execute(
                select(
                    memory.c.id,
                    version.c.text,
                    scope.c.path,
                    version.c.tags,
                    version.c.valid_from,
                    memory.c.trust,
                    memory.c.pinned,
                    memory.c.archived,
                    memory.c.asserted_at,
                )
                .join(version, version.c.memory_id == memory.c.id)
                .join(scope, scope.c.id == version.c.scope_id)
                .where(version.c.closed_at.is_(None))
                .order_by(memory.c.id)
            ).all()
            stones = conn.execute(
                select(tombstone.c.number)
                .where(tombstone.c.lifted_at.is_(None))
                .order_by(tombstone.c.number)
            ).all()
            waiting = conn.execute(
                select(proposal.c.number, proposal.c.status, proposal.c.snoozed_until).order_by(
                    proposal.c.number
                )
            ).all()
        return tuple(map(tuple, live)), tuple(map(tuple, stones)), tuple(map(tuple, waiting))

    def live_of(self, seen: Seen) -> Any:
        """Live texts; when they were stated may move by an equal statement."""
        return [row[:-1] for row in seen[0]]

    # --- laws ---------------------------------------------------------------------------

    @invariant()
    def one_live_version(self) -> None:
        """Law 1, and no memory hangs between merged and live."""
        with self.store.engine.read() as conn:
            rows = conn.execute(
                text(
                    "SELECT m.id, m.latest, m.merged_into, count(*), "
                    "sum(CASE WHEN v.closed_at IS NULL THEN 1 ELSE 0 END), max(v.version) "
                    "FROM memory m JOIN version v ON v.memory_id = m.id "
                    "GROUP BY m.id, m.latest, m.merged_into"
                )
            ).all()
        for identifier, latest, into, versions, live, highest in rows:
            assert live <= 1, identifier
            assert latest == highest == versions, identifier
            assert not (live and into), identifier

    @invariant()
    def the_log_is_intact(self) -> None:
        """Laws 3 and 6: every version and closing is as the log says."""
        check = self.me.verify_log()
        assert check.intact, check.problem

    @invariant()
    def no_rejected_value_came_back(self) -> None:
        """Law 8: nothing was written under a standing tombstone after it was laid."""
        key = self.store.keys.find(self.store_id)
        with self.store.engine.read() as conn:
            stones = conn.execute(
                select(tombstone, scope.c.path)
                .join(scope, scope.c.id == tombstone.c.scope_id)
                .where(tombstone.c.lifted_at.is_(None))
            ).all()
            live = conn.execute(
                select(version.c.text, version.c.recorded_at, scope.c.path)
                .join(scope, scope.c.id == version.c.scope_id)
                .where(version.c.closed_at.is_(None))
            ).all()
        for stone in stones:
            assert key is not None
            for row in live:
                below = row.path == stone.path or row.path.startswith(stone.path + "/")
                if below and row.recorded_at > self._stands_since(stone):
                    made = prints_of(key, row.text)
                    assert made.exact != stone.exact, row
                    assert stone.match == "exact" or made.near != stone.near, row

    def _stands_since(self, stone: Any) -> int:
        """A lift that was undone lets a tombstone stand from then on only."""
        again = [
            e
            for e in self.me.events(limit=1000, action="undo")
            if (e.detail or {}).get("tombstone") == stone.number
        ]
        moments = [int(e.at.timestamp() * 1_000_000) + 1 for e in again]
        return max([int(stone.at), *moments])

    @invariant()
    def agents_see_only_what_is_current(self) -> None:
        """Law 5."""
        for one in self.agent.list(limit=200).memories:
            assert one.scope.startswith("project/a")
            assert one.trust != "quarantined"
            assert not one.archived
            assert one.closed_at is None or one.changes_at is not None

    @invariant()
    def the_statistics_are_those_of_live_versions(self) -> None:
        """What ranking rests on is neither doubled nor lost by any way back."""
        terms: Counter[tuple[int, str]] = Counter()
        sizes: Counter[int] = Counter()
        with self.store.engine.read() as conn:
            for row in conn.execute(
                select(version.c.scope_id, version.c.text)
                .join(memory, memory.c.id == version.c.memory_id)
                .where(version.c.closed_at.is_(None), memory.c.trust != "quarantined")
            ):
                words, parts = words_and_parts(row.text)
                terms.update((row.scope_id, t) for t in {*words, *parts})
                sizes[row.scope_id] += 1
            counted = {(r.scope_id, r.term): r.n for r in conn.execute(select(term_count))}
            stats = {r.scope_id: r.n for r in conn.execute(select(scope_stat)) if r.n}
        assert counted == dict(terms)
        assert stats == dict(sizes)

    @invariant()
    def what_waits_can_be_read(self) -> None:
        """Law 11: every proposal shows what it stands on; decided ones say by whom."""
        if len(self.acts) % 3:  # it reads much, and changes slowly
            return
        for status in ("waiting", "approved", "declined"):
            for one in self.me.proposals(status=status):
                assert one.sources or one.act == "remember"
                assert (one.decided_by is None) == (status == "waiting")
                if one.stale:
                    assert any(s.stale for s in one.sources)


def _apart(wanted: Seen, found: Seen) -> str:
    """What is in the one and not in the other, for a failure that can be read."""
    parts = [
        f"missing {sorted(set(a) - set(b), key=repr)}, new {sorted(set(b) - set(a), key=repr)}"
        for a, b in zip(wanted, found, strict=True)
        if a != b
    ]
    return "; ".join(parts)


def opener(location: Callable[[], str]) -> Callable[[SteppingClock, Keys], Store]:
    """Opens a fresh store for each run of the machine, keyword-only for speed."""

    def opened(clock: SteppingClock, keys: Keys) -> Store:
        return open_store(location(), clock=clock, embedder=None, keys=keys)

    return opened
