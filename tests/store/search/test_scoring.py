"""The sums behind a score: BM25, coverage, tiers, fusion, factors, constants."""

from __future__ import annotations

from math import log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from store.errors import Invalid
from store.model import Tier, Trust
from store.search import factors, fusion, lexical
from store.search.constants import EDITABLE, FACTORS, PROFILES, Gates, Ranking, edited, profile
from store.search.evidence import Coverage, beside, evidence
from store.search.figures import LEAST, Figures
from store.search.wanted import Wanted

CORPUS = [
    "deploy region frankfurt frankfurt",
    "deploy window monday",
    "region of the crane crane crane on the quay",
    "invoice monthly",
    *(f"filler number {n}" for n in range(12)),
]


def _figures(df: dict[str, int], n: int = 100, mean: float = 4.0) -> Figures:
    return Figures(n, mean, df)


def _wanted(*units: tuple[tuple[str, ...], ...]) -> Wanted:
    terms = tuple(dict.fromkeys(t for ways in units for way in ways for t in way))
    return Wanted(terms, units, {}, frozenset(), None, frozenset())


# --- BM25 -------------------------------------------------------------------------------


def test_a_pool_scores_as_the_library_scores_the_whole_corpus():
    """rank-bm25 over all rows and our pool of three, with the same statistics, agree."""
    documents = [text.split() for text in CORPUS]
    whole = BM25Okapi(documents)
    df = {t: sum(t in d for d in documents) for d in documents for t in d}
    figures = _figures(df, len(documents), sum(map(len, documents)) / len(documents))
    whole.idf = {term: figures.idf(term) for term in df}
    query = ["deploy", "region", "crane"]
    places = [2, 0, 1]
    counts = [{t: documents[i].count(t) for t in query if t in documents[i]} for i in places]
    pool = lexical.score(counts, [len(documents[i]) for i in places], query, figures)
    expected = whole.get_scores(query)
    assert list(pool.raw) == pytest.approx([expected[i] for i in places], abs=1e-12)
    for place in range(3):
        parts = sum(values[place] for values in pool.terms.values())
        assert parts == pytest.approx(pool.raw[place], abs=1e-12)


def test_terms_that_no_row_holds_give_nothing():
    pool = lexical.score([{}, {}], [3, 4], ["absent"], _figures({}))
    assert (list(pool.raw), dict(pool.terms)) == ([0.0, 0.0], {})
    assert lexical.score([], [], ["absent"], _figures({})).terms == {}


@given(n=st.integers(0, 10**6), share=st.floats(0, 1))
def test_idf_is_positive_and_falls_with_frequency(n, share):
    figures = _figures({"some": round(n * share), "all": n}, n)
    rare, some, all_ = (figures.idf(t) for t in ("none", "some", "all"))
    assert rare >= some >= all_ > 0
    most = max(n, LEAST)
    assert rare == pytest.approx(log(1 + (most + 0.5) / 0.5))


# --- what is left out of the look-up ----------------------------------------------------


def test_only_very_common_terms_are_left_out_and_never_the_rarest_or_an_identifiers():
    n = 100_000
    figures = _figures({"the": 90_000, "note": 40_000, "api": 30_000, "crane": 20_000}, n)
    wanted = _wanted((("the",),), (("note",),), (("api",),), (("crane",),))
    assert lexical.pruned(wanted, figures) == ("the", "note", "api")
    kept = Wanted(wanted.terms, wanted.units, {}, frozenset({"api"}), None, frozenset())
    assert lexical.pruned(kept, figures) == ("the", "note")
    assert lexical.pruned(_wanted((("the",),)), figures) == ()
    small = _figures({"the": 240, "crane": 3}, 250)
    assert lexical.pruned(_wanted((("the",),), (("crane",),)), small) == ()


def test_a_common_term_stays_until_rarer_ones_find_enough():
    figures = _figures({"the": 90_000, "crane": 20_000, "quay": 4}, 100_000)
    wanted = _wanted((("the",),), (("crane",),), (("quay",),))
    assert lexical.pruned(wanted, figures) == ("the",)


