"""Which model a store is opened with: settings, the environment, and what is wrong with them."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from store import Actor, open_store
from store.embedding.choice import VARIABLE, loader_from, server_from
from store.embedding.dialects import Server
from store.embedding.remote import RemoteEmbedder
from store.embedding.static import StaticEmbedder
from store.errors import Invalid
from tests.store.embedding.model_server import ModelServer

OPENAI = "https://api.openai.com/v1/embeddings"


def chosen(settings: dict[str, Any], spec: str = "") -> Server | None:
    made = loader_from(settings, {VARIABLE: spec} if spec else {})()
    if isinstance(made, RemoteEmbedder):
        return made.server
    assert isinstance(made, StaticEmbedder)
    return None


@pytest.mark.parametrize("settings", [{}, {"provider": ""}, {"provider": "bundled"}])
def test_the_bundled_model_is_the_default(settings: dict[str, Any]) -> None:
    assert chosen(settings) is None


@pytest.mark.parametrize(
    ("settings", "server"),
    [
        (
            {"provider": "ollama", "model": "nomic-embed-text"},
            Server("ollama", "http://localhost:11434/api/embed", "nomic-embed-text", local=True),
        ),
        (
            {"provider": "openai", "model": "text-embedding-3-small", "dimensions": 512},
            Server("openai", OPENAI, "text-embedding-3-small", 512, "OPENAI_API_KEY"),
        ),
        (
            {"provider": "OpenAI", "url": "http://127.0.0.1:8080", "model": "bge-m3"},
            Server("openai", "http://127.0.0.1:8080/v1/embeddings", "bge-m3", local=True),
        ),
        (
            {"provider": "openai", "url": "https://h.example/api/v3/", "model": "m"},
            Server("openai", "https://h.example/api/v3/embeddings", "m"),
        ),
        (
            {"provider": "openai", "url": "https://h.example/v1/embeddings", "model": "m"},
            Server("openai", "https://h.example/v1/embeddings", "m"),
        ),
        (
            {"provider": "ollama", "url": "http://[::1]:1/api/", "model": "m:335m"},
            Server("ollama", "http://[::1]:1/api/embed", "m:335m", local=True),
        ),
        (
            {"provider": "openai", "url": "https://h.example", "model": "m", "dimensions": "64",
             "key_env": "MY_KEY"},
            Server("openai", "https://h.example/v1/embeddings", "m", 64, "MY_KEY"),
        ),
    ],
)  # fmt: skip
def test_settings_name_a_server(settings: dict[str, Any], server: Server) -> None:
    assert chosen(settings) == server


@pytest.mark.parametrize(
    ("spec", "server"),
    [
        ("bundled", None),
        (
            "ollama:nomic-embed-text",
            Server("ollama", "http://localhost:11434/api/embed", "nomic-embed-text", local=True),
        ),
        (
            "ollama:nomic-embed-text@http://10.0.0.7:11434",
            Server("ollama", "http://10.0.0.7:11434/api/embed", "nomic-embed-text"),
        ),
        (
            "ollama:hf.co/nomic-ai/nomic@v1:Q4_K_M@http://localhost:1",
            Server(
                "ollama", "http://localhost:1/api/embed", "hf.co/nomic-ai/nomic@v1:Q4_K_M",
                local=True,
            ),
        ),
        (
            "openai:bge-m3@https://h.example/v1?dimensions=512&key_env=MY_KEY",
            Server("openai", "https://h.example/v1/embeddings", "bge-m3", 512, "MY_KEY"),
        ),
    ],
)  # fmt: skip
def test_the_environment_goes_before_the_settings(spec: str, server: Server | None) -> None:
    assert chosen({"provider": "openai", "model": "of the settings"}, spec) == server


SECRET = "sk-Live0123456789abcdef"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"provider": "cohere"}, "provider is not one of bundled, openai, ollama"),
        ({"provider": "openai"}, "model is missing"),
        ({"provider": "openai", "model": "a\nb"}, "model is no name"),
        ({"provider": "ollama", "model": "m", "url": "localhost:11434"}, "url is no http"),
        ({"provider": "ollama", "model": "m", "url": "file:///etc/passwd"}, "url is no http"),
        ({"provider": "ollama", "model": "m", "url": "http://a b"}, "url is no http"),
        ({"provider": "ollama", "model": "m", "url": "http://h:99999"}, "url is no address"),
        ({"provider": "ollama", "model": "m", "url": "http://[::1"}, "url is no address"),
        (
            {"provider": "openai", "model": "m", "url": f"https://u:{SECRET}@h.example"},
            "url holds more than an address",
        ),
        (
            {"provider": "openai", "model": "m", "url": f"https://h.example/v1?key={SECRET}"},
            "url holds more than an address",
        ),
        ({"provider": "openai", "model": "m", "dimensions": 0}, "dimensions is no whole number"),
        ({"provider": "openai", "model": "m", "dimensions": 9000}, "dimensions is no whole"),
        ({"provider": "openai", "model": "m", "dimensions": 1.5}, "dimensions is no whole"),
        ({"provider": "openai", "model": "m", "dimensions": True}, "dimensions is no whole"),
        ({"provider": "openai", "model": "m", "key_env": SECRET}, "not the NAME of an env"),
        ({"provider": "openai", "model": "m", "key_env": "gsk_0123abcd"}, "not the NAME of an env"),
        ({"provider": "openai", "model": "m", "api_key": SECRET}, "api_key is not known"),
    ],
)
def test_a_wrong_setting_is_told_and_never_shows_a_key(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(Invalid, match=says) as refused:
        chosen(settings)
    said = str(refused.value) + refused.value.hint
    assert SECRET not in said
    assert "gsk_" not in said
    assert "search is by keyword" in said


@pytest.mark.parametrize("spec", ["://", f"x y z {SECRET}", f"{SECRET}@http://h", "@http://h"])
def test_an_unreadable_line_is_not_repeated(spec: str) -> None:
    with pytest.raises(Invalid, match=f"{VARIABLE}|provider") as refused:
        chosen({}, spec)
    assert SECRET not in str(refused.value)


def test_openais_key_is_sent_to_openai_only() -> None:
    for url in ("https://api.openai.com.example/v1", "http://localhost:1", "https://h.example/v1"):
        server = server_from({"provider": "openai", "model": "m", "url": url})
        assert server is not None
        assert server.key_env is None


def test_a_wrong_setting_opens_keyword_only_and_says_why(store_location, clock) -> None:  # type: ignore[no-untyped-def]
    with open_store(store_location, clock=clock, embedder=loader_from({"provider": "x"})) as store:
        me = store.curator(Actor.human("dana"))
        from store import Draft

        written = me.remember(Draft("Berths are booked by the quarter hour", "project/a"))
        assert written.outcome == "stored"
        assert "provider is not one of" in written.warnings[0]
        answer = me.search("berths")
        assert [hit.memory.id for hit in answer.hits] == [written.id]
        assert "provider is not one of" in str(answer.degraded["semantic"])
        assert me.stats().embedded_by is None, "there is no falling back to the bundled model"


def test_the_real_environment_is_read(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, f"ollama:nomic@http://127.0.0.1:{server.port}")
    made = loader_from({})()
    assert made.identity.model == "nomic"
    assert [one.path for one in server.asked] == ["/api/embed"]


def test_choosing_imports_nothing_heavy() -> None:
    code = (
        "from store.embedding.choice import loader_from\n"
        "from store.embedding.space import Space\n"
        "loader_from({'provider': 'ollama', 'model': 'm'})()\n"
        "import sys\nprint(sorted({'numpy', 'httpx', 'model2vec', 'anyio'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
