"""Candidates, neighbours and groups: what is found, at what cost, and what stays apart."""

from __future__ import annotations

from itertools import combinations

import pytest

from curator.demo.bulk_notes import bulk
from store.embedding.static import load_static
from store.review.candidates import LIMITS, Limits, Note, candidates, rarest
from store.review.clusters import Comparing, Findings, found
from store.review.judgement import Difference, Label
from store.review.neighbours import Neighbours
from store.search.terms import words_and_parts

PLANTED = {
    "a1": "The quay lights are switched by a relay on pin 14.",
    "a2": "By a relay on pin 14 the quay lights are switched.",
    "a3": "The quay lights are switched by a relay on pin 15.",
    "b1": "Lanterns of the old mole burn whale oil.",
    "b2": "Lanterns of the old mole burn whale oil, bought in Tromsø.",
}


def _notes(texts: dict[str, str]) -> list[Note]:
    vectors = load_static().embed(list(texts.values()))
    return [
        Note(id_, text, tuple(t for column in words_and_parts(text) for t in column), vector)
        for (id_, text), vector in zip(texts.items(), vectors, strict=True)
    ]


def _found(texts: dict[str, str], changed: set[str] | None = None) -> Findings:
    notes = _notes(texts)
    around = Neighbours(notes, load_static().background())
    asking = notes if changed is None else [note for note in notes if note.id in changed]
    return found(candidates(asking, around), Comparing(texts.__getitem__))


@pytest.fixture(scope="module")
def crowd() -> dict[str, str]:
    """The planted notes among some thousand of the demo's."""
    texts = {f"x{number:04}": draft.text for number, draft in enumerate(bulk(1200, seed=5))}
    return texts | PLANTED


@pytest.fixture(scope="module")
def crowded(crowd: dict[str, str]) -> list[Note]:
    return _notes(crowd)


def test_planted_pairs_are_found_in_a_crowd(crowd: dict[str, str], crowded: list[Note]) -> None:
    around = Neighbours(crowded, load_static().background())
    pairs = {(c.one, c.other) for c in candidates(crowded, around)}
    assert {("a1", "a2"), ("a1", "a3"), ("a2", "a3"), ("b1", "b2")} <= pairs


def test_each_pair_is_named_once_and_work_is_bounded(crowded: list[Note]) -> None:
    around = Neighbours(crowded, load_static().background())
    pairs = [(c.one, c.other) for c in candidates(crowded, around)]
    assert len(pairs) == len(set(pairs))
    assert all(one < other for one, other in pairs)
    assert len(pairs) <= len(crowded) * (LIMITS.nearest + LIMITS.sharing)


def test_one_change_asks_for_its_own_neighbours_only(crowded: list[Note]) -> None:
    """The must-show: after one write at most a fiftieth of a whole run, here of the pairs."""
    background = load_static().background()
    whole = Neighbours(crowded, background)
    everything = list(candidates(crowded, whole))
    one = Neighbours(crowded, background)
    some = list(candidates([n for n in crowded if n.id == "a1"], one))
    assert {c for c in some if "a1" not in (c.one, c.other)} == set()
    assert {(c.one, c.other) for c in some} <= {(c.one, c.other) for c in everything}
    assert len(some) * 50 <= len(everything)


def test_a_note_that_was_not_indexed_finds_its_neighbours(crowded: list[Note]) -> None:
    (new,) = _notes({"new": "A relay on pin 14 switches the quay lights."})
    around = Neighbours(crowded, load_static().background())
    others = {c.one if c.other == "new" else c.other for c in candidates([new], around)}
    assert {"a1", "a2", "a3"} <= others


def test_the_vectors_alone_and_the_words_alone_find_something(crowded: list[Note]) -> None:
    blind = [Note(n.id, n.text, n.terms) for n in crowded]
    by_words = {(c.one, c.other) for c in candidates(blind, Neighbours(blind, None))}
    mute = [Note(n.id, n.text, (), n.vector) for n in crowded]
    near = Neighbours(mute, load_static().background())
    by_vectors = {(c.one, c.other): c.cosine for c in candidates(mute, near)}
    assert ("a1", "a2") in by_words
    assert {c.cosine for c in candidates(blind, Neighbours(blind, None))} == {None}
    assert (by_vectors["a1", "a2"] or 0) > 0.9


