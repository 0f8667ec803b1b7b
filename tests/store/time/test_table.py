"""Must show 1 of time travel: what is returned for (true at, known at), and what is not.

Each story is told once; each of its cases is asked through a ranked search, a listing of the
search, a page of `list`, and `show` and `as_of` of every memory. A case names all words that
are returned; every other word of the story must be missing.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from store import Actor, Grant
from store.model import Moment
from store.search.pipeline import Asked
from tests.store.time.story import Act, Player, sentence, word_of

HAIR = 1e-6 / 86400
"""One microsecond, in days."""


@dataclass(frozen=True, slots=True)
class Story:
    name: str
    acts: tuple[Act, ...]
    cases: tuple[tuple[float | None, float | None, str], ...]
    """True at, known at (None: now, the day after the last act), the words returned."""


def one(name: str, *acts: Act, cases: list[tuple[float | None, float | None, str]]) -> Story:
    return Story(name, acts, tuple(cases))


def first(at: int, begin: int | None = None, end: int | None = None, word: str = "Lisbon") -> Act:
    return Act(at, "remember", ("a",), word, begin, end)


STORIES = [
    one(
        "a statement with both ends is half-open",
        first(10, 20, 30),
        cases=[
            (20 - HAIR, None, ""),
            (20, None, "Lisbon"),
            (30 - HAIR, None, "Lisbon"),
            (30, None, ""),
            (25, 10 - HAIR, ""),
            (25, 10, "Lisbon"),
        ],
    ),
    one(
        "a correction replaces for all time, but not what was known",
        first(10, 5),
        Act(20, "correct", ("a",), "Porto"),
        cases=[
            (None, None, "Porto"),
            (6, None, "Porto"),
            (6, 20 - HAIR, "Lisbon"),
            (6, 20, "Porto"),
            (30, 15, "Lisbon"),
            (5 - HAIR, None, ""),
        ],
    ),
    one(
        "a change leaves the old truth where it was true",
        first(10, 5),
        Act(40, "correct", ("a",), "Porto", 30),
        cases=[
            (30 - HAIR, None, "Lisbon"),
            (30, None, "Porto"),
            (35, 39, "Lisbon"),
            (35, 40, "Porto"),
            (None, None, "Porto"),
        ],
    ),
    one(
        "an announced change waits for its day",
        first(10),
        Act(20, "correct", ("a",), "Porto", 60),
        cases=[
            (None, None, "Lisbon"),
            (60 - HAIR, None, "Lisbon"),
            (60, None, "Porto"),
            (60, 19, "Lisbon"),
        ],
    ),
    one(
        "A9: a correction of the newer of two truths leaves the older",
        first(10, 10),
        Act(40, "correct", ("a",), "Port", 40),
        Act(50, "correct", ("a",), "Porto"),
        cases=[
            (20, 20, "Lisbon"),
            (20, None, "Lisbon"),
            (45, 45, "Port"),
            (45, None, "Porto"),
            (40, 39, "Lisbon"),
            (40, 41, "Port"),
            (40, 51, "Porto"),
        ],
    ),
    one(
        "a correction may pull the start over what a change had left",
        first(10, 10),
        Act(40, "correct", ("a",), "Porto", 40),
        Act(50, "correct", ("a",), "Braga", 30),
        cases=[(35, None, "Braga"), (30 - HAIR, None, "Lisbon"), (35, 45, "Lisbon")],
    ),
    one(
        "what arrives late is true before it was known",
        first(50, 10, 20),
        cases=[(15, None, "Lisbon"), (15, 49, ""), (None, None, "")],
    ),
    one(
        "a change keeps the bounded end",
        first(10, 10, 50),
        Act(20, "correct", ("a",), "Porto", 30),
        cases=[(29, None, "Lisbon"), (50 - HAIR, None, "Porto"), (50, None, "")],
    ),
    one(
        "a merge holds where its sources are all true",
        first(10, 10),
        Act(11, "remember", ("b",), "Faro", 20, 60),
        Act(30, "merge", ("c", "a", "b"), "Porto"),
        cases=[
            (25, 29, "Lisbon Faro"),
            (25, 30, "Porto"),
            (20 - HAIR, 30, ""),
            (15, 29, "Lisbon"),
            (60, None, ""),
        ],
    ),
    one(
        "unmerge brings back what was, and nothing of it is there twice",
        first(10, 10),
        Act(11, "remember", ("b",), "Faro", 10),
        Act(30, "merge", ("c", "a", "b"), "Porto"),
        Act(40, "unmerge", ("c",)),
        cases=[
            (None, None, "Lisbon Faro"),
            (25, 35, "Porto"),
            (25, 40 - HAIR, "Porto"),
            (25, 40, "Lisbon Faro"),
        ],
    ),
    one(
        "a merge of what a change was announced for begins with the change",
        first(10),
        Act(11, "remember", ("b",), "Faro"),
        Act(12, "correct", ("a",), "Porto", 80),
        Act(30, "merge", ("c", "a", "b"), "Braga"),
        cases=[(None, None, "Lisbon"), (80, None, "Braga"), (80, 29, "Porto Faro")],
    ),
    one(
        "what is retired was known until then",
        first(10, 10),
        Act(30, "retire", ("a",)),
        cases=[(None, None, ""), (20, None, ""), (40, 30 - HAIR, "Lisbon"), (40, 30, "")],
    ),
    one(
        "retire ends what a change was announced for, from then on",
        first(10),
        Act(20, "correct", ("a",), "Porto", 90),
        Act(30, "retire", ("a",)),
        cases=[
            (None, None, ""),
            (30, None, ""),
            (90, None, ""),
            (30 - HAIR, None, "Lisbon"),
            (35, 29, "Lisbon"),
            (95, 29, "Porto"),
        ],
    ),
    one(
        "a rejected value does not go on until a change that was announced",
        first(10),
        Act(20, "correct", ("a",), "Porto", 90),
        Act(30, "reject", ("a",)),
        cases=[(None, None, ""), (95, None, ""), (95, 29, "Porto")],
    ),
    one(
        "what is restored holds again, also what was to hold until the change",
        first(10),
        Act(20, "correct", ("a",), "Porto", 90),
        Act(30, "retire", ("a",)),
        Act(40, "restore", ("a",)),
        cases=[
            (None, None, "Lisbon"),
            (95, None, "Porto"),
            (50, 35, ""),
            (50, 40 - HAIR, ""),
            (50, 40, "Lisbon"),
        ],
    ),
    one(
        "an undone change leaves one truth, and to retire it leaves none",
        first(10),
        Act(20, "correct", ("a",), "Porto", 90),
        Act(30, "undo", ("a",), "change", 20),
        Act(40, "retire", ("a",)),
        cases=[(95, 35, "Lisbon"), (95, 25, "Porto"), (None, None, ""), (50, 35, "Lisbon")],
    ),
    one(
        "an undone correction is what was said again",
        first(10, 10),
        Act(20, "correct", ("a",), "Porto", 5),
        Act(30, "undo", ("a",), "correct", 20),
        cases=[(7, 25, "Porto"), (7, None, ""), (15, None, "Lisbon"), (15, 19, "Lisbon")],
    ),
    one(
        "what expired is gone from then on, and closing it changes nothing of it",
        Act(10, "remember", ("a",), "Lisbon", expires=20),
        Act(30, "forget", ("a",)),
        cases=[(20 - HAIR, 25, "Lisbon"), (20, 25, ""), (None, None, ""), (15, None, "")],
    ),
]


def test_the_table_is_long_enough():
    assert sum(len(story.cases) for story in STORIES) >= 40
    asked = [(s.name, t, k) for s in STORIES for t, k, _ in s.cases]
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize("story", STORIES, ids=lambda s: s.name.replace(" ", "-"))
def test_what_is_returned_and_what_is_not(store, me, clock, story):
    player = Player(me, clock)
    player.play(story.acts)
    clock.now = player.on(story.acts[-1].at + 1)
    agent = store.agent(Actor.agent("codex"), Grant(read={"project/a"}))
    told = {a.word for a in story.acts}
    for true_at, known_at, words in story.cases:
        wanted = set(words.split())
        when = Moment(*(None if day is None else player.on(day) for day in (true_at, known_at)))
        for door, found in _asked(me, player, when):
            assert found == wanted, f"{door} at {true_at}, known {known_at}"
            assert not found & (told - wanted)
        if when.is_now:
            assert {word_of(m.text) for m in agent.list().memories} == wanted
            recalled = {word_of(h.memory.text) for h in agent.recall(sentence("x")).hits}
            assert recalled == wanted


def _asked(me, player, when):  # type: ignore[no-untyped-def]
    """The words that each way of asking returns."""
    ranked = me.search(Asked("anchor berth", moment=when, within=("project/a",)))
    yield "search", {word_of(h.memory.text) for h in ranked.hits}
    browsed = me.search(Asked("", moment=when))
    yield "browse", {word_of(h.memory.text) for h in browsed.hits}
    yield "list", {word_of(m.text) for m in me.list(state="current", moment=when).memories}
    shown = [v for i in player.ids.values() if (v := me.as_of(i, when))]
    # A version may have been true whose time to be kept is over.
    yield "as_of", {word_of(v.text) for v in shown if not _over(v, when, player)}
    rest = set(player.ids.values()) - {v.id for v in shown}
    for identifier in rest:
        assert me.show(identifier).memory.id == identifier


def _over(one, when, player):  # type: ignore[no-untyped-def]
    return one.expires_at is not None and one.expires_at <= (when.true_at or player.clock.now)
