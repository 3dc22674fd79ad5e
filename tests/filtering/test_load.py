"""Many requests and large ones: nobody waits for others, memory and threads stay bounded, nothing is lost."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from dupgroups.engines.url import EngineURL
from es_plugin.clusters import ask, servers
from filtering.guard import FILTER, guard
from filtering.heavy import MB, megabyte, send_parts, watching
from filtering.manners import lines
from filtering.process import FilterProcess, filter_process
from filtering.running import MAPPING, ask_port, bare, bulk, documents, offline, partition, server, sources
from stories import story

ONE = ["opensearch-3"]
MEMORY = 300 * MB  # that a filter and its children may take
THREADS = 60  # of all its processes
SOCKETS = 200


@contextmanager
def _filter(engine_url: str, **settings: Any) -> Iterator[tuple[FilterProcess, str]]:
    index = EngineURL.parse(engine_url, {}).path
    ask(engine_url, "PUT", f"/{index}", {**MAPPING, "settings": settings})
    with filter_process(engine_url) as filter_:
        yield filter_, index


@contextmanager
def _guarded(engine_url: str, pattern: str = "") -> Iterator[FilterProcess]:
    """A filter before a server that refuses everybody else."""
    url = EngineURL.parse(engine_url, {})
    ask(engine_url, "PUT", f"/{url.path}", MAPPING)
    with (
        guard(server(engine_url)) as watched,
        filter_process(
            f"{url.kind}://{FILTER}:{FILTER}@127.0.0.1:{watched.port}/{url.path}{pattern}"
        ) as filter_,
    ):
        yield filter_


def _until(what: Any, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.1)


# -- nobody waits for others


@servers(ONE)
@pytest.mark.parametrize("interval", ["1s", "-1"])
def test_who_waits_for_a_refresh_keeps_nobody_waiting(engine_url, interval):
    """With an interval of -1 they wait until somebody refreshes: the plain write is answered before that."""
    with (
        _filter(engine_url, refresh_interval=interval) as (filter_, index),
        ThreadPoolExecutor(20) as pool,
    ):
        path = f"/{index}/_doc/"
        waiting = [
            pool.submit(filter_.ask, "PUT", f"{path}{number}?refresh=wait_for", {"body": story(f"{number}")})
            for number in range(20)
        ]
        assert filter_.ask("PUT", f"{path}plain", {"body": story("plain")}).status == 201
        _until(lambda: _are_stored(engine_url, index, range(20)))
        assert filter_.ask("POST", f"/{index}/_refresh").status == 200
        assert {future.result(60).status for future in waiting} == {201}
        assert len(sources(engine_url, index)) == 21


def _are_stored(engine_url: str, index: str, ids: Any) -> bool:
    """Whether the server has them, refreshed or not."""
    found = ask(engine_url, "POST", f"/{index}/_mget", {"ids": [str(id_) for id_ in ids]})
    return all(one["found"] for one in found["docs"])


# -- nothing is lost


@servers(["opensearch-3", "elasticsearch-9"])
def test_a_gzip_body_of_several_members_is_stored_whole(engine_url):
    made = documents(4, 4)
    members = [gzip.compress(lines(*bulk({id_: source}))) for id_, source in made.items()]
    with _filter(engine_url) as (filter_, index):
        headers = {"Content-Encoding": "gzip", "Content-Type": "application/x-ndjson"}
        answer = filter_.ask("POST", f"/{index}/_bulk", b"".join(members), **headers)
        assert [item["index"]["_id"] for item in answer.json["items"]] == list(made)
        assert {id_: bare(one) for id_, one in sources(engine_url, index).items()} == made


@servers(ONE)
def test_what_many_write_at_once_is_stored_whole_and_grouped(engine_url):
    made = documents(10, 20)
    with _filter(engine_url) as (filter_, index), ThreadPoolExecutor(50) as pool:
        answers = pool.map(lambda one: filter_.ask("PUT", f"/{index}/_doc/{one[0]}", one[1]), _single(made))
        assert {answer.status for answer in answers} == {201}
        _until(lambda: _partition(engine_url, index) == offline(made))
    assert {id_: bare(one) for id_, one in sources(engine_url, index).items()} == made


def _single(made: dict[str, dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """Documents with ids that can stand in a path."""
    return [(id_.replace("/", "%2F"), source) for id_, source in made.items()]


def _partition(engine_url: str, index: str) -> set[frozenset[str]]:
    stored = sources(engine_url, index)
    return partition({id_: source.get("dup_group", "") for id_, source in stored.items()})


# -- memory, threads and connections are bounded


@servers(ONE)
def test_large_bodies_without_credentials_take_little_memory(engine_url):
    part, index = megabyte(), EngineURL.parse(engine_url, {}).path
    with _guarded(engine_url) as filter_, ThreadPoolExecutor(6) as pool, watching(filter_) as memory:
        sent = [pool.submit(send_parts, filter_.port, f"/{index}/_bulk", part, 95) for _ in range(6)]
        assert {future.result() for future in sent} <= {401, 413, 429, 0}
    assert max(memory) < MEMORY, f"{max(memory) // MB} MB, {memory[0] // MB} MB before"
    assert sources(engine_url, index) == {}


@servers(ONE)
def test_a_small_body_that_unpacks_to_a_large_one_takes_little_memory(engine_url):
    body, index = gzip.compress(megabyte() * 99, 6), EngineURL.parse(engine_url, {}).path
    assert len(body) < MB
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/x-ndjson"}
    with _guarded(engine_url) as filter_, watching(filter_) as memory:
        answer = ask_port(filter_.port, "POST", f"/{index}/_bulk", body, **headers)
        assert answer.status in (401, 413, 429)
    assert max(memory) < MEMORY, f"{max(memory) // MB} MB, {memory[0] // MB} MB before"


@servers(ONE)
def test_invented_names_cost_neither_threads_nor_connections(engine_url):
    index = EngineURL.parse(engine_url, {}).path
    with _guarded(engine_url, "*") as filter_, ThreadPoolExecutor(10) as pool:
        names = [f"{index}-{number}" for number in range(300)]
        answers = pool.map(lambda name: filter_.ask("PUT", f"/{name}/_doc/1", {"body": story(name)}), names)
        assert {answer.status for answer in answers} == {401}
        assert filter_.threads() < THREADS
        assert filter_.sockets() < SOCKETS
    assert [one["index"] for one in ask(engine_url, "GET", f"/_cat/indices/{index}*?format=json")] == [index]


@servers(ONE)
def test_a_refused_write_into_an_index_that_is_not_there_makes_none(engine_url):
    index = EngineURL.parse(engine_url, {}).path
    with _filter(engine_url) as (filter_, _):
        path = f"/{index}-none/_doc/1?require_alias=true"
        assert filter_.ask("PUT", path, {"body": story("x")}).status == 404
    assert json.dumps(ask(engine_url, "GET", f"/_cat/indices/{index}-none*?format=json")) == "[]"