def test_a_very_long_query_keeps_its_rarest_terms():
    terms = [f"t{n}" for n in range(200)]
    figures = _figures({t: 100 + n for n, t in enumerate(terms)}, 10_000)
    left_out = lexical.pruned(_wanted(*(((t,),) for t in terms)), figures)
    assert set(terms) - set(left_out) == set(terms[: lexical.MOST_TERMS])


# --- evidence ---------------------------------------------------------------------------


def test_coverage_is_the_idf_share_of_the_words_that_are_there():
    figures = _figures({"deploy": 20, "region": 5})
    coverage = Coverage(_wanted((("deploy",),), (("region",),)), figures)
    deploy, region = figures.idf("deploy"), figures.idf("region")
    assert coverage.of({"deploy"}) == pytest.approx(deploy / (deploy + region))
    assert coverage.of({"region", "other"}) == pytest.approx(region / (deploy + region))
    assert coverage.of({"deploy", "region"}) == 1.0
    assert coverage.of({"other"}) == coverage.of(()) == 0.0


def test_a_word_is_covered_by_the_best_of_its_ways():
    figures = _figures({"client": 10, "factori": 10, "clientfactori": 1})
    ways = (("clientfactori",), ("client", "factori"))
    coverage = Coverage(_wanted(ways), figures)
    assert coverage.of({"clientfactori"}) == 1.0
    assert coverage.of({"client", "factori"}) == pytest.approx(1.0)
    assert coverage.of({"client"}) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("coverage", "cosine", "exact", "tier"),
    [
        (0.30, 0.25, False, "weak"),
        (0.30, 0.24, False, "none"),
        (0.00, 0.55, False, "weak"),
        (0.00, 0.54, False, "none"),
        (0.40, 0.40, False, "strong"),
        (0.80, None, False, "strong"),
        (0.79, None, False, "weak"),
        (0.30, None, False, "weak"),
        (0.29, None, False, "none"),
        (0.90, -0.20, False, "weak"),
        (0.00, 0.00, True, "strong"),
    ],
)
def test_tiers_of_evidence(coverage, cosine, exact, tier):
    found = evidence(coverage, cosine, exact=exact, measured=True, gates=Gates())
    assert found.tier == tier
    assert found.value == pytest.approx(1 - (1 - coverage) * (1 - max(0.0, cosine or 0.0)))


def test_beside_a_match_seven_tenths_of_the_floor_are_enough():
    def tiers(*pairs, measured=True):
        rows = [evidence(*p, exact=False, measured=measured, gates=Gates()) for p in pairs]
        return [e.tier for e in beside(rows, measured=measured, gates=Gates())]

    assert tiers((0.9, 0.0), (0.2, 0.2), (0.2, 0.18)) == ["strong", "weak", "none"]
    assert tiers((0.9, None), (0.21, None), (0.20, None)) == ["strong", "weak", "none"]
    assert tiers((0.9, 0.9), (0.2, 0.9), measured=False) == ["strong", "none"]


def test_an_unmeasured_model_counts_words_only():
    found = evidence(0.2, 0.95, exact=False, measured=False, gates=Gates())
    assert (found.value, found.tier, found.cosine) == (pytest.approx(0.2), "none", 0.95)


# --- fusion -----------------------------------------------------------------------------


def test_first_everywhere_is_one_and_one_channel_alone_its_weight():
    ranking = Ranking()
    both = ("lexical", "semantic")
    assert sum(fusion.Fusion(both, ranking).shares({"lexical": 1, "semantic": 1}).values()) == 1.0
    words = fusion.Fusion(both, ranking).shares({"lexical": 1})
    assert words == {"lexical": pytest.approx(2 / 3)}
    assert fusion.Fusion(("lexical",), ranking).shares({"lexical": 1}) == {"lexical": 1.0}
    fifty = sum(fusion.Fusion(both, ranking).shares({"lexical": 50, "semantic": 50}).values())
    assert fifty == pytest.approx(61 / 110)  # the span of RRF: 1.000 to 0.555


def test_a_channel_of_no_weight_does_not_apply():
    named = ("lexical", "semantic", "identifier")
    assert fusion.applying(named, Ranking(semantic=0.0)) == ("lexical", "identifier")


# --- factors ----------------------------------------------------------------------------

