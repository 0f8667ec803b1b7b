"""The labelled texts screened: precision and recall of each kind, for each half."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from store.gate.masking import mask
from store.gate.screening.finding import HIDDEN, PERSONAL, kinds, screen
from store.model import FindingKind
from tests.screening import Item, Label, half

AIMS: dict[Label, tuple[float, float]] = {
    "secret": (0.99, 0.95),
    "injection": (0.9, 0.0),
    "hidden": (0.9, 1.0),
    "personal": (0.9, 0.0),
}
"""Least precision and recall; 0 where none is aimed at."""
_FOUND: dict[Label, Callable[[Item], bool]] = {
    "secret": lambda i: _masks(i),
    "injection": lambda i: FindingKind.INSTRUCTION in kinds(screen(i.text)),
    "hidden": lambda i: bool(kinds(screen(i.text)) & (HIDDEN | {FindingKind.LOOK_ALIKE})),
    "personal": lambda i: bool(kinds(screen(i.text)) & PERSONAL),
}
_NEGATIVE: dict[Label, tuple[Label, ...]] = {
    "secret": ("benign", "hidden", "personal", "injection"),
    "injection": ("benign", "secret", "personal"),
    "hidden": ("benign", "secret", "personal"),
    "personal": ("benign", "secret", "hidden"),
}
"""What must not be found: an injection may be hidden, and what is hidden may be one."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How one label was found in one half."""

    label: Label
    total: int
    missed: tuple[Item, ...]
    wrong: tuple[Item, ...]

    @property
    def recall(self) -> float:
        return 1 - len(self.missed) / self.total

    @property
    def precision(self) -> float:
        right = self.total - len(self.missed)
        return right / (right + len(self.wrong)) if right else 1.0


def _masks(item: Item) -> bool:
    masked = mask(item.text)
    return masked.count > 0 and (item.label != "secret" or item.value not in masked.text)


def figures(label: Label, items: Sequence[Item]) -> Figures:
    """What was missed and what was found wrongly."""
    found = _FOUND[label]
    meant = [i for i in items if i.label == label]
    others = [i for i in items if i.label in _NEGATIVE[label]]
    missed = tuple(i for i in meant if not found(i))
    return Figures(label, len(meant), missed, tuple(i for i in others if found(i)))


def run() -> None:
    """Print the figures, and what was missed and wrong in the half that rules are tuned on."""
    for held_out, name in ((False, "tuned on"), (True, "held out")):
        items = half(held_out=held_out)
        for label in AIMS:
            one = figures(label, items)
            print(
                f"{name}  {label:<10} {one.total:>4}  precision {one.precision:.3f}"
                f"  recall {one.recall:.3f}  wrong {len(one.wrong)}"
            )
            if not held_out:
                for word, those in (("missed", one.missed), ("wrong", one.wrong)):
                    for item in those:
                        print(f"    {word} {item.kind}: {item.text[:110]!a}")
