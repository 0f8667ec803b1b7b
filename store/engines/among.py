"""Membership in a list that is bound as one value.

`IN (?, ?, …)` is another statement for each length of the list: SQLAlchemy expands it and the
database prepares it, each time anew. Each engine says how it reads such a list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, String, Text, bindparam
from sqlalchemy.sql.functions import FunctionElement


class Numbers(FunctionElement[int]):
    """The members of a list of whole numbers, one a row."""

    type = BigInteger()
    inherit_cache = True


class Words(FunctionElement[str]):
    """The members of a list of texts, one a row."""

    type = Text()
    inherit_cache = True


def among(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """`column` is in the list bound as `name`; the value is made by `listed`."""
    members = Words if isinstance(column.type, String) else Numbers
    return column.bool_op("IN")(members(bindparam(name)))


def listed(values: Iterable[int] | Iterable[str]) -> str:
    """The list as one value."""
    return json.dumps(list(values))
