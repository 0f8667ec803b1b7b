"""The memory store: open it, take a view, remember, recall, curate. Knows no screen.

    from store import Actor, Grant, open_store

    with open_store("harbor.db") as store:
        agent = store.agent(Actor.agent("claude-code"), Grant(read={"project/harbor-api"}))
        agent.remember("Production deploys go to eu-central-1", scope="project/harbor-api")

Names are loaded on first use, so that `import store` costs nothing before the first paint.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from store.access.agent import AgentView
    from store.access.context import Context, Window
    from store.access.curator import CuratorView
    from store.access.opening import Store, open_store
    from store.model import Actor, Draft, Moment, Provenance, Tier, Trust
    from store.reads.grants import Grant

_HOMES = {
    "Actor": "store.model",
    "AgentView": "store.access.agent",
    "CuratorView": "store.access.curator",
    "Context": "store.access.context",
    "Draft": "store.model",
    "Grant": "store.reads.grants",
    "Moment": "store.model",
    "Provenance": "store.model",
    "Store": "store.access.opening",
    "Tier": "store.model",
    "Trust": "store.model",
    "Window": "store.access.context",
    "open_store": "store.access.opening",
}

__all__ = [
    "Actor",
    "AgentView",
    "Context",
    "CuratorView",
    "Draft",
    "Grant",
    "Moment",
    "Provenance",
    "Store",
    "Tier",
    "Trust",
    "Window",
    "open_store",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'store' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
