"""Fixtures for the judge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.store.review.judge_server import JudgeServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeServer]:
    """A judge of this test's own; what the machine of the tester says of proxies is not asked."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    made = JudgeServer()
    made.start()
    yield made
    made.stop()
