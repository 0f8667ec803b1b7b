"""Names that everybody sees, in listings, grants and the log: no secret may be one (law 16).

A mask in their place would make two names one, so they are refused.
"""

from __future__ import annotations

from store.errors import Invalid
from store.gate.masking import mask
from store.scopes import clean_path


def open_path(path: str) -> str:
    """A scope's path as it is kept. Raises `Invalid` for what is no scope, or holds a secret."""
    clean = clean_path(path)
    if holds_secret(clean):
        raise Invalid("The name of the scope holds what looks like a secret.", "Name it otherwise.")
    return clean


def holds_secret(name: str) -> bool:
    """Whether a name, or a part of a path, looks like a secret."""
    return mask(name.replace("/", " ")).count > 0 or mask(name).count > 0
