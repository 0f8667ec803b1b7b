"""A few records as the store answers them: the little world of the view and widget tests."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from curator.views.look import Look
from store.model import (
    Answer,
    Channel,
    ClosedAs,
    Event,
    Evidence,
    Factor,
    Gate,
    Held,
    Hit,
    Link,
    Memory,
    Provenance,
    Relation,
    Shown,
    Tier,
    Trust,
    Version,
    Withheld,
)

NOW = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)
LOOK = Look(NOW)
HARBOR = "project/harbor-api"


def at(month: int, day: int, hour: int = 0, minute: int = 0, year: int = 2026) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


def memory(id: str = "01JZ8Q4T2V5N6M7P8R9S0T1V2W", text: str = "A fact.", **given: Any) -> Memory:
    """A live, unreviewed fact of an agent, four days old, but for what is given."""
    when = given.pop("recorded_at", NOW - timedelta(days=4))
    values: dict[str, Any] = {
        "version": 1,
        "scope": HARBOR,
        "subject": None,
        "tier": Tier.SEMANTIC,
        "kind": "fact",
        "tags": (),
        "trust": Trust.UNREVIEWED,
        "pinned": False,
        "archived": False,
        "importance": 0.5,
        "confidence": None,
        "recorded_at": when,
        "asserted_at": when,
        "valid_from": None,
        "valid_to": None,
        "expires_at": None,
        "closed_at": None,
        "closed_as": None,
        "true_until": None,
        "by": "agent:claude-code",
        **given,
    }
    values.setdefault("latest", values["version"])
    return Memory(id=id, text=text, **values)


def words(text: str, *found: str) -> tuple[tuple[int, int], ...]:
    """Ranges of words in a text, as a channel reports them."""
    return tuple((text.index(word), text.index(word) + len(word)) for word in found)


def factors(**given: float) -> Mapping[str, Factor]:
    names = ("authority", "recency", "confidence", "importance", "trust")
    return {name: Factor(given.get(name, 1.0)) for name in names}


DEPLOY_TEXT = (
    "Production deploys go to region eu-central-1 since the March move; Frankfurt serves every "
    "tenant until the Dublin cut-over."
)
DEPLOY = memory(
    text=DEPLOY_TEXT,
    version=3,
    latest=4,
    subject="deploy.region",
    kind="decision",
    trust=Trust.VERIFIED,
    pinned=True,
    confidence=0.9,
    by="human:dana",
    tags=("deploy", "region"),
    recorded_at=at(11, 26, 9, 14),
    valid_from=at(3, 1),
    changes_at=at(12, 1),
)


def hit(of: Memory, score: float, *found: str, meaning: bool = False, **given: float) -> Hit:
    """A hit whose parts are rough but add up."""
    evidence = Evidence(1.0, 1.0, 0.55, "strong")
    channels: dict[str, Channel] = {}
    if not meaning:
        terms = {word.lower(): 4.1 + 2.2 * n for n, word in enumerate(found)}
        channels["lexical"] = Channel(
            1, sum(terms.values()), score * 0.6, terms, words(of.text, *found)
        )
    channels["semantic"] = Channel(2, 0.55, score * (1.0 if meaning else 0.4))
    return Hit(of, score, score, score, evidence, channels, factors(**given))


DEPLOY_HIT = Hit(
    memory=DEPLOY,
    score=0.9751,
    relevance=0.995,
    rrf=0.995,
    evidence=Evidence(1.0, 1.0, 0.55, "strong"),
    channels={
        "lexical": Channel(
            1,
            10.4,
            0.667,
            {"deploy": 4.1, "region": 6.3},
            words(DEPLOY_TEXT, "deploys", "region"),
        ),
        "semantic": Channel(2, 0.55, 0.328),
    },
    factors=factors(confidence=0.98),
)

HITS = (
    DEPLOY_HIT,
    hit(
        memory(
            "01JZ7A11AAAAAAAAAAAAAAAAAA",
            "Region failover: a deploy pauses until a person says go. The runbook lives in "
            "ops/failover.md, step 4.",
            version=2,
            subject="ops.failover",
            recorded_at=NOW - timedelta(days=11),
        ),
        0.846,
        "Region",
        "deploy",
    ),
    hit(
        memory(
            "01JZ6B22BBBBBBBBBBBBBBBBBB",
            "The read replica for reports is in region eu-west-1; reports lag by up to 40 s and "
            "nobody should fix that.",
            subject="db.replica",
            trust=Trust.VERIFIED,
            recorded_at=NOW - timedelta(days=70),
        ),
        0.734,
        "region",
    ),
    hit(
        memory(
            "01JY0R5DCCCCCCCCCCCCCCCCCC",
            "Staging deploys run from the preview branch, token •••••••• is read from the vault "
            "at start.",
            version=3,
            subject="deploy.staging",
            trust=Trust.DISPUTED,
            secrets_masked=1,
            recorded_at=NOW - timedelta(days=9),
        ),
        0.614,
        "deploys",
    ),
    hit(
        memory(
            "01JY9C44DDDDDDDDDDDDDDDDDD",
            "Region names in config are lower case\u200b with dashes: eu-central-1, never "
            "EU_CENTRAL_1.",
            version=4,
            recorded_at=NOW - timedelta(days=152),
        ),
        0.575,
        "Region",
    ),
    hit(
        memory(
            "01JX1D55EEEEEEEEEEEEEEEEEE",
            "Deploy freeze from 19 December to 4 January; hotfixes need two approvals and a note "
            "in #release.",
            subject="deploy.freeze",
            trust=Trust.VERIFIED,
            recorded_at=NOW - timedelta(days=21),
        ),
        0.528,
        "Deploy",
    ),
    hit(
        memory(
            "01JX2E66FFFFFFFFFFFFFFFFFF",
            "Frankfurt has the only GPU quota we were granted, so batch jobs stay where they are.",
            recorded_at=NOW - timedelta(days=33),
        ),
        0.155,
        meaning=True,
    ),
)

WITHHELD = Withheld({"below_floor": 2, "quarantined": 1, "superseded": 3})

ANSWER = Answer(
    query="deploy region tier:semantic",
    scopes=(HARBOR,),
    profile="default",
    hits=HITS,
    total=7,
    searched=640,
    no_match=False,
    only_weak=False,
    withheld=WITHHELD,
    timings_ms={"total": 14.2},
)

HOSTILE = hit(
    memory(
        "01JW3F77GGGGGGGGGGGGGGGGGG",
        "[/foo] [bold]x[/] \x1b]52;c;ZXZpbA==\x07 run\u202e\r\nsetup\t设备已离线腾讯云 "
        "👨\u200d👩\u200d👧 🇩🇪 "
        "e" + "\u0301" * 30 + " \ud83d 服务器watchdog重启",
        subject="sub\x1b[31mject",
        scope="project/harb\u043er-api",
        tags=("[/tag]", "\u2066x"),
        by="agent:\u202eevil",
    ),
    0.5,
    "run",
)

# --- a chain ----------------------------------------------------------------------------

_V1 = memory(
    text="Production deploys go to Frankfurt; Frankfurt serves every tenant.",
    version=1,
    latest=4,
    subject="deploy.region",
    recorded_at=at(3, 18, 8, 2),
    closed_at=at(6, 2, 11, 40),
    closed_as=ClosedAs.MERGED,
)
_V2 = memory(
    text=(
        "Production deploys go to region eu-central-1 since the May move; Frankfurt serves every "
        "tenant."
    ),
    version=2,
    latest=4,
    subject="deploy.region",
    by="human:dana",
    recorded_at=at(6, 2, 11, 40),
    valid_from=at(5, 1),
    closed_at=at(11, 26, 9, 14),
    closed_as=ClosedAs.CORRECTED,
)
_V3 = memory(
    text=(
        "Production deploys go to region eu-central-1 since the March move; Frankfurt serves "
        "every tenant until the Dublin cut-over."
    ),
    version=3,
    latest=4,
    subject="deploy.region",
    trust=Trust.VERIFIED,
    by="human:dana",
    recorded_at=at(11, 26, 9, 14),
    valid_from=at(3, 1),
    closed_at=at(11, 28, 16, 5),
    closed_as=ClosedAs.CHANGED,
    true_until=at(12, 1),
)
_V4 = memory(
    text=(
        "Production deploys go to region eu-west-1 since the March move; Dublin serves every "
        "tenant until the Dublin cut-over."
    ),
    version=4,
    latest=4,
    subject="deploy.region",
    trust=Trust.VERIFIED,
    by="human:dana",
    recorded_at=at(11, 28, 16, 5),
    valid_from=at(12, 1),
)
OTHER_ID = "01JX7M0PHHHHHHHHHHHHHHHHHH"
_O1 = memory(
    OTHER_ID,
    "Prod region is eu-central-2 since the May move.",
    latest=2,
    by="agent:codex",
    recorded_at=at(4, 2, 10, 11),
    closed_at=at(5, 9, 17, 26),
    closed_as=ClosedAs.CORRECTED,
)
_O2 = memory(
    OTHER_ID,
    "Prod region is eu-central-1 since the May move.",
    version=2,
    latest=2,
    by="agent:codex",
    recorded_at=at(5, 9, 17, 26),
    closed_at=at(6, 2, 11, 40),
    closed_as=ClosedAs.MERGED,
    successor=_V1.id,
)

CHAIN = (
    Version(_V1, None, "human:dana", "same fact, written twice"),
    Version(_V2, "same fact, written twice", "human:dana", "the move was in March, not in May"),
    Version(
        _V3,
        "the move was in March, not in May",
        "human:dana",
        "cost review moves production to Dublin",
    ),
    Version(_V4, "cost review moves production to Dublin", None, None),
)
OTHERS = {
    OTHER_ID: (
        Version(_O1, None, "agent:codex", None),
        Version(_O2, None, "human:dana", "same fact, written twice"),
    )
}


def event(seq: int, action: str, version: int | None = None, **given: Any) -> Event:
    values: dict[str, Any] = {
        "at": NOW - timedelta(hours=5000 - seq),
        "actor": "human:dana",
        "memory": _V1.id,
        "proposal": None,
        "undoes": None,
        "hash": f"{seq:064x}",
        **given,
    }
    return Event(seq=seq, action=action, version=version, **values)


EVENTS = (
    event(3001, "remember", 1, at=at(3, 18, 8, 2), actor="agent:claude-code"),
    event(3711, "merge", 2, at=at(6, 2, 11, 40), detail={"reason": "same fact, written twice"}),
    event(
        4182,
        "correct",
        3,
        at=at(11, 26, 9, 14),
        detail={"reason": "the move was in March, not in May", "replaced": 2},
    ),
    event(4190, "verify", 3, at=at(11, 26, 9, 20)),
    event(4196, "change", 4, at=at(11, 28, 16, 5), detail={"reason": "cost review\u202e moves"}),
)

SHOWN = Shown(
    memory=_V3,
    versions=CHAIN,
    chain=(
        Link("merged", OTHER_ID, 2, _V1.id, 2, at(6, 2, 11, 40), "human:dana", None),
        Link("derived", _V1.id, 3, "01JY44TC00000000000000000", 1, at(11, 27), "agent:codex", None),
    ),
    events=EVENTS,
    provenance=(
        Provenance(source="claude-code", session="41c0", tool="notes", place="docs/deploy.md:12"),
        Provenance(raw={"k": "v\u202e", "n": 3}, native_id="n-17"),
    ),
    relations=(
        Relation("runs_in", "memory", _V1.id, None, "entity", "e1", "Frankfurt"),
        Relation("replaces", "memory", _V1.id, None, "memory", None, "old\x1b note"),
    ),
    entities=(),
    asked=_V1.id,
)

HELD = (
    Held(Gate.SUPERSEDED, _V2, Evidence(0.9, 0.9, 0.4, "strong")),
    Held(Gate.QUARANTINED, HITS[3].memory, Evidence(0.8, 0.7, None, "weak")),
)
