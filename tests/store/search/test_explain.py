"""Why a memory stands where it does, or what kept it out (search.md)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from store import Actor, Draft, Grant
from store.errors import NotFound
from store.model import Gate, Moment
from store.search.constants import Gates, Ranking
from store.search.pipeline import Asked


def _whole(found) -> None:
    """Channels, evidence, factors and a sentence, in every case."""
    assert found.evidence is not None
    assert set(found.factors) == {"authority", "recency", "confidence", "importance", "trust"}
    assert found.advice
    assert found.advice.endswith(".")
    assert (found.hit is None) != (found.gate is None)


def test_what_is_found_is_explained_by_its_own_hit(me, note):
    for n in range(5):
        note(f"The crane of quay {n} was inspected")
    answer = me.search("crane quay 3 inspected")
    for place, hit in enumerate(answer.hits, 1):
        found = me.why(hit, "crane quay 3 inspected")
        _whole(found)
        assert found.hit == hit
        assert (found.rank, found.score) == (place, hit.score)
        assert (found.channels, found.evidence, found.factors) == (
            hit.channels,
            hit.evidence,
            hit.factors,
        )


def test_each_gate_names_itself_and_what_would_help(me, note, clock):
    note("zanzibar crane found")
    soon = clock.now + timedelta(days=1)
    cases = {
        Gate.RETIRED: note("zanzibar crane a").id,
        Gate.ARCHIVED: note("zanzibar crane b").id,
        Gate.QUARANTINED: note("zanzibar crane c").id,
        Gate.SUPERSEDED: note("zanzibar crane d").id,
        Gate.EXPIRED: note("zanzibar crane e", expires_at=soon).id,
        Gate.NO_LONGER_VALID: note("zanzibar crane f", valid_to=soon).id,
        Gate.NOT_YET_VALID: note("zanzibar crane g", valid_from=soon + timedelta(days=9)).id,
        Gate.BELOW_FLOOR: note("An invoice is sent monthly").id,
    }
    clock.step(days=2)
    me.retire(cases[Gate.RETIRED])
    me.mark("archive", cases[Gate.ARCHIVED])
    me.mark("quarantine", cases[Gate.QUARANTINED])
    me.correct(cases[Gate.SUPERSEDED], "something else entirely")
    said = set()
    for gate, identifier in cases.items():
        found = me.why(identifier, "zanzibar crane")
        _whole(found)
        assert found.gate == gate
        assert found.memory.id == identifier
        said.add(found.advice)
        if gate is Gate.BELOW_FLOOR:
            assert found.evidence.tier == "none"
        else:
            assert found.evidence.tier == "strong"
            assert found.score > 0
            assert found.channels["lexical"].terms.keys() == {"zanzibar", "crane"}
    assert len(said) == len(cases)


def test_the_question_may_be_about_an_older_text(me, note):
    """Version 2 answers for the id; for the words of version 1 the reason is its correction."""
    one = note("Production deploys go to Virginia").id
    me.correct(one, "Production deploys go to Frankfurt")
    old = me.why(one, "Virginia")
    assert (old.gate, old.memory.version) == (Gate.SUPERSEDED, 1)
    new = me.why(one, "Frankfurt")
    assert new.hit is not None
    assert new.memory.version == 2


def test_a_rank_beyond_the_answer_says_what_was_needed(me):
    me.remember_many(Draft(f"The crane of quay {n} was inspected", "project/a") for n in range(30))
    asked = Asked("crane quay inspected", limit=5)
    shown = me.search(asked)
    everything = me.search(Asked("crane quay inspected", limit=100))
    for place in (6, 17, 30):
        hit = everything.hits[place - 1]
        found = me.why(hit, asked)
        _whole(found)
        assert (found.gate, found.rank, found.about) == ("rank", place, False)
        assert found.score == pytest.approx(hit.score)
        assert found.needed == shown.hits[-1].score
        assert found.needed >= found.score
        assert str(place) in found.advice


def test_beyond_the_pool_a_rank_is_about(me):
    me.remember_many(
        Draft(f"The crane of quay {n} was inspected" + " and painted" * (n % 7), "project/a")
        for n in range(80)
    )
    ranking = Ranking(lexical_pool=10, semantic_pool=10)
    asked = Asked("crane quay inspected", limit=10, ranking=ranking)
    inside = {h.memory.id for h in me.search(asked).hits}
    outside = [m for m in me.list(limit=100).memories if m.id not in inside]
    found = [me.why(m.id, asked) for m in outside]
    for one in found:
        _whole(one)
        assert one.gate == "rank"
        assert one.rank > len(inside)
    beyond = [one for one in found if one.about]
    assert len(beyond) > 50
    assert all(one.channels["lexical"].rank >= 1 for one in beyond)


def test_a_held_back_row_is_told_the_rank_it_would_have(me, note):
    """Retired, it would still be the nearest and hold the most words."""
    for n in range(8):
        note(f"The crane of quay {n} was inspected and painted")
    gone = note("The anchor of the tug was repaired").id
    me.retire(gone)
    found = me.why(gone, "anchor of the tug repaired")
    assert found.gate == Gate.RETIRED
    assert {name: c.rank for name, c in found.channels.items()} == {"lexical": 1, "semantic": 1}
    assert found.about


def test_the_querys_own_filters_are_named(me, note):
    one = note("zanzibar crane").id
    for query in ("zanzibar tier:episodic", "zanzibar -crane", '"crane zanzibar"', "kind:rare"):
        found = me.why(one, query)
        assert found.gate == Gate.FILTERED, query
        assert found.advice
    assert me.why(one, "zanzibar scope:project/b").gate == Gate.FILTERED


def test_the_scopes_asked_are_named(me, note):
    one = note("zanzibar crane", "project/b").id
    found = me.why(one, Asked("zanzibar", within=("project/a",)))
    _whole(found)
    assert found.gate == Gate.OUT_OF_SCOPE


def test_an_overridden_row_is_named(store, me, note):
    wide = note("zanzibar crane for all", "global").id
    note("zanzibar crane of a", "project/a", overrides=wide)
    view = store.curator(Actor.human("sam"), Grant(read={"project/a", "global"}))
    assert view.why(wide, "zanzibar").gate == Gate.OVERRIDDEN


def test_a_listing_explains_itself(me, note):
    one = note("zanzibar crane").id
    gone = note("zanzibar gone").id
    me.retire(gone)
    listed = me.why(one, "tier:semantic")
    assert listed.hit is not None
    assert (listed.hit.score, listed.gate) == (None, None)
    assert me.why(gone, "tier:semantic").gate == Gate.RETIRED
    assert me.why(one, "tier:episodic").gate == Gate.FILTERED
    assert me.why(one, "-zanzibar").gate == Gate.FILTERED
    assert me.why(one, Asked("za", live_typing=True)).hit is not None
    assert me.why(one, Asked("xx", live_typing=True)).gate == Gate.FILTERED


def test_a_floor_that_is_lower_lets_it_in(me, note):
    one = note("An invoice about cranes is sent monthly to the office of the harbour").id
    query = "invoice mongodb sharding kubernetes"
    kept_out = me.why(one, query)
    assert kept_out.gate == Gate.BELOW_FLOOR
    assert "0.55" in kept_out.advice
    support = kept_out.evidence.coverage + kept_out.evidence.cosine
    let_in = me.why(one, Asked(query, gates=Gates(weak=support)))
    assert let_in.hit is not None


def test_what_comes_near_the_floor_is_let_in_beside_a_match(me, note):
    one = note("An invoice about cranes is sent monthly to the office of the harbour").id
    query = "invoice mongodb sharding kubernetes"
    alone = me.why(one, query)
    support = alone.evidence.coverage + alone.evidence.cosine
    gates = Gates(weak=support * 1.2)
    assert me.why(one, Asked(query, gates=gates)).gate == Gate.BELOW_FLOOR
    note("A mongodb invoice")
    beside = me.why(one, Asked(query, gates=gates))
    assert (beside.hit is not None, beside.evidence.tier) == (True, "weak")
    assert [h.memory.id for h in me.search(Asked(query, gates=gates)).hits][-1] == one
    farther = me.why(one, Asked(query, gates=gates, limit=1))
    assert (farther.gate, farther.rank) == ("rank", 2)
    strict = Gates(weak=support * 1.2, beside=1.0)
    assert me.why(one, Asked(query, gates=strict)).gate == Gate.BELOW_FLOOR


def test_a_foreign_id_is_unknown(store, me, note):
    foreign = note("zanzibar crane", "project/b").id
    view = store.curator(Actor.human("sam"), Grant(read={"project/a"}))
    with pytest.raises(NotFound):
        view.why(foreign, "zanzibar")


def test_what_was_not_known_yet_is_named_so(me, note, clock):
    """A fact that was true then, but recorded later, is another matter than one not true yet."""
    before = clock.now
    clock.step(days=1)
    late = note("the crane was painted").id
    coming = note("the crane will be sold", valid_from=clock.now + timedelta(days=9)).id
    assert me.why(late, Asked("crane painted", moment=Moment(known_at=before))).gate == (
        "not_yet_known"
    )
    assert me.why(coming, Asked("crane sold", moment=Moment(true_at=before))).gate == (
        "not_yet_valid"
    )
    told = me.search(Asked("crane painted", moment=Moment(known_at=before))).withheld
    assert told.counts == {"not_yet_known": 2}


def test_a_version_is_explained_by_its_number(me, note, clock):
    one = note("cranes go to Frankfurt").id
    me.correct(one, "cranes go to Dublin", since=clock.now + timedelta(days=9))
    assert me.why(one, "cranes go").hit is not None
    announced = me.why(one, "cranes go", version=2)
    assert (announced.gate, announced.memory.version) == ("not_yet_valid", 2)
    assert announced.memory.text == "cranes go to Dublin"
    assert me.why(one, "cranes go", version=1).hit is not None
