"""What a text says, as other rows could repeat it: its words, and runs of them.

Words are compared whole, folded (NFKC, case). A row quotes a text when it holds the run of all
its words, or twelve of them in a row; a row names a word when it holds it anywhere.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from typing import Any

from store import model
from store.search.fold import HIDDEN
from store.search.stopwords import STOP_WORDS, stop_terms

RUN = 12
"""So many words in a row are a quotation; of a shorter text all of them."""
SHORTEST_WORD = 3
_WORD = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_LONG_WRITTEN = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_HASH_OR_ID = re.compile(r"[0-9a-f]{16,64}|[0-9A-HJKMNP-TV-Z]{26}")
_ENUMS = [v for v in vars(model).values() if isinstance(v, type) and issubclass(v, StrEnum)]
MACHINE = frozenset(one.value for kind in _ENUMS for one in kind) | frozenset(
    "remember correct change withdraw recall import restore merge unmerge move undo propose "
    "consolidate supersede dispute extract started finished filled curator everything".split()
)
"""Values that the product itself writes into a detail or a proposal: no person's words."""
_RECORDS = (v for v in vars(model).values() if isinstance(v, type) and is_dataclass(v))
FIELDS = frozenset(one.name for record in _RECORDS for one in fields(record)) | frozenset(
    "draft how act before after replaced row store masked of from to tombstone sources target "
    "path verb head counts revealed result dropped phase versions attempts last merged into "
    "of words said value name both only".split()
)
"""Names of fields that the product itself gives."""


def words_of(text: str) -> list[str]:
    """Its words in order. Of scripts written without spaces each character is one."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", HIDDEN.sub("", text))
    return _WORD.findall(text.casefold())


def is_telling(word: str) -> bool:
    """Whether a word alone can give a text away: no stop word, and not a letter or two."""
    if len(word) < SHORTEST_WORD or word in MACHINE:
        return False
    return word not in STOP_WORDS and word not in stop_terms()


def strings_of(value: Any) -> Iterator[str]:
    """Every text in a JSON value: names of its fields too, but what the product itself wrote."""
    if isinstance(value, str):
        if value not in MACHINE and not _HASH_OR_ID.fullmatch(value):
            yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if key not in FIELDS:
                yield str(key)
            yield from strings_of(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings_of(item)


def cell_strings(cell: str | None, is_json: bool) -> Iterator[str]:
    """The texts of one stored column."""
    if cell is None:
        return
    if not is_json:
        yield cell
        return
    try:
        value = json.loads(cell)
    except ValueError:
        yield cell
        return
    yield from strings_of(value)


@dataclass(slots=True)
class Sayings:
    """What the erased texts say. `words`: the telling ones, folded."""

    words: set[str] = field(default_factory=set)
    _runs: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)

    def add(self, text: str, *, whole: bool = False) -> None:
        """Take a text in. `whole`: it is a memory's text, which may be quoted."""
        said = words_of(text)
        self.words.update(filter(is_telling, said))
        if not whole or len(said) < 2:
            return
        size = min(RUN, len(said))
        for start in range(len(said) - size + 1):
            run = tuple(said[start : start + size])
            self._runs.setdefault(run[0], set()).add(run)

    def covers(self, other: Sayings) -> bool:
        """Whether who looks for these looks for all of the other's too."""
        return self.words >= other.words and all(
            self._runs.get(word, set()) >= runs for word, runs in other._runs.items()
        )

    def found_in(self, texts: Iterable[str]) -> tuple[set[str], bool]:
        """(telling words of the erased texts, whether it quotes one of them)."""
        named: set[str] = set()
        quotes = False
        for text in texts:
            said = words_of(text)
            named.update(self.words.intersection(said))
            quotes = quotes or self._quoted(said)
        return named, quotes

    def _quoted(self, said: list[str]) -> bool:
        for place, word in enumerate(said):
            for run in self._runs.get(word, ()):
                if tuple(said[place : place + len(run)]) == run:
                    return True
        return False


def without(value: Any, sayings: Sayings, gone: frozenset[str]) -> Any:
    """A JSON value without the texts in it that quote, or hold one of the words `gone`: empty
    where a field must stay, left out of a list."""

    def told(text: str) -> bool:
        named, quotes = sayings.found_in(strings_of(text))
        return quotes or bool(named & gone)

    if isinstance(value, str):
        return "" if told(value) else value
    if isinstance(value, dict):
        kept = (k for k in value if k in FIELDS or not told(k))
        return {k: without(value[k], sayings, gone) for k in kept}
    if isinstance(value, list):
        return [without(v, sayings, gone) for v in value if not (isinstance(v, str) and told(v))]
    return value
