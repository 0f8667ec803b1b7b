"""Everything that differs between SQLite and PostgreSQL, behind one small protocol."""
