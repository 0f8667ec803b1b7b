"""Triggers that hold laws 1, 3 and 6 inside the database itself. Never switched off."""

from __future__ import annotations

from sqlalchemy import Connection

from store.schema import IMMUTABLE

_ABORT = "BEGIN SELECT RAISE(ABORT, '{}'); END"


def create(conn: Connection) -> None:
    for sql in _guards():
        conn.exec_driver_sql(sql)


def _guards() -> list[str]:
    log = "the audit log is append-only"
    history = "a version is written once and closed once"
    same = " OR ".join(f"OLD.{c} IS NOT NEW.{c}" for c in IMMUTABLE)
    return [
        f"CREATE TRIGGER event_no_update BEFORE UPDATE ON event {_ABORT.format(log)}",
        f"CREATE TRIGGER event_no_delete BEFORE DELETE ON event {_ABORT.format(log)}",
        f"CREATE TRIGGER detail_no_update BEFORE UPDATE ON event_detail {_ABORT.format(log)}",
        "CREATE TRIGGER detail_no_delete BEFORE DELETE ON event_detail WHEN NOT EXISTS "
        f"(SELECT 1 FROM redaction WHERE seq = OLD.seq) {_ABORT.format(log)}",
        f"CREATE TRIGGER redaction_no_update BEFORE UPDATE ON redaction {_ABORT.format(log)}",
        f"CREATE TRIGGER redaction_no_delete BEFORE DELETE ON redaction {_ABORT.format(log)}",
        "CREATE TRIGGER redaction_by_erase BEFORE INSERT ON redaction WHEN NOT EXISTS "
        "(SELECT 1 FROM event WHERE seq = NEW.by_seq AND action = 'erase') "
        f"{_ABORT.format('only an erase may redact')}",
        "CREATE TRIGGER version_close_once BEFORE UPDATE ON version "
        f"WHEN OLD.closed_at IS NOT NULL OR {same} {_ABORT.format(history)}",
        "CREATE TRIGGER version_no_delete BEFORE DELETE ON version WHEN NOT EXISTS "
        f"(SELECT 1 FROM erased WHERE memory_id = OLD.memory_id) {_ABORT.format(history)}",
    ]
