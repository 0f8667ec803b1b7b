"""Every test of the store that does not ask for a file runs on both engines."""

from __future__ import annotations

import pytest

ENGINES = ("sqlite", "postgresql")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine_name" in metafunc.fixturenames:
        engines = ENGINES[:1] if "store_path" in metafunc.fixturenames else ENGINES
        metafunc.parametrize("engine_name", engines, indirect=True)