def test_cells_find_what_comparing_all_would(crowded: list[Note]) -> None:
    """Of the nearest neighbours above the floor, few are lost to the cells."""
    import numpy as np

    background = load_static().background()
    around = Neighbours(crowded, background)
    rows = np.stack([n.vector for n in crowded if n.vector is not None]) - background
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = rows @ rows.T
    np.fill_diagonal(cosines, -1)
    nearest = cosines.argmax(axis=1)
    near = [(i, j) for i, j in enumerate(nearest.tolist()) if cosines[i, j] > 0.8]
    kept = sum(crowded[j].id in {id_ for id_, _ in around.nearest(crowded[i], 9)} for i, j in near)
    assert len(near) > 50
    assert kept >= 0.95 * len(near)


def test_the_cosine_is_told_whatever_brought_two_together(crowded: list[Note]) -> None:
    around = Neighbours(crowded, load_static().background())
    far = Limits(nearest=1)
    assert all(c.cosine is not None for c in candidates(crowded[:100], around, far))


def test_many_copies_do_not_make_the_work_quadratic() -> None:
    (one,) = _notes({"one": "The same note again."})
    notes = [Note(f"c{n:05}", one.text, one.terms, one.vector) for n in range(8000)]
    around = Neighbours(notes, load_static().background())
    assert len(list(candidates(notes, around))) <= len(notes) * LIMITS.nearest
    assert around.compared < len(notes) ** 2 / 2


def test_rare_words_are_those_another_note_holds_too() -> None:
    notes = _notes({"a": "the quay crane", "b": "the quay light", "c": "the quay rope rope"})
    assert rarest(notes[0].terms, Neighbours(notes, None), LIMITS) == ["quay"]
    assert rarest(notes[0].terms, Neighbours(notes, None), Limits(often=2)) == []


def test_what_is_found() -> None:
    said = _found(PLANTED)
    assert [group.ids for group in said.groups] == [("a1", "a2")]
    assert [(f.one, f.other, f.judgement.container) for f in said.including] == [("b1", "b2", "b")]
    assert {(f.one, f.other) for f in said.differing} == {("a1", "a3"), ("a2", "a3")}
    assert {f.judgement.kind for f in said.differing} == {Difference.NUMBER}


def test_an_incremental_run_finds_what_is_new_and_only_that() -> None:
    assert _found(PLANTED, {"b2"}).groups == ()
    assert len(_found(PLANTED, {"b2"}).including) == 1
    assert [g.ids for g in _found(PLANTED, {"a2"}).groups] == [("a1", "a2")]


def test_a_group_takes_all_copies_and_wordings() -> None:
    texts = {f"c{n}": "Deploys go to Dublin." for n in range(5)}
    texts |= {"d": "Deployments go to Dublin", "e": "deploys   GO to Dublin."}
    said = _found(texts)
    assert [group.ids for group in said.groups] == [tuple(sorted(texts))]


def test_a_group_never_holds_a_contradiction() -> None:
    """A chain of near copies, the ends of which say different things, is not one group."""
    texts = {
        "a": "Please note that the relay is on pin 14.",
        "b": "The relay is on pin 14.",
        "c": "The relay is on pin 15.",
        "d": "Remember that the relay is on pin 15.",
        "e": "The relay is not on pin 14.",
    }
    comparing = Comparing(texts.__getitem__)
    said = _found(texts)
    assert {group.ids for group in said.groups} == {("a", "b"), ("c", "d")}
    for group in said.groups:
        for one, other in combinations(group.ids, 2):
            assert comparing.judged(one, other).label is Label.SAME


def test_the_order_of_the_notes_changes_nothing() -> None:
    assert _found(PLANTED) == _found(dict(reversed(PLANTED.items())))


def test_nothing_to_compare() -> None:
    assert _found({}) == Findings((), (), ())
    assert _found({"a": "", "b": "🙂"}).groups == ()
