"""A dry run: the same acts in one transaction, which is then taken back whole."""

from __future__ import annotations


class TakenBack(Exception):
    """Leaves a rehearsed transaction; never leaves the rehearsal."""
