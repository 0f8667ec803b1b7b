"""Laws 9 and 16: nothing is dropped silently; secrets are masked before anything is stored.

Law 9 is enforced by `fold_hash` (store/gate/folding.py: nothing but folding makes two texts
one) and `confirm` (store/lifecycle/remember.py); law 16 by `_masked` in
store/gate/admission.py.
"""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import Actor, Draft, Grant, Provenance
from store.errors import Invalid
from store.gate.limits import MAX_TAGS, MAX_TEXT
from store.search.fold import exact_form

SENTENCE = "The integration tests of the booking service run against a database on port 5432 in CI"


@pytest.mark.parametrize(
    ("old", "new"),
    [("5432", "6543"), ("booking", "billing"), ("run", "never run"), ("CI", "QA"), ("a ", "the ")],
)
def test_one_changed_word_is_never_a_duplicate(me, old, new):
    """A7: the new value is never dropped with the old id returned."""
    first = me.remember(Draft(SENTENCE, "project/a"))
    second = me.remember(Draft(SENTENCE.replace(old, new, 1), "project/a"))
    assert second.outcome == "stored"
    assert second.id != first.id
    assert {m.text for m in me.list().memories} == {SENTENCE, SENTENCE.replace(old, new, 1)}


@pytest.mark.parametrize(
    "same",
    [
        SENTENCE.upper(),
        SENTENCE.replace(" ", "   "),
        SENTENCE.replace("booking", "book\u200bing"),
        f"  {SENTENCE}\n",
        SENTENCE.replace("CI", "ＣＩ"),
    ],
)
def test_a_folded_equal_is_already_and_leaves_who_said_it(me, same):
    first = me.remember(Draft(SENTENCE, "project/a"))
    again = me.remember(Draft(same, "project/a", provenance=Provenance(session="s-42")))
    assert (again.outcome, again.id, again.version) == ("already", first.id, 1)
    assert again.reason
    event = me.history(first.id)[-1]
    assert (event.action, event.detail) == ("confirmed", {"session": "s-42"})


@pytest.mark.parametrize("other", [{"scope": "project/b"}, {"subject": "ci"}, {"valid_from": "x"}])
def test_equal_text_elsewhere_or_of_another_subject_or_time_is_stored(me, clock, other):
    me.remember(Draft(SENTENCE, "project/a"))
    fields = {"scope": "project/a", **other}
    if "valid_from" in fields:
        fields["valid_from"] = clock.now
    assert me.remember(Draft(SENTENCE, **fields)).outcome == "stored"
    assert me.list().total == 2


@pytest.mark.parametrize("in_bulk", [False, True])
def test_what_has_expired_is_stated_anew(me, clock, in_bulk):
    """Enforced by the line of `same_live` that compares the two expiries."""

    def remember(draft):
        if not in_bulk:
            return me.remember(draft).outcome == "stored"
        return me.remember_many([draft]) == 1

    until = clock.now + timedelta(days=1)
    assert remember(Draft(SENTENCE, "project/a", expires_at=until))
    assert not remember(Draft(SENTENCE, "project/a")), "it is told still"
    clock.step(days=2)
    assert not me.search("integration booking").hits
    assert not remember(Draft(SENTENCE, "project/a", expires_at=until)), "a copy of the old one"
    assert remember(Draft(SENTENCE, "project/a"))
    assert [hit.memory.text for hit in me.search("integration booking").hits] == [SENTENCE]
    assert not remember(Draft(SENTENCE, "project/a"))


def test_what_is_archived_is_not_said_to_be_told(me, agent):
    first = me.remember(Draft(SENTENCE, "project/a"))
    assert "live" in me.remember(Draft(SENTENCE, "project/a")).reason
    me.mark("archive", first.id)
    mine, theirs = me.remember(Draft(SENTENCE, "project/a")), agent.remember(SENTENCE)
    assert mine.outcome == theirs.outcome == "already"
    assert "archived" in mine.reason
    assert "archived" not in theirs.reason, "no mark of a person's shows to an agent"
    assert "a person decides" in theirs.reason


@given(st.text(max_size=80))
def test_folding_is_stable(text):
    assert exact_form(exact_form(text)) == exact_form(text)


