"""Servers that die by kill -9 within a crawl: what was acknowledged is there, the rest comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from es_plugin.clusters import ALL_BUT_ONE, ONE_OF_EACH, ask, marks
from faults import corpus
from faults.checks import faults_left
from faults.processes import Worker
from faults.workers import crawl
from servers.nodes import nodes


def url_of(address: str, name: str, options: str = "") -> str:
    return f"{name.split('-')[0]}://{address.removeprefix('http://')}/news{options}"


@pytest.mark.server
@pytest.mark.parametrize(
    ("name", "patience"), [("opensearch-3", "retries=0"), ("elasticsearch-9", "retries=40&timeout=240")]
)
def test_a_server_that_is_killed_and_comes_back_on_its_data(name: str, patience: str, tmp_path: Path) -> None:
    pages, dead = corpus.pages(3), tmp_path / "dead.jsonl"
    with nodes(name) as [node]:
        url = url_of(node.server.url, name)
        crawler = Worker(crawl, f"{url}?{patience}", pages, dead)
        crawler.listen(4)
        node.kill()
        node.start()
        node.wait()
        assert crawler.end() == 0
        assert dead.exists() == (patience == "retries=0")
        assert faults_left(url, pages, crawler.stored, dead) == []


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name, ALL_BUT_ONE)) for name in ONE_OF_EACH])
def test_one_of_three_nodes_is_lost(name: str, tmp_path: Path) -> None:
    pages, dead = corpus.pages(4), tmp_path / "dead.jsonl"
    with nodes(name, 3) as [asked, *others]:
        url = url_of(asked.server.url, name, "?shards=3")
        Worker(crawl, url, pages[:1], dead).end()
        ask(url, "GET", "/_cluster/health?wait_for_status=green&timeout=60s")
        for number, lost in enumerate(others, start=1):
            given = pages[: 15 + 15 * number]
            crawler = Worker(crawl, url, given, dead)
            crawler.listen(3 * number)
            lost.kill()
            assert crawler.end() == 0
            assert faults_left(url, given, crawler.stored, dead) == []
            lost.start()
            lost.wait()
            ask(url, "GET", "/_cluster/health?wait_for_status=green&timeout=60s")
