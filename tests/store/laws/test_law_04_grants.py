"""Law 4: no read without a grant; a foreign word changes no figure.

Enforced by `return table.c.scope_id.in_(sight.scope_ids)` in store/reads/predicate.py. The
tables below hold every public method of both views; a method that is in none fails.
"""

from __future__ import annotations

import dataclasses
import inspect
import io
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from store import Actor, Draft, Grant, Moment, Store
from store.access.agent import AgentView
from store.access.curator import CuratorView
from store.errors import Forbidden, NotFound, NotPossible, StoreError
from store.reads.events import Wanted
from store.review.judge.protocol import Question, Reply
from store.search.pipeline import Asked
from store.vitals import WORTH

OWN, FOREIGN = "project/a", "project/b"
SECRET = "zanzibar"
"""A word that only foreign memories hold at first."""
QUERY = "deploy region zanzibar"

Read = Callable[[Any, Mapping[str, str]], Any]


def _written(export: Callable[[io.StringIO], object]) -> str:
    """What an export leaves in a stream."""
    stream = io.StringIO()
    export(stream)
    return stream.getvalue()


class _Echo:
    """A judge that says all it was sent, as the words of an answer."""

    model, where = "echo", "nowhere"

    def ask(self, question: Question) -> Reply:
        data = json.loads(question.data.split("\n")[1])
        labels = [one["label"] for one in data["statements"]]
        said = " ".join(one["text"] for one in data["statements"])
        return Reply(json.dumps({"text": said, "statements": labels}), 1, 1)

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        return None

    def close(self) -> None:
        pass


def _worded(view: CuratorView, number: int) -> object:
    try:
        return view.word_question(number, _Echo())
    except NotPossible as error:
        return str(error)


CURATOR_READS: Mapping[str, Read] = {
    "search": lambda v, ids: v.search(Asked(QUERY)),
    "page": lambda v, ids: v.page(Asked(""), 0),
    "withheld": lambda v, ids: v.withheld(Asked(QUERY)),
    "why": lambda v, ids: v.why(ids["own"], QUERY),
    "facets": lambda v, ids: v.facets(Asked("")),
    "get": lambda v, ids: v.get(ids["own"]),
    "show": lambda v, ids: v.show(ids["own"]),
    "chain": lambda v, ids: v.chain(ids["own"]),
    "history": lambda v, ids: v.history(ids["own"]),
    "overrides": lambda v, ids: (v.overrides(ids["own"]), v.overrides(ids["own narrow"])),
    "as_of": lambda v, ids: v.as_of(ids["own"], Moment()),
    "list": lambda v, ids: v.list(state="all"),
    "scopes": lambda v, ids: v.scopes(),
    "stats": lambda v, ids: v.stats(),
    "health": lambda v, ids: v.health(),
    "worth": lambda v, ids: [v.worth(which) for which in WORTH],
    "events": lambda v, ids: v.events(),
    "count_events": lambda v, ids: v.count_events(Wanted()),
    "event_tallies": lambda v, ids: v.event_tallies(),
    "recalled": lambda v, ids: v.recalled([ids["own"], ids["foreign"]]),
    "recalls": lambda v, ids: v.recalls(),
    "recall_entry": lambda v, ids: v.recall_entry(2),
    "recall_agents": lambda v, ids: v.recall_agents(),
    "replay": lambda v, ids: v.replay(2),
    "impact": lambda v, ids: v.impact(closes=[ids["own"]]),
    "changed": lambda v, ids: v.changed(),
    "tombstones": lambda v, ids: v.tombstones(standing=None),
    "preview_reject": lambda v, ids: v.preview_reject(ids["own like"]),
    "policies": lambda v, ids: (v.policies(OWN), v.policies()),
    "proposals": lambda v, ids: v.proposals(),
    "proposal": lambda v, ids: v.proposal(int(ids["own proposal"])),
    "queue": lambda v, ids: v.queue(),
    "saved": lambda v, ids: v.saved(),
    "questions": lambda v, ids: v.questions(),
    "word_question": lambda v, ids: [_worded(v, one.number) for one in v.questions()],
    "export": lambda v, ids: _written(v.export),
    "export_markdown": lambda v, ids: _written(v.export_markdown),
}
CURATOR_WITHOUT_MEMORIES = {
    "verify_log", "verify_attached", "log_head", "store_id", "at_work",
    "preview_erase", "unfinished_erases",
}  # fmt: skip
"""Refused to a narrowed grant, for the log is one over all scopes; or about no memory at all."""
CURATOR_WRITES = {
    "remember", "remember_many", "correct", "mark", "retire", "restore", "undo", "import_",
    "reindex", "merge", "relate", "unmerge", "move", "reject", "lift", "allow_meaning", "propose",
    "set_policy",
    "approve", "approve_all", "decline", "snooze", "refresh", "forget", "consolidate",
    "override", "alone", "tend", "approve_drawn", "erase_recall",
    "save_search", "drop_search", "ask", "refresh_question", "drop_question", "backup", "copy_to",
    "erase", "finish_erases", "rewrite_exports",
}  # fmt: skip
AGENT_READS: Mapping[str, Read] = {
    "recall": lambda v, ids: v.recall(QUERY),
    "context_for": lambda v, ids: v.context_for(QUERY, 4000),
    "named": lambda v, ids: (*v.named("deploy.region", OWN), *v.named("deploy.region", FOREIGN)),
    "get": lambda v, ids: v.get(ids["own"]),
    "list": lambda v, ids: v.list(),
}
AGENT_WRITES = {"remember", "remember_draft", "correct", "withdraw", "propose"}