@pytest.mark.parametrize(
    ("draft", "says"),
    [
        (Draft("x" * (MAX_TEXT + 1), "project/a"), "65,537 bytes"),
        (Draft("ü" * (MAX_TEXT // 2 + 1), "project/a"), "65,538 bytes"),
        (Draft("x", "project/a", tags=tuple(map(str, range(MAX_TAGS + 1)))), "65 tags"),
        (Draft("x", "project/a", subject="s" * 1025), "The subject has 1,025 bytes"),
    ],
)
def test_over_a_limit_is_a_stated_refusal(me, draft, says):
    written = me.remember(draft)
    assert written.outcome == "refused"
    assert says in str(written.reason)
    assert me.list().total == 0


def test_at_the_limit_is_stored(me):
    assert me.remember(Draft("x" * MAX_TEXT, "project/a")).outcome == "stored"


KEY = "AKIA" + "Q3EGRIOMDT6JLPXW"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_no_secret_reaches_any_file_of_the_store(store, me, store_path):
    written = me.remember(
        Draft(
            f"deploy with {KEY} set",
            "project/a",
            subject=f"ci {TOKEN}",
            tags=(f"tag {KEY}",),
            kind=f"fact {TOKEN}",
            provenance=Provenance(source=f"log {KEY}", raw={"token": TOKEN, "list": [KEY]}),
        )
    )
    me.correct(written.id, f"deploy with {KEY} again", reason=f"rotated {TOKEN}")
    me.mark("dispute", written.id, reason=f"saw {KEY}")
    assert written.masked >= 6
    assert me.get(written.id).text == "deploy with •••••••• again"
    for path in store_path.parent.glob("harbor.db*"):
        content = path.read_bytes()
        assert KEY.encode() not in content
        assert TOKEN.encode() not in content
        assert KEY.lower().encode() not in content  # folded tokens
    assert b"deploy with" in b"".join(p.read_bytes() for p in store_path.parent.glob("harbor.db*"))


@pytest.mark.parametrize(
    "text", ["apiKey: import.meta.env.KEY", "password reset takes a day", "sha 3f786850e387550f"]
)
def test_what_is_no_secret_is_kept(me, text):
    written = me.remember(Draft(text, "project/a"))
    assert (written.masked, me.get(written.id).text) == (0, text)


def test_broken_characters_are_stored_visibly_and_said(me, store_path):
    written = me.remember(Draft("a\x00b \ud800 c", "project/a"))
    assert me.get(written.id).text == "a␀b � c"
    assert len(written.warnings) == 2
    assert sqlite3.connect(store_path).execute("SELECT text FROM version").fetchall()


GAPS = ["\u200b", "\u00ad", "\u2060", "\ufeff", "\U000e0041", "\x1b", "\n", "\r\n", "\n    "]


@pytest.mark.parametrize("gap", GAPS, ids=ascii)
@pytest.mark.parametrize("secret", [KEY, TOKEN])
def test_what_stands_inside_a_secret_does_not_hide_it(me, secret, gap):
    for at in range(3, len(secret) - 1, 5):
        torn = f"deploy with {secret[:at]}{gap}{secret[at:]} set"
        written = me.remember(Draft(torn, "project/a", subject=torn, tags=(torn,)))
        if written.outcome == "stored":
            assert written.masked >= 3
        one = me.list(limit=1).memories[0]
        for kept in (one.text, one.subject, *one.tags):
            assert secret[:at] not in kept
            assert secret[at:] not in kept
            assert kept.startswith("deploy with ")
            assert kept.endswith(" set")


@pytest.mark.parametrize("text", ["pass\u200bword: hunter2x9", "password: hun\u200bter2x9"])
def test_what_cannot_be_seen_hides_no_label_and_no_password(me, text):
    one = me.get(me.remember(Draft(text, "project/a")).id)
    assert one.text.endswith(": ••••••••")


def test_lines_that_only_follow_each_other_are_no_secret(me):
    text = "Keys begin with ghp_\nor with AKIA\nand go on\n- a1B2c3D4e5F6\nsee docs/keys.md\nend"
    assert me.get(me.remember(Draft(text, "project/a")).id).text == text


def test_a_secret_is_no_name_of_a_scope_or_an_actor(store, me):
    for path in (f"project/{TOKEN}", KEY, f"project/{KEY}/x"):
        with pytest.raises(Invalid, match="secret"):
            me.remember(Draft("x", path))
        with pytest.raises(Invalid, match="secret"):
            me.move(me.remember(Draft("x", "project/a")).id, path)
    assert [s.path for s in me.scopes()] == ["project/a"]
    with pytest.raises(Invalid, match="secret"):
        store.curator(Actor.human(TOKEN))
    with pytest.raises(Invalid, match="secret"):
        store.agent(Actor.agent(KEY), Grant(read={"project/a"}))
