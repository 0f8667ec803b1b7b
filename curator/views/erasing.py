"""An erase before and after: what vanishes, what cannot be reached, the receipt (visual.md)."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from curator import glyphs, tones
from curator.safe import visible, visible_str
from curator.views import bars, lines, numbers, standing, when
from curator.views.look import Look
from store.erasing.receipts import Preview, Receipt, Scanned, Unreachable
from store.model import Memory

MOST_NAMED = 4
_COUNT = 5
_LABEL = 14
_HEAD = 18
_KINDS = ("export", "backup", "copy")


def before(seen: Preview, look: Look, width: int) -> Content:
    """What the erase would destroy, and what it could not reach. `width`: cells of a line."""
    gone = [_row(many, what, right, width) for many, what, right in _destroyed(seen) if many]
    gone += _came_of_it(seen, width)
    left = [*_same(seen, width), *_not_reached(seen.unreachable, look, width), *_shown(seen)]
    groups = [
        _subjects(seen, look, width),
        [_title("Will be destroyed and cannot be undone", tones.STRONG_DANGER), *gone],
        [_title("Cannot be reached from here", tones.STRONG_WARN), *left],
    ]
    return Content("\n").join(lines.joined(groups))


def _title(words: str, tone: str) -> Content:
    return Content.styled(words, tone)


def _subjects(seen: Preview, look: Look, width: int) -> list[Content]:
    if len(seen.memories) == 1:
        one = seen.memories[0]
        facts = [
            Content.styled(standing.short_id(one.id), tones.MUTED),
            Content.styled(numbers.many(seen.versions, "version"), tones.MUTED),
            Content.styled(lines.middle(visible_str(one.scope, multiline=False), 24), tones.MUTED),
            standing.trust(one, look),
        ]
        return [*lines.clip(_text(one), width, 2), lines.spaced(facts, 3)]
    told = [_named(one, width) for one in seen.memories[:MOST_NAMED]]
    if (more := len(seen.memories) - MOST_NAMED) > 0:
        told.append(Content.styled(f"and {numbers.count(more)} more", tones.MUTED))
    return told


def _text(one: Memory) -> Content:
    return visible(one.text[:600], multiline=False)


def _named(one: Memory, width: int) -> Content:
    short = Content.styled(f"{standing.short_id(one.id)}  ", tones.MUTED)
    return lines.cut(Content.assemble(short, _text(one)), width)


def _row(many: int, what: str, right: Content, width: int) -> Content:
    count = lines.flush(Content.styled(numbers.count(many), tones.STRONG), _COUNT)
    return lines.between(Content.assemble(count, "  ", what), right, width)


def _destroyed(seen: Preview) -> list[tuple[int, str, Content]]:
    """(how many, of what, what is said beside it)."""

    def beside(words: str) -> Content:
        return Content.styled(words, tones.MUTED)

    def row(many: int, one: str, more: str, said: str = "") -> tuple[int, str, Content]:
        return many, one if many == 1 else more, beside(said)

    others = [(n, _repeating(name, n), beside("")) for name, n in seen.others.items()]
    kept = "the value stays out" if seen.keeping_out else ""
    return [
        row(
            seen.versions,
            "version, with words, tokens and vector",
            "versions, with words, tokens and vectors",
        ),
        row(seen.proposals, "proposal that quotes it", "proposals that quote it"),
        row(
            seen.details,
            "detail in the audit log",
            "details in the audit log",
            "the chain stays intact",
        ),
        row(seen.tombstones, "text of a tombstone", "texts of tombstones", kept),
        *others,
    ]


def _same(seen: Preview, width: int) -> list[Content]:
    """They stay, and so does what they say."""
    if not seen.same:
        return []
    many = len(seen.same)
    says = "other memory says the same and stays" if many == 1 else "others say the same and stay"
    short = Content.styled(standing.short_id(seen.same[0].id), tones.MUTED)
    return [_row(many, says, short, width)]


def _came_of_it(seen: Preview, width: int) -> list[Content]:
    """They stay unless the person chooses to erase them too."""
    if not seen.derived:
        return []
    first = lines.cut(_named(seen.derived[0], width), max(20, width // 2 - 6))
    what = "derived memory stays" if len(seen.derived) == 1 else "derived memories stay"
    return [_row(len(seen.derived), what, first.stylize_before(tones.MUTED), width)]


_TABLES = {
    "recall": ("recall query", "recall queries"),
    "saved_search": ("saved search", "saved searches"),
    "question": ("question", "questions"),
}


def _repeating(name: str, many: int) -> str:
    words = name.replace("_", " ")
    one, more = _TABLES.get(name, (f"row of {words}", f"rows of {words}"))
    return f"{one} that repeats it" if many == 1 else f"{more} that repeat it"


def _not_reached(copies: Sequence[Unreachable], look: Look, width: int) -> list[Content]:
    told = []
    for kind in _KINDS:
        made = [one for one in copies if one.when is not None and one.what.startswith(kind)]
        if made:
            days = ", ".join(when.day(one.when, look.now) for one in made[-3:] if one.when)
            right = Content.styled(days, tones.MUTED)
            told.append(_row(len(made), f"{kind}s" if len(made) > 1 else kind, right, width))
    rest = [one.what for one in copies if one.when is None]
    return told + [
        lines.cut(Content.styled(f"{'':>{_COUNT}}  {visible_str(what)}", tones.MUTED), width)
        for what in rest
    ]


def _shown(seen: Preview) -> list[Content]:
    if not seen.shown:
        return []
    mark = lines.flush(Content.styled("!", tones.STRONG_WARN), _COUNT)
    return [Content.assemble(mark, f"  agents were shown it {numbers.many(seen.shown, 'time')}")]


# --- many -------------------------------------------------------------------------------


def progress(done: int, total: int, look: Look, width: int) -> Content:
    """How far an erase of many is."""
    share = done / total if total else 1.0
    said = f"{numbers.count(done)} of {numbers.count(total)} erased"
    if done >= total:
        said = "erased; the files are searched"
    return Content.assemble(bars.bar(share, max(1, width), look), "\n", said)


# --- after ------------------------------------------------------------------------------


def receipt(one: Receipt, look: Look, width: int) -> Content:
    """The receipt. There is no word of the text in it."""
    groups = [
        [lines.between(_verdict(one, look), Content.styled(when.full(one.at), tones.MUTED), width)],
        _facts(one, width),
        [_title("Searched byte by byte", tones.STRONG), *_searched(one, look, width)],
        [_title("Words of it that other memories also hold", tones.STRONG), _words(one, width)],
        [_title("Not reached", tones.STRONG_WARN), *_not_reached(one.unreachable, look, width)],
    ]
    return Content("\n").join(lines.joined(groups))


def _verdict(one: Receipt, look: Look) -> Content:
    if one.pending is not None:
        words = f"{look.sign(glyphs.DISPUTED)} Erased, but pending: {one.pending}"
        return Content.styled(words, tones.STRONG_WARN)
    if one.found:
        many = numbers.many(one.found, "trace")
        return Content.styled(f"{look.sign(glyphs.DISPUTED)} {many} left", tones.STRONG_DANGER)
    if one.said_elsewhere:
        words = "Erased; every word of it also stands in other memories"
        return Content.styled(f"{look.sign(glyphs.DISPUTED)} {words}", tones.STRONG_WARN)
    sign = (f"{look.sign(glyphs.VERIFIED)} ", tones.ACCENT)
    return Content.assemble(sign, ("No byte of it is left in what was searched", tones.STRONG))


def _fact(label: str, value: str, right: str, width: int) -> Content:
    left = Content.assemble((label.ljust(_LABEL), tones.MUTED), value)
    return lines.between(left, Content.styled(right, tones.MUTED), width)


def _facts(one: Receipt, width: int) -> list[Content]:
    versions = numbers.many(sum(n for _, n in one.erased), "version")
    if len(one.erased) == 1:
        what, label = standing.short_id(one.erased[0][0]), "memory"
    else:
        what, label = numbers.many(len(one.erased), "memory", "memories"), "erased"
    head = one.head
    spelled = f"{head[:4]} {head[4:8]} {head[8:12]} … {head[-4:]}"
    redacted = f"intact, {numbers.many(one.redacted, 'detail')} redacted"
    return [
        _fact(label, f"{what}, {versions}", f"by {one.by}", width),
        _fact("event", numbers.event(one.event), "", width),
        _fact("log head", spelled, redacted, width),
    ]


def _searched(one: Receipt, look: Look, width: int) -> list[Content]:
    told = [_place(place, look, width) for place in one.scanned]
    if one.cleaned:
        words = "The whole store was written anew: it held old bytes of deleted rows."
        told.append(lines.cut(Content.styled(words, tones.MUTED), width))
    return told


def _place(one: Scanned, look: Look, width: int) -> Content:
    sign, tone = (glyphs.DISPUTED, tones.WARN) if one.found else (glyphs.VERIFIED, tones.ACCENT)
    left = Content.assemble((f"{look.sign(sign)} ", tone), visible(one.where, multiline=False))
    size = f"{numbers.count(one.bytes)} bytes" if one.bytes else "empty"
    right = f"{size}{numbers.count(one.found):>6} found"
    return lines.between(left, Content.styled(right, tones.MUTED), width)


def _words(one: Receipt, width: int) -> Content:
    only = one.words - one.words_elsewhere
    value = f"{numbers.count(one.words_elsewhere)} of {numbers.count(one.words)}"
    gone = f"the {numbers.count(only)} others are gone from every list" if only else ""
    if only == 1:
        gone = "the other one is gone from every list"
    return _fact("words", value, gone, width)
