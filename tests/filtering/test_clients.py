"""The bulk helpers of the official clients, once straight into a cluster and once through a filter."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from es_plugin.clusters import ALL, address, servers
from filtering.running import (
    all_bare,
    documents,
    eventually,
    filtering,
    make,
    offline,
    partition,
    sources,
)

MADE = documents(4, 3)


def _actions(index: str) -> Iterator[dict[str, Any]]:
    """What a writer does, also what the cluster refuses."""
    for id_, source in MADE.items():
        yield {"_op_type": "index", "_index": index, "_id": id_, **source}
    yield {"_op_type": "create", "_index": index, "_id": "s0/0", "body": "it exists"}
    yield {"_op_type": "update", "_index": index, "_id": "s0/0", "doc": {"rank": 7}}
    yield {"_op_type": "update", "_index": index, "_id": "missing", "doc": {"rank": 1}}
    yield {"_op_type": "delete", "_index": index, "_id": "missing"}
    yield {"_op_type": "index", "_index": index, "_id": "odd", "body": {"not": "a text"}}


def _bulk(client: Any, helpers: Any, index: str) -> Any:
    return helpers.bulk(client, _actions(index), raise_on_error=False, chunk_size=5)


def _async_bulk(client: Any, helpers: Any, index: str) -> Any:
    async def write() -> Any:
        async with client:
            return await helpers.async_bulk(client, _actions(index), raise_on_error=False, chunk_size=5)

    return asyncio.run(write())


def _write(url: str, index: str, kind: str, client: str) -> Any:
    """What a helper returns."""
    package = "elasticsearch" if kind == "elasticsearch" else "opensearchpy"
    name = client.replace("Client", "Elasticsearch" if kind == "elasticsearch" else "OpenSearch")
    opened = getattr(import_module(package), name)(url, http_compress=True)
    write = _async_bulk if client.startswith("Async") else _bulk
    return write(opened, import_module(f"{package}.helpers"), index)


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
@pytest.mark.parametrize("client", ["Client", "AsyncClient"])
def test_a_client_writes_and_is_told_what_it_is_without_a_filter(engine_url, client):
    kind, straight = engine_url.partition(":")[0], make(f"{engine_url}-straight")
    with filtering(engine_url) as filter_:
        expected = _write(address(engine_url), straight, kind, client)
        answers = _write(filter_.url, filter_.index, kind, client)
        assert _comparable(answers, filter_.index) == _comparable(expected, straight)
        assert all_bare(filter_.sources()) == sources(engine_url, straight)
        eventually(lambda: partition(filter_.groups()), offline(MADE))
