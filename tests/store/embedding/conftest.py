"""Fixtures for models behind a server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.store.embedding.model_server import FakeTime, ModelServer


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    made = ModelServer()
    made.start()
    yield made
    made.stop()


@pytest.fixture(autouse=True)
def no_proxy_and_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine of the tester says of proxies and models is not the test's."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "CURATOR_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
