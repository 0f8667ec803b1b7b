"""Which embedding model the settings name: the bundled one unless `[embedding]` says else.

[embedding]
provider = "ollama"                    # "bundled", "ollama" or "openai"
url = "http://localhost:11434"
model = "nomic-embed-text"
key_env = "MY_KEY"                     # the NAME of an environment variable, never a key
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from curator.paths import find_paths

if TYPE_CHECKING:
    from store.embedding.protocol import Embedder


def chosen() -> Callable[[], Embedder]:
    """What `open_store(embedder=…)` takes. A wrong table leaves the store keyword-only, and
    the store says why."""
    from store.embedding.choice import loader_from

    return loader_from(settings_table("embedding"))


def settings_table(name: str) -> Mapping[str, Any]:
    """One table of the settings as written, without loading what the app needs; else empty."""
    try:
        data = tomllib.loads(find_paths().settings_file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}  # the app and `doctor` tell what is wrong with the file
    table = data.get(name, {})
    return table if isinstance(table, dict) else {}
