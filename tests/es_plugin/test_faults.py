"""What goes wrong between us and a real server: a proxy on the way makes the trouble."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from dupgroups import Deduper
from dupgroups.engines import open_engine
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, EngineError
from dupgroups_es.base import ClusterEngine
from engines.documents import document, signature
from es_plugin.clusters import ALL, ONE_OF_EACH, address, ask, servers
from es_plugin.proxy import (
    Answer,
    Fault,
    Forward,
    Proxy,
    Request,
    busy,
    certificate,
    cut,
    item_refused,
    late,
    lost,
    newer_client,
    proxy,
    too_large,
)
from stories import reprints

Opened = Callable[[str], ClusterEngine]

SECRET = "s3cret-never-shown"


@pytest.fixture
def between(engine_url: str) -> Iterator[Proxy]:
    """A proxy before the server of `engine_url`."""
    with proxy(address(engine_url)) as running:
        yield running


def through(between: Proxy, engine_url: str, options: str = "") -> str:
    url = EngineURL.parse(engine_url, {})
    return f"{url.kind}://127.0.0.1:{between.port}/{url.path}?{options}"


def product(engine_url: str) -> str:
    return "Elasticsearch" if engine_url.startswith("elastic") else ""


@servers(ONE_OF_EACH)
def test_trouble_that_passes_is_not_noticed(engine_url: str, between: Proxy, opened: Opened) -> None:
    engine = opened(through(between, engine_url, "timeout=2"))
    engine.put([document("a", keys=["k"])])
    name = product(engine_url)
    troubles: list[Fault] = [busy(429, name), busy(503, name), cut, lost, late(2.2)]
    for place, trouble in enumerate(troubles):
        between.trouble(trouble)
        engine.put([document(f"d{place}", "a", keys=["k"])])
        assert not between.faults
        between.trouble(trouble)
        assert len(engine.candidates([signature("k")], limit=50)[0]) == place + 2
        assert not between.faults
    assert [record.id for record in engine.members(["a"])["a"]] == ["a", "d0", "d1", "d2", "d3", "d4"]


@servers(ONE_OF_EACH)
@pytest.mark.parametrize("trouble", ["busy", "cut", "late"])
def test_trouble_that_stays_ends_after_bounded_tries(
    engine_url: str, between: Proxy, opened: Opened, trouble: str
) -> None:
    engine = opened(through(between, engine_url, "timeout=0.5&retries=2"))
    engine.put([])
    between.seen.clear()
    between.always = {"busy": busy(503, product(engine_url)), "cut": cut, "late": late(1)}[trouble]
    with pytest.raises(EngineError) as caught:
        engine.put([document("a")])
    assert caught.value.temporary
    assert caught.value.failures == {}
    assert len(between.seen) == 3


@servers(ONE_OF_EACH)
def test_a_document_that_vanishes_while_its_group_moves_stays_away(
    engine_url: str, between: Proxy, opened: Opened
) -> None:
    engine = opened(through(between, engine_url, "refresh_interval=30s"))
    engine.put([document("a"), document("b", keys=["k"], seen=2), document("c", "b", keys=["k"], seen=3)])
    index = EngineURL.parse(engine_url, {}).path

    def deleting(request: Request, forward: Forward) -> Answer:
        if b'"update"' in request.body:
            ask(engine_url, "DELETE", f"/{index}/_doc/c")
            between.always = None
        return forward(request)

    between.always = deleting
    engine.put([], moves={"b": "a"})
    assert between.always is None
    assert [record.id for record in engine.members(["a"])["a"]] == ["a", "b"]
    assert [record.id for record in engine.candidates([signature("k")], limit=9)[0]] == ["b"]
    assert [copy.id for copy in engine.copies("a")] == ["a", "b"]


@servers(ONE_OF_EACH)
def test_a_document_that_another_process_deleted_is_not_touched_back(engine_url: str, opened: Opened) -> None:
    engine, other = opened(f"{engine_url}?refresh_interval=30s"), opened(engine_url)
    engine.put([document("a", keys=["k"])])
    other.delete(["a"])
    engine.touch(["a", "nobody"], 7)
    assert engine.members(["a"]) == {"a": []}
    assert engine.candidates([signature("k")], limit=9) == [[]]


@servers(ONE_OF_EACH)
def test_copies_read_only_what_they_show(engine_url: str, between: Proxy, opened: Opened) -> None:
    engine = opened(through(between, engine_url))
    engine.put([document(f"d{n:04}", "d0000", seen=n, body=b"x" * 1000) for n in range(1500)])
    engine.refresh()
    between.seen.clear()
    assert [copy.id for copy in engine.copies("d0000", limit=100)] == [f"d{n:04}" for n in range(100)]
    [request] = between.seen
    assert b'"size":100' in request.body.replace(b" ", b"")
    assert b"dup_signature" not in request.body


@servers(ONE_OF_EACH)
def test_a_refused_item_is_sent_again_alone(engine_url: str, between: Proxy, opened: Opened) -> None:
    engine = opened(through(between, engine_url))
    engine.put([document("old")])
    engine.resolve(["old"])
    between.trouble(lambda request, forward: forward(request), item_refused("b"))
    engine.put([document("a"), document("b"), document("c")])
    *_, first, second = [sent for sent in between.seen if sent.path.startswith("/_bulk")]
    assert (first.body.count(b'"index"'), second.body.count(b'"index"')) == (3, 1)
    assert set(engine.get(["a", "b", "c"])) == {"a", "b", "c"}


@servers(ONE_OF_EACH)
def test_an_item_that_stays_refused_fails_alone(engine_url: str, between: Proxy, opened: Opened) -> None:
    engine = opened(through(between, engine_url, "retries=1"))
    engine.put([])
    between.always = lambda request, forward: (
        item_refused("b")(request, forward) if request.path.startswith("/_bulk") else forward(request)
    )
    with pytest.raises(EngineError) as caught:
        engine.put([document("a"), document("b")])
    assert list(caught.value.failures) == ["b"]
    assert "no room" in caught.value.failures["b"]


@servers(ONE_OF_EACH)
def test_a_request_that_is_too_large_is_cut_down_to_the_document_that_is(
    engine_url: str, between: Proxy, opened: Opened
) -> None:
    engine = opened(through(between, engine_url))
    engine.put([])
    between.always = too_large(20_000)
    documents = [document(f"d{place}", text="word " * 500) for place in range(10)]
    with pytest.raises(EngineError) as caught:
        engine.put([*documents, document("giant", text="word " * 50_000)])
    assert list(caught.value.failures) == ["giant"]
    assert "too large" in caught.value.failures["giant"]
    assert len(engine.get([stored.record.id for stored in documents])) == 10


@servers(ONE_OF_EACH)
def test_a_merge_that_was_interrupted_is_finished_by_whoever_settles(
    engine_url: str, between: Proxy, opened: Opened
) -> None:
    first, second, third = reprints(stories=1, copies=3).values()
    broken = opened(through(between, engine_url, "retries=0"))
    signed = Deduper(broken).sign
    broken.put([signed(first), signed(second)])  # each its own group, as two processes would leave them
    between.always = lambda request, forward: None if b'"update"' in request.body else forward(request)
    with pytest.raises(EngineError):
        broken.put([], moves={"s0/1": "s0/0"})
    other = Deduper(opened(engine_url))
    other.engine.refresh()
    assert other.engine.get(["s0/1"])["s0/1"].group == "s0/1"
    assert other.add(third).group == "s0/0"
    other.settle()
    assert {record.id for record in other.engine.members(["s0/0"])["s0/0"]} == {"s0/0", "s0/1", "s0/2"}


@servers(ONE_OF_EACH)
def test_many_may_begin_at_once(engine_url: str, opened: Opened) -> None:
    engines = [opened(engine_url) for _ in range(6)]
    with ThreadPoolExecutor(len(engines)) as pool:
        work = [pool.submit(engine.put, [document(f"d{place}")]) for place, engine in enumerate(engines)]
        for future in work:
            future.result()
    assert len(engines[0].get([f"d{place}" for place in range(6)])) == 6


@servers(ONE_OF_EACH)
def test_a_full_disk_is_explained_at_once(engine_url: str, between: Proxy, opened: Opened) -> None:
    engine = opened(through(between, engine_url))
    engine.put([document("a")])
    index = EngineURL.parse(engine_url, {}).path
    ask(engine_url, "PUT", f"/{index}/_settings", {"index.blocks.read_only_allow_delete": True})
    between.seen.clear()
    with pytest.raises(EngineError, match=r"takes no writes.*free disk space") as caught:
        engine.put([document("b")])
    assert not caught.value.temporary
    assert sum(sent.path.startswith("/_bulk") for sent in between.seen) == 1
    assert [check.name for check in engine.check() if not check.ok] == ["blocks"]
    ask(engine_url, "PUT", f"/{index}/_settings", {"index.blocks.read_only_allow_delete": None})
    engine.put([document("b")])


@servers(ALL)
def test_a_document_that_the_mapping_refuses_fails_alone(engine_url: str, opened: Opened) -> None:
    engine = opened(engine_url)
    with pytest.raises(EngineError) as caught:
        engine.put([document("a"), document("b", seen=2**70), document("c", keys=["k" * 40_000])])
    assert set(caught.value.failures) == {"b", "c"}
    assert set(engine.get(["a", "b", "c"])) == {"a"}


@servers(ALL)
def test_an_id_that_no_server_takes_fails_alone(engine_url: str, opened: Opened) -> None:
    engine = opened(engine_url)
    long = "新" * 200
    with pytest.raises(EngineError) as caught:
        engine.put([document("a"), document(long)])
    assert "600 bytes" in caught.value.failures[long]
    assert set(engine.get(["a", long])) == {"a"}


@servers(ALL)
def test_a_vanished_index_is_not_made_anew_by_the_server(engine_url: str, opened: Opened) -> None:
    engine = opened(engine_url)
    engine.put([document("a")])
    index = EngineURL.parse(engine_url, {}).path
    ask(engine_url, "DELETE", f"/{index}-000001")
    with pytest.raises(EngineError):
        engine.put([document("b")])
    assert engine.cluster.index(index) == {}


# -- the wrong client


@servers(ONE_OF_EACH)
def test_the_other_product_is_named(engine_url: str) -> None:
    kind = "opensearch" if engine_url.startswith("elastic") else "elasticsearch"
    other = f"{kind}://{engine_url.partition('://')[2]}"
    with pytest.raises(EngineError, match=r"this is (an|not an) Elasticsearch server.*://"):
        open_engine(other)


@servers(["elasticsearch-8.19"])
def test_a_client_that_is_too_new_is_told_how_to_go_back(engine_url: str, between: Proxy) -> None:
    between.always = newer_client
    with pytest.raises(EngineError, match=r"too new for this server: pip install 'elasticsearch>=8.19,<9'"):
        open_engine(through(between, engine_url))


# -- secrets and TLS


@servers(ONE_OF_EACH)
@pytest.mark.parametrize("by", ["password", "key"])
def test_secrets_reach_the_server_and_nobody_else(
    engine_url: str,
    between: Proxy,
    by: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("DUPGROUPS_ENGINE_USER", "crawler")
    name = "DUPGROUPS_ENGINE_API_KEY" if by == "key" else "DUPGROUPS_ENGINE_PASSWORD"
    monkeypatch.setenv(name, SECRET)
    engine = open_engine(through(between, engine_url, "retries=0"))
    engine.put([document("a")])
    sent = between.seen[-1].headers
    authorization = next(value for key, value in sent.items() if key.lower() == "authorization")
    assert authorization.startswith("ApiKey" if by == "key" else "Basic")
    texts = [engine.name, str(engine), repr(engine), repr(vars(engine))]
    between.always = cut
    with pytest.raises(EngineError) as caught:
        engine.put([document("b")])
    texts += [str(caught.value), repr(caught.value), caplog.text]
    coded = authorization.split()[1]
    for text in texts:
        assert SECRET not in text
        assert coded not in text
    engine.close()


@servers(ONE_OF_EACH)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "wants to know who asks: set DUPGROUPS_ENGINE_USER"),
        (["PASSWORD"], "there is a password, but no user; set DUPGROUPS_ENGINE_USER"),
        (["USER", "PASSWORD"], r"refused the given user and password \(401\)"),
        (["API_KEY"], "refused the API key"),
    ],
)
def test_credentials_that_are_refused_are_told_from_missing_ones(
    engine_url: str, between: Proxy, given: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in given:
        monkeypatch.setenv(f"DUPGROUPS_ENGINE_{name}", SECRET)
    between.always = busy(401, product(engine_url))
    with pytest.raises(EngineError, match=message) as caught:
        open_engine(through(between, engine_url, "retries=0"))
    assert SECRET not in str(caught.value)


@servers(ONE_OF_EACH)
def test_tls_is_checked_unless_told_otherwise(engine_url: str, tmp_path: Path) -> None:
    pem = certificate(tmp_path / "server.pem")
    url = EngineURL.parse(engine_url, {})
    with proxy(address(engine_url), pem) as between:
        place = f"{url.kind}+https://127.0.0.1:{between.port}/{url.path}"
        with pytest.raises(EngineError, match=r"TLS certificate is not trusted.*ca=FILE") as caught:
            open_engine(place)
        assert not caught.value.temporary
        for options in (f"ca={pem}", "verify=false"):
            engine = open_engine(f"{place}?{options}")
            engine.put([document("a")])
            assert set(engine.get(["a"])) == {"a"}
            engine.close()


# -- nobody there


@pytest.mark.parametrize("kind", ["opensearch", "elasticsearch"])
def test_a_server_that_is_not_there(kind: str) -> None:
    with socket.socket() as taken:  # bound, not listening: connections are refused
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        message = f"{kind}://127.0.0.1:{port}/news does not answer: connection refused$"
        with pytest.raises(EngineError, match=message) as caught:
            open_engine(f"{kind}://127.0.0.1:{port}/news?retries=0")
    assert caught.value.temporary


@pytest.mark.parametrize("kind", ["opensearch", "elasticsearch"])
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"", "connection closed"),
        (b"hello\r\n\r\n", "the response is not HTTP"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{", "the response was cut off"),
    ],
)
def test_a_response_that_is_not_http_is_reported_in_words(kind: str, answer: bytes, message: str) -> None:
    with _answering(answer) as port, pytest.raises(EngineError, match=f"does not answer: {message}$"):
        open_engine(f"{kind}://127.0.0.1:{port}/news?retries=0")


@contextmanager
def _answering(answer: bytes) -> Iterator[int]:
    """The port of a server that says the same to the first who asks, and hangs up."""

    def once() -> None:
        asking, _ = server.accept()
        with asking:
            asking.recv(100_000)
            asking.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:
        work = pool.submit(once)
        yield server.getsockname()[1]
        work.result()


@pytest.mark.parametrize("url", ["opensearch:///news", "elasticsearch://localhost:9200/"])
def test_a_url_without_host_or_index(url: str) -> None:
    with pytest.raises(ConfigError, match="name host and index"):
        open_engine(url)
