"""What two memory texts have to do with each other, by rules (domain.md, step *Decide*).

Precision first: two texts are *same* only where every content word of one is a word of the other
(equal, or of one group of synonyms), the same words are denied and counted, and the frames say
that the same does the same to the same. What the rules cannot read is never *same*. The bundled
model cannot see negation or opposites, so its cosine only helps to tell related from unrelated.
"""

from __future__ import annotations

from typing import Literal

from store.review.frames import alike
from store.review.items import Kind
from store.review.judgement import Difference, Judgement, Label
from store.review.lexicon import Lexicon, lexicon
from store.review.matching import Matching, match
from store.review.operators import Disagreement, acts, disagreement, other_time
from store.review.pointers import without_pointers
from store.review.reading import Reading, read
from store.review.slots import MOST_WORDS, Slot, places_that_differ, replaced_verb, slots
from store.review.structure import frames
from store.review.wording import judged

_MERGINGS = (frozenset[str](), frozenset({"of"}), frozenset({"of", "for"}))
_RELATED = 0.6
"""Centred cosine from which two texts may be about one thing: unrelated ones of the open half
of tests/pairs lie below .55, the others above .53."""
_ONE_VALUE_RELATED = 0.4
"""The same where one number, date, name or the like is all that differs."""
_MOST_OF_SHORTER = 0.75
"""How much of the shorter of two texts of unlike length must be common, the value included."""
_ONE_SUBJECT = 0.6
"""Share of content that two texts of one subject have in common (Dice)."""
_ONE_VALUE = 0.5
"""The same where one number, date, name or the like is all that differs."""
_MEASURED = frozenset(
    (Difference.NUMBER, Difference.DATE, Difference.UNIT, Difference.VERSION, Difference.QUANTITY)
)
_ACTING = (Kind.NEGATION, Kind.QUANTITY, Kind.MODAL)
_MOST_ITEMS = 1000
"""Items of a text that is still read for its frames; a longer one must keep its order."""


def compare(a: str, b: str, cosine: float | None = None) -> Judgement:
    """Judge two texts. Pure; about half a millisecond for two notes.

    `cosine`: of the bundled model, centred (`centred_cosine`); None where a text has no vector.
    """
    return judge(read(a), read(b), cosine)


def judge(left: Reading, right: Reading, cosine: float | None = None) -> Judgement:
    """As `compare`, for texts read before: a text with many neighbours is read once."""
    if left.exact == right.exact:
        return judged(left, right, Label.SAME, confidence=0.99)
    if left.too_long or right.too_long:
        return judged(left, right, Label.UNRELATED, confidence=0.5)
    if left.language != right.language:
        left, right = _in_one_language(left, right)
    words = lexicon(left.language)
    if _foreign(left, right, words):
        return judged(left, right, Label.UNRELATED, confidence=0.9)
    found = match(left.content, right.content, words)
    if not found.pairs:
        return judged(left, right, Label.UNRELATED, confidence=0.9)
    against = disagreement(acts(left.items), acts(right.items), dict(found.pairs))
    if not found.left and not found.right:
        return _same_words(left, right, words, found, against)
    if found.left and found.right:
        return _both_have_more(left, right, words, found, against, cosine)
    return _one_has_more(left, right, found, against, cosine)


def _foreign(left: Reading, right: Reading, words: Lexicon) -> bool:
    """Whether too little of the shorter text can have a partner: spares the alignment.

    What is judged to be related has most of its words in common, or all but one value.
    """
    short, long = sorted((left.content, right.content), key=len)
    keys = {item.key for item in long}
    groups = {n for key in keys for n in words.groups.get(key, ())}
    lonely = sum(
        not item.weak and item.key not in keys and groups.isdisjoint(words.groups.get(item.key, ()))
        for item in short
    )
    most = max(MOST_WORDS, (1 - _ONE_SUBJECT) * len(short))
    return lonely > most or 3 * lonely > 2 * len(short)


