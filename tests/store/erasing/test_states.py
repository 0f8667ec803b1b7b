"""Erase of memories in every state, what refuses it, and what never brings them back."""

from __future__ import annotations

import json

import pytest

from store import Actor, Draft, Grant, open_store
from store.errors import Forbidden, Invalid, NotFound, NotPossible
from store.model import Moment
from store.search.pipeline import Asked
from tests.store.erasing.worlds import CANARY, holding

TEXT = f"Staging {CANARY} deploys run from the preview branch"


def _closed(me, note, how: str) -> str:
    one = note(TEXT)
    if how == "superseded":
        me.correct(one.id, "Staging deploys run from main")
    elif how in ("retired", "rejected"):
        getattr(me, "retire" if how == "retired" else "reject")(one.id, reason=f"{CANARY} ended")
    elif how == "merged":
        me.merge([one.id, note("Staging is small").id], "Staging is small and deploys from main")
    elif how in ("quarantine", "archive", "verify"):
        me.mark(how, one.id)
    return str(one.id)


@pytest.mark.parametrize(
    "how",
    ["live", "superseded", "retired", "rejected", "merged", "quarantine", "archive", "verify"],
)
def test_in_every_state(store, me, note, how):
    """A6: retired or superseded first, then erased; and the log is intact each time."""
    victim = _closed(me, note, how)
    receipt = me.erase([victim])
    assert receipt.done
    assert receipt.erased == ((victim, 2 if how == "superseded" else 1),)
    assert holding(store) == set()
    log = me.verify_log()
    assert log.intact, log.problem
    assert log.redacted >= 1
    with pytest.raises(NotFound):
        me.get(victim)


def test_a_result_is_erased_and_its_sources_stand_for_themselves(store, me, note):
    one, two = note("Staging is small"), note("Staging is slow")
    result = me.merge([one.id, two.id], f"Staging is small, slow and {CANARY}")
    (also, other) = me.preview_erase([result.id]).derived
    assert {also.id, other.id} == {one.id, two.id}
    assert me.erase([result.id]).done
    assert me.get(one.id).text == "Staging is small"
    assert me.restore(one.id).outcome == "stored"
    assert me.verify_log().intact


def test_what_came_of_it_goes_along_when_asked(store, me, note):
    one = note(TEXT)
    child = me.remember(Draft(f"{CANARY} is a branch", "project/a", derived_from=(one.id,)))
    moved = me.move(child.id, "project/b")
    assert {m.id for m in me.preview_erase([one.id]).derived} == {child.id, moved.id}
    receipt = me.erase([one.id], with_derived=True)
    assert {i for i, _ in receipt.erased} == {one.id, child.id, moved.id}
    assert holding(store) == set()
    assert me.verify_log().intact


def test_a_held_write_is_erased_by_its_number(store, me, note, clock):
    agent = store.agent(Actor.agent("codex"), Grant(read={"project/a"}, write={"project/a"}))
    first = note("The gate code is secret")
    me.mark("verify", first.id)
    held = agent.correct(first.id, f"The gate code is {CANARY}")
    assert held.outcome == "held"
    receipt = me.erase([], [held.proposal])
    assert receipt.done
    assert receipt.proposals == (held.proposal,)
    assert holding(store) == set()
    assert me.proposal(held.proposal).status == "declined"
    assert me.verify_log().intact
    assert me.get(first.id).text == "The gate code is secret"


def test_only_a_person_erases_and_the_refusal_is_an_event(store, me, note):
    """Law 10."""
    one = note(TEXT)
    with pytest.raises(NotFound):
        me.erase(["01ARZ3NDEKTSV4RRFFQ69G5FAV"])
    with pytest.raises(Invalid):
        me.erase([])
    with pytest.raises(Forbidden):
        store.curator(Actor.human("sam"), Grant(read={"project/a"})).erase([one.id])
    assert not hasattr(store.agent(Actor.agent("codex"), Grant(read={"project/a"})), "erase")
    assert me.get(one.id).text == TEXT


def test_undo_restore_and_unmerge_bring_nothing_back(store, me, note):
    one, two = note(TEXT), note("Staging is small")
    me.mark("dispute", two.id, reason=f"because of {CANARY}")
    disputed = me.changed()
    merged = me.merge([one.id, two.id], "Staging is small, from the preview branch")
    me.erase([one.id])
    for act in (
        lambda: me.restore(one.id),
        lambda: me.undo(1),
        lambda: me.undo(disputed),
        lambda: me.show(one.id),
    ):
        with pytest.raises((NotFound, NotPossible)):
            act()
    assert me.unmerge(merged.id).outcome == "stored"
    assert [m.text for m in me.list().memories] == ["Staging is small"]
    assert holding(store) == set()
    assert me.verify_log().intact