def _public(view: type) -> set[str]:
    found = inspect.getmembers(view, inspect.isfunction)
    return {name for name, _ in found if not name.startswith("_")}


def test_every_public_method_is_in_a_table():
    assert _public(CuratorView) == set(CURATOR_READS) | CURATOR_WITHOUT_MEMORIES | CURATOR_WRITES
    assert _public(AgentView) == set(AGENT_READS) | AGENT_WRITES


@pytest.fixture
def ids(store: Store, me: CuratorView) -> dict[str, str]:
    """One chain in each scope, with a closed version, marks and events on both."""
    found = {}
    for name, scope in (("own", OWN), ("foreign", FOREIGN)):
        word = SECRET if scope == FOREIGN else "harbor"
        first = me.remember(
            Draft(f"The {word} deploy region was us-east-1", scope, subject="deploy.region")
        )
        assert first.id is not None
        me.correct(first.id, f"The {word} deploy region is eu-central-1", reason=f"{word} moved")
        me.mark("pin", first.id)
        gone = me.remember(Draft(f"A {word} deploy region nobody uses", scope))
        assert gone.id is not None
        me.retire(gone.id)
        found[name] = first.id
        found[f"{name} gone"] = gone.id
        found |= _decisions(me, name, scope, word, first.id)
    for scope in (OWN, FOREIGN):
        me.save_search(f"deploys of {scope}", "deploy region", scope=[scope])
        me.ask("the deploy region", scope=[scope])
    store.agent(Actor.agent("probe"), Grant(read={OWN, FOREIGN})).recall("deploy region")
    store.agent(Actor.agent("codex"), Grant(read={OWN})).recall("deploy region")
    return found


def _decisions(me: CuratorView, name: str, scope: str, word: str, first: str) -> dict[str, str]:
    """A tombstone that was met, two memories of one value, and a proposal."""
    bad = me.remember(Draft(f"The {word} deploy region is the moon", scope))
    assert bad.id is not None
    me.reject(bad.id, reason=f"{word} is no moon")
    me.remember(Draft(f"the {word} deploy region is the moon", scope))
    me.set_policy(scope, "recall-days", "30")
    like = me.remember(Draft(f"Deploy twice in {word}", scope))
    narrow = me.override(first, f"{scope}/narrow", f"The {word} deploy region is narrow")
    me.remember(Draft(f"in {word}: deploy twice", scope, subject="x"))
    asked = me.propose("retire", [first], reason=f"{word} is old")
    assert like.id is not None
    assert narrow.id is not None
    found = {"like": like.id, "narrow": narrow.id, "proposal": str(asked.proposal)}
    return {f"{name} {which}": value for which, value in found.items()}


def _decide_again(
    me: CuratorView, ids: Mapping[str, str], name: str, scope: str, word: str
) -> None:
    """The tombstone is met, its value written once more, a proposal asked for again."""
    me.remember(Draft(f"the {word} deploy region is the moon", scope))
    me.remember(Draft(f"Twice, in {word}: deploy", scope, subject="y"))
    me.set_policy(scope, "recall-days", "7")
    me.propose("retire", [ids[name]])
    me.save_search(f"{word} again", "deploy region", scope=[scope])
    me.ask(f"the deploy region of {word}", scope=[scope])
    me.propose("contradiction", [ids[name], ids[f"{name} like"]])
    me.override(ids["own"], f"{scope}/again", f"The {word} deploy region is another")


def _curator(store: Store) -> CuratorView:
    return store.curator(Actor.human("sam"), Grant(read={OWN}))


def _agent(store: Store) -> AgentView:
    return store.agent(Actor.agent("codex"), Grant(read={OWN}))


def _views(store: Store) -> list[tuple[Any, str, Read]]:
    return [(_curator(store), n, r) for n, r in CURATOR_READS.items()] + [
        (_agent(store), n, r) for n, r in AGENT_READS.items()
    ]


NAMES = [f"curator.{n}" for n in CURATOR_READS] + [f"agent.{n}" for n in AGENT_READS]


