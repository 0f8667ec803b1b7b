"""A new text of an agent whose every write waits for a person (`curator mcp --policy review`).

Its corrections and withdrawals wait by `deferring.not_the_agents`.
"""

from __future__ import annotations

from store.gate import queue
from store.gate.flags import text_flags
from store.lifecycle.deferring import REVIEW, WAITS
from store.model import Outcome, ProposalKind, Written
from store.search.fold import exact_form
from store.work import Prepared, Work


def hold(work: Work, prepared: Prepared) -> Written:
    """File a text that passed the gate instead of storing it."""
    draft = prepared.draft
    kind = ProposalKind.HELD
    filing = queue.Filing(
        kind=kind,
        rule=REVIEW,
        scope=draft.scope,
        signature=queue.signature(kind, draft.scope, [], exact_form(draft.text)),
        how={"act": "remember"},
        draft=draft,
        flags=text_flags(draft.text),
    )
    filed = queue.file(work, filing, "remember")
    declined = f"a person declined this (proposal {filed.number})"
    return Written(
        None,
        None,
        Outcome.REFUSED if filed.declined else Outcome.HELD,
        reason=declined if filed.declined else WAITS,
        proposal=filed.number,
        event=filed.event,
        masked=prepared.masked,
        warnings=prepared.warnings,
    )
