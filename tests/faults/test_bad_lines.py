"""Crawls over a bad line: what the server did not store comes back by one replay."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from es_plugin.clusters import ALL_BUT_ONE, ONE, ONE_OF_EACH, address, ask, index_of, servers
from es_plugin.proxy import busy, cut, halved, instead, lost, overdue, proxy, reset, shortened, through
from faults import corpus, outage
from faults.checks import faults_left
from faults.lines import by_chance
from faults.processes import Worker
from faults.workers import crawl

SECONDS = 3.0  # that a server is busy; `make soak` has it busy for a minute
TROUBLES = {
    "late": [overdue(1.2)],
    "all others": [
        *(reset, cut, halved, lost, shortened, busy(429), busy(503)),
        *(instead(b""), instead(b"{}"), instead(b"<html>All is well</html>", "text/html")),
    ],
}


@servers(ONE)
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_crawl_over_a_bad_line(engine_url: str, trouble: str, tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(1 << 30)
    print("seed", seed)
    pages, dead = corpus.pages(seed)[:24], tmp_path / "dead.jsonl"
    with proxy(address(engine_url)) as between:
        between.always = by_chance(TROUBLES[trouble], 0.05 if trouble == "late" else 0.2, seed)
        crawler = Worker(
            crawl, through(between, engine_url, "timeout=1&retries=1&refresh_interval=30s"), pages, dead
        )
        while crawler.end() != 0:  # the line was bad when it opened the index: a crawl is started again
            crawler = Worker(crawl, through(between, engine_url, "timeout=1&retries=1"), pages, dead)
    assert faults_left(engine_url, pages, crawler.stored, dead) == []


@servers(ONE_OF_EACH, later=ALL_BUT_ONE)
@pytest.mark.parametrize(
    ("patience", "status"), [("", 429), ("retries=0", 503)], ids=["patient", "impatient"]
)
def test_a_server_that_is_busy_for_a_while(engine_url: str, status: int, patience: str) -> None:
    buried, wrong = outage.run(engine_url, 1, status, SECONDS, patience)
    assert wrong == []
    assert bool(buried) == bool(patience)


@servers(ONE_OF_EACH, later=ALL_BUT_ONE)
@pytest.mark.parametrize("block", [pytest.param("write", marks=pytest.mark.slow), "read_only_allow_delete"])
def test_an_index_that_takes_no_writes_for_a_while(engine_url: str, block: str, tmp_path: Path) -> None:
    pages, dead = corpus.pages(2), tmp_path / "dead.jsonl"
    name = index_of(engine_url)
    blocked = f"{name}-000001,dup-groups-{name}-redirects"
    with proxy(address(engine_url)) as between:
        crawler = Worker(crawl, through(between, engine_url), pages, dead)
        crawler.listen(2)
        ask(engine_url, "PUT", f"/{blocked}/_settings", {f"index.blocks.{block}": True})
        assert crawler.end() == 0
    refused = dead.read_text().splitlines()
    assert len(refused) == len(pages) - len(crawler.stored) > 0
    assert all("takes no writes" in letter and "free disk space" in letter for letter in refused)
    ask(engine_url, "PUT", f"/{blocked}/_settings", {f"index.blocks.{block}": None})
    assert faults_left(engine_url, pages, crawler.stored, dead) == []