def test_an_older_export_brings_nothing_back(store, me, note, tmp_path):
    one = note(TEXT)
    other = note("Staging is small")
    me.mark("pin", other.id, reason=f"it is not {CANARY}")
    me.export(tmp_path / "old.jsonl")
    receipt = me.erase([one.id])
    assert receipt.unreachable[0].path == str(tmp_path / "old.jsonl")
    assert me.import_(str(tmp_path / "old.jsonl")).added == 0
    with open_store(tmp_path / "other.db", embedder=None) as elsewhere:
        them = elsewhere.curator(Actor.human("sam"))
        them.remember(Draft("Something of theirs", "project/z"))
        them.import_(str(tmp_path / "old.jsonl"))
        them.erase([one.id])
        them.remember(Draft("More of theirs", "project/z"))
        them.import_(str(tmp_path / "old.jsonl"))
        assert holding(elsewhere) == set()
    assert holding(store) == set()
    assert not me.search(Asked(CANARY)).hits


def test_a_foreign_source_brings_nothing_back(store, me, tmp_path):
    """Also where its name is of the text: a keyed fingerprint of it is kept."""
    source = tmp_path / f"{CANARY}.jsonl"
    row = {"type": "entity", "name": CANARY, "entityType": "service", "observations": [TEXT]}
    source.write_text(json.dumps(row))
    assert me.import_(str(source), scope="project/a").added == 1
    me.remember(Draft("Something else", "project/a"))
    (victim,) = [m.id for m in me.list().memories if m.text == TEXT]
    assert me.erase([victim]).done
    report = me.import_(str(source), scope="project/a", dry_run=True)
    assert report.added == 0
    assert "stays erased" in report.skipped[0].reason
    assert holding(store) == set()


def test_a_tombstone_keeps_it_out_and_says_nothing_without_the_key(store, me, note):
    """Law 8 after law 7."""
    one = note(TEXT)
    me.reject(one.id)
    assert me.erase([one.id]).done
    (stone,) = me.tombstones()
    assert (stone.text, stone.subject) == (None, None)
    assert me.remember(Draft(TEXT.upper(), "project/a")).outcome == "held"
    from store import facts
    from store.gate.fingerprints import prints_of
    from store.schema import tombstone

    with store.engine.read() as conn:
        row = conn.execute(tombstone.select()).mappings().one()
        key = store.keys.find(facts.get(conn, facts.STORE_ID) or "")
    assert key is not None
    assert prints_of(key, TEXT).exact == row["exact"]  # included: with the key it can be told
    assert prints_of(bytes(32), TEXT).exact != row["exact"]
    assert row["vector"] is None


def test_the_receipt_has_no_word_and_no_hash_of_it(store, me, note):
    import hashlib

    one = note(TEXT, subject=CANARY)
    receipt = me.erase([one.id])
    said = repr(receipt) + repr(me.events(limit=1)[0])
    assert CANARY not in said
    known = {hashlib.sha256(t.encode()).hexdigest() for t in (TEXT, CANARY)}
    assert not any(one in said for one in known)
    cut = me.verify_log(receipt.head)
    assert cut.intact
    assert "tail was cut" in (me.verify_log("f" * 64).problem or "")


def test_many_are_erased_in_batches_and_can_be_stopped(store, me, monkeypatch):
    from store.erasing import erase

    monkeypatch.setattr(erase, "BATCH", 2)
    ids = [str(me.remember(Draft(f"{CANARY} number {n}", "project/a")).id) for n in range(5)]
    seen: list[tuple[int, int]] = []
    receipt = me.erase(ids, progress=lambda done, of: bool(seen.append((done, of))) or done < 4)
    assert seen == [(2, 5), (4, 5)]
    assert [i for i, _ in receipt.erased] == ids[:4]
    assert me.get(ids[4]).text == f"{CANARY} number 4"
    rest = me.erase(ids[4:])
    assert rest.done
    assert holding(store) == set()
    assert me.verify_log().intact


def test_what_is_written_between_the_look_and_the_lock_is_found_too(store, me, agent, monkeypatch):
    """One look serves all batches; words that others write meanwhile are looked for again."""
    from store.erasing import erase

    monkeypatch.setattr(erase, "BATCH", 2)
    words = [f"{CANARY}{n}" for n in "abcdef"]
    ids = [str(me.remember(Draft(f"the word {w}", "project/a")).id) for w in words]
    kept = me.remember(Draft("a note that stays", "project/a"))
    me.relate(str(kept.id), "about", ids[0])
    taken: list[int] = []

    def meanwhile(done: int, of: int) -> bool:
        taken.append(done)
        if done < of:
            coming = words[done]
            agent.recall(f"what is {coming}")
            me.mark("verify", str(kept.id), reason=f"as {coming} says")
            me.undo()
            me.save_search(f"of {done}", coming)
            agent.propose("supersede", [str(kept.id)], text=f"stays with {coming}", reason=coming)
        return True

    assert me.erase(ids, progress=meanwhile).done
    assert taken == [2, 4, 6]
    assert holding(store) == set()
    assert [m.text for m in me.list().memories] == ["a note that stays"]
    assert me.verify_log().intact


