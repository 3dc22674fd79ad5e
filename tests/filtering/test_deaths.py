"""Filters that die, and filters that are ended."""

from __future__ import annotations

import threading

import pytest

from dupgroups.engines.url import EngineURL
from es_plugin.clusters import ONE, ONE_OF_EACH, ask, servers
from es_plugin.proxy import proxy
from filtering.killing import (
    process,
    write_by_dying_writers,
    write_through_deaths,
    write_while_servers_die,
)
from filtering.running import MAPPING, ask_port, bulk, documents, server, sources
from processes import free_port
from servers.nodes import nodes


@servers(ONE_OF_EACH)
def test_nothing_is_lost_or_doubled_by_deaths(engine_url, tmp_path):
    write_through_deaths(engine_url, 3, 7, tmp_path / "log")


@servers(ONE)
def test_nothing_is_lost_or_doubled_by_dying_writers(engine_url, tmp_path):
    write_by_dying_writers(engine_url, 2, 7, tmp_path / "log")


@pytest.mark.server
def test_nothing_is_lost_or_doubled_by_a_server_that_dies(tmp_path):
    with nodes("opensearch-3") as [node]:
        url = f"opensearch://{node.server.url.removeprefix('http://')}/articles"
        write_while_servers_die(node, url, 1, 7, tmp_path / "log")


@servers(ONE)
def test_sigterm_lets_requests_end_and_settles(engine_url, tmp_path):
    index, port = EngineURL.parse(engine_url, {}).path, free_port()
    ask(engine_url, "PUT", f"/{index}", MAPPING)
    arrived, ended = threading.Event(), threading.Event()

    def held(request, forward):
        if request.path.endswith("_bulk?refresh=false"):
            arrived.set()
            ended.wait(60)
        return forward(request)

    with proxy(server(engine_url)) as wire:
        wire.always = held
        url = f"opensearch://127.0.0.1:{wire.port}/{index}"
        answers = []
        with process(url, port, tmp_path / "log") as running:
            body = bulk(documents(1, 2))
            writer = threading.Thread(
                target=lambda: answers.append(ask_port(port, "POST", f"/{index}/_bulk?refresh=false", body))
            )
            writer.start()
            assert arrived.wait(60)
            running.terminate()
            with pytest.raises(ConnectionError):  # noqa: PT012
                while True:  # until it listens no longer
                    ask_port(port, "GET", "/_dup_groups/health")
            ended.set()
            writer.join(60)
            assert answers[0].status == 200
            assert running.wait(120) == 0
    assert len(sources(engine_url, index)) == 2
    ask(engine_url, "POST", f"/dup-groups-{index}-settled/_refresh")
    marks = ask(engine_url, "GET", f"/dup-groups-{index}-settled/_search")
    assert marks["hits"]["hits"][0]["_source"]["settled"] >= 1