def _plain(value: Any) -> Any:
    """An answer as plain data without the times it took."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return {k: _plain(v) for k, v in fields.items() if k != "timings_ms"}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_a_read_keeps_the_foreign_scope_out_and_returns_its_own(store, ids, number):
    view, name, read = _views(store)[number]
    answer = repr(_plain(read(view, ids))).replace(repr(QUERY), "")
    for sign in (SECRET, FOREIGN, ids["foreign"], ids["foreign gone"], ids["foreign like"]):
        assert sign not in answer, f"{name} shows {sign}"
    if name in ("changed", "count_events"):
        assert int(answer) > 0
    elif name == "queue":
        assert "{'held': 1, 'retire': 1}" in answer
    elif name == "event_tallies":
        assert "human:dana" in answer
    elif name == "recall_agents":
        assert answer == "{'agent:codex': 1}"
    elif name == "facets":
        assert OWN in answer
    elif name == "withheld":
        assert "retired" in answer
    else:
        assert ids["own"] in answer or OWN in answer


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_a_foreign_word_changes_no_figure(store, me, ids, number):
    view, _, read = _views(store)[number]
    before = _plain(read(view, ids))
    for n in range(30):
        me.remember(Draft(f"zanzibar deploy region number {n} harbor", f"{FOREIGN}/deep"))
        me.remember(Draft(f"zanzibar deploy region number {n} harbor", "global"))
    _decide_again(me, ids, "foreign", FOREIGN, SECRET)
    me.retire(ids["foreign"])
    store.agent(Actor.agent("probe"), Grant(read={FOREIGN})).recall("deploy region")
    assert _plain(read(view, ids)) == before
    me.remember(Draft("zanzibar deploy region of our own", OWN))  # included: one's own does
    _decide_again(me, ids, "own", OWN, "harbor")
    _agent(store).recall("deploy region")
    after = _plain(read(view, ids))
    of_one = ("get", "show", "chain", "history", "as_of", "recall_entry")
    alone = [*(CURATOR_READS[n] for n in of_one), AGENT_READS["get"], AGENT_READS["named"]]
    if read not in alone:
        assert after != before


def test_a_foreign_id_is_worded_exactly_like_an_unknown_one(store, ids):
    unknown = ids["foreign"][:-6] + "ZZZZZZ"
    for view in (_curator(store), _agent(store)):
        said = []
        for identifier in (ids["foreign"], unknown):
            with pytest.raises(NotFound) as refused:
                view.get(identifier)
            said.append(str(refused.value).replace(identifier, "ID") + refused.value.hint)
        assert said[0] == said[1]
        assert view.get(ids["own"]).scope == OWN


def test_nothing_is_written_outside_the_grant(store, me, ids):
    before = me.changed()
    mine = _curator(store)
    acts: list[Callable[[], object]] = [
        lambda: mine.remember(Draft("x y", FOREIGN)),
        lambda: mine.remember(Draft("x y", "global")),
        lambda: mine.remember(Draft("x y", "project")),
        lambda: mine.correct(ids["foreign"], "x y"),
        lambda: mine.retire(ids["foreign"]),
        lambda: mine.mark("verify", ids["foreign"]),
        lambda: mine.restore(ids["foreign gone"]),
        lambda: _agent(store).remember("x y", scope=FOREIGN),
        lambda: _agent(store).withdraw(ids["foreign"]),
        lambda: _agent(store).propose("retire", [ids["foreign"]]),
        lambda: mine.reject(ids["foreign"]),
        lambda: mine.move(ids["own"], FOREIGN),
        lambda: mine.override(ids["own"], FOREIGN, "x y"),
        lambda: mine.override(ids["foreign"], f"{OWN}/below", "x y"),
        lambda: mine.move(ids["foreign"], OWN),
        lambda: mine.lift(2, reason="x"),
        lambda: mine.allow_meaning(FOREIGN),
        lambda: mine.set_policy(FOREIGN, "injection", "hold"),
        lambda: mine.approve(int(ids["foreign proposal"])),
        lambda: mine.decline(int(ids["foreign proposal"])),
        lambda: mine.refresh(int(ids["foreign proposal"])),
        lambda: mine.unmerge(ids["foreign"]),
        lambda: mine.erase_recall(1),
        lambda: mine.erase([ids["foreign"]]),
    ]
    for act in acts:
        with pytest.raises(StoreError):
            act()
    assert me.changed() == before
    assert mine.remember(Draft("x y", f"{OWN}/below")).outcome == "stored"


def test_a_grant_covers_what_lies_below_and_never_above(store, me):
    for scope in ("team", "team/web", "team/web/auth", "team/website"):
        me.remember(Draft(f"a note of {scope}", scope))
    view = store.curator(Actor.human("sam"), Grant(read={"team/web"}))
    assert {m.scope for m in view.list().memories} == {"team/web", "team/web/auth"}


def test_verify_log_is_refused_to_a_narrowed_grant(store, me):
    with pytest.raises(Forbidden):
        _curator(store).verify_log()
    with pytest.raises(Forbidden):
        _curator(store).log_head()
    with pytest.raises(Forbidden):
        _curator(store).preview_erase(["0000"])
    assert me.verify_log().intact
