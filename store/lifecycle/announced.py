"""A text that is announced, while another one holds until then.

Verify, dispute and reject judge what a text says. Their act lies on the newest version, but who
looks at the memory today is shown the one that holds, so without the word which version was
seen they would judge a text unread.
"""

from __future__ import annotations

from datetime import UTC

from store.errors import NotPossible
from store.reads.find import shown
from store.reads.grants import Sight
from store.schema import Row
from store.times import from_us
from store.work import Work

JUDGING = frozenset({"verify", "dispute", "reject"})
"""Verbs that judge what a text says; the others are about the memory as a whole."""


def must_be_named(work: Work, sight: Sight, newest: Row, verb: str, expect: int | None) -> None:
    """Whoever judges an announced text names its version. Raises `NotPossible`."""
    if verb not in JUDGING or expect is not None or newest["closed_at"] is not None:
        return
    today = shown(work.conn, sight, newest["memory_id"])
    if today is None or today["version"] == newest["version"] or newest["valid_from"] <= sight.t:
        return
    day = from_us(newest["valid_from"]).astimezone(UTC).date().isoformat()
    raise NotPossible(
        f"{newest['memory_id'][:8]} says v{today['version']} today; v{newest['version']} is "
        f"announced for {day}, and to {verb} it is to judge that text. Nothing was done.",
        f"Look at v{newest['version']} in the chain, then name it: --expect {newest['version']}.",
    )
