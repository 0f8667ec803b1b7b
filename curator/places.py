"""The places of the app: the one list of them. A place that is not built is not in it, and then
no key, no row, no help and no palette offers it. Its screen is imported when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.screen import Screen


@dataclass(frozen=True, slots=True)
class Offered:
    """A place: the number key that goes there, its name, how its screen is made."""

    number: int
    name: str
    screen: Callable[[], Screen[Any]]

    @property
    def mode(self) -> str:
        """Textual's name of it."""
        return self.name.lower()


def _search() -> Screen[Any]:
    from curator.screens.search import search_screen

    return search_screen()


def _review() -> Screen[Any]:
    from curator.screens.review import ReviewScreen

    return ReviewScreen()


def _recalls() -> Screen[Any]:
    from curator.screens.recalls import RecallsScreen

    return RecallsScreen()


def _tombstones() -> Screen[Any]:
    from curator.screens.tombstones import TombstonesScreen

    return TombstonesScreen()


def _audit() -> Screen[Any]:
    from curator.screens.audit import AuditScreen

    return AuditScreen()


def _health() -> Screen[Any]:
    from curator.screens.health import HealthScreen

    return HealthScreen()


def _triage() -> Screen[Any]:
    from curator.screens.triage import TriageScreen

    return TriageScreen()


# In the order of their numbers: one function and one line here, and everything else offers
# the place.
PLACES: tuple[Offered, ...] = (
    Offered(1, "Search", _search),
    Offered(2, "Review", _review),
    Offered(3, "Recalls", _recalls),
    Offered(4, "Tombstones", _tombstones),
    Offered(5, "Audit", _audit),
    Offered(6, "Health", _health),
    Offered(7, "Triage", _triage),
)
