"""What users of such programs reported (cases A2 … A13), as tests of the right behaviour."""

from __future__ import annotations

import math

import pytest

from store import Actor, Draft, Grant, Tier
from store.errors import Invalid
from store.model import Gate, Provenance
from store.search.pipeline import Asked

# --- A2: no typed string is an error, and what matches is found ---------------------------

A2_NOTES = {
    "pre-edit": "The pre-edit hook formats the file",
    "don't": "We don't deploy on Fridays",
    "GB/s": "The disk reads at 3 GB/s",
    '"--error-on-warnings"': "CI runs the compiler with --error-on-warnings",
    "Breeder's and Exhibitor's Guild": "Breeder's and Exhibitor's Guild",
}
A2_OTHERS = ['"', "*", "AND", "a OR", "NEAR(", "'", "NOT", "col:", "(", "^", "-", "{words} : x"]


@pytest.mark.parametrize("query", A2_NOTES)
def test_a2_what_is_typed_finds_what_is_stored(me, note, query):
    written = {q: note(text).id for q, text in A2_NOTES.items()}
    answer = me.search(query)
    assert answer.hits[0].memory.id == written[query]


@pytest.mark.parametrize("query", A2_OTHERS)
def test_a2_syntax_is_text_and_an_empty_list_is_honest(me, note, query):
    note("Berths are booked by the quarter hour")
    answer = me.search(query)
    assert answer.browse or answer.no_match or answer.hits
    assert me.search("berths").hits  # included: the store is searched at all


# --- A3: scripts without spaces, words glued to them -------------------------------------


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("设备", "设备已离线，需要重启"),
        ("腾讯云", "日志存放在腾讯云上"),
        ("watchdog", "服务器watchdog重启了三次"),
        ("离线", "设备已离线，需要重启"),
        ("ghi chu phat hanh", "Ghi chú phát hành viết bằng tiếng Việt"),
    ],
)
def test_a3_each_script_finds_its_row(me, note, query, text):
    for other in ("设备已离线，需要重启", "日志存放在腾讯云上", "服务器watchdog重启了三次"):
        note(other)
    note("Ghi chú phát hành viết bằng tiếng Việt")
    assert me.search(query).hits[0].memory.text == text


# --- A8: a superseded fact is gone from the answer, counted, and no fresher than it was ----


def test_a8_the_successor_answers_and_the_old_text_is_counted(me, note, clock):
    first = note("Production deploys go to us-east-1", tier=Tier.EPISODIC)
    before = me.search("production deploys").hits[0].factors["recency"].value
    clock.step(days=40)
    me.correct(first.id, "Production deploys go to eu-central-1", reason="moved in March")
    answer = me.search("production deploys us-east-1")
    assert [h.memory.text for h in answer.hits] == ["Production deploys go to eu-central-1"]
    assert answer.withheld is not None
    assert answer.withheld.counts == {"superseded": 1}
    (held,) = answer.withheld.rows
    assert (held.gate, held.memory.version) == (Gate.SUPERSEDED, 1)
    old, new = me.chain(first.id)
    assert (old.memory.closed_as, old.close_reason, new.reason) == (
        "corrected",
        "moved in March",
        "moved in March",
    )
    assert (old.memory.version, new.memory.version) == (1, 2)
    closed = me.search("is:superseded production deploys").hits[0]
    assert closed.memory.version == 1
    assert closed.factors["recency"].value <= before


# --- A11: nothing matched, and an empty store, are two different answers -------------------


def test_a11_an_absent_subject_is_no_match(me, note):
    for n in range(20):
        note(f"Berth {n} is booked by the quarter hour")
    answer = me.search("kubernetes ingress annotations")
    assert answer.no_match
    assert answer.hits == ()
    assert answer.searched == 20
    near = me.search("quarter ingress annotations controller namespace")
    assert near.no_match or near.only_weak
    empty = me.search(Asked("berth", within=("project/a/empty",)))
    assert empty.searched == 0


def test_a11_an_empty_store_says_that_there_is_nothing(me):
    answer = me.search("berth")
    assert (answer.no_match, answer.searched, answer.hits) == (True, 0, ())


def test_a11_what_lies_below_the_floor_is_counted_and_can_be_shown(me, note):
    note("The harbor crane is inspected monthly by the port authority of Hamburg")
    answer = me.search("monthly kubernetes ingress annotations controller namespace quota webhook")
    assert answer.no_match
    assert answer.withheld is not None
    assert answer.withheld.counts.get("below_floor") == 1
    assert answer.withheld.rows[0].memory.text.startswith("The harbor crane")


