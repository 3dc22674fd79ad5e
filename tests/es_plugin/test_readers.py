"""Who only searches needs no right to write, nor to see statistics."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from dupgroups import Deduper, Page, open_engine
from dupgroups.engines.base import Engine
from dupgroups.model import Query
from dupgroups_es.base import ClusterEngine
from es_plugin.clusters import ONE_OF_EACH, ask, servers
from stories import story


class ReadOnly:
    """A client that sends nothing but reads."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def send(self, method: str, path: str, *rest: Any, **options: Any) -> Any:
        assert "_stats" not in path
        assert method == "GET" or path.endswith(("/_search", "/_msearch", "/_mget", "/_refresh")), path
        return self._client.send(method, path, *rest, **options)


@servers(ONE_OF_EACH)
def test_searching_an_index_without_marks_writes_nothing(engine_url: str) -> None:
    with closing(Deduper(engine_url)) as deduper:
        deduper.add(Page(id="a", text=story("a")))
    ask(engine_url, "DELETE", f"/dup-groups-{engine_url.rsplit('/', 1)[1]}-settled")
    with closing(open_engine(engine_url, must_exist=True)) as engine:
        assert isinstance(engine, ClusterEngine)
        engine.cluster.client = ReadOnly(engine.cluster.client)
        _read(engine)


def _read(engine: Engine) -> None:
    engine.refresh()
    assert engine.search(Query()).stories == 1
    assert engine.get(["a"]).keys() == engine.read(["a"]).keys() == {"a"}
    assert engine.resolve(["a"]) == {"a": "a"}
    assert [document.record.id for document in engine.scan()] == ["a"]
