"""Where an erased memory came from, known again without its name (domain.md, laws 7 and 8).

`origin` says which foreign chain became which memory. The chain's name can hold words of the
text, so an erase leaves a keyed fingerprint of it: the source stays erased at the next import,
and without the key, which lies outside the store, nothing can be read in it.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from sqlalchemy import Connection, exists, select

from store import facts
from store.schema import origin
from store.work import Work

_MARK = "erased:"
_ULID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
_ANY = select(exists().where(origin.c.native_key.startswith(_MARK)))


def key(work: Work) -> bytes:
    """The store's key. Raises `CannotOpen` where none can be kept."""
    return work.keys.make(facts.get(work.conn, facts.STORE_ID) or "")


def print_of(key: bytes, format: str, native_key: str) -> str:
    """What stands in the place of a chain's name; an id that the store itself gave stays."""
    if _ULID.fullmatch(native_key):
        return native_key
    message = f"origin\0{format}\0{native_key}".encode("utf-8", "surrogatepass")
    return _MARK + hmac.new(key, message, hashlib.sha256).hexdigest()


def erased_from(work: Work, format: str, native_key: str, scope_id: int) -> str | None:
    """The erased memory that a foreign chain had become, or None."""
    found = work.asked.get("erased origins")
    if found is None:
        found = _known(work) if work.conn.execute(_ANY).scalar() else {}
        work.asked["erased origins"] = found
    if not found:
        return None
    secret = work.keys.find(facts.get(work.conn, facts.STORE_ID) or "")
    if secret is None:
        return None
    known: str | None = found.get((print_of(secret, format, native_key), scope_id))
    return known


def _known(work: Work) -> dict[tuple[str, int], str]:
    return dict(_rows(work.conn))


def _rows(conn: Connection) -> list[tuple[tuple[str, int], str]]:
    rows = select(origin.c.native_key, origin.c.scope_id, origin.c.memory_id)
    marked = rows.where(origin.c.native_key.startswith(_MARK))
    return [((name, scope_id), memory) for name, scope_id, memory in conn.execute(marked)]
