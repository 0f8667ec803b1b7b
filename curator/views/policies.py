"""What holds in a scope, one policy after the other: its value, who says so, what it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from curator import tones
from curator.safe import visible_str
from curator.views import lines
from curator.views.look import Look
from curator.views.page import Page, Stop
from store.model import Policy

_NAME, _VALUE = 15, 12


@dataclass(frozen=True, slots=True)
class PoliciesPage:
    """Two lines for each; a stop by its name."""

    policies: Sequence[Policy]
    look: Look
    scope: str

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        laid: list[Content] = []
        stops: list[Stop] = []
        for one in self.policies:
            start = len(laid)
            tone = tones.STRONG_ACCENT if one.scope is not None else tones.PLAIN
            left = Content.assemble(
                (f" {one.name:<{_NAME}}", tones.STRONG), (f"{one.value:<{_VALUE}}", tone)
            )
            right = Content.styled(self._says(one), tones.MUTED)
            laid.append(lines.cut(lines.between(left, right, width), width))
            laid += [
                line.pad_left(3)
                for line in lines.wrap(Content.styled(one.means, tones.MUTED), width - 4)
            ]
            stops.append(Stop(one.name, start, len(laid)))
        return Page(tuple(laid), tuple(stops))

    def _says(self, one: Policy) -> str:
        if one.scope is None:
            return "by default"
        if one.scope == self.scope:
            return "set here"
        return f"set for {visible_str(lines.middle(one.scope, 24), multiline=False)}"
