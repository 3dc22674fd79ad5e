"""What goes wrong between us and a real server: a proxy on the way makes the trouble."""

import logging
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from dupgroups.engines import open_engine
from dupgroups.errors import EngineError
from dupgroups.model import Query
from dupgroups_es.base import ClusterEngine
from engines.documents import document, signature
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, address, ask, index_of, servers
from es_plugin.proxy import (
    Fault,
    Proxy,
    busy,
    certificate,
    cut,
    halved,
    instead,
    item_refused,
    late,
    lost,
    only,
    passing,
    proxy,
    through,
    too_large,
)
from flow.scenes import groups

Opened = Callable[[str], ClusterEngine]

SECRET = "s3cret-never-shown"


def product(engine_url: str) -> str:
    return "Elasticsearch" if engine_url.startswith("elastic") else ""


@servers(ONE_OF_EACH)
def test_trouble_that_passes_is_not_noticed(engine_url: str, between: Proxy, opened: Opened) -> None:
    engine = opened(through(between, engine_url, "timeout=2"))
    opened(engine_url).put([])  # it may take longer to make the index
    engine.put([document("a", keys=["k"])])
    name = product(engine_url)
    troubles: list[Fault] = [busy(429, name), busy(503, name), cut, lost, halved, late(2.2)]
    for place, trouble in enumerate(troubles):
        between.trouble(trouble)
        engine.put([document(f"d{place}", "a", keys=["k"])])
        assert not between.faults
        between.trouble(trouble)
        assert len(engine.candidates([signature("k")], limit=50)[0]) == place + 2
        assert not between.faults
    written = ["a", *(f"d{place}" for place in range(len(troubles)))]
    assert [record.id for record in engine.members(["a"])["a"]] == written


@servers(ONE_OF_EACH)
@pytest.mark.parametrize("fault", [cut, instead(b"{}")], ids=["cut", "no answer"])
def test_trouble_that_stays_ends_after_bounded_tries(
    engine_url: str, between: Proxy, opened: Opened, fault: Fault
) -> None:
    engine = opened(through(between, engine_url, "retries=2"))
    engine.put([])
    between.seen.clear()
    between.always = only("/_bulk", fault)
    with pytest.raises(EngineError) as caught:
        engine.put([document("a")])
    assert caught.value.temporary
    assert caught.value.failures == {}
    assert sum(sent.path.startswith("/_bulk") for sent in between.seen) == 3


