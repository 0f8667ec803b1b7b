"""The ranking panel's changes to a question: profiles and the constants that are live."""

from __future__ import annotations

from dataclasses import replace

from curator.questions import Question
from store.search.constants import EDITABLE, PROFILES, Constant, Gates, Ranking, edited, profile

PROFILE, RESET = "profile", "reset"


def in_force(question: Question) -> tuple[Ranking, Gates]:
    """The constants this question is ranked by."""
    return question.ranking or profile(question.profile), question.gates or Gates()


def changed(question: Question) -> int:
    """How many constants differ from their profile's."""
    now, own = in_force(question), (profile(question.profile), Gates())
    return sum(one.value(*now) != one.value(*own) for one in EDITABLE)


def stepped(question: Question, name: str, steps: int) -> Question:
    """The question with one constant so many steps up or down, kept within its bounds."""
    if name == PROFILE:
        names = list(PROFILES)
        next_ = names[(names.index(question.profile) + steps) % len(names)]
        return replace(question, profile=next_, ranking=None)
    if name == RESET:
        return replace(question, profile="default", ranking=None, gates=None)
    constant = _constant(name)
    ranking, gates = in_force(question)
    value = round(constant.value(ranking, gates) + steps * constant.step, 6)
    value = min(constant.highest, max(constant.lowest, value))
    ranking, gates = edited(ranking, gates, name, value)
    return replace(
        question,
        ranking=None if ranking == profile(question.profile) else ranking,
        gates=None if gates == Gates() else gates,
    )


def _constant(name: str) -> Constant:
    return next(one for one in EDITABLE if one.name == name)