def _in_one_language(left: Reading, right: Reading) -> tuple[Reading, Reading]:
    """Both with the word lists of the one that is not English."""
    if left.language == "en":
        return read(left.text, right.language), right
    return left, read(right.text, left.language)


def _same_words(
    left: Reading,
    right: Reading,
    words: Lexicon,
    found: Matching,
    against: Disagreement | None,
) -> Judgement:
    if against is not None and not against.moved:
        return _denied(left, right, against, 0.95)
    if against is not None or not _same_frames(left, right, words, found):
        return _turned(left, right, found)
    if left.question != right.question:
        return judged(left, right, Label.DIFFERS, kind=Difference.WORD, confidence=0.5)
    if other_time(left.items, right.items):
        return judged(left, right, Label.DIFFERS, kind=Difference.DATE, confidence=0.6)
    if not any(i.content and not i.weak for i in left.items):
        return judged(left, right, Label.UNRELATED, confidence=0.5)
    exact = found.exact == len(found.pairs)
    return judged(left, right, Label.SAME, confidence=0.95 if exact else 0.85)


def _denied(left: Reading, right: Reading, against: Disagreement, confidence: float) -> Judgement:
    names = {act.name for act in (*against.left, *against.right)}
    kind = Difference.NEGATION if "not" in names else Difference.QUANTITY
    if names & {"all", "some", "few", "most", "both", "half", "only", "sometimes", "rarely"}:
        kind = Difference.QUANTITY
    return judged(
        left,
        right,
        Label.DIFFERS,
        kind=kind,
        words=([a.item for a in against.left], [a.item for a in against.right]),
        confidence=confidence,
    )


def _turned(left: Reading, right: Reading, found: Matching) -> Judgement:
    """The same words in another order that the frames cannot explain."""
    a, b = left.content, right.content
    stayed = set(found.in_order)
    moved = [pair for pair in found.pairs if pair not in stayed]
    marks = [
        [i for i in side.items if i.kind.value == "mark" and i.key in _DIRECTED]
        for side in (left, right)
    ]
    directed = sorted(m.key for m in marks[0]) != sorted(m.key for m in marks[1])
    return judged(
        left,
        right,
        Label.DIFFERS,
        kind=Difference.DIRECTION if directed or any(marks) else Difference.ROLES,
        words=(
            [a[i] for i, _ in moved] + (marks[0] if directed else []),
            [b[j] for _, j in moved] + (marks[1] if directed else []),
        ),
        confidence=0.7,
    )


_DIRECTED = frozenset(("from", "to", "before", "after"))


def _same_frames(left: Reading, right: Reading, words: Lexicon, found: Matching) -> bool:
    """Whether some reading of both gives the same frames."""
    if len(found.in_order) == len(found.pairs) and _said(left) == _said(right):
        return True  # but for punctuation, which word lists have no say in
    sides = [{place: at for at, place in enumerate(_places(side))} for side in (left, right)]
    if max(len(left.items), len(right.items)) > _MOST_ITEMS:
        return len(found.in_order) == len(found.pairs)
    to_left = {b: a for a, b in found.pairs}
    ids_left = sides[0]
    ids_right = {p: to_left[at] for p, at in sides[1].items() if at in to_left}
    for merging in _MERGINGS:
        one = frames(left.items, ids_left, words, merging=merging)
        other = frames(right.items, ids_right, words, merging=merging)
        if alike(one, other, topic_first=words.language != "en"):
            return True
    return False


def _said(side: Reading) -> list[str]:
    """What stands around and between content, as one row: `to`, `before`, `and`, a place held."""
    kinds = (Kind.MARK, Kind.CONJUNCTION, Kind.AUXILIARY, *_ACTING)
    return ["" if i.content else i.key for i in side.items if i.content or i.kind in kinds]


def _places(side: Reading) -> list[int]:
    return [place for place, item in enumerate(side.items) if item.content]


