"""Who only searches needs no right to write, nor to see statistics."""

from __future__ import annotations

from collections.abc import Callable

from dupgroups.model import Query
from dupgroups_es.base import ClusterEngine
from engines.documents import document
from es_plugin.clusters import ONE_OF_EACH, servers
from es_plugin.groups import groups
from es_plugin.proxy import Proxy, through


@servers(ONE_OF_EACH)
def test_searching_an_index_without_marks_writes_nothing(
    engine_url: str, between: Proxy, opened: Callable[[str], ClusterEngine]
) -> None:
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
