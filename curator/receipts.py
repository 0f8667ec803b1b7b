"""An erase in lines of plain text: what it would destroy, and the receipt of what it did.

The receipt holds no word of what was erased, so it may be printed, copied and kept.
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from curator import plain
from curator.outgoing import outgoing

if TYPE_CHECKING:
    from store.copies.rewriting import Rewritten
    from store.erasing.receipts import Preview, Receipt, Unreachable

_MOST_TEXTS = 10
_MOST_IDS = 20


def preview_lines(seen: Preview) -> list[str]:
    """What vanishes, and what cannot be reached."""
    shown = seen.memories[:_MOST_TEXTS]
    lines = [line for one in shown for line in plain.memory_lines(outgoing(one))]
    lines += _more(len(seen.memories) - _MOST_TEXTS)
    lines += ["", "Will be destroyed and cannot be undone"]
    lines += [f"{many:>7,}  {what}" for what, many in destroyed(seen) if many]
    if seen.derived:
        many = plain.count(len(seen.derived), "memory came", "memories came")
        lines += ["", f"{many} of it and stay, unless --with-derived"]
        lines += [f"  {one.id}  {plain.fitted(outgoing(one).text, 30)}" for one in seen.derived]
    if seen.same:
        many = plain.count(len(seen.same), "other memory says", "other memories say")
        lines += ["", f"{many} the same and stay; erase them too if the text is to go"]
        lines += [f"  {one.id}  {plain.safe(one.scope)}" for one in seen.same]
    lines += ["", "Cannot be reached from here"]
    if seen.shown:
        lines.append(f"  agents were shown it {plain.count(seen.shown, 'time')}")
    return lines + _unreached(seen.unreachable)


def destroyed(seen: Preview) -> list[tuple[str, int]]:
    """What goes, with its number, in the order of a person's interest."""
    others = [(f"rows of {n.replace('_', ' ')} that repeat it", m) for n, m in seen.others.items()]
    return [
        ("versions, with words, tokens and vectors", seen.versions),
        ("proposals that quote it", seen.proposals),
        ("details in the audit log; its chain stays intact", seen.details),
        ("texts of tombstones; they go on keeping it out", seen.tombstones),
        *others,
    ]


def receipt_lines(one: Receipt) -> list[str]:
    """The receipt."""
    versions = plain.count(sum(n for _, n in one.erased), "version")
    facts = [
        ("erased", f"{plain.count(len(one.erased), 'memory', 'memories')}, {versions}"),
        ("at, by", f"{plain.minute(one.at)}  {one.by}"),
        ("event", f"#{one.event}"),
        ("log head", one.head),
        ("redacted", f"{plain.count(one.redacted, 'detail')} of the log"),
    ]
    lines = [f"Receipt: {verdict(one)}", "", *plain.table(facts)]
    lines += [f"  {i}  {plain.count(n, 'version')}" for i, n in one.erased[:_MOST_IDS]]
    lines += _more(len(one.erased) - _MOST_IDS)
    lines += [f"  proposal {n}" for n in one.proposals]
    searched = [
        (f"  {plain.safe(s.where)}", f"{s.bytes:,} bytes", f"{s.found:,} found")
        for s in one.scanned
    ]
    lines += ["", "Searched byte by byte", *plain.table(searched)]
    if one.cleaned:
        lines.append("  The whole store was written anew: it held old bytes of deleted rows.")
    lines += ["", words_line(one), "", "Not reached", *_unreached(one.unreachable)]
    if one.pending is not None:
        lines += ["", "Close the other program, then: curator erase --finish"]
    return lines


def rewritten_lines(found: Rewritten) -> list[str]:
    """Which exports were written anew, and why others were left."""
    lines = [f"written anew  {plain.safe(path)}" for path in found.done]
    lines += [f"left          {plain.safe(path)}: {plain.safe(why)}" for path, why in found.left]
    return lines or ["The log knows no export with a name."]


def saved(one: Receipt, now: datetime, folder: Path | None = None) -> str:
    """Write the receipt to a new file (0600) in `folder`, else the current one; what is said."""
    where = Path.cwd() if folder is None else folder
    path = where / f"erase-receipt-{one.event}-{now:%Y-%m-%d-%H%M%S}.txt"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write("\n".join(receipt_lines(one)) + "\n")
    except OSError as error:
        return f"Nothing was saved: {error.strerror or error} in {where}."
    return f"Saved the receipt to {path}."


def verdict(one: Receipt) -> str:
    """The first sentence of a receipt."""
    if one.pending is not None:
        return f"Erased, but pending: {one.pending}."
    if one.found:
        return f"{plain.count(one.found, 'trace')} of it left."
    if one.said_elsewhere:
        return (
            "Erased. Every word of it also stands in other memories, which were left as they are."
        )
    return "No byte of it is left in what was searched."


def words_line(one: Receipt) -> str:
    """How many words of it are nowhere any more."""
    only = one.words - one.words_elsewhere
    said = f"Of its {plain.count(one.words, 'word')} other memories hold {one.words_elsewhere:,}"
    return f"{said}; the other {only:,} are gone from every list." if only else f"{said}."


def _more(many: int) -> list[str]:
    return [f"  and {many:,} more"] if many > 0 else []


def _unreached(copies: tuple[Unreachable, ...]) -> list[str]:
    return [f"  {plain.safe(one.what)}  {plain.minute(one.when)}".rstrip() for one in copies]
