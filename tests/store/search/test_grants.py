"""Law 4 inside the search: no figure and no candidate moves with a foreign scope's words.

Enforced in store/search by candidates in order of the grant's own idf (lexical.py) and by
`figures.gather(conn, seen.granted, …)` (plan.py); by FTS5's own rank this test fails.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from store import Actor, Draft, Grant, Store
from store.search.constants import Ranking
from store.search.pipeline import Asked

WORDS = "crane quay berth tide pilot ledger invoice harbour rope anchor".split()


@pytest.fixture
def crowd(me) -> None:
    """Two hundred notes of one scope, more than any pool below takes."""
    chosen = random.Random(4)
    me.remember_many(
        Draft(" ".join(chosen.choices(WORDS, k=chosen.randint(3, 12))) + f" {n}", "project/a")
        for n in range(200)
    )


def _plain(answer):
    return replace(answer, timings_ms={})


QUERIES = [
    "crane",
    "crane quay",
    "anchor of the ledger",
    "tide pilot rope",
    '"crane quay"',
    "-tide",
]


@pytest.mark.parametrize("seed", range(2))
def test_a_full_pool_does_not_move_with_foreign_words(store: Store, me, crowd, seed):
    """More rows match than the pool takes, so which ones it takes must not leak either."""
    ranking = Ranking(lexical_pool=8, semantic_pool=8)
    view = store.curator(Actor.human("sam"), Grant(read={"project/a"}))
    agent = store.agent(Actor.agent("codex"), Grant(read={"project/a"}))

    def answers():
        mine = [_plain(view.search(Asked(q, ranking=ranking))) for q in QUERIES]
        return mine, [_plain(agent.recall(q)) for q in QUERIES]

    before = answers()
    chosen = random.Random(seed)
    me.remember_many(
        Draft(" ".join(chosen.choices(WORDS[:3], k=chosen.choice((1, 60)))) + f" f{n}", "project/b")
        for n in range(300)
    )
    me.remember_many(Draft(f"crane quay {n}", f"project/c{n}") for n in range(20))
    assert answers() == before
    me.remember(Draft("crane quay of our own", "project/a"))  # one's own words do move it
    assert answers() != before


def test_a_grant_of_nothing_that_exists_answers_nothing(store, me, crowd):
    view = store.curator(Actor.human("sam"), Grant(read={"project/nowhere"}))
    for query in (*QUERIES, "", "is:retired crane", "scope:project/a crane"):
        answer = view.search(query)
        assert (answer.hits, answer.searched, answer.total) == ((), 0, 0)
        assert answer.withheld.counts == {}


def test_a_foreign_scope_and_one_that_does_not_exist_are_the_same(store, me, crowd):
    me.remember(Draft("crane quay", "project/b"))
    view = store.curator(Actor.human("sam"), Grant(read={"project/a"}))
    foreign, unknown = (
        view.search(Asked("crane", within=(scope,))) for scope in ("project/b", "project/zzz")
    )
    assert _plain(replace(foreign, scopes=())) == _plain(replace(unknown, scopes=()))
    typed = [view.search(f"crane scope:{s}") for s in ("project/b", "project/zzz")]
    same = [_plain(replace(a, scopes=(), query="")) for a in typed]
    assert same[0] == same[1]


def test_a_row_keeps_its_figures_when_the_scopes_asked_are_fewer(store, me, crowd):
    """Statistics are those of the whole grant, so narrowing moves no evidence."""
    me.remember_many(Draft(f"crane of yard {n}", "project/b") for n in range(30))
    wide = {h.memory.id: h for h in me.search(Asked("anchor crane", limit=200)).hits}
    narrow = me.search(Asked("anchor crane", within=("project/a",), limit=200)).hits
    both = [(h, wide[h.memory.id]) for h in narrow if h.memory.id in wide]
    assert len(both) > 20
    scored = 0
    for one, other in both:
        assert one.evidence == other.evidence
        if "lexical" in one.channels:
            scored += 1
            assert one.channels["lexical"].raw == pytest.approx(other.channels["lexical"].raw)
            assert one.channels["lexical"].terms == other.channels["lexical"].terms
    assert scored > 20
