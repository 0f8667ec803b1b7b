"""Fixtures that every test may use: a clock that moves when told, real stores in a temp folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from store import Actor, Draft, Grant, Store, open_store
from store.access.curator import CuratorView
from store.model import Written

if TYPE_CHECKING:
    from tests.postgres import Server

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
    """The SQLite file. A test that asks for it is about files, and runs on SQLite only."""
    return tmp_path / "harbor.db"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """This test process's own PostgreSQL. Started by the first test that needs it."""
    from tests.postgres import Server

    server = Server()
    yield server
    server.stop()


@pytest.fixture
def engine_name(request: pytest.FixtureRequest) -> str:
    """Which engine holds the store. tests/store runs on both (see its conftest)."""
    return getattr(request, "param", "sqlite")


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store nobody wrote to. A copy of it is at hand in a tenth of the time of making one."""
    path = tmp_path_factory.mktemp("template") / "empty.db"
    with open_store(path, embedder=None) as made:
        made.engine.checkpoint()
    return path


@pytest.fixture
def store_location(engine_name: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """Where the test's store is: what a second `open_store` needs to meet the first."""
    if engine_name == "sqlite":
        path = request.getfixturevalue("store_path")
        shutil.copy(request.getfixturevalue("empty_store"), path)
        yield str(path)
        return
    server: Server = request.getfixturevalue("postgres")
    url = server.fresh()
    yield url
    server.drop(url)


@pytest.fixture
def store(store_location: str, clock: SteppingClock) -> Iterator[Store]:
    with open_store(store_location, clock=clock) as opened:
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
