"""Servers that die by kill -9 within a crawl: what was acknowledged is there, the rest comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults import corpus
from faults.checks import faults_left
from faults.processes import Worker
from faults.workers import crawl
from servers.nodes import running_node


@pytest.mark.server
@pytest.mark.parametrize(
    ("name", "patience"), [("opensearch-3", "retries=0"), ("elasticsearch-9", "retries=40&timeout=240")]
)
def test_a_server_that_is_killed_and_comes_back_on_its_data(name: str, patience: str, tmp_path: Path) -> None:
    pages, dead = corpus.pages(3), tmp_path / "dead.jsonl"
    with running_node(name) as node:
        url = f"{name.split('-')[0]}://{node.server.url.removeprefix('http://')}/news"
        crawler = Worker(crawl, f"{url}?{patience}", pages, dead)
        crawler.listen(4)
        node.kill()
        node.start()
        node.wait()
        assert crawler.end() == 0
        assert dead.exists() == (patience == "retries=0")
        assert faults_left(url, pages, crawler.stored, dead) == []
