"""One run: the server says for a while that it is busy, in the middle of a crawl."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from es_plugin.clusters import address
from es_plugin.proxy import Answer, Fault, Forward, Request, busy, passing, proxy, through
from faults import corpus
from faults.checks import faults_left
from faults.processes import Worker
from faults.workers import crawl


def run(url: str, seed: int, status: int, seconds: float, options: str = "") -> tuple[int, list[str]]:
    """A crawl begins, the server answers with this status for so many seconds, and the crawl goes on.

    How many pages became dead letters, and what is wrong after their replay.
    """
    pages = corpus.pages(seed)
    product = "Elasticsearch" if url.startswith("elastic") else ""
    with tempfile.TemporaryDirectory() as directory, proxy(address(url)) as between:
        dead = Path(directory) / "dead.jsonl"
        crawler = Worker(crawl, through(between, url, options), pages, dead)
        crawler.listen(3)
        between.always = for_a_while(busy(status, product), seconds)
        assert crawler.end() == 0
        return len(pages) - len(crawler.stored), faults_left(url, pages, crawler.stored, dead)


def for_a_while(fault: Fault, seconds: float) -> Fault:
    """Every request meets the fault until so many seconds after the first one."""
    end: list[float] = []

    def meanwhile(request: Request, forward: Forward) -> Answer | None:
        end.append(time.monotonic() + seconds)
        return (fault if time.monotonic() < end[0] else passing)(request, forward)

    return meanwhile
