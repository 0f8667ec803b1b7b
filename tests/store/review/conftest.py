"""Fixtures for the judge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.store.review.judge_server import JudgeServer, serving


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeServer]:
    yield from serving(monkeypatch)
