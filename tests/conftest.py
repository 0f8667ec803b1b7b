"""Fixtures that every test may use: a clock that moves when told, real stores in a temp folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from store import Actor, Draft, Grant, Store, open_store
from store.access.curator import CuratorView
from store.model import Written

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class SteppingClock:
    """Law 15: time is what the test says. Stands still until it is moved."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def step(self, **by: float) -> datetime:
        self.now += timedelta(**by)
        return self.now


@pytest.fixture(autouse=True)
def private_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test can reach the user's own store, settings or cache."""
    for name in ("DATA", "CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "xdg" / name.lower()))
    for name in ("CURATOR_STORE", "CURATOR_USER", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "harbor.db"


@pytest.fixture
def store(store_path: Path, clock: SteppingClock) -> Iterator[Store]:
    with open_store(store_path, clock=clock) as opened:
        yield opened


@pytest.fixture
def me(store: Store) -> CuratorView:
    return store.curator(Actor.human("dana"))


@pytest.fixture
def agent(store: Store):  # type: ignore[no-untyped-def]
    return store.agent(Actor.agent("claude-code"), Grant(read={"project/a"}))


@pytest.fixture
def note(me: CuratorView) -> Callable[..., Written]:
    """Remember one text in project/a, or where `scope` says."""

    def remember(text: str, scope: str = "project/a", **fields: object) -> Written:
        written = me.remember(Draft(text=text, scope=scope, **fields))  # type: ignore[arg-type]
        assert written.id is not None
        return written

    return remember
