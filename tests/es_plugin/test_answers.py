"""Responses with status 200 that are not valid: tried again, then reported in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest

from dupgroups.errors import EngineError
from dupgroups.model import Query
from dupgroups_es.base import ClusterEngine
from dupgroups_es.retry import Patience
from engines.documents import document, signature
from es_plugin.clusters import ONE, servers
from es_plugin.proxy import Fault, Proxy, instead, lost, passing, shortened, through

Opened = Callable[[str], ClusterEngine]
Work = Callable[[ClusterEngine], object]

STRANGE: dict[str, Fault] = {
    "empty": instead(b""),
    "empty object": instead(b"{}"),
    "empty list": instead(b"[]"),
    "page": instead(b"<html>All is well</html>", "text/html"),
    "one part too few": shortened,
    "not text": instead(b"\xff\xfe\x00"),
}
READING: dict[str, Work] = {
    "get": lambda engine: engine.get(["a", "b", "nobody"]),
    "candidates": lambda engine: engine.candidates([signature("k"), signature("other")], limit=9),
    "members": lambda engine: engine.members(["a", "c"]),
    "resolve": lambda engine: engine.resolve(["b", "c"]),
    "redirects": lambda engine: list(engine.redirects()),
    "former_names": lambda engine: engine.former_names("a"),
    "scan": lambda engine: list(engine.scan()),
    "copies": lambda engine: engine.copies("a"),
    "search": lambda engine: engine.search(Query("water")),
    "version": lambda engine: engine.cluster.positions(engine.index),
}


@pytest.fixture
def engine(engine_url: str, between: Proxy, opened: Opened) -> ClusterEngine:
    """Two groups and a redirect, read through the proxy."""
    engine = opened(through(between, engine_url, "retries=2&timeout=10"))
    engine.cluster.patience = Patience(tries=3, first=0.01)
    engine.put([document("a", keys=["k"], text="water"), document("c", keys=["k"], text="water")])
    engine.put([document("b", "a", keys=["k"], text="water")], moves={"b": "a"})
    engine.refresh()
    return engine


def each_request(between: Proxy, engine: ClusterEngine, work: Work) -> Iterator[object]:
    """What `work` gives when the first of its requests gets a strange answer, the second, and so on."""
    between.trouble()
    work(engine)
    for place, strange in zip(range(len(between.seen)), cycle(STRANGE.values()), strict=False):
        between.trouble(*[passing] * place, strange)
        yield work(engine)
        assert not between.faults


@servers(ONE)
def test_every_reading_request_is_tried_again(between: Proxy, engine: ClusterEngine) -> None:
    for name, work in READING.items():
        expected = work(engine)
        assert expected, name
        for result in each_request(between, engine, work):
            assert result == expected, name


@servers(ONE)
def test_every_writing_request_is_tried_again(between: Proxy, engine: ClusterEngine) -> None:
    names = iter(f"n{number}" for number in range(100))

    def work(engine: ClusterEngine) -> object:
        name, other = next(names), next(names)
        engine.put([document(name), document(other)])
        engine.put([document(name, title="again")], moves={other: name})
        engine.touch([name], 9)
        engine.delete([other])
        found = engine.read([name, other])
        return [(document.content.title, document.record.last_seen) for document in found.values()]

    for result in each_request(between, engine, work):
        assert result == [("again", 9)]
    engine.refresh()
    assert [record.id for record in engine.members(["a"])["a"]] == ["a", "b"]


@servers(ONE)
def test_a_page_of_a_scroll_that_is_lost_is_missed(
    engine: ClusterEngine, between: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupgroups_es.queries.PAGE", 2)
    engine.put([], moves={f"x{number}": "a" for number in range(6)})
    expected = list(engine.redirects())
    assert len(expected) == 7
    between.always = lambda request, forward: (
        once.pop()(request, forward) if once and "/scroll" in request.path else forward(request)
    )
    once = [lost]
    with pytest.raises(EngineError, match="lost 2 documents on the way: try again") as caught:
        list(engine.redirects())
    assert caught.value.temporary
    assert list(engine.redirects()) == expected
