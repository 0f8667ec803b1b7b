"""What people write for a key → Textual's name of it: `/` is `slash`, `Ctrl+D` is `ctrl+d`."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from textual.binding import Binding
from textual.keys import KEY_NAME_REPLACEMENTS, Keys

_MODIFIERS = ("ctrl", "alt", "shift", "super", "hyper", "meta")
_NAMED = frozenset(key.value for key in Keys) | {"space", "comma"}


class NotAKeyError(Exception):
    """The text names no key; says what is allowed."""


@lru_cache(maxsize=512)
def key_names(keys: str) -> tuple[str, ...]:
    """Textual's names of a comma-separated list of keys. Raises `NotAKeyError`."""
    try:
        made = list(Binding.make_bindings([Binding(_lowered(keys), "x")]))
    except Exception as error:
        raise NotAKeyError(f"allowed is one key or several with commas: {error}") from error
    names = tuple(dict.fromkeys(binding.key for binding in made))
    for name in names:
        if not _exists(name):
            raise NotAKeyError(
                f"there is no key {name!r}; allowed are letters, signs and names such as "
                "'ctrl+v', 'f5', 'enter', 'comma'"
            )
    return names


def _lowered(keys: str) -> str:
    """Modifiers and names in small letters; a single letter keeps its case."""
    parts = []
    for key in keys.split(","):
        key = key.strip()
        *modifiers, last = key.split("+") if len(key) > 1 else (key,)
        if modifiers or len(last) > 1:
            last = last.lower()
        parts.append("+".join((*map(str.lower, modifiers), last)))
    return ",".join(parts)


def _exists(name: str) -> bool:
    *modifiers, last = name.split("+")
    if any(modifier not in _MODIFIERS for modifier in modifiers):
        return False
    if name in _NAMED or last in _NAMED or (len(last) == 1 and last.isprintable()):
        return True
    original = {new: old for old, new in KEY_NAME_REPLACEMENTS.items()}.get(last, last)
    try:
        unicodedata.lookup(original.replace("_", " "))
    except KeyError:
        return False
    return True
