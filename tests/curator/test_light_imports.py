"""What the first paint imports: no numpy, no database, no model (it must come at once)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numpy", "sqlalchemy", "model2vec", "httpx", "detect_secrets", "rank_bm25", "sqlite_vec")
CURATOR = Path(__file__).parents[2] / "curator"


def modules(folder: str) -> list[str]:
    return [
        f"curator.{folder}.{file.stem}" for file in sorted((CURATOR / folder).glob("[a-z]*.py"))
    ]


@pytest.mark.parametrize("folder", ["views", "widgets"])
def test_views_and_widgets_import_nothing_heavy(folder: str) -> None:
    imports = ", ".join(["sys", *modules(folder), "curator.theming", "curator.config"])
    code = f"import {imports}; print([m for m in {HEAVY!r} if m in sys.modules])"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=CURATOR.parent
    )
    assert answer.stdout.strip() == "[]"


def test_views_know_no_widget() -> None:
    imports = ", ".join(["sys", *modules("views")])
    code = f"import {imports}; print([m for m in sys.modules if m.startswith('curator.widgets')])"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=CURATOR.parent
    )
    assert answer.stdout.strip() == "[]"
