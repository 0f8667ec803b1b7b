"""A server that is slow, ill, busy, gone, or breaks off: bounded patience, said in words."""

from __future__ import annotations

import gc
import logging
import socket
import threading
from collections.abc import Sequence
from email.utils import format_datetime

import httpx
import pytest

from store.embedding.dialects import Server
from store.embedding.posting import BULK, QUERY, WRITE, Patience
from store.embedding.remote import RemoteEmbedder
from store.errors import Invalid, NoAnswer
from tests.conftest import START
from tests.store.embedding.model_server import (
    FakeTime,
    Handler,
    ModelServer,
    cut_off,
    dies,
    fails_for,
    healthy,
    slow,
    status,
)

TEXTS = ["Berths are booked by the quarter hour", "Deploys go to eu-central-1"]
KEY = "sk-live-0123456789abcdef"
HASTY = Patience(connect=1.0, read=0.1, total=1.0, attempts=2)


@pytest.fixture
def embedder(server: ModelServer, time: FakeTime) -> RemoteEmbedder:
    """One that knows its model already."""
    made = server.embedder(time)
    assert made.dimension == 16
    server.asked.clear()
    return made


# --- again, but not for ever ------------------------------------------------------------


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_an_ill_server_is_asked_again_and_recovers(
    server: ModelServer, embedder: RemoteEmbedder, time: FakeTime, code: int
) -> None:
    server.plan.extend([status(code), status(code)])
    assert len(embedder.embed(TEXTS, WRITE).rows) == 2
    assert len(server.asked) == 3
    assert time.slept == [0.125, 0.25], "the half of 0.25 s, then of twice as much"


def test_an_answer_that_breaks_off_is_asked_for_again(
    server: ModelServer, embedder: RemoteEmbedder
) -> None:
    server.plan.append(cut_off)
    assert len(embedder.embed(TEXTS).rows) == 2
    server.plan.extend([cut_off] * QUERY.attempts)
    with pytest.raises(NoAnswer, match=r"at http://127\.0\.0\.1:\d+/v1/embeddings broke off"):
        embedder.embed(TEXTS)
    assert len(embedder.embed(TEXTS).rows) == 2, "and the model is not switched off"


@pytest.mark.parametrize("patience", [QUERY, WRITE, BULK])
def test_attempts_are_bounded(
    server: ModelServer, embedder: RemoteEmbedder, time: FakeTime, patience: Patience
) -> None:
    server.always = status(503)
    began = time.now
    with pytest.raises(NoAnswer, match=r"failed \(503\)"):
        embedder.embed(TEXTS, patience)
    assert len(server.asked) == patience.attempts
    assert len(time.slept) == patience.attempts - 1
    assert time.now - began < patience.total


def test_the_time_of_all_attempts_is_bounded(
    server: ModelServer, embedder: RemoteEmbedder, time: FakeTime
) -> None:
    server.always = status(503, Retry_After="4")
    with pytest.raises(NoAnswer):
        embedder.embed(TEXTS, Patience(1, 1, total=10, attempts=9))
    assert time.slept == [4.0, 4.0], "a third wait would end after the ten seconds"


@pytest.mark.parametrize("code", [400, 401, 403, 404, 405, 413, 422, 301, 307])
def test_what_will_not_pass_is_not_asked_again(
    server: ModelServer, embedder: RemoteEmbedder, time: FakeTime, code: int
) -> None:
    server.plan.append(status(code, Location="http://127.0.0.1:1/elsewhere"))
    with pytest.raises(NoAnswer, match=rf"\({code}\)"):
        embedder.embed(TEXTS[:1])
    assert len(server.asked) == 1
    assert time.slept == []


# --- Retry-After ------------------------------------------------------------------------


def test_a_busy_server_is_left_alone_for_as_long_as_it_asks(
    server: ModelServer, embedder: RemoteEmbedder, time: FakeTime
) -> None:
    server.plan.append(status(429, Retry_After="3"))
    assert len(embedder.embed(TEXTS).rows) == 2
    assert time.slept == [3.0]


def test_retry_after_may_be_a_date(
    server: ModelServer, embedder: RemoteEmbedder, time: FakeTime
) -> None:
    server.date = format_datetime(START, usegmt=True)  # its own clock, whatever ours says
    later = format_datetime(START.replace(second=2), usegmt=True)
    server.plan.append(status(503, Retry_After=later))
    assert len(embedder.embed(TEXTS).rows) == 2
    assert time.slept == [2.0]


