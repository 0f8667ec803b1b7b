"""How a version's scopes and index state stand in `version_terms.scope`: as machine tokens.

One for the scope, one for each ancestor, and the state's own last (search.md, "One tokeniser").
"""

from __future__ import annotations

from store.engines.protocol import IndexState

STATE_TOKEN: dict[IndexState, str] = {
    "live": "zlivez",
    "changed": "zchangedz",
    "closed": "zclosedz",
}
_STATE_OF = {token: state for state, token in STATE_TOKEN.items()}


def scope_column(scope_tokens: str, state: IndexState) -> str:
    return f"{scope_tokens} {STATE_TOKEN[state]}"


def state_of(scope: str) -> IndexState:
    return _STATE_OF[scope.rsplit(" ", 1)[-1]]


def outside(states: tuple[IndexState, ...]) -> list[str]:
    """Tokens of the states that are not looked in."""
    return [token for state, token in STATE_TOKEN.items() if state not in states]