def _one_has_more(
    left: Reading,
    right: Reading,
    found: Matching,
    against: Disagreement | None,
    cosine: float | None,
) -> Judgement:
    container: Literal["a", "b"] = "a" if found.left else "b"
    replaced = replaced_verb(left.content, right.content, found)
    if replaced is not None:
        return judged(
            left,
            right,
            Label.DIFFERS,
            kind=Difference.WORD,
            words=([left.content[i] for i in replaced[0]], [right.content[j] for j in replaced[1]]),
            confidence=0.5,
        )
    whole = min(len(left.content), len(right.content))
    if against is not None and not against.moved:
        return _denied(left, right, against, 0.7)
    if whole < 2 and (cosine is None or cosine < _RELATED):
        return judged(left, right, Label.UNRELATED, confidence=0.5)
    return judged(
        left,
        right,
        Label.INCLUDES,
        container=container,
        words=([left.content[i] for i in found.left], [right.content[j] for j in found.right]),
        confidence=0.85 if len(found.in_order) == len(found.pairs) else 0.6,
    )


def _both_have_more(
    left: Reading,
    right: Reading,
    words: Lexicon,
    found: Matching,
    against: Disagreement | None,
    cosine: float | None,
) -> Judgement:
    said = without_pointers(left.items, right.items, found)
    if said is not found:
        return _on_two_occasions(left, right, words, said, against, cosine)
    single = len(found.left) == 1 and len(found.right) == 1
    one_place = single or places_that_differ(found) < 2
    denied = against is not None and not against.moved and not against.of_lists and one_place
    if against is not None and denied and _near(found, left, right) >= _ONE_SUBJECT:
        return _denied(left, right, against, 0.6)
    if not one_place or (not single and len(found.in_order) < len(found.pairs)):
        return judged(left, right, Label.UNRELATED, confidence=0.7)
    best = slots(left.content, right.content, found, words)
    if best is None or not _one_subject(left, right, found, best, cosine):
        return judged(left, right, Label.UNRELATED, confidence=0.7)
    return _in_one_value(left, right, best)


def _in_one_value(left: Reading, right: Reading, best: Slot) -> Judgement:
    return judged(
        left,
        right,
        Label.DIFFERS,
        kind=best.kind,
        words=([left.content[i] for i in best.left], [right.content[j] for j in best.right]),
        confidence=best.confidence,
    )


def _on_two_occasions(
    left: Reading,
    right: Reading,
    words: Lexicon,
    found: Matching,
    against: Disagreement | None,
    cosine: float | None,
) -> Judgement:
    """Each points elsewhere, which `found` leaves out: both are wanted, unless all else is the
    same but for a denial or one measured value. Other names are other things then."""
    same = not found.left and not found.right
    if same and against is not None and not against.moved:
        return _denied(left, right, against, 0.6)
    best = slots(left.content, right.content, found, words) if found.left and found.right else None
    value = best if best is not None and best.alone and best.kind in _MEASURED else None
    if value is not None and _one_subject(left, right, found, value, cosine):
        return _in_one_value(left, right, value)
    return judged(left, right, Label.UNRELATED, confidence=0.7)


def _near(found: Matching, left: Reading, right: Reading) -> float:
    """Share of content that is common (Dice)."""
    return 2 * len(found.pairs) / (len(left.content) + len(right.content))


def _one_subject(
    left: Reading, right: Reading, found: Matching, best: Slot, cosine: float | None
) -> bool:
    """Whether what is common is enough for what differs to be one value of one subject."""
    common = 2 * len(found.pairs)
    near = common / (common + 2) if best.alone else _near(found, left, right)
    one_word = best.alone and len(best.left) == len(best.right) == 1
    value = one_word and best.kind is not Difference.WORD
    related = _ONE_VALUE_RELATED if value else _RELATED
    if cosine is not None and cosine < related and near < 0.8:
        return False
    if near >= (_ONE_VALUE if value else _ONE_SUBJECT):
        return True
    shorter = min(len(left.content), len(right.content))
    most = len(found.pairs) + 1 >= _MOST_OF_SHORTER * shorter
    return best.framed and most and len(found.pairs) > 2 and cosine is not None
