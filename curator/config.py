"""`settings.toml` → frozen settings. A wrong value is told and left out; it stops nothing.

[look]
theme = "paper"        # a theme's name, or "auto"
glyphs = "ascii"       # "auto", "unicode" or "ascii"
ambiguous = "wide"     # "narrow", or "wide" for terminals that draw ✓ and → two cells wide

[store]
path = "~/harbor.db"   # a file or a postgresql:// address

[person]
name = "dana"          # who you are in the log: human:dana

[embedding]            # see curator/embedding.py
provider = "bundled"

[judge]                # see curator/judging.py
url = "http://localhost:11434/v1"
model = "qwen2.5:7b"

[keys]
"memory.verify" = "ctrl+v"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class LookSettings:
    theme: str = "auto"
    glyphs: str = field(default="auto", metadata={"allowed": ("auto", "unicode", "ascii")})
    ambiguous: str = field(default="narrow", metadata={"allowed": ("narrow", "wide")})

    @property
    def glyph_setting(self) -> str:
        """`glyphs`, but ASCII where signs of ambiguous width would take two cells."""
        return "ascii" if self.ambiguous == "wide" else self.glyphs


@dataclass(frozen=True, slots=True)
class StoreSettings:
    path: str = ""
    """Empty: the default store."""


@dataclass(frozen=True, slots=True)
class PersonSettings:
    name: str = ""
    """Empty: the name of the operating system's user."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. `keys` maps binding ids to keys, checked by `curator.keys`."""

    look: LookSettings = LookSettings()
    store: StoreSettings = StoreSettings()
    person: PersonSettings = PersonSettings()
    keys: Mapping[str, str] = field(default_factory=dict)
    embedding: Mapping[str, Any] = field(default_factory=dict)
    """As written; judged by `store.embedding.choice` when the store is opened."""
    judge: Mapping[str, Any] = field(default_factory=dict)
    """As written; judged by `store.review.judge.choice` when a judge is asked."""


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings that can be used, and one sentence for each value that cannot."""

    settings: Settings
    problems: tuple[str, ...] = ()


_TABLES: Mapping[str, type[LookSettings] | type[StoreSettings] | type[PersonSettings]] = {
    "look": LookSettings,
    "store": StoreSettings,
    "person": PersonSettings,
}


_FREE = ("keys", "embedding", "judge")


def load_settings(file: Path) -> LoadedSettings:
    """The settings of a file; without the file, the defaults.

    Every problem names the file, the key, what it holds and what is allowed.
    """
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return LoadedSettings(Settings())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        said = f"{file}: cannot be read, the defaults are used: {error}"
        return LoadedSettings(Settings(), _sayable([said]))
    problems: list[str] = []
    tables: dict[str, Any] = {}
    for name, value in data.items():
        if name not in (*_TABLES, *_FREE):
            problems.append(f"{name} is not known, allowed are {', '.join((*_TABLES, *_FREE))}")
        elif not isinstance(value, dict):
            problems.append(f"{name} is {value!r}, a table [{name}] is needed")
        elif name in ("embedding", "judge"):
            tables[name] = dict(value)
        elif name == "keys":
            tables["keys"] = _keys(value, problems)
        else:
            tables[name] = _table(name, value, problems)
    return LoadedSettings(Settings(**tables), _sayable(f"{file}: {said}" for said in problems))


def _sayable(problems: Iterable[str]) -> tuple[str, ...]:
    """What a file holds is shown like a memory. Loads textual, so only where there is a problem:
    every command reads the settings."""
    found = tuple(problems)
    if not found:
        return ()
    from curator.safe import visible_str

    return tuple(visible_str(said, multiline=False) for said in found)


def _table(name: str, values: Mapping[str, Any], problems: list[str]) -> object:
    kind = _TABLES[name]
    known = {f.name: f for f in fields(kind)}
    good: dict[str, str] = {}
    for key, value in values.items():
        if key not in known:
            problems.append(f"{name}.{key} is not known, allowed are {', '.join(known)}")
            continue
        allowed = known[key].metadata.get("allowed")
        if not isinstance(value, str):
            problems.append(f"{name}.{key} is {value!r}, a text in quotes is allowed")
        elif allowed and value not in allowed:
            problems.append(f"{name}.{key} is {value!r}, allowed are {', '.join(allowed)}")
        else:
            good[key] = value
    return kind(**good)


def _keys(values: Mapping[str, Any], problems: list[str]) -> dict[str, str]:
    """Keys by binding id; a list means any of its keys. `[keys.memory]` tables are joined."""
    found: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            nested = {f"{name}.{verb}": keys for verb, keys in value.items()}
            found |= _keys(nested, problems)
        elif isinstance(value, str):
            found[name] = value
        elif isinstance(value, list) and all(isinstance(key, str) for key in value):
            found[name] = ",".join(value)
        else:
            problems.append(f"keys.{name} is {value!r}, allowed is a key or a list of keys")
    return found
