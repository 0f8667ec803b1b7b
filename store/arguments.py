"""What the public verbs are given, looked at before anything is done: an `Invalid` for what is of
another type than the signature says, never a TypeError from somewhere inside.

The annotations of a method are its own table of what fits. Only the types that callers write
are known here; what else an annotation names is left to the method.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import Enum
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar

from store.errors import Invalid

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Fits = Callable[[Any], bool]
T = TypeVar("T")
R = TypeVar("R", bound="DataclassInstance")
_WORDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "True or False",
    "datetime": "a datetime",
    "None": "None",
    "Iterable[str]": "several texts",
    "Progress": "a function",
}


def _number(value: Any) -> bool:
    """Whether it is finite, the limits say."""
    return isinstance(value, int | float) and not isinstance(value, bool)


_NO_INT = 2**63
"""What no column of either engine holds."""
_FITS: dict[str, Fits] = {
    "str": lambda v: isinstance(v, str),
    "int": lambda v: isinstance(v, int) and not isinstance(v, bool) and abs(v) < _NO_INT,
    "float": _number,
    "bool": lambda v: isinstance(v, bool),
    "datetime": lambda v: isinstance(v, datetime),
    "None": lambda v: v is None,
    "reindexing.Progress": callable,
    "exporting.Progress": callable,
    "os.PathLike[str]": lambda v: isinstance(v, PathLike),
    "Progress": callable,
    "Judge": lambda v: callable(getattr(v, "ask", None)),
}
_FREE = frozenset({"text", "reason", "query", "asked", "subject", "type", "tags", "key"})
"""Arguments that hold free text: there the gate says what becomes of a broken character. All
others are names, and what holds one is no name of anything."""
_RECORD = re.compile(r"[A-Za-z_]\w*")
_NO_NAME = re.compile("[\0\ud800-\udfff]")
_TEXTS = ("Iterable[str]", "tuple[str, ...]")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What an annotation asks for."""

    none: bool
    texts: bool
    fits: tuple[Fits, ...]


@functools.cache
def _wanted(annotation: str) -> _Wanted:
    """Read once for each annotation: a bulk write asks of a million values."""
    kinds = annotation.split(" | ")
    fits = tuple(_FITS.get(kind) or functools.partial(_fits, kind) for kind in kinds)
    return _Wanted("None" in kinds, any(kind in _TEXTS for kind in kinds), fits)


def fitting(name: str, value: T, annotation: str) -> T:
    """The value as an annotation such as `Iterable[str] | None` wants it: one text where several
    are wanted is a list of one. Raises `Invalid` for what does not fit."""
    wanted = _wanted(annotation)
    if value is None and wanted.none:
        return value
    if wanted.texts:
        return _texts(name, value)  # type: ignore[return-value]
    for fits in wanted.fits:
        if fits(value):
            if isinstance(value, str) and name not in _FREE:
                _named(name, value)
            return value
    kinds = annotation.split(" | ")
    raise Invalid(
        f"{name}: {_shown(value)} does not fit.",
        f"It is to be {' or '.join(_WORDS.get(k, f'a {k}') for k in kinds)}.",
    )


def _fits(kind: str, value: Any) -> bool:
    if kind.startswith("Iterable["):
        return isinstance(value, Iterable) and not isinstance(value, str | bytes | dict)
    if kind == "tuple[str, str]":
        return isinstance(value, tuple) and [type(one) for one in value] == [str, str]
    if not _RECORD.fullmatch(kind):
        return True
    return any(one.__name__ == kind for one in type(value).__mro__)


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = (value,)
    if isinstance(value, Iterable) and not isinstance(value, bytes | dict):
        found = tuple(value)
        if all(isinstance(one, str) for one in found):
            if name not in _FREE:
                for one in found:
                    _named(name, one)
            return found
    raise Invalid(f"{name}: {_shown(value)} does not fit.", "It is to be several texts.")


def _named(name: str, value: str) -> None:
    """Refuse NUL and half surrogate pairs: no id, path, scope or actor holds one."""
    if _NO_NAME.search(value):
        raise Invalid(f"{name}: it holds characters that no name can hold.")


def _shown(value: Any) -> str:
    """A value as a message may hold it: of a text only that it is one."""
    if value is None or isinstance(value, bool | int | float | Enum):
        return str(value)[:40]
    return f"a {type(value).__name__}"


def well_formed(record: R) -> R:
    """A record whose fields hold what they are annotated with. Raises `Invalid`."""
    changed = {}
    for name, annotation in _fields(type(record)):
        value = getattr(record, name)
        fits = fitting(name, value, annotation)
        if fits is not value:
            changed[name] = fits
    return replace(record, **changed) if changed else record


@functools.cache
def _fields(record: type[DataclassInstance]) -> tuple[tuple[str, str], ...]:
    return tuple((field.name, str(field.type)) for field in fields(record))


def checking(view: type[T]) -> type[T]:
    """A class whose public methods, the inherited ones too, look at what they are given."""
    for name, method in inspect.getmembers(view, inspect.isfunction):
        if not name.startswith("_"):
            setattr(view, name, _checked(method))
    return view


def _checked(method: Callable[..., Any]) -> Callable[..., Any]:
    wanted = {
        name: one.annotation
        for name, one in inspect.signature(method).parameters.items()
        if isinstance(one.annotation, str) and one.kind is not one.VAR_KEYWORD
    }
    places = tuple(inspect.signature(method).parameters)[1:]

    @functools.wraps(method)
    def call(self: Any, *given: Any, **named: Any) -> Any:
        args = [
            fitting(name, value, wanted.get(name, ""))
            for name, value in zip(places, given, strict=False)
        ]
        kwargs = {name: fitting(name, value, wanted.get(name, "")) for name, value in named.items()}
        return method(self, *args, *given[len(args) :], **kwargs)

    return call
