"""The query language: what is a filter, what is text, and that nothing typed is an error."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.errors import Invalid, TooLarge
from store.model import Tier, Trust
from store.search.filters import NAMES, Filters, Has, Is
from store.search.prefixes import prefix_stems
from store.search.query import MAX_QUERY, Query, parse
from store.search.stem import stem
from store.search.terms import words_and_parts
from tests.store.search.fts import Index
from tests.store.search.notes import CASES, NOTES

NOW = datetime(2026, 3, 31, 12, 0, tzinfo=UTC)


def ask(text: str) -> Query:
    return parse(text, now=NOW)


def typing(text: str) -> Query:
    return parse(text, now=NOW, live_typing=True)


def day(year: int, month: int = 1, number: int = 1, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(year, month, number, hour, minute, tzinfo=UTC)


# --- filters ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("scope:project/harbor-api", Filters(scopes=("project/harbor-api",))),
        ("scope:project/* scope:user/dana/", Filters(scopes=("project", "user/dana"))),
        ("tier:Episodic,semantic", Filters(tiers=(Tier.EPISODIC, Tier.SEMANTIC))),
        ("KIND:Fact,decision", Filters(kinds=("fact", "decision"))),
        ("trust:verified", Filters(trusts=(Trust.VERIFIED,))),
        ("tag:a,b tag:a", Filters(tags=("a", "b"))),
        ('tag:"two, words"', Filters(tags=("two, words",))),
        ("subject:deploy.region", Filters(subjects=("deploy.region",))),
        ("by:agent:scout by:dana", Filters(by=("agent:scout", "dana"))),
        ("is:pinned is:live", Filters(is_=(Is.PINNED, Is.LIVE))),
        ("has:history,expiry", Filters(has=(Has.HISTORY, Has.EXPIRY))),
        ("after:2026-01-02", Filters(after=day(2026, 1, 2))),
        ("before:2026", Filters(before=day(2026))),
        ("before:2026-02", Filters(before=day(2026, 2))),
        ("before:2026-02-03T10:30+02:00", Filters(before=day(2026, 2, 3, 8, 30))),
        ("after:7d", Filters(after=day(2026, 3, 24, 12))),
        ("after:2w", Filters(after=day(2026, 3, 17, 12))),
        ("after:1mo", Filters(after=day(2026, 2, 28, 12))),
        ("after:1y", Filters(after=day(2025, 3, 31, 12))),
        ("after:90min", Filters(after=day(2026, 3, 31, 10, 30))),
        ("after:yesterday before:today", Filters(after=day(2026, 3, 30), before=day(2026, 3, 31))),
        ("before:2026-02 before:2026-01", Filters(before=day(2026, 1))),
        ("after:2026-02 after:2026-01", Filters(after=day(2026, 2))),
    ],
)
def test_filters_and_their_values(text: str, filters: Filters) -> None:
    query = ask(text)
    assert query.filters == filters
    assert query.browse
    assert not query.words
    assert not query.without
    negated = ask(" ".join(f"-{f}" for f in re.findall(r'[^\s"]+"[^"]*"|\S+', text)))
    assert negated.browse
    assert not negated.filters
    assert negated.without


def test_of_several_negated_dates_the_widest_counts() -> None:
    """`-before:A -before:B` takes out what is before either."""
    without = ask("-before:2026-01 -before:2026-02 -after:2026-06 -after:2026-05").without
    assert (without.before, without.after) == (day(2026, 2), day(2026, 5))


def test_relative_dates_count_from_a_moment_in_any_zone() -> None:
    there = NOW.astimezone(timezone(timedelta(hours=9)))
    assert parse("after:today", now=there).filters.after == day(2026, 3, 31)
    assert parse("after:7d", now=there).filters.after == day(2026, 3, 24, 12)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("tier:banana", ["tier:banana", "episodic", "semantic"]),
        ("trust:maybe", ["unreviewed", "verified", "disputed", "quarantined"]),
        ("is:foo", ["is:foo", *Is]),
        ("has:fun", list(Has)),
        ("is:verified", ["trust:verified"]),
        ("-is:foo", ["is:foo"]),
        ("before:yesterdayish", ["before", "yesterdayish", "2026-11-30", "7d"]),
        ("after:2026-13-01", ["after", "2026-13-01"]),
        ("after:99999y", ["after"]),
        ("before:0000", ["before"]),
        ("tier:epi\u202eso", ["tier:epi?so"]),
    ],
)
def test_a_meaningless_value_is_refused_with_what_would_mean_something(
    text: str, named: list[str]
) -> None:
    with pytest.raises(Invalid) as refusal:
        ask(f"redis {text} cache")
    said = f"{refusal.value} {refusal.value.hint}"
    assert [n for n in named if n not in said] == []


def test_the_limit_is_in_bytes_and_stated() -> None:
    assert ask("é" * (MAX_QUERY // 2)).words
    with pytest.raises(TooLarge, match="4,098 bytes"):
        ask("é" * (MAX_QUERY // 2 + 1))


@pytest.mark.parametrize(
    "text",
    [
        *("foo:bar", "http://x.org/a", "std::vector", "error:", "tag: x", "tag:", "tag:,"),
        *("(tag:x)", "mytag:x", 'tag:"', "xis:foo", '"is:foo"', "scope:/"),
    ],
)
def test_what_only_looks_like_a_filter_is_text(text: str) -> None:
    query = ask(text)
    assert not query.filters
    assert query.filter_spans == ()
    assert query.words or query.phrases
    assert set(query.content_terms) <= {t for c in words_and_parts(text) for t in c}
    assert query.content_terms


def test_filters_know_where_they_stand() -> None:
    text = 'deploy tag:"two words" -is:live x'
    spans = ask(text).filter_spans
    assert [text[s.start : s.end] for s in spans] == ['tag:"two words"', "-is:live"]
    assert [(s.name, s.values, s.negated, s.pending) for s in spans] == [
        ("tag", ("two words",), False, False),
        ("is", ("live",), True, False),
    ]


# --- words, phrases, negations ----------------------------------------------------------


def test_words_phrases_and_negations() -> None:
    text = 'the clientFactory "blue green" -redis -"old way" --flag'
    query = ask(text)
    assert [w.raw for w in query.words] == ["the", "clientFactory", "--flag"]
    assert [(w.stop, w.identifier) for w in query.words] == [
        (True, False),
        (False, True),
        (False, True),
    ]
    assert [p.raw for p in query.phrases] == ["blue green"]
    assert query.phrase_runs == (("blue", "green"),)
    assert query.exclusions == (("redi",), ("old", "way"))
    assert query.identifiers == ("clientfactory", "--flag")
    assert query.content_terms == ("clientfactori", "client", "factori", "blue", "green", "flag")
    assert query.plain == "the clientFactory blue green --flag"
    for said in (*query.said, *query.not_words, *query.not_phrases):
        assert text[said.start : said.end] == said.raw


def test_what_a_negated_word_excludes_is_every_way_to_say_it() -> None:
    assert ask("-clientFactory").exclusions == (("clientfactori",), ("client", "factori"))
    assert ask("-缓存会话").exclusions == (("缓存", "存会", "会话"),)
    assert ask("-“old way”").exclusions == (("old", "way"),)


def test_content_is_what_coverage_is_measured_over() -> None:
    query = ask("where is the client-factory")
    assert [u.ways for u in query.content] == [(("client", "factori"), ("clientfactori",))]
    assert query.terms == ("where", "is", "the", "client", "factori", "clientfactori")


def test_a_sha_is_also_asked_for_as_texts_quote_it() -> None:
    assert ask("9f3a2c1b7").identifiers == ("9f3a2c1b7", "9f3a2c1", "9f3a2c1b")
    assert ask("terms.py in store/search/terms.py").identifiers == (
        "terms.py",
        "store/search/terms.py",
    )


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("", {"browse"}),
        ("  ", {"browse"}),
        ("tag:x -is:live", {"browse"}),
        ("-redis", {"negation_only"}),
        ('tag:x -"old way"', {"negation_only"}),
        ("what is it", {"stop_only"}),
        ("AND", {"stop_only"}),
        ('"the"', {"stop_only"}),
        ('"', {"unsearchable"}),
        ("* tag:x", {"unsearchable"}),
        ('"!?"', {"unsearchable"}),
        ("not", set()),
        ("redis *", set()),
        ("redis -memcached", set()),
        ("C++", set()),
        ("OR NOT NEAR(", set()),
    ],
)
def test_what_sort_of_query_it_is(text: str, flags: set[str]) -> None:
    query = ask(text)
    every = {"browse", "negation_only", "stop_only", "unsearchable"}
    assert {name for name in every if getattr(query, name)} == flags
    assert query.ranked


def test_stop_words_are_used_where_there_is_nothing_else() -> None:
    assert ask("what is it").content_terms == ("what", "is", "it")
    assert ask("what is redis").content_terms == ("redi",)


ODD = st.lists(
    st.sampled_from(
        [
            *(f"{n}:" for n in NAMES),
            *(q for q, _ in CASES),
            *('"', "“", "”", "-", " ", "\t", ",", "AND", "OR", "NOT", "NEAR(", "*", "^", ")"),
            *("{parts} :", "\\", "\x00", "\ud800", "\u202e", "''"),
            *("live", "7d", "2026", "semantic"),
        ]
    ),
    max_size=9,
).map("".join)


@given(ODD | st.text(st.characters(), max_size=80), st.booleans())
@example('tag:"', True)
@example('-"', True)
def test_nothing_typed_raises_and_all_of_it_can_be_asked_for(text: str, live: bool) -> None:
    try:
        query = parse(text, now=NOW, live_typing=live)
    except Invalid:
        assert re.search("(tier|trust|before|after|is|has):", text, re.IGNORECASE)
        return
    assert query.raw == text
    index = Index(NOTES.values())
    index.matches(query.content_terms, query.prefix)
    index.matches(query.prefix_terms)
    for runs in (query.phrase_runs, query.exclusions):
        if runs:
            index.runs(runs)
    for said in (*query.said, *query.not_words, *query.not_phrases):
        assert text[said.start : said.end] == said.raw
    ends = [s.end for s in query.filter_spans]
    assert all(0 <= s.start < s.end <= len(text) for s in query.filter_spans)
    assert ends == sorted(ends)


def test_four_kilobytes_of_words_can_be_asked_for() -> None:
    text = " ".join(f"w{i}x" for i in range(900))[:MAX_QUERY]
    assert len(Index([text]).matches(ask(text).content_terms)) == 1


# --- typing -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "prefix", "ranked"),
    [
        ("redis dep", "dep", True),
        ("redis dep ", None, True),
        ("redis de", "de", True),
        ("de", "de", False),
        ("tag:x d", "d", False),
        ("clientFac", "clientfac", True),
        ("client_fac", "fac", True),
        ("1.2", "1p2", True),
        ("l’équi", "equi", True),
        ("don't", "dont", True),
        ("服", "服", False),
        ("服务", None, True),
        ("foo.", None, True),
        ("-dep", None, True),
        ('"blue gr"', None, True),
        ('"blue gr', "gr", True),
        ("dep tag:x", None, True),
    ],
)
def test_the_last_word_is_a_prefix_while_typing(
    text: str, prefix: str | None, ranked: bool
) -> None:
    assert (typing(text).prefix, typing(text).ranked) == (prefix, ranked)
    assert (ask(text).prefix, ask(text).ranked) == (None, True)


@pytest.mark.parametrize("text", ['"', '-"', "-", "(", 'tag:"two wo', "tag:", '-"old w', "-tag:"])
def test_what_is_half_typed_does_not_count_yet(text: str) -> None:
    assert typing(f"{text}").browse
    assert typing(f"redis {text}").content_terms == ("redi",)
    assert typing(f"redis {text}").not_phrases == ()


@pytest.mark.parametrize(
    "text", ["is:m", "-is:pin", "tier:episodic,sem", "before:202", "after:yes"]
)
def test_a_half_typed_value_is_pending(text: str) -> None:
    query = typing(f"redis {text}")
    assert not query.filters.is_
    assert not query.without
    assert [(s.pending, s.start) for s in query.filter_spans] == [(True, 6)]
    with pytest.raises(Invalid):
        typing(f"redis {text} ")
    with pytest.raises(Invalid):
        ask(f"redis {text}")


def test_a_value_that_can_become_nothing_is_refused_at_once() -> None:
    with pytest.raises(Invalid):
        typing("tier:x")


WORDS = """deployed deploying admitted committed policies memories configuration configurations
    discoverability immutability debugging embeddings coding having settings embedded forgetting
    factory retries relational authorization happiness effectively rotates being going""".split()


@pytest.mark.parametrize("word", WORDS)
def test_no_row_is_lost_between_two_keys(word: str) -> None:
    """From the third letter on, each longer beginning of a word still finds its stem."""
    index = Index([f"about {word} things"])
    for length in range(3, len(word) + 1):
        query = typing(word[:length])
        found = index.matches((*query.content_terms, *query.prefix_terms), query.prefix)
        assert found == [0], (word[:length], stem(word))


def test_endings_lead_back_to_stems() -> None:
    assert prefix_stems("deployin")[0] == "deploy"
    assert prefix_stems("dep") == ()
