"""Who does what to whom: a text's words as frames that do not depend on how it is put.

A frame is a clause. Its core is a sequence: subject, verb, object; of a passive clause, agent,
verb, subject. Phrases that a mark opens (`in staging`, `to GCS`), dates and adverbs are free in
their place and kept with their mark. A part that cannot be read this way yields different frames
for equal claims, never equal frames for texts whose words act on each other differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from store.review.coordination import sorted_lists
from store.review.frames import WEAK, Draft, Frames, finished
from store.review.items import Item, Kind
from store.review.lexicon import Lexicon

_SENTENCE = frozenset((".", ";"))
_ADVERB_LESS = frozenset(
    "reply apply supply only family early assembly anomaly july comply".split()
)
_DIRECTED = frozenset("from to before after until since".split())


def frames(
    items: Sequence[Item], ids: Mapping[int, int], words: Lexicon, *, merging: frozenset[str]
) -> Frames:
    """The frames of a text, its content named by `ids` (place in `items` → shared number).

    Items without a number are left out. `merging`: the marks whose phrase is read as if it
    stood before the word it hangs on (`owner of the service` as `service owner`).
    """
    builder = _Builder(words, ids, merging)
    for place in sorted_lists(items, ids):
        builder.take(items, place)
    return finished(builder.main, builder.dependent)


class _Builder:
    """Reads items one by one; `target` is the list that content goes to."""

    def __init__(self, words: Lexicon, ids: Mapping[int, int], merging: frozenset[str]) -> None:
        self.words, self.ids, self.merging = words, ids, merging
        self.main: list[Draft] = [Draft()]
        self.dependent: list[Draft] = []
        self.frame = self.main[0]
        self.target = self.frame.core
        self.mark = ""
        self.insert: int | None = None
        self.helped = False
        """An auxiliary stands right before: a participle now makes the clause passive."""
        self.opens = True
        self.until_comma = False
        self.dated = False
        """A date stands right before: a mark behind it is its mark."""

    def take(self, items: Sequence[Item], place: int) -> None:
        item = items[place]
        if item.kind is Kind.BREAK:
            self._break(item.key)
        elif item.kind is Kind.MARK:
            self._mark(items, place)
        elif item.kind is Kind.CONJUNCTION:
            self._join()
        elif item.kind is Kind.AUXILIARY:
            self._help(item)
        elif item.kind in (Kind.DETERMINER, Kind.PRONOUN):
            self._begin_noun()
        elif item.kind is Kind.MODAL and self.words.language != "en":
            self._close_dependent()
        elif item.content:
            self._content(item, place)
        if item.kind is not Kind.DATE:
            self.dated = False

    def _to_core(self) -> None:
        self.target, self.mark, self.insert = self.frame.core, "", None

    def _break(self, sign: str) -> None:
        if sign in _SENTENCE:
            self._new_main()
            self.opens = True
            return
        if self.frame.mark:
            self.frame = self.main[-1]
        self._to_core()
        self.until_comma = False

    def _new_main(self) -> None:
        passive = self.frame.cut is not None
        self.frame = Draft()
        self.main.append(self.frame)
        self._to_core()
        self.helped = passive

    def _mark(self, items: Sequence[Item], place: int) -> None:
        item = items[place]
        if item.key in self.words.clausal:
            self.until_comma = self.opens and _comma_follows(items, place)
            self.frame = Draft(item.key)
            self.dependent.append(self.frame)
            self._to_core()
        elif item.raw in self.words.afterwards:
            self._mark_behind(item)
        elif item.key in self.merging and self.target:
            self.insert = len(self.target) - 1
        elif self.target or self.mark in WEAK or not self.mark:
            phrase: list[int] = []
            self.frame.phrases.append((item.key, item.raw.lower(), phrase))
            self.target, self.mark, self.insert = phrase, item.key, None
        elif item.key not in WEAK:  # two in a row: `not from a sequence`
            _, raw, phrase = self.frame.phrases[-1]
            self.mark = f"{self.mark} {item.key}"
            self.frame.phrases[-1] = (self.mark, raw, phrase)
        self.helped = False

    def _mark_behind(self, item: Item) -> None:
        """`合并之前`, `周三之前`: what stands before the mark is the phrase."""
        if self.dated and item.key in _DIRECTED:
            self.frame.loose[-1] = (item.key, self.frame.loose[-1][1])
        elif self.target is self.frame.core and item.key != "in":
            self.frame.phrases.append((item.key, item.raw, list(self.target)))
            self.target.clear()
        self._to_core()

    def _join(self) -> None:
        if not self.frame.mark:
            self._new_main()

    def _help(self, item: Item) -> None:
        if item.key in self.words.passives:
            self._to_core()
            self.frame.cut = len(self.frame.core)
        elif item.raw.lower() == "thì":
            self._close_dependent()
        elif self.target is not self.frame.core and self.target:
            self._to_core()
        self.insert = None
        self.helped = self.words.language == "en"

    def _begin_noun(self) -> None:
        """`the`, `we`: a phrase that has its words already ends here."""
        if self.until_comma:
            return
        if self.frame.mark and self.opens and self.frame.core:
            self._close_dependent()
        elif self.target and self.target is not self.frame.core:
            self._to_core()
        elif self.insert is not None and self.insert < len(self.target) - 1:
            self.insert = None

    def _close_dependent(self) -> None:
        """The clause that a sentence began with ends here: `khi trả lời khách hàng thì …`."""
        if self.frame.mark and self.opens:
            self.frame = self.main[-1]
            self._to_core()

    def _content(self, item: Item, place: int) -> None:
        number = self.ids.get(place)
        if item.weak or number is None:
            if item.weak and self.target is not self.frame.core and self.target:
                self._to_core()
        elif item.kind is Kind.DATE:
            self.frame.loose.append((self.mark if self.mark in _DIRECTED else "", number))
            self._to_core()
            self.dated = True
            return
        elif _is_adverb(item):
            self.frame.loose.append(("", number))
            return
        else:
            if self.helped and self._is_participle(item):
                self._to_core()
                self.frame.cut = len(self.frame.core)
            self._add(number)
        self.helped = False
        if not self.frame.mark and self.frame.core:
            self.opens = False

    def _add(self, number: int) -> None:
        if self.insert is None:
            self.target.append(number)
        else:
            self.target.insert(self.insert, number)
            self.insert += 1

    def _is_participle(self, item: Item) -> bool:
        low = item.raw.lower()
        return (len(low) > 4 and low.endswith("ed")) or low in self.words.participles


def _is_adverb(item: Item) -> bool:
    low = item.raw.lower()
    return (
        item.kind is Kind.WORD and len(low) > 4 and low.endswith("ly") and low not in _ADVERB_LESS
    )


def _comma_follows(items: Sequence[Item], place: int) -> bool:
    for item in items[place + 1 :]:
        if item.kind is Kind.BREAK:
            return item.key not in _SENTENCE
    return False
