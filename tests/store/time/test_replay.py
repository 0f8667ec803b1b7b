"""Must show 1 of time travel: any story, at every (true at, known at), as a naive replay says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import BigInteger, literal, literal_column, select, true, union_all

from store import Moment
from store.reads.predicate import known_and_true
from store.schema import version
from store.search.pipeline import Asked
from store.times import to_us
from tests.store.time.story import FIRST, LAST, Act, Player, Replay, word_of

RUNS = 45
_T, _K = literal_column("ts.v", BigInteger), literal_column("ks.v", BigInteger)
_HOLDS = known_and_true(_T, _K)  # type: ignore[arg-type]


@st.composite
def stories(draw: st.DrawFn) -> list[Act]:
    """Acts that are possible one after the other; most are, of what is drawn."""
    acts: list[Act] = []
    told = Replay()
    undoable: list[Act] = []
    for at in range(1, draw(st.integers(7, 14))):
        day = at * 10
        act = _possible(draw, told, undoable, day, len(acts))
        if act is None:
            continue
        told.tell(act)
        acts.append(act)
        undoable = [a for a in undoable if not set(_touched(told, a)) & set(_touched(told, act))]
        undoable.append(act)
    return acts


def _touched(told: Replay, act: Act) -> set[str]:
    names = set(act.names)
    return names.union(*(told.lines[n].parts for n in names if n in told.lines))


def _possible(
    draw: st.DrawFn, told: Replay, undoable: list[Act], day: int, number: int
) -> Act | None:
    live = sorted(n for n, line in told.lines.items() if line.live)
    gone = [n for n, ln in told.lines.items() if not (ln.live or ln.whole or ln.kept_out)]
    whole = [n for n in live if told.lines[n].parts]
    whole = [n for n in whole if all(told.lines[p].whole == n for p in told.lines[n].parts)]
    verbs = ["remember"] if number < 3 or not live else []
    if number >= 2:
        verbs += 3 * ["correct"] + 2 * ["retire"] + ["reject"] if live else []
        verbs += 3 * ["merge"] if len(live) > 1 else []
        verbs += 2 * ["restore"] if gone else []
        verbs += 4 * ["unmerge"] if whole else []
        verbs += 2 * ["undo"] if undoable else []
    verb = draw(st.sampled_from(verbs))
    begin = draw(st.sampled_from((None, None, None, 5, 15, 25, 45, 65, 105)))
    word = f"w{number}"
    if verb == "remember":
        end = draw(st.none() | st.integers(4, 14).map(lambda n: (begin or 0) + n * 10))
        return Act(day, verb, (f"m{number}",), word, begin, end)
    if verb == "merge":
        pair = draw(st.lists(st.sampled_from(live), min_size=2, max_size=3, unique=True))
        lines = [told.lines[n] for n in pair]
        apart = max(ln.begin for ln in lines) >= min(ln.end for ln in lines)
        return None if apart else Act(day, verb, (f"m{number}", *pair), word)
    if verb == "undo":
        act = draw(st.sampled_from(undoable))
        if act.verb == "undo":
            return None
        name = "change" if act.verb == "correct" else act.verb
        return Act(day, verb, act.names[:1], name, act.at)
    name = draw(st.sampled_from({"restore": gone, "unmerge": whole}.get(verb, live)))
    if verb != "correct":
        return Act(day, verb, (name,))
    begin = draw(st.sampled_from((begin, day + 15, day + 15, day + 45, day + 45)))
    if begin is not None and begin >= told.lines[name].end:
        return None
    return Act(day, verb, (name,), word, begin)


def _compare(store, me, player: Player, acts: list[Act]) -> None:  # type: ignore[no-untyped-def]
    """Every day an act or a date could matter, and the microsecond before it, on both axes."""
    dates = {d for a in acts for d in (a.at, a.begin, a.end) if d is not None}
    days = [d - less for d in sorted(dates | {FIRST + 1, LAST - 1}) for less in (1e-9, 0)]
    known = [a.at - less for a in acts for less in (1e-9, 0)]
    names = {identifier: name for name, identifier in player.ids.items()}
    wanted: dict[float, dict[float, dict[str, str]]] = {}
    told = Replay()
    for act in acts:
        wanted[act.at - 1e-9] = {t: told.says(t) for t in days}
        told.tell(act)
        wanted[act.at] = {t: told.says(t) for t in days}
    found: dict[tuple[int, int], dict[str, str]] = {}
    ts, ks = _axis("ts", player, days), _axis("ks", player, known)
    every = select(_T, _K, version.c.memory_id, version.c.text).select_from(
        ts.join(ks, true()).join(version, true())
    )
    with store.engine.read() as conn:
        rows = conn.execute(every.where(version.c.memory_id.in_(names), _HOLDS))
        for t, k, identifier, text in rows:
            said = found.setdefault((t, k), {})
            assert names[identifier] not in said, "two versions of one memory at once"
            said[names[identifier]] = word_of(text)
    for k in known:
        for t in days:
            moment = to_us(player.on(t)), to_us(player.on(k))
            assert found.get(moment, {}) == wanted[k][t], (t, k, acts)
    pick = random.Random(len(acts))
    for _ in range(2):
        t, k = pick.choice(days), pick.choice(known)
        when = Moment(player.on(t), player.on(k))
        says = wanted[k][t]
        asked = Asked("", limit=200, moment=when, within=(player.scope,), with_withheld=False)
        browsed = {names[h.memory.id]: word_of(h.memory.text) for h in me.search(asked).hits}
        assert browsed == says, (t, k, acts)
        for name, identifier in player.ids.items():
            shown = me.as_of(identifier, when)
            assert (None if shown is None else word_of(shown.text)) == says.get(name), (t, k)


def _axis(name: str, player: Player, days: Iterable[float]):  # type: ignore[no-untyped-def]
    at = (select(literal(to_us(player.on(d)), BigInteger).label("v")) for d in set(days))
    return union_all(*at).subquery(name)


def test_any_story_at_every_moment_is_as_its_replay_says(store, me, clock):
    """Each story in a scope and an age of its own, so that one store holds them all."""
    made = iter(range(10_000))
    verbs: Counter[str] = Counter()

    @settings(
        max_examples=RUNS,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),  # to shrink a failing story takes minutes
        suppress_health_check=list(HealthCheck),
    )
    @given(acts=stories())
    def tells(acts: list[Act]) -> None:
        number = next(made)
        begun = clock.now + timedelta(days=10)
        player = Player(me, clock, f"project/story{number}", begun)
        player.play(acts)
        verbs.update(act.verb for act in acts)
        if acts:
            _compare(store, me, player, acts)

    tells()
    assert min(verbs[v] for v in ("merge", "unmerge", "undo", "restore", "reject")) >= 5, verbs
