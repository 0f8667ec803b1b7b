"""Databases of the test's own PostgreSQL, for what is special to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres import Server


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    """A database that holds a new store."""
    made = postgres.fresh()
    yield made
    postgres.drop(made)


@pytest.fixture
def empty_url(postgres: Server) -> Iterator[str]:
    """A database that holds nothing."""
    made = postgres.fresh(empty=True)
    yield made
    postgres.drop(made)