def test_a_log_that_comes_by_import_meanwhile_is_looked_at_for_every_batch(
    store, me, monkeypatch, tmp_path
):
    """Its details come before a batch that does not know their words, and one later does."""
    from store.erasing import erase

    monkeypatch.setattr(erase, "BATCH", 1)
    ids = [str(me.remember(Draft(f"the {n} {CANARY}{n}", "project/a")).id) for n in "abc"]
    with open_store(tmp_path / "theirs.db", embedder=None) as elsewhere:
        them = elsewhere.curator(Actor.human("sam"))
        theirs = them.remember(Draft("Something of theirs", "project/z"))
        them.mark("verify", str(theirs.id), reason=f"as {CANARY}c says")
        them.export(tmp_path / "theirs.jsonl")

    def meanwhile(done: int, of: int) -> bool:
        if done == 1:
            me.import_(str(tmp_path / "theirs.jsonl"))
            assert ("attached_event", "body") in holding(store)
        return True

    assert me.erase(ids, progress=meanwhile).done
    assert holding(store) == set()
    assert me.verify_log().intact


def test_what_is_asked_while_the_last_batch_is_taken_is_found_by_the_search(store, me, agent):
    """The search of the files names rows that the transaction could not know; they go too."""
    one = me.remember(Draft(f"the word {CANARY}", "project/a"))

    def meanwhile(done: int, of: int) -> bool:
        agent.recall(f"what is {CANARY}")
        return True

    assert me.erase([str(one.id)], progress=meanwhile).done
    assert holding(store) == set()
    assert me.verify_log().intact


def test_a_word_that_somebody_writes_meanwhile_lives_on(store, me, agent, monkeypatch):
    from store.erasing import erase

    monkeypatch.setattr(erase, "BATCH", 1)
    ids = [str(me.remember(Draft(f"{CANARY} is {n}", "project/a")).id) for n in ("red", "blue")]
    me.save_search("the canary", CANARY)
    me.save_search("of blue", "blue")

    def meanwhile(done: int, of: int) -> bool:
        if done < of:
            agent.remember("also tagged", tags=[CANARY])
        return True

    me.erase(ids, progress=meanwhile)
    assert [s.name for s in me.saved()] == ["the canary"]  # included: of blue is gone


def test_no_read_of_any_kind_finds_it(store, me, note, tmp_path):
    """A5: search, list, history, as of, related, neighbours, export, proposals, recall."""
    gone, near = note(TEXT), note("Staging deploys run from the preview branch")
    me.relate(near.id, "about", gone.id)
    me.propose("merge", [gone.id, near.id], text=TEXT, reason=CANARY)
    agent = store.agent(Actor.agent("codex"), Grant(read={"project/a"}))
    assert agent.recall(CANARY).hits  # included: it is found before
    me.erase([gone.id])
    assert gone.id not in {h.memory.id for h in me.search(TEXT).hits}
    assert gone.id not in {h.memory.id for h in agent.recall("preview branch").hits}
    assert gone.id not in {m.id for m in me.list(state="all").memories}
    assert me.show(near.id).relations == ()
    assert me.as_of(near.id, Moment()) == me.get(near.id)
    for read in (me.get, me.show, me.chain, me.history, lambda i: me.as_of(i, Moment())):
        with pytest.raises(NotFound):
            read(gone.id)
    me.export(tmp_path / "all.jsonl")
    assert CANARY not in (tmp_path / "all.jsonl").read_text()
    assert CANARY not in repr([me.proposals(), me.proposals(status="declined")])
    assert me.stats().versions == me.stats().vectors == 1


def test_saved_searches_and_questions_that_name_it_go_whole(store, me, note):
    gone = note(TEXT)
    note("Staging is small")
    me.save_search("the canary", CANARY)
    me.save_search("small", "staging small")
    me.ask(f"where is {CANARY}")
    seen = me.preview_erase([gone.id])
    assert (seen.others["saved_search"], seen.others["question"]) == (1, 1)
    assert me.erase([gone.id]).done
    assert [one.name for one in me.saved()] == ["small"]
    assert me.questions() == ()
    assert holding(store) == set()


def test_another_memory_of_the_same_text_is_named_and_the_receipt_claims_no_more(me, note):
    gone, kept = note("Quince brandy at dawn"), note("quince  brandy at dawn", scope="user/dana")
    assert [m.id for m in me.preview_erase([gone.id]).same] == [kept.id]
    receipt = me.erase([gone.id])
    assert receipt.said_elsewhere
    assert me.get(kept.id).text == "quince  brandy at dawn"
    assert me.preview_erase([kept.id]).same == ()
    assert not me.erase([kept.id]).said_elsewhere


def test_an_export_is_named_and_written_anew_although_its_path_holds_a_word_of_the_memory(
    me, note, tmp_path
):
    note("The canteen closes at two")
    gone = note("Quince brandy at zebulon")
    path = tmp_path / "zebulon.jsonl"
    me.export(path)
    assert "zebulon" in path.read_text()
    receipt = me.erase([gone.id])
    named = [c.path for c in receipt.unreachable if c.path]
    assert named == [str(path)]
    assert me.rewrite_exports(named).done == (str(path),)
    assert "quince" not in path.read_text().casefold()
    assert "canteen" in path.read_text()
