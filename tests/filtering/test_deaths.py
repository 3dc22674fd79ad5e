"""Filters that die, and filters that are ended."""

import threading

import pytest

from es_plugin.clusters import ONE, address, ask, servers
from es_plugin.proxy import only, proxy, through
from filtering.killing import write_through_deaths
from filtering.process import filter_process
from filtering.running import bulk, documents, make, sources
from servers.nodes import running_node


@servers(ONE)
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["filter", "writer"])
def test_nothing_is_lost_or_doubled_by_deaths(engine_url: str, kind: str) -> None:
    write_through_deaths(engine_url, 2, 7, kind)


@pytest.mark.server
@pytest.mark.slow
def test_nothing_is_lost_or_doubled_by_a_server_that_dies() -> None:
    with running_node("opensearch-3") as node:
        url = f"opensearch://{node.server.url.removeprefix('http://')}/articles"
        write_through_deaths(url, 1, 7, "server", node)


@servers(ONE)
def test_sigterm_lets_requests_end_and_settles(engine_url: str) -> None:
    """Also what was told before the grouper's process was up."""
    index = make(engine_url)
    arrived, ended = threading.Event(), threading.Event()

    def held(request, forward):
        arrived.set()
        ended.wait(60)
        return forward(request)

    with (
        proxy(address(engine_url)) as wire,
        filter_process(through(wire, engine_url, "retries=0")) as filter_,
    ):
        wire.always = only("refresh=false", held)
        body, answers = bulk(documents(1, 2)), []
        path = f"/{index}/_bulk?refresh=false"
        writer = threading.Thread(target=lambda: answers.append(filter_.ask("POST", path, body)))
        writer.start()
        assert arrived.wait(60)
        filter_.process.terminate()
        with pytest.raises(ConnectionError):  # noqa: PT012
            while True:  # until it listens no longer
                filter_.health()
        ended.set()
        writer.join(60)
        assert answers[0].status == 200
        assert filter_.process.wait(120) == 0
    assert len({source["dup_group"] for source in sources(engine_url, index).values()}) == 1
    ask(engine_url, "POST", f"/dup-groups-{index}-settled/_refresh")
    marks = ask(engine_url, "GET", f"/dup-groups-{index}-settled/_search")
    assert marks["hits"]["hits"][0]["_source"]["settled"] >= 1
