"""The guards as PostgreSQL triggers.

Their functions look up tables in the store's own schema only, so that nobody slips them a
temporary table of the same name. TRUNCATE passes row triggers by and is refused on its own.
"""

from __future__ import annotations

from sqlalchemy import Connection

from store.engines.guards import GUARDS, Guard

_REFUSE = "RAISE EXCEPTION '{}' USING ERRCODE = 'integrity_constraint_violation';"


def create(conn: Connection) -> None:
    schema = conn.exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one()
    for guard in GUARDS:
        conn.exec_driver_sql(_function(guard.name, _checks(guard), schema))
        conn.exec_driver_sql(
            f"CREATE TRIGGER {guard.name} BEFORE {guard.act} ON {guard.table} "
            f"FOR EACH ROW EXECUTE FUNCTION {guard.name}()"
        )
    for guard in {g.table: g for g in reversed(GUARDS)}.values():
        name = f"{guard.table}_no_truncate"
        conn.exec_driver_sql(_function(name, _REFUSE.format(guard.says), schema))
        conn.exec_driver_sql(
            f"CREATE TRIGGER {name} BEFORE TRUNCATE ON {guard.table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
        )


def _checks(guard: Guard) -> str:
    refuse = _REFUSE.format(guard.says)
    reasons = [guard.when] if guard.when else []
    reasons += [f"OLD.{column} IS DISTINCT FROM NEW.{column}" for column in guard.kept]
    row = "OLD" if guard.act == "DELETE" else "NEW"
    passes = f"RETURN {row};"
    return f"IF {' OR '.join(reasons)} THEN {refuse} END IF; {passes}" if reasons else refuse


def _function(name: str, body: str, schema: str) -> str:
    return (
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql "
        f"SET search_path = {schema}, pg_temp AS $$ BEGIN {body} END $$"
    )
