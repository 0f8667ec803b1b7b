"""What the demo's agents asked in the last weeks, so that Recalls has something to show: some
answers were changed since, one question finds nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

HARBOR, TIDEPOOL = "project/harbor-api", "project/tidepool-web"
_QUESTIONS = (
    (29, "claude-code", HARBOR, "how do I run the migration"),
    (21, "codex", HARBOR, "session length"),
    (14, "claude-code", TIDEPOOL, "which node version in ci"),
    (12, "claude-code", HARBOR, "deploy region"),
    (8, "codex", HARBOR, "deploy region"),
    (6, "claude-code", HARBOR, "database port in staging"),
    (5, "codex", HARBOR, "kafka retention"),
    (3, "claude-code", HARBOR, "deploy freeze"),
    (1, "codex", TIDEPOOL, "how long is a berth held"),
    (0.1, "claude-code", HARBOR, "where do production deploys go"),
)


@dataclass(frozen=True, slots=True)
class Question:
    """One recall of an agent with the read grant `scope`."""

    at: datetime
    agent: str
    scope: str
    query: str
    session: str


def questions(now: datetime) -> list[Question]:
    """Oldest first, each so many days before `now`."""
    return [
        Question(now - timedelta(days=days), agent, scope, query, f"{0x7F20 + n:x}")
        for n, (days, agent, scope, query) in enumerate(_QUESTIONS)
    ]
