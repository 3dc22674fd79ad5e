"""The bulk helpers of the official clients, once straight into a cluster and once through a filter."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from es_plugin.clusters import ALL, ONE_OF_EACH, ask, servers
from filtering.running import (
    MAPPING,
    bare,
    documents,
    eventually,
    filtering,
    offline,
    partition,
    server,
    sources,
)

MADE = documents(4, 3)
SECOND = {id_: {**source, "rank": 7} for id_, source in list(MADE.items())[:3]}


def _actions(index: str) -> Iterator[dict[str, Any]]:
    """What a writer does: two documents without ids are too short for any group but their own."""
    for id_, source in MADE.items():
        yield {"_op_type": "index", "_index": index, "_id": id_, **source}
    yield {"_op_type": "create", "_index": index, "_id": "s0/0", "body": "it exists"}
    for id_, source in SECOND.items():
        yield {"_op_type": "update", "_index": index, "_id": id_, "doc": source}
    yield {"_op_type": "update", "_index": index, "_id": "missing", "doc": {"rank": 1}}
    yield {"_op_type": "delete", "_index": index, "_id": "missing"}
    yield {"_op_type": "index", "_index": index, "_id": "odd", "body": {"not": "a text"}}


Writer = Callable[[str, str], Any]


def _bulk(helpers: Any, client: Any) -> Writer:
    return lambda url, index: helpers.bulk(client(url), _actions(index), raise_on_error=False, chunk_size=5)


def _streaming(helpers: Any, client: Any) -> Writer:
    def write(url: str, index: str) -> Any:
        return list(helpers.streaming_bulk(client(url), _actions(index), raise_on_error=False, chunk_size=5))

    return write


def _parallel(helpers: Any, client: Any) -> Writer:
    def write(url: str, index: str) -> Any:
        made = ({"_index": index, "_id": id_, **source} for id_, source in MADE.items())
        return list(helpers.parallel_bulk(client(url), made, chunk_size=3, thread_count=2))

    return write


def _async(helpers: Any, client: Any) -> Writer:
    async def write(url: str, index: str) -> Any:
        opened = client(url)
        try:
            return await helpers.async_bulk(opened, _actions(index), raise_on_error=False, chunk_size=5)
        finally:
            await opened.close()

    return lambda url, index: asyncio.run(write(url, index))


def _elasticsearch(name: str) -> Writer:
    from elasticsearch import AsyncElasticsearch, Elasticsearch, helpers

    def client(url: str) -> Any:
        return Elasticsearch(url, http_compress=True)

    return _writers(name, helpers, client, AsyncElasticsearch)


def _opensearch(name: str) -> Writer:
    from opensearchpy import AsyncOpenSearch, OpenSearch, helpers

    return _writers(name, helpers, OpenSearch, AsyncOpenSearch)


def _writers(name: str, helpers: Any, client: Any, async_client: Any) -> Writer:
    kinds = {"bulk": _bulk, "streaming_bulk": _streaming, "parallel_bulk": _parallel}
    return kinds[name](helpers, client) if name in kinds else _async(helpers, async_client)


def _comparable(answer: Any, index: str) -> str:
    """What a helper returns, without what no two writes have in common."""
    if isinstance(answer, dict):
        left_out = ("_seq_no", "_version", "_shards", "index_uuid")
        return "{" + ", ".join(
            f"{name}: {_comparable(value, index)}" for name, value in answer.items() if name not in left_out
        )
    if isinstance(answer, (list, tuple)):
        return "[" + ", ".join(_comparable(item, index) for item in answer)
    return str(answer).replace(index, "INDEX")


@servers(ALL)
def test_bulk(engine_url):
    _write_both_ways(engine_url, "bulk")


@servers(ONE_OF_EACH)
@pytest.mark.parametrize("name", ["streaming_bulk", "parallel_bulk", "async_bulk"])
def test_other_helpers(engine_url, name):
    _write_both_ways(engine_url, name)


def _write_both_ways(engine_url: str, name: str) -> None:
    write = (_elasticsearch if engine_url.startswith("elasticsearch") else _opensearch)(name)
    with filtering(engine_url) as filter_:
        straight = f"{filter_.index}-straight"
        ask(engine_url, "PUT", f"/{straight}", MAPPING)
        expected = write(server(engine_url), straight)
        answers = write(filter_.url, filter_.index)
        if name != "parallel_bulk":  # whose answers come in any order
            assert _comparable(answers, filter_.index) == _comparable(expected, straight)
        stored = filter_.sources()
        assert {id_: bare(source) for id_, source in stored.items()} == sources(engine_url, straight)
        eventually(lambda: partition(filter_.groups()), offline(MADE))
