"""Samples of other programs' stores, copied so that a test may look for traces and do harm."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures" / "foreign"


@pytest.fixture
def sample(tmp_path: Path) -> Callable[[str], Path]:
    """A fresh copy of one sample folder, or of one file in it."""

    def copy(name: str) -> Path:
        source, target = FIXTURES / name, tmp_path / "sample" / Path(name).name
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
        return target

    return copy


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """The Claude Code sample with its fixed file times: `home/.claude` and `project`."""
    target = tmp_path / "unpacked"
    with tarfile.open(FIXTURES / "claude-code" / "claude-code.tar") as archive:
        archive.extractall(target, filter="data")
    return target
