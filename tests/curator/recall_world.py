"""The seed world after agents asked in it, and after what they were told changed."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path

from store import Actor, Draft, Grant, open_store
from store.ids import Ulids
from tests import seeds
from tests.seeds import NOW, SCOPE, Clock

ASKED = (
    ("claude-code", "deploy region", 5 * 24 + 2),
    ("codex", "who owns billing", 26),
    ("claude-code", "which port has postgres in staging", 25),
    ("claude-code", "deploy region", 3),
    ("codex", "what does Dana drink", 2),
    ("claude-code", "when is the deploy freeze", 1),
)
"""Who asked what, so many hours ago."""
SECOND = "Production deploys run in eu-central-1 and nowhere else since 26 November."


def write(path: Path) -> dict[str, str]:
    """Ids by a short name. After the first question one answer is corrected, one retired, one
    quarantined, and a new one written."""
    names = seeds.write(path)
    clock, ids = Clock(), Ulids(random.Random(13).randbytes)
    with open_store(path, create=False, clock=clock, ids=ids) as store:
        me = store.curator(Actor.human("dana"))
        for at, (who, query, hours) in enumerate(ASKED):
            clock.now = NOW - timedelta(hours=hours)
            view = store.agent(Actor.agent(who), Grant(read={SCOPE}))
            view.recall(query, limit=6, session=f"7f2{at}")
            if at == 0:
                clock.now += timedelta(days=1)
                right = "Handbook: there is one production deploy region, eu-central-1."
                me.correct(names["right"], right, reason="shorter")
                me.retire(names["failover"], reason="gone")
                me.mark("quarantine", names["hostile3"])
                names["second"] = str(me.remember(Draft(SECOND, SCOPE)).id)
        clock.now = NOW
    return names
