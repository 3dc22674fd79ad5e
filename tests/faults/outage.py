"""One run: the server says for a while that it is busy, in the middle of a crawl."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from es_plugin.clusters import address
from es_plugin.proxy import busy, proxy, through
from faults import corpus
from faults.checks import Found, look
from faults.lines import for_a_while
from faults.processes import Worker
from faults.workers import crawl


@dataclass(frozen=True)
class Outage:
    """How many pages became dead letters, and what there is after their replay."""

    buried: int
    found: Found


def run(url: str, seed: int, status: int, seconds: float, options: str = "") -> Outage:
    """A crawl begins, the server answers with this status for so many seconds, and the crawl goes on."""
    pages = corpus.pages(seed)
    product = "Elasticsearch" if url.startswith("elastic") else ""
    with tempfile.TemporaryDirectory() as directory, proxy(address(url)) as between:
        dead = Path(directory) / "dead.jsonl"
        crawler = Worker(crawl, through(between, url, options), pages, dead)
        crawler.listen(3)
        between.always = for_a_while(busy(status, product), seconds)
        assert crawler.end() == 0
        buried = len(pages) - len(crawler.stored)
        return Outage(buried, look(url, pages, crawler.stored, dead))
