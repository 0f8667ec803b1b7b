"""The program's version, as it was installed."""

from __future__ import annotations

DISTRIBUTION = "memory-curator"


def version() -> str:
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed(DISTRIBUTION)
    except PackageNotFoundError:
        return "not installed"  # run from a folder that was never installed
