"""When two texts are the same value (laws 8 and 9): equal after folding, nothing less.

Folded are Unicode form, case, width, white space and invisible characters. One changed
number, name, colour or negation changes the folded text.
"""

from __future__ import annotations

import hashlib
import json

from store.model import Draft
from store.search.fold import exact_form
from store.times import end_us, start_us


def fold_hash(draft: Draft) -> str:
    """Equal for drafts that say the same of the same subject for the same time."""
    value = [
        exact_form(draft.text),
        exact_form(draft.subject or ""),
        start_us(draft.valid_from),
        end_us(draft.valid_to),
    ]
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()
