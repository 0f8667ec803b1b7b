"""What an answer says: order, parts that recombine, floor, notes, paging (search.md; A11, A12)."""

from __future__ import annotations

from math import prod

import pytest

from store import Actor, Draft, Grant, Moment, Store, Tier, open_store
from store.access.curator import CuratorView
from store.errors import Forbidden, Invalid, TooLarge
from store.model import Answer
from store.search.constants import PROFILES, Gates, Ranking
from store.search.pipeline import Asked
from tests.quality import load

TWENTY = [q for q in load().questions if q.answerable][::12][:20]


@pytest.fixture
def harbor(me: CuratorView) -> CuratorView:
    """The labelled notes, in a store of their own."""
    me.remember_many(
        Draft(n.text, n.scope, subject=n.subject, tier=Tier(n.tier), kind=n.kind)
        for n in load().notes
    )
    return me


def _recombines(answer: Answer) -> None:
    for hit in answer.hits:
        assert hit.evidence is not None
        assert hit.rrf == pytest.approx(sum(c.share for c in hit.channels.values()), abs=1e-6)
        assert hit.relevance == pytest.approx(hit.rrf * hit.evidence.value, abs=1e-6)
        factors = prod(f.value for f in hit.factors.values())
        assert hit.score == pytest.approx(hit.relevance * factors, abs=1e-6)
        cosine = max(0.0, hit.evidence.cosine or 0.0)
        value = 1 - (1 - hit.evidence.coverage) * (1 - cosine)
        assert hit.evidence.value == pytest.approx(value, abs=1e-6)
        assert 0 < hit.rrf <= 1
        assert 0 <= hit.evidence.coverage <= 1
        assert 0 < hit.score <= 1
        lexical = hit.channels.get("lexical")
        if lexical is not None:
            assert lexical.raw == pytest.approx(sum(lexical.terms.values()), abs=1e-6)
            text = hit.memory.text
            assert all(0 <= a < b <= len(text) for a, b in lexical.spans)


def test_the_parts_of_twenty_answers_recombine_and_order_is_score(harbor):
    shown = 0
    for question in TWENTY:
        answer = harbor.search(Asked(question.question))
        _recombines(answer)
        scores = [h.score for h in answer.hits]
        assert scores == sorted(scores, reverse=True)
        assert answer.searched == len(load().notes)
        assert answer.no_match == (not answer.hits)
        shown += len(answer.hits)
    assert shown > 100


def test_shares_are_those_of_the_formula(harbor):
    ranking = PROFILES["default"]
    for hit in harbor.search("Which region do production deploys go to?").hits:
        whole = (ranking.lexical + ranking.semantic) / (ranking.k + 1)
        for name, channel in hit.channels.items():
            share = ranking.weight(name) / (ranking.k + channel.rank) / whole
            assert channel.share == pytest.approx(share, abs=1e-12)