ROWS = st.fixed_dictionaries(
    {
        "written_by": st.sampled_from(["human:a", "agent:b", "system:c", "odd"]),
        "tier": st.sampled_from([t.value for t in Tier]),
        "asserted_at": st.integers(-(2**60), 2**60),
        "confidence": st.none() | st.floats(0, 1),
        "importance": st.floats(0, 1),
        "trust": st.sampled_from([t.value for t in Trust]),
        "corroborated": st.integers(0, 3),
    }
)


@given(row=ROWS, now=st.integers(0, 2**60))
def test_factors_stay_in_their_bounds_by_construction(row, now):
    for name, least in (("default", 0.8), ("recent", 0.8 * 0.5 / 0.9), ("relevance", 1.0)):
        ranking = PROFILES[name]
        found, product = factors.Worth(ranking, now).of(row)
        assert set(found) == set(FACTORS)
        assert all(ranking.floor(f) <= v <= 1.0 for f, v in found.items())
        assert product == prod(found.values())
        assert least <= product <= 1.0
        if row["tier"] == "semantic":
            assert found["recency"] == 1.0


def test_the_floors_of_the_default_profile_multiply_to_no_less_than_four_fifths():
    assert prod(PROFILES["default"].floor(f) for f in FACTORS) >= 0.8
    assert PROFILES["default"].recency_floor == 0.9
    assert PROFILES["recent"].recency_floor == 0.5


@given(row=ROWS, older=st.integers(0, 10**15))
def test_more_trust_confidence_importance_and_youth_never_cost(row, older):
    ranking, now = PROFILES["default"], 10**15
    base = {**row, "asserted_at": now - older, "tier": "episodic", "confidence": 0.5}
    better = [
        {**base, "asserted_at": now},
        {**base, "trust": "verified"},
        {**base, "confidence": 1.0},
        {**base, "importance": 1.0},
        {**base, "written_by": "human:a"},
        {**base, "corroborated": base["corroborated"] + 1},
    ]
    _, value = factors.Worth(ranking, now).of(base)
    for one in better:
        assert factors.Worth(ranking, now).of(one)[1] >= value


def test_factors_carry_their_inputs():
    row = {
        "written_by": "agent:scout",
        "tier": "episodic",
        "asserted_at": 0,
        "confidence": 0.4,
        "importance": 0.7,
        "trust": "disputed",
        "corroborated": 2,
    }
    ranking, month = PROFILES["default"], 30 * 86_400_000_000
    shown = factors.explained(factors.Worth(ranking, month).of(row)[0], row, ranking, month)
    assert shown["recency"].value == pytest.approx(0.95)
    assert shown["recency"].inputs["age_days"] == pytest.approx(30)
    assert shown["authority"].inputs["by"] == "agent:scout"
    assert shown["confidence"].inputs["confidence"] == 0.4
    assert shown["trust"].inputs == {"trust": "disputed", "corroborated": 2, "floor": 0.96}
    assert shown["trust"].value == 0.96  # who repeats what a person doubts makes it no better


# --- constants --------------------------------------------------------------------------


def test_eight_constants_can_be_edited_within_their_bounds():
    assert len(EDITABLE) == 8
    for constant in EDITABLE:
        for value in (constant.lowest, constant.highest):
            ranking, gates = edited(Ranking(), Gates(), constant.name, value)
            assert constant.value(ranking, gates) == value
        for value in (constant.lowest - 1, constant.highest + 1):
            with pytest.raises(Invalid):
                edited(Ranking(), Gates(), constant.name, value)
        assert constant.lowest <= constant.value(Ranking(), Gates()) <= constant.highest
        assert 0 < constant.step < constant.highest - constant.lowest
    with pytest.raises(Invalid):
        edited(Ranking(), Gates(), "lexical_pool", 3)


def test_constants_that_cannot_rank_are_refused():
    for wrong in (
        {"lexical": 0.0},
        {"semantic": -1.0},
        {"half_life_days": 0.0},
        {"trust_floor": 1.5},
        {"lexical_pool": 0},
    ):
        with pytest.raises(Invalid):
            Ranking(**wrong)
    with pytest.raises(Invalid) as refused:
        profile("loud")
    assert refused.value.hint == "One of: default, recent, relevance."