# --- A12: the shown parts recombine to the shown total -------------------------------------

A12_QUERIES = [
    "deploy region", "tide table", "who rotates the pager", "clientFactory", "retry webhook",
    "berth 7 booking", "crane inspection monthly", "quarter hour", "deploy", "database port 5432",
]  # fmt: skip


@pytest.mark.parametrize("query", A12_QUERIES)
def test_a12_every_total_is_made_of_its_parts(me, note, query):
    _harbor(note)
    hits = me.search(Asked(query, limit=50)).hits
    assert hits
    for hit in hits:
        shares = sum(c.share for c in hit.channels.values())
        assert shares == pytest.approx(hit.rrf, abs=1e-9)
        assert hit.rrf * hit.evidence.value == pytest.approx(hit.relevance, abs=1e-9)
        factors = math.prod(f.value for f in hit.factors.values())
        assert hit.relevance * factors == pytest.approx(hit.score, abs=1e-9)
        assert 0 < hit.score <= 1
        assert 0.8 - 1e-9 <= factors <= 1
        lexical = hit.channels.get("lexical")
        if lexical is not None:
            assert sum(lexical.terms.values()) == pytest.approx(lexical.raw, abs=1e-9)
            for start, end in lexical.spans:
                assert hit.memory.text[start:end].strip() == hit.memory.text[start:end] != ""
    scores = [h.score for h in hits]
    assert scores == sorted(scores, reverse=True)
    for hit in hits:
        assert me.why(hit, query).hit == hit


def _harbor(note):
    for text in (
        "Production deploys go to the region eu-central-1",
        "Staging deploys run from the preview branch",
        "The tide table is fetched every six hours",
        "Sam rotates the pager on Mondays",
        "Build the clientFactory once and keep it",
        "A failed webhook is retried five times",
        "Booking of berth 7 needs a call to the harbor master",
        "The crane inspection is monthly",
        "Berths are booked by the quarter hour",
        "Tests use the database on port 5432",
    ):
        note(text)


# --- A13: two projects with the same phrase ------------------------------------------------


@pytest.fixture
def two_projects(store, me):
    for scope in ("project/harbor", "project/tidepool"):
        me.remember(Draft(f"The deploy freeze of {scope} starts in December", scope))
    return store.curator(Actor.human("sam"), Grant(read={"project/harbor"}))


def test_a13_nothing_of_the_other_project_in_view_search_list_or_count(two_projects, me):
    view = two_projects
    assert {h.memory.scope for h in view.search("deploy freeze").hits} == {"project/harbor"}
    assert {m.scope for m in view.list().memories} == {"project/harbor"}
    assert view.list().total == 1
    assert [s.path for s in view.scopes()] == ["project/harbor"]
    assert view.stats().memories == 1
    assert view.facets(Asked("")).scopes == {"project/harbor": 1}
    narrowed = me.search(Asked("deploy freeze", within=("project/harbor",)))
    assert {h.memory.scope for h in narrowed.hits} == {"project/harbor"}
    assert me.search("deploy freeze").total == 2  # included: both are there


def test_a13_look_alikes_are_warned_of_and_kept_apart(me):
    first = me.remember(Draft("one note", "project/My-App"))
    second = me.remember(Draft("one note", "project/my_app"))
    third = me.remember(Draft("one note", "project/myapp"))
    assert first.warnings == ()
    assert "looks like project/My-App" in second.warnings[0]
    assert len(third.warnings) == 2
    assert len({first.id, second.id, third.id}) == 3
    found = {s.path: set(s.look_alikes) for s in me.scopes()}
    assert found["project/myapp"] == {"project/My-App", "project/my_app"}


def test_where_it_came_from_has_a_limit_too(me):
    long = Draft("a note", "project/a", provenance=Provenance(place="s" * 70_000))
    refused = me.remember(long)
    assert refused.outcome == "refused"
    assert "place it came from has 70,000 bytes" in refused.reason
    assert me.list().total == 0
    assert me.remember(Draft("a note", "project/a", provenance=Provenance(place="s" * 9))).id


def test_an_endless_actor_is_nobody(me):
    with pytest.raises(Invalid, match="no actor"):
        me.events(actor="x" * 100_000)
    assert me.events(actor="dana") == ()
