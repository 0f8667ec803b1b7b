"""Other stores beside the test's own, of its engine or of the other one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from store import Store, open_store
from tests.conftest import SteppingClock
from tests.store.copies import worlds

if TYPE_CHECKING:
    from tests.postgres import Server

Another = Callable[..., Store]


@pytest.fixture
def another(
    engine_name: str, clock: SteppingClock, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Another]:
    """Makes empty stores: of the test's engine, or of the one named."""
    opened: list[Store] = []
    made: list[str] = []

    def make(engine: str = engine_name, **options: object) -> Store:
        if engine == "sqlite":
            place = str(tmp_path / f"another-{len(opened)}.db")
        else:
            server: Server = request.getfixturevalue("postgres")
            place = server.fresh()
            made.append(place)
        store = open_store(place, clock=clock, **options)  # type: ignore[arg-type]
        opened.append(store)
        return store

    yield make
    for store in opened:
        store.close()
    for place in made:
        request.getfixturevalue("postgres").drop(place)


@pytest.fixture
def ids(store: Store, clock: SteppingClock, tmp_path: Path) -> dict[str, str]:
    """The test's store, filled; some of its ids."""
    return worlds.fill(store, clock, tmp_path)


@pytest.fixture(scope="session")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A complete export of a filled store, made once."""
    folder = tmp_path_factory.mktemp("sample")
    clock = SteppingClock()
    with open_store(folder / "sample.db", clock=clock) as store:
        worlds.fill(store, clock, folder)
        worlds.curator(store).export(folder / "export.jsonl")
    return (folder / "export.jsonl").read_bytes()


@pytest.fixture
def sample(sampled: bytes, tmp_path: Path) -> Path:
    """A complete export of a store that is not at hand."""
    path = tmp_path / "sample.jsonl"
    path.write_bytes(sampled)
    return path


@pytest.fixture
def file(store: Store, ids: dict[str, str], tmp_path: Path) -> Path:
    """A complete export of the filled store."""
    path = tmp_path / "export.jsonl"
    worlds.curator(store).export(path)
    return path
