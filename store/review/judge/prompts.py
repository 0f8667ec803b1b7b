"""The prompts: readable files beside this one, each with its version in the first lines.

    version: 1
    job: extract
    ---
    You read notes …

`{{mark}}` stands for the mark of the fence. Whoever changes a prompt raises its version, which
stands on every proposal made with it; what was asked with another version is asked again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

MARK = "{{mark}}"


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt. `name` is `extract 1`: job and version."""

    job: str
    version: int
    text: str

    @property
    def name(self) -> str:
        return f"{self.job} {self.version}"

    def with_mark(self, mark: str) -> str:
        """The words for the model, the fence's mark filled in."""
        return self.text.replace(MARK, mark)


@cache
def prompt(job: str) -> Prompt:
    """The prompt of a job: `extract`, `contradiction`, `merge` or `answer`."""
    whole = (files(__package__) / "prompts" / f"{job}.md").read_text(encoding="utf-8")
    head, _, text = whole.partition("\n---\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    return Prompt(fields["job"], int(fields["version"]), text.strip())