@pytest.mark.parametrize("text", ["soon", "-5", "nan", "1e9", "٣", "", "99999999999999999999"])
def test_a_retry_after_that_means_nothing_is_passed_over(
    server: ModelServer, embedder: RemoteEmbedder, time: FakeTime, text: str
) -> None:
    server.plan.append(status(429, Retry_After=text.encode().decode("latin-1")))
    assert len(embedder.embed(TEXTS).rows) == 2
    assert time.slept == [0.125]


def test_one_that_asks_for_too_long_is_given_up_and_left_alone(
    server: ModelServer, embedder: RemoteEmbedder, time: FakeTime
) -> None:
    server.plan.append(status(429, Retry_After="60"))
    with pytest.raises(NoAnswer, match=r"too much to do \(429\) and asks to wait 60 s"):
        embedder.embed(TEXTS)
    assert time.slept == []
    time.now += 59
    with pytest.raises(NoAnswer, match="asks to wait 60 s"):
        embedder.embed(TEXTS)
    assert len(server.asked) == 1, "not asked within the minute"
    time.now += 1
    assert len(embedder.embed(TEXTS).rows) == 2


def test_the_wait_has_a_cap_however_patient_one_is(
    server: ModelServer, embedder: RemoteEmbedder, time: FakeTime
) -> None:
    server.plan.extend([status(429, Retry_After="10"), status(429, Retry_After="11")])
    with pytest.raises(NoAnswer, match="asks to wait 11 s"):
        embedder.embed(TEXTS, BULK)
    assert time.slept == [10.0]


# --- slow and gone ----------------------------------------------------------------------


def test_a_slow_server_is_not_waited_for(server: ModelServer, embedder: RemoteEmbedder) -> None:
    server.plan.extend([slow, slow])
    with pytest.raises(NoAnswer, match=r"did not answer within 0\.1 s"):
        embedder.embed(TEXTS, HASTY)
    assert len(server.asked) == 2
    assert len(embedder.embed(TEXTS).rows) == 2, "and the model is not switched off"