@servers(ONE)
def test_a_page_of_a_scroll_that_is_lost_is_missed(
    engine_url: str, between: Proxy, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupgroups_es.queries.PAGE_DOCUMENTS", 2)
    engine = opened(through(between, engine_url, "retries=1"))
    engine.put([document("a")], moves={f"x{number}": "a" for number in range(7)})
    expected = list(engine.redirects())
    assert len(expected) == 7
    once = [lost]
    between.always = only("/scroll", lambda *given: (once.pop() if once else passing)(*given))
    with pytest.raises(EngineError, match="returned 2 documents too few: try again") as caught:
        list(engine.redirects())
    assert caught.value.temporary
    assert list(engine.redirects()) == expected
    between.seen.clear()
    between.always = only("/scroll", cut)
    with pytest.raises(EngineError, match="does not answer"):
        list(engine.redirects())
    assert [sent.method for sent in between.seen if "/scroll" in sent.path] == ["POST", "POST", "DELETE"]


@servers(ONE_OF_EACH)
def test_a_refused_item_is_sent_again_alone_and_fails_alone_if_it_stays_refused(
    engine_url: str, between: Proxy, opened: Opened
) -> None:
    engine = opened(through(between, engine_url, "retries=1"))
    engine.put([])

    def bulks() -> list[int]:
        return [sent.body.count(b'"index"') for sent in between.seen if sent.path.startswith("/_bulk")]

    once = [item_refused("b")]
    between.always = only("/_bulk", lambda *given: (once.pop() if once else passing)(*given))
    engine.put([document("a"), document("b"), document("c")])
    assert bulks() == [3, 1]
    assert set(engine.get(["a", "b", "c"])) == {"a", "b", "c"}
    between.seen.clear()
    between.always = only("/_bulk", item_refused("b"))
    with pytest.raises(EngineError) as caught:
        engine.put([document("a"), document("b")])
    assert list(caught.value.failures) == ["b"]
    assert "no room" in caught.value.failures["b"]
    assert bulks() == [2, 1]


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
def test_many_may_begin_at_once(engine_url: str, opened: Opened) -> None:
    engines = [opened(engine_url) for _ in range(6)]
    with ThreadPoolExecutor(len(engines)) as pool:
        list(pool.map(lambda engine, id_: engine.put([document(id_)]), engines, "abcdef"))
    assert len(engines[0].get(list("abcdef"))) == 6


@servers(ONE_OF_EACH)
def test_a_full_disk_is_explained_at_once(engine_url: str, between: Proxy, opened: Opened) -> None:
    engine = opened(through(between, engine_url))
    engine.put([document("a")])
    index = index_of(engine_url)
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
def test_a_document_that_no_server_takes_fails_alone(engine_url: str, opened: Opened) -> None:
    engine, long = opened(engine_url), "新" * 200
    with pytest.raises(EngineError) as caught:
        engine.put(
            [document("a"), document("b", seen=2**70), document("c", keys=["k" * 40_000]), document(long)]
        )
    assert set(caught.value.failures) == {"b", "c", long}
    assert "600 bytes" in caught.value.failures[long]
    assert set(engine.get(["a", "b", "c", long])) == {"a"}


@servers(ALL)
def test_a_vanished_index_is_not_made_anew_by_the_server(engine_url: str, opened: Opened) -> None:
    engine = opened(engine_url)
    engine.put([document("a")])
    index = index_of(engine_url)
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


# -- secrets and TLS


@servers(ONE_OF_EACH)
@pytest.mark.parametrize(("by", "scheme"), [("PASSWORD", "Basic"), ("API_KEY", "ApiKey")])
def test_secrets_reach_the_server_and_nobody_else(
    engine_url: str,
    between: Proxy,
    by: str,
    scheme: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("DUPGROUPS_ENGINE_USER", "crawler")
    monkeypatch.setenv(f"DUPGROUPS_ENGINE_{by}", SECRET)
    with closing(open_engine(through(between, engine_url, "retries=0"))) as engine:
        engine.put([document("a")])
        sent = {name.lower(): value for name, value in between.seen[-1].headers.items()}
        kind, coded = sent["authorization"].split()
        assert kind == scheme
        between.always = cut
        with pytest.raises(EngineError) as caught:
            engine.put([document("b")])
        for text in (engine.name, repr(engine), repr(vars(engine)), repr(caught.value), caplog.text):
            assert SECRET not in text
            assert coded not in text


@servers(ONE_OF_EACH)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "requires a log-in: set DUPGROUPS_ENGINE_USER"),
        (["PASSWORD"], "a password is set, but no user; set DUPGROUPS_ENGINE_USER"),
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
    with proxy(address(engine_url), pem) as between:
        place = through(between, engine_url).replace("://", "+https://")
        with pytest.raises(EngineError, match=r"TLS certificate is not trusted.*ca=FILE") as caught:
            open_engine(place)
        assert not caught.value.temporary
        for options in (f"ca={pem}", "verify=false"):
            engine = open_engine(f"{place}{options}")
            engine.put([document("a")])
            assert set(engine.get(["a"])) == {"a"}
            engine.close()


# -- nobody there


@pytest.mark.parametrize("kind", ["opensearch", "elasticsearch"])
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"", "connection closed"),
        (b"hello\r\n\r\n", "the response is not HTTP"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{", "the response was cut off"),
    ],
)
def test_what_is_no_response_is_a_temporary_error_in_words(kind: str, answer: bytes, message: str) -> None:
    def once() -> None:
        asking, _ = server.accept()
        with asking:
            asking.recv(100_000)
            asking.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:
        pool.submit(once)
        url = f"{kind}://127.0.0.1:{server.getsockname()[1]}/news"
        with pytest.raises(EngineError, match=f"{url} does not answer: {message}$") as caught:
            open_engine(f"{url}?retries=0")
        assert caught.value.temporary


# -- who only searches needs no right to write, nor to see statistics


@servers(ONE_OF_EACH)
def test_searching_without_marks_writes_nothing(engine_url: str, between: Proxy, opened: Opened) -> None:
    opened(engine_url).put([document("a")])
    engine = opened(through(between, engine_url))
    between.seen.clear()
    assert groups(engine) == {"a": "a"}
    assert engine.search(Query()).stories == 1
    assert engine.get(["a"]).keys() == engine.read(["a"]).keys() == {"a"}
    assert engine.resolve(["a"]) == {"a": "a"}
    reading = ("/_search", "/_msearch", "/_mget", "/_refresh", "/_search/scroll")
    for sent in between.seen:
        path = sent.path.partition("?")[0]
        assert "_stats" not in path
        assert sent.method in ("GET", "HEAD") or path.endswith(reading), (sent.method, path)
