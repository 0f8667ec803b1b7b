"""The places of the app: the one list of them. A place that is not built is not in it, and then
no key, no row, no help and no palette offers it.

Screens are named, not imported: keys and views read this list, and a screen is loaded when it is
first shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from textual.screen import Screen


@dataclass(frozen=True, slots=True)
class Offered:
    """A place: the number key that goes there, its name, and `module:class` of its screen."""

    number: int
    name: str
    made_by: str

    @property
    def mode(self) -> str:
        """Textual's name of it."""
        return self.name.lower()

    def screen(self) -> Screen[Any]:
        """A new screen of the place."""
        module, _, made_by = self.made_by.partition(":")
        return cast("Screen[Any]", getattr(import_module(module), made_by)())


# In the order of their numbers: one line here, and everything else offers the place.
PLACES: tuple[Offered, ...] = (
    Offered(1, "Search", "curator.screens.search:SearchScreen"),
    Offered(2, "Review", "curator.screens.review:ReviewScreen"),
    Offered(3, "Recalls", "curator.screens.recalls:RecallsScreen"),
    Offered(4, "Tombstones", "curator.screens.tombstones:TombstonesScreen"),
    Offered(5, "Audit", "curator.screens.audit:AuditScreen"),
    Offered(6, "Health", "curator.screens.health:HealthScreen"),
    Offered(7, "Triage", "curator.screens.triage:TriageScreen"),
)