def test_a_drip_of_bytes_does_not_stretch_the_time(server: ModelServer, time: FakeTime) -> None:
    embedder = server.embedder(time)
    assert embedder.dimension == 16

    def drips(handler: Handler, texts: Sequence[str]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        time.now += 6  # more than all of QUERY's time
        handler.wfile.write(b"{")
        handler.wfile.flush()
        server.released.wait(30)
        handler.cut()

    server.plan.append(drips)
    with pytest.raises(NoAnswer, match="still answering when its time was over"):
        embedder.embed(TEXTS, QUERY)


def test_a_server_that_kept_us_waiting_is_left_alone_for_as_long(
    server: ModelServer, embedder: RemoteEmbedder, time: FakeTime
) -> None:
    server.always = status(503, Retry_After="3")
    with pytest.raises(NoAnswer):
        embedder.embed(TEXTS, QUERY)  # waits 3 s between its two attempts
    server.always = healthy
    asked = len(server.asked)
    time.now += 2.9
    with pytest.raises(NoAnswer, match=r"failed \(503\)"):
        embedder.embed(TEXTS, WRITE)
    assert len(server.asked) == asked
    assert len(embedder.embed(TEXTS, BULK).rows) == 2, "who re-embeds asks all the same"
    assert len(embedder.embed(TEXTS, QUERY).rows) == 2, "an answer ends the rest"


def test_a_server_that_is_not_there_is_told_and_found_again(server: ModelServer) -> None:
    embedder = server.embedder()
    server.stop()
    with pytest.raises(NoAnswer, match=r"cannot be reached \(Connection refused\)") as refused:
        embedder.embed(TEXTS)
    assert "keyword" in refused.value.hint
    server.start()
    assert len(embedder.embed(TEXTS).rows) == 2


def test_a_server_that_dies_mid_batch_loses_only_that_call(
    server: ModelServer, embedder: RemoteEmbedder
) -> None:
    texts = [f"note {n}" for n in range(70)]
    server.plan.extend([healthy, dies])
    with pytest.raises(NoAnswer, match="cannot be reached"):
        embedder.embed(texts)
    assert [len(q) for q in server.questions] == [31, 31]
    server.start()
    assert len(embedder.embed(texts).rows) == 70


def test_a_name_that_does_not_exist_is_told() -> None:
    gone = Server("openai", "http://models.invalid/v1/embeddings", "m")
    with pytest.raises(NoAnswer, match=r"models\.invalid/v1/embeddings cannot be reached"):
        RemoteEmbedder(gone, FakeTime().timing).embed(TEXTS)


def test_a_host_that_takes_no_connection_is_not_waited_for(time: FakeTime) -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        port = full.getsockname()[1]
        waiting = []
        for _ in range(4):  # fill the queue of connections that nobody accepts
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
            waiting.append(one)
        deaf = Server("openai", f"http://127.0.0.1:{port}/v1/embeddings", "m", local=True)
        hasty = Patience(connect=0.1, read=0.1, total=1, attempts=1)
        with pytest.raises(NoAnswer, match=r"took no connection within 0\.1 s"):
            RemoteEmbedder(deaf, time.timing).embed(TEXTS, hasty)
        for one in waiting:
            one.close()


def test_a_local_server_is_asked_past_the_proxy(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert len(server.embedder().embed(TEXTS).rows) == 2


def test_a_proxy_that_cannot_be_used_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "carrier-pigeon://roof")
    far = RemoteEmbedder(Server("openai", "http://models.invalid/v1", "m"), FakeTime().timing)
    with pytest.raises(NoAnswer, match="cannot be asked") as refused:
        far.embed(TEXTS)
    assert "proxy" in refused.value.hint


def test_while_one_asks_which_model_it_is_others_do_not_wait_for_ever(
    server: ModelServer, time: FakeTime
) -> None:
    embedder = server.embedder(time)
    began = threading.Event()

    def slow_to_tell(handler: Handler, texts: Sequence[str]) -> None:
        began.set()
        server.released.wait(30)
        healthy(handler, texts)

    server.plan.append(slow_to_tell)
    first = threading.Thread(target=embedder.identified, args=(BULK,))
    first.start()
    assert began.wait(10)
    with pytest.raises(NoAnswer, match="still being asked which model it has"):
        embedder.embed(TEXTS, Patience(connect=1, read=1, total=0.05, attempts=1))
    server.released.set()
    first.join(10)
    assert embedder.known is not None


# --- one text of many -------------------------------------------------------------------


@pytest.mark.parametrize("code", [400, 413, 422, 500])
def test_one_text_that_a_server_cannot_take_does_not_cost_the_others(
    server: ModelServer, embedder: RemoteEmbedder, code: int
) -> None:
    server.always = fails_for("poison", code)
    texts = [f"note {n}" for n in range(40)]
    texts[7] = texts[20] = "poison for the model"
    found = embedder.embed(texts, WRITE)
    assert found.refused == (7, 20)
    assert found.places == tuple(n for n in range(40) if n not in (7, 20))
    assert len(server.asked) < 60


def test_a_query_that_is_not_taken_is_told(server: ModelServer, embedder: RemoteEmbedder) -> None:
    server.always = fails_for("poison", 400)
    with pytest.raises(NoAnswer, match=r"does not accept what it is asked \(400\)"):
        embedder.embed(["poison"])


def test_a_last_text_that_is_not_taken_does_not_hold_up_a_reindex(
    server: ModelServer, embedder: RemoteEmbedder
) -> None:
    server.always = fails_for("poison")
    found = embedder.embed(["poison"], BULK)
    assert found.refused == (0,)
    assert list(found) == [None]


def test_a_nan_for_one_text_does_not_hold_up_a_reindex(
    server: ModelServer, embedder: RemoteEmbedder
) -> None:
    def nan_for_poison(handler: Handler, texts: Sequence[str]) -> None:
        rows = [server.vector(t) if t != "poison" else [float("nan")] * 16 for t in texts]
        handler.answer(texts, rows)

    server.always = nan_for_poison
    texts = [*TEXTS, "poison"]
    assert embedder.embed(texts, BULK).refused == (2,)
    with pytest.raises(Invalid, match="no finite number"):
        embedder.embed(texts, WRITE)


def test_a_server_that_falls_ill_meanwhile_is_told(
    server: ModelServer, embedder: RemoteEmbedder
) -> None:
    server.plan.extend([*[status(500)] * WRITE.attempts, healthy])
    server.always = status(500)
    with pytest.raises(NoAnswer, match=r"failed \(500\)"):
        embedder.embed(TEXTS, WRITE)


def test_an_ill_server_is_not_taken_for_a_text_at_fault(
    server: ModelServer, embedder: RemoteEmbedder
) -> None:
    server.always = status(500)
    with pytest.raises(NoAnswer, match=r"failed \(500\)"):
        embedder.embed([f"note {n}" for n in range(31)], WRITE)
    assert len(server.asked) == 2 * WRITE.attempts, "the batch, and one probe alone"


# --- the key ----------------------------------------------------------------------------


@pytest.fixture
def with_key(
    server: ModelServer, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> RemoteEmbedder:
    monkeypatch.setenv("MODELS_KEY", f"{KEY}\n")
    return server.embedder(time, key_env="MODELS_KEY")


def test_the_key_goes_to_the_server_and_nowhere_else(
    server: ModelServer, with_key: RemoteEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    said = []
    for code in (400, 401, 403, 404, 429, 500, 301):
        server.always = status(code, Location="http://127.0.0.1:1/")  # repeats the key in its body
        with pytest.raises(NoAnswer) as refused:
            with_key.embed(TEXTS, BULK)
        said += [str(refused.value), refused.value.hint]
    server.always = healthy
    identity = with_key.identity
    said += [repr(with_key), repr(with_key.server), repr(identity), identity.to_json(), caplog.text]
    assert all(one.headers["authorization"] == f"Bearer {KEY}" for one in server.asked)
    assert len(server.asked) == 5 + 2 * BULK.attempts + 1
    assert "MODELS_KEY" in "".join(said)
    for text in said:
        assert KEY not in text
        assert "quarter hour" not in text, "nor does a message repeat what was sent"


def test_no_attribute_holds_the_key(with_key: RemoteEmbedder) -> None:
    with_key.embed(TEXTS)
    gc.collect()
    for part in (with_key, with_key._post, with_key.server):
        values = (
            [getattr(part, name) for name in part.__dataclass_fields__]
            if isinstance(part, Server)
            else list(vars(part).values())
        )
        assert KEY not in "".join(map(repr, values))


def test_a_redirect_is_not_followed_so_the_key_stays(
    server: ModelServer, with_key: RemoteEmbedder
) -> None:
    thief = ModelServer()
    thief.start()
    location = f"http://127.0.0.1:{thief.port}/v1/embeddings"
    server.plan.append(status(307, Location=location))
    with pytest.raises(NoAnswer, match="sends on to another address"):
        with_key.embed(TEXTS)
    assert thief.asked == []
    thief.stop()


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_is_told_by_its_name(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    if value is None:
        monkeypatch.delenv("MODELS_KEY", raising=False)
    else:
        monkeypatch.setenv("MODELS_KEY", value)
    with pytest.raises(Invalid, match="MODELS_KEY, which should hold the key"):
        server.embedder(key_env="MODELS_KEY").embed(TEXTS)
    assert server.asked == []


@pytest.mark.parametrize("value", ["two words", "line\nbreak", "schlüssel", "\x1b[31mred"])
def test_what_cannot_be_a_key_is_not_sent_and_not_shown(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("MODELS_KEY", value)
    with pytest.raises(Invalid, match="MODELS_KEY holds something that cannot be a key") as refused:
        server.embedder(key_env="MODELS_KEY").embed(TEXTS)
    assert value not in str(refused.value) + refused.value.hint
    assert server.asked == []


@pytest.mark.parametrize("code", [401, 403])
def test_a_refused_key_names_its_variable(
    server: ModelServer, with_key: RemoteEmbedder, code: int
) -> None:
    server.always = status(code)
    with pytest.raises(NoAnswer, match=rf"refuses the key of MODELS_KEY \({code}\)"):
        with_key.embed(TEXTS)
    with pytest.raises(NoAnswer, match=rf"wants a key \({code}\)"):
        server.embedder().embed(TEXTS)


def test_closing_lets_go_and_a_later_call_connects_again(
    server: ModelServer, embedder: RemoteEmbedder
) -> None:
    client = embedder._post._client
    assert isinstance(client, httpx.Client)
    embedder.close()
    assert client.is_closed
    assert len(embedder.embed(TEXTS).rows) == 2
    embedder.close()
