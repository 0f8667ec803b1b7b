"""The word index answers as `Match` says, on both engines, row by row and weight by weight."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import pytest
from sqlalchemy import select, true

from store import Draft
from store.engines.protocol import IndexRow, IndexState, Match
from store.schema import version

WORDS = (
    "deploy",
    "region",
    "deplo",
    "regionz",
    "s1z",
    "zlivez",
    "zclosedz",
    "1p21p3",
    "and",
    "not",
)
PARTS = ("部署", "署区", "客户", "clientfactori", "q1f680q", "region", "é", "straß")
SCOPES = ("s1z", "s1z s2z", "s1z s2z s3z", "s4z")
STATES: tuple[IndexState, ...] = ("live", "changed", "closed")


def _rows(count: int, seed: int = 5) -> list[IndexRow]:
    chance = random.Random(seed)
    return [
        IndexRow(
            rid=n,
            scope_tokens=chance.choice(SCOPES),
            words=" ".join(chance.choices(WORDS, k=chance.randrange(7))),
            parts=" ".join(chance.choices(PARTS, k=chance.randrange(5))),
            length=3,
            vector=None,
            state=chance.choice(STATES),
        )
        for n in range(1, count + 1)
    ]


def _matches(count: int, seed: int = 9) -> list[Match]:
    chance = random.Random(seed)
    every = WORDS + PARTS

    def runs(most: int) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(chance.choices(chance.choice((WORDS, PARTS)), k=chance.randrange(1, 4)))
            for _ in range(chance.randrange(most))
        )

    found = []
    for _ in range(count):
        terms = tuple(chance.choices(every, k=chance.randrange(4)))
        weighted = chance.random() < 0.5
        found.append(
            Match(
                terms=terms,
                weights=tuple(chance.choice((0.25, 1.5, 7.000001)) for _ in terms)
                if weighted
                else (),
                prefix=chance.choice((None, None, "dep", "reg", "部", "s")),
                prefix_weight=0.5,
                phrases=runs(2),
                without=runs(2),
                scope_tokens=chance.choice((None, ("s1z",), ("s2z", "s4z"), ("s9z",))),
                states=chance.choice((("live", "changed"), ("live",), ("closed",), STATES)),
            )
        )
    return found


def _holds(row: IndexRow, run: Sequence[str]) -> bool:
    said = f" {' '.join(run)} "
    return said in f" {row.words} " or said in f" {row.parts} "


def _millionths(found: Iterable[tuple[int, float]]) -> list[tuple[int, int]]:
    return [(rid, round(weight * 1_000_000)) for rid, weight in found]


def _expected(rows: Iterable[IndexRow], match: Match) -> list[tuple[int, int]]:
    """`Match` in plain words: protocol.py, read again."""
    found = []
    weights = match.weights or (1.0,) * len(match.terms)
    for row in rows:
        tokens = set(row.words.split()) | set(row.parts.split())
        begins = bool(match.prefix) and any(t.startswith(str(match.prefix)) for t in tokens)
        if row.state not in match.states or any(_holds(row, run) for run in match.without):
            continue
        scopes = set(row.scope_tokens.split())
        if match.scope_tokens is not None and not scopes & set(match.scope_tokens):
            continue
        asked = bool(match.terms or match.prefix)
        if match.phrases:
            if not all(_holds(row, run) for run in match.phrases):
                continue
        elif asked and not (begins or tokens & set(match.terms)):
            continue
        worth = sum(w for t, w in zip(match.terms, weights, strict=True) if t in tokens)
        found.append((row.rid, worth + (match.prefix_weight if begins else 0.0)))
    return sorted(_millionths(found), key=lambda pair: (-pair[1], -pair[0]))


def test_random_matches_find_what_the_words_of_the_protocol_say(store):
    rows = _rows(80)
    with store.engine.write() as conn:
        store.engine.index(conn, rows)
    hits = 0
    with store.engine.read() as conn:
        for match in _matches(400):
            expected = _expected(rows, match)
            hits += len(expected)
            assert _millionths(store.engine.lexical(conn, match, None, 100)) == expected, match
            assert _millionths(store.engine.lexical(conn, match, true(), 3)) == expected[:3]
    assert hits > 2_000  # included: most of these matches find rows


def test_a_moved_state_and_a_removed_row_are_seen_at_once(store):
    rows = [r for r in _rows(40) if r.state == "live"]
    everything = Match(states=STATES)
    with store.engine.write() as conn:
        store.engine.index(conn, rows)
        store.engine.reindex_state(conn, rows[0].rid, rows[0].scope_tokens, "closed")
        store.engine.unindex(conn, [rows[1].rid])
    with store.engine.read() as conn:
        closed = store.engine.lexical(conn, Match(states=("closed",)), None, 50)
        live = store.engine.lexical(conn, Match(states=("live",)), None, 50)
        left = store.engine.lexical(conn, everything, None, 50)
    assert [rid for rid, _ in closed] == [rows[0].rid]
    assert sorted(rid for rid, _ in live) == [r.rid for r in rows[2:]]
    assert len(left) == len(rows) - 1


@pytest.mark.parametrize(
    "term",
    ["a'b", 'a"b', "a\\b", "a\\'b", "a:b", "a&b", "a|!b", "(a", "a%b", "a_b", "%s", "$1"],
)
def test_a_hostile_term_is_only_a_term(store, term):
    """Terms are letters and digits; were one not, it would find nothing and break nothing."""
    with store.engine.write() as conn:
        store.engine.index(conn, [IndexRow(1, "s1z", "plain words", "", 2, None)])
    with store.engine.read() as conn:
        for match in (
            Match(terms=(term,)),
            Match(prefix=term),
            Match(phrases=((term, "words"),)),
        ):
            assert store.engine.lexical(conn, match, None, 5) == []
        kept = store.engine.lexical(conn, Match(terms=("plain", term)), None, 5)
        spared = store.engine.lexical(conn, Match(without=((term,),)), None, 5)
    assert [kept, spared] == [[(1, 1.0)], [(1, 0.0)]]


def test_a_phrase_at_the_end_of_the_longest_text_is_found(me, store):
    """30,000 words, most of them the same: a tsvector would keep 256 places of each."""
    text = "so " * 15_000 + "the " + "so " * 5_000 + "needle in haystack"
    written = me.remember(Draft(text, "project/a"))
    me.remember(Draft("haystack in the needle, so so", "project/a"))
    with store.engine.read() as conn:
        found = store.engine.lexical(conn, Match(phrases=(("needl", "in", "haystack"),)), None, 5)
        rid = conn.execute(
            select(version.c.rid).where(version.c.memory_id == written.id)
        ).scalar_one()
    assert found == [(rid, 0.0)]


def test_matching_is_a_predicate_over_versions(me, store):
    first = me.remember(Draft("Deploys go to Frankfurt", "project/a"))
    me.remember(Draft("The pager rotates on Mondays", "project/a"))
    where = store.engine.matching(Match(terms=("frankfurt", "zanzibar")))
    with store.engine.read() as conn:
        found = conn.execute(select(version.c.memory_id).where(where)).scalars().all()
        others = conn.execute(select(version.c.memory_id).where(~where)).scalars().all()
    assert found == [first.id]
    assert len(others) == 1


@pytest.mark.parametrize(("text", "times"), [("🚀", 16_000), ("界", 21_000), ("Äö/ü-", 8_000)])
def test_the_widest_texts_fit_the_index(me, text, times):
    text = text * times
    assert me.remember(Draft(text, "project/a")).outcome == "stored"


def test_ten_thousand_different_words_fit_the_index(me):
    chance = random.Random(3)
    text = " ".join(f"{chance.getrandbits(20):05x}Fx{n:x}" for n in range(5_000))
    assert me.remember(Draft(text[:65_000], "project/a")).outcome == "stored"