def test_keyword_only_mode_says_why_and_a_first_row_has_rrf_one(store_path, clock):
    with open_store(store_path, clock=clock, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        me.remember(Draft("Production deploys go to eu-central-1", "project/a"))
        answer = me.search("production deploys")
        assert "no embedding model" in answer.degraded["semantic"]
        assert answer.hits[0].rrf == pytest.approx(1.0)
        assert answer.hits[0].evidence.cosine is None
        _recombines(answer)


def test_a_row_found_by_words_alone_is_there_beside_the_nearest(me, note):
    """A keyword-only hit is not lost to the vectors (A12)."""
    for n in range(70):
        note(f"The crane on quay {n} was inspected by the harbour master")
    note("zanzibar")
    ranking = Ranking(semantic_pool=5)
    found = me.search(Asked("was the crane on the quay of zanzibar inspected", ranking=ranking))
    by_text = {h.memory.text: h for h in found.hits}
    assert set(by_text["zanzibar"].channels) == {"lexical"}


def test_ties_go_to_the_newest_statement_then_to_the_later_id(me, note, clock):
    first = [note("identical words here", f"project/{n}").id for n in range(3)]
    clock.step(days=1)
    newer = note("identical words here", "project/newer").id
    found = [h.memory.id for h in me.search(Asked("identical words", profile="relevance")).hits]
    scores = {h.score for h in me.search(Asked("identical words", profile="relevance")).hits}
    assert set(found) == {*first, newer}
    if len(scores) == 1:
        assert found == [newer, *reversed(first)]
    assert found[0] == newer


def test_recency_moves_only_episodic_memories_and_only_in_its_bounds(me, note, clock):
    note("The crane stopped on Monday", tier=Tier.EPISODIC)
    note("The crane is inspected on Tuesday")
    clock.step(days=3000)
    for profile, floor in (("default", 0.9), ("recent", 0.5)):
        hits = me.search(Asked("crane", profile=profile)).hits
        recency = {h.memory.tier: h.factors["recency"].value for h in hits}
        assert recency[Tier.SEMANTIC] == 1.0
        assert recency[Tier.EPISODIC] == pytest.approx(floor, abs=1e-6)
        ages = {h.memory.tier: h.factors["recency"].inputs["age_days"] for h in hits}
        assert ages[Tier.EPISODIC] == pytest.approx(3000)
    off = me.search(Asked("crane", profile="relevance")).hits
    assert all(f.value == 1.0 for h in off for f in h.factors.values())


def test_another_source_that_states_the_same_counts_and_its_own_repetition_does_not(store, me):
    one = store.agent(Actor.agent("claude-code"), Grant(read={"project/a"}))
    other = store.agent(Actor.agent("codex"), Grant(read={"project/a"}))
    first = one.remember("The berth sweeper runs at noon")
    second = one.remember("The berth sweeper runs at night")

    def trusted() -> dict[str, tuple[float, int]]:
        hits = me.search("berth sweeper runs").hits
        return {
            h.memory.id: (h.factors["trust"].value, h.factors["trust"].inputs["corroborated"])
            for h in hits
        }

    assert trusted() == {first.id: (0.98, 0), second.id: (0.98, 0)}
    assert one.remember("The berth sweeper runs at night").outcome == "already"
    assert trusted()[second.id] == (0.98, 0)
    assert other.remember("The berth sweeper runs at noon").outcome == "already"
    assert other.remember("The berth sweeper runs at noon").outcome == "already"
    assert trusted() == {first.id: (0.99, 1), second.id: (0.98, 0)}
    why = me.why(str(first.id), "berth sweeper runs")
    assert why.factors["trust"].inputs["corroborated"] == 1
    me.correct(str(first.id), "The berth sweeper runs at one")
    assert trusted()[first.id][1] == 0  # nobody else said that


def test_a_restored_memory_is_no_newer_than_it_was(me, note, clock):
    """Bookkeeping makes nothing new (law 3, A8)."""
    old = note("The crane stopped", tier=Tier.EPISODIC).id
    clock.step(days=60)
    before = me.search("crane stopped").hits[0].factors["recency"].value
    me.retire(old)
    me.restore(old)
    assert me.search("crane stopped").hits[0].factors["recency"].value == before


def test_a_corrected_text_is_found_no_more_and_its_successor_is(me, note, clock):
    """A8: B is in the answer, A is not, and A is told as held back."""
    first = note("Production deploys go to us-east-1").id
    clock.step(days=1)
    me.correct(first, "Production deploys go to eu-central-1")
    answer = me.search("where do production deploys go")
    assert [(h.memory.version, h.memory.text) for h in answer.hits] == [
        (2, "Production deploys go to eu-central-1")
    ]
    assert answer.withheld.counts == {"superseded": 1}
    (held,) = answer.withheld.rows
    assert (held.memory.version, held.memory.id) == (1, first)


def test_no_match_is_said_and_so_are_weak_matches(me, note):
    """A11: nothing, something weak, something strong; an empty store is told apart."""
    empty = me.search("nomad jobs")
    assert (empty.no_match, empty.searched, empty.hits) == (True, 0, ())
    for text in (
        "Invoices are sent on the first of the month",
        "The nightly backup of the ledger runs at two",
        "Cherries are delivered to the canteen every Tuesday in summer",
    ):
        note(text)
    nothing = me.search("mongodb sharding")
    assert (nothing.no_match, nothing.searched, nothing.only_weak) == (True, 3, False)
    weak = me.search(Asked("backup of mongodb", gates=Gates(strong=1.5)))
    assert (weak.no_match, weak.only_weak) == (False, True)
    assert {h.evidence.tier for h in weak.hits} == {"weak"}
    strong = me.search("nightly backup of the ledger")
    assert (strong.no_match, strong.only_weak) == (False, False)


def test_the_floor_hides_and_counts(me, note):
    note("The ledger is closed on Fridays by the accountant of the harbour office")
    query = "ledger mongodb sharding kubernetes ingress controllers"
    assert me.search(query).hits == ()
    assert me.search(query).withheld.counts == {"below_floor": 1}
    open_floor = Gates(weak=0.0)
    assert len(me.search(Asked(query, gates=open_floor)).hits) == 1


def test_an_exact_phrase_is_strong_and_required(me, note):
    inside = note("In the harbour the crane is to be inspected daily").id
    note("To inspect the crane daily is to be wished")
    note("The harbour crane stands still")
    answer = me.search('"crane is to be inspected"')
    assert [h.memory.id for h in answer.hits] == [inside]
    assert answer.hits[0].evidence.tier == "strong"
    spans = answer.hits[0].channels["lexical"].spans
    assert [answer.hits[0].memory.text[a:b] for a, b in spans] == ["crane is to be inspected"]
    both = me.search('harbour "to be"')
    assert len(both.hits) == 2
    assert me.search('"be to inspected"').no_match


def test_negations_leave_rows_out_of_every_channel(me, note):
    kept = note("Redis caches the sessions").id
    note("Redis caches the sessions of the portal")
    assert [h.memory.id for h in me.search("redis sessions -portal").hits] == [kept]
    assert [h.memory.id for h in me.search('redis -"of the portal"').hits] == [kept]
    mixed = note("我们用Redis缓存会话").id
    assert mixed not in {h.memory.id for h in me.search('redis -"用Redis缓存"').hits}
    assert kept in {h.memory.id for h in me.search('redis -"用Redis缓存"').hits}


def test_only_negations_browse_minus_matches(me, note):
    note("Redis caches the sessions")
    rest = note("Invoices are sent monthly").id
    answer = me.search("-redis")
    assert (answer.browse, answer.total, answer.no_match) == (True, 1, False)
    assert [(h.memory.id, h.score) for h in answer.hits] == [(rest, None)]


def test_stop_words_alone_are_used_and_said(me, note):
    note("The answer is what it is")
    answer = me.search("what is it")
    assert len(answer.hits) == 1
    assert any("common words" in n for n in answer.notes)


@pytest.mark.parametrize("query", ['"', "*", "***", "( )", "?!"])
def test_signs_alone_find_nothing_and_say_so(me, note, query):
    note("A note with signs * ( ) ?! in it")
    answer = me.search(query)
    assert (answer.hits, answer.no_match) == ((), True)
    assert any("signs" in n for n in answer.notes)


def test_browsing_is_paged_newest_first_with_an_exact_total(me, note, clock):
    ids = []
    for n in range(25):
        clock.step(minutes=1)
        ids.append(note(f"note number {n}", tier=Tier.EPISODIC).id)
    note("a fact")
    seen: list[str] = []
    after = None
    while True:
        page = me.search(Asked("tier:episodic", limit=10, after=after))
        assert (page.total, page.browse, page.no_match) == (25, True, False)
        seen += [h.memory.id for h in page.hits]
        after = page.next
        if after is None:
            break
    assert seen == list(reversed(ids))
    with pytest.raises(Invalid):
        me.search(Asked("", after="nonsense"))


def test_the_last_word_is_a_prefix_only_while_it_is_typed(me, note):
    note("The portfolio of the harbour")
    assert me.search(Asked("portf", live_typing=True)).hits[0].memory.text.startswith("The portf")
    assert me.search(Asked("portf")).no_match
    assert me.search(Asked("portf ", live_typing=True)).no_match
    typed = me.search(Asked("harbour portf", live_typing=True))
    assert typed.hits[0].evidence.coverage == pytest.approx(1.0)
    assert typed.hits[0].channels["lexical"].terms.keys() == {"harbour", "portf…"}
    _recombines(typed)


def test_every_letter_of_a_word_keeps_its_row(me, note):
    note("Deployments are frozen over the holidays")
    word = "deployments"
    for end in range(3, len(word) + 1):
        found = me.search(Asked(word[:end], live_typing=True))
        assert found.hits, word[:end]


def test_under_three_letters_the_list_is_unranked_and_says_so(me, note, clock):
    note("Portfolio of the harbour")
    clock.step(minutes=1)
    newer = note("Port calls of today").id
    note("Something else")
    answer = me.search(Asked("po", live_typing=True))
    assert (answer.ranked, answer.total, answer.no_match) == (False, 2, False)
    assert answer.hits[0].memory.id == newer
    assert answer.hits[0].score is None
    assert any("three letters" in n for n in answer.notes)
    assert me.search(Asked("xq", live_typing=True)).no_match


def test_a_named_scope_without_an_answer_names_others(me, note):
    note("Redis caches the sessions", "project/b")
    note("Redis is patched monthly", "project/c")
    note("Invoices are sent monthly", "project/a")
    for asked in (Asked("redis sessions", within=("project/a",)), Asked("redis scope:project/a")):
        answer = me.search(asked)
        assert answer.hits == ()
        assert set(answer.widened) == {"project/b", "project/c"}
    assert me.search("redis").widened == ()
    assert me.search(Asked("invoices", within=("project/a",))).widened == ()
    narrow = me.search(Asked("redis", within=("project/a",))).withheld
    assert narrow.counts["out_of_scope"] == 2


def test_widening_names_only_granted_scopes(store: Store, me, note):
    note("Redis caches the sessions", "project/b")
    note("Redis caches the sessions", "project/foreign")
    note("Invoices are sent monthly", "project/a")
    view = store.curator(Actor.human("sam"), Grant(read={"project/a", "project/b"}))
    answer = view.search(Asked("redis sessions", within=("project/a",)))
    assert answer.widened == ("project/b",)
    assert answer.withheld.counts == {"out_of_scope": 1}


def test_an_answer_about_the_past(me, note, clock):
    first = note("Production deploys go to us-east-1").id
    before = clock.now
    clock.step(days=30)
    me.correct(first, "Production deploys go to eu-central-1")
    then = me.search(Asked("production deploys", moment=Moment(known_at=before)))
    assert [h.memory.text for h in then.hits] == ["Production deploys go to us-east-1"]
    assert any("statistics of today" in n for n in then.notes)
    assert not any("statistics of today" in n for n in me.search("production deploys").notes)


def test_agents_may_not_ask_about_another_moment(store, me, note, clock):
    from store.search.pipeline import search

    agent = store._writer(Actor.agent("codex"), Grant(read={"project/a"}))
    with pytest.raises(Forbidden):
        search(agent, Asked("deploys", moment=Moment(known_at=clock.now)))


def test_what_means_nothing_is_refused(me):
    for asked in (Asked("x", limit=0), Asked("x", limit=1001), Asked("x", profile="loud")):
        with pytest.raises(Invalid):
            me.search(asked)
    with pytest.raises(TooLarge):
        me.search("x" * 5000)
    with pytest.raises(Invalid):
        me.search("tier:banana")


def test_a_very_long_question_is_answered(me, note):
    note("The crane of quay seven was inspected")
    words = " ".join(f"word{n}" for n in range(500))
    answer = me.search(f"crane quay {words}"[:4000])
    assert answer.searched == 1
    many = " ".join(f"-w{n}" for n in range(600))
    assert len(me.search(f"crane {many}"[:4000]).hits) == 1


def test_a_limit_above_the_pools_is_kept(me, note):
    me.remember_many(Draft(f"The crane of quay {n} was inspected", "project/a") for n in range(150))
    answer = me.search(Asked("crane inspected", limit=120))
    assert len(answer.hits) == 120


def test_timings_name_the_stages(me, note):
    note("The crane was inspected")
    timings = me.search("crane").timings_ms
    assert {"embed", "lexical", "semantic", "fetch", "fuse", "withheld", "total"} <= set(timings)
    assert "withheld" not in me.search(Asked("crane", with_withheld=False)).timings_ms
