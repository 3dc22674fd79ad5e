"""Crawlers and servers that die by kill -9, and clocks that are wrong; another process settles once."""

import random
from collections.abc import Callable
from contextlib import ExitStack, closing
from multiprocessing import get_context
from pathlib import Path

import pytest

from dupgroups import Deduper
from dupgroups.flow.deduper import now_microseconds
from es_plugin.clusters import ONE_OF_EACH, marks
from faults.killing import run
from faults.processes import Worker
from faults.workers import crawl, faults_left, made_pages
from servers.nodes import running_node

RUNS = 3  # `make soak` goes on


@pytest.mark.whole
@pytest.mark.parametrize(
    "engine_url",  # on a cluster, `test_deaths.py` of the plug-in kills at each write
    ["sqlite", pytest.param("opensearch-3", marks=[pytest.mark.server, pytest.mark.slow])],
    indirect=True,
)
def test_one_settling_mends_what_killed_crawlers_left(engine_url: str) -> None:
    first = random.SystemRandom().randrange(1 << 30)
    crawlers = killed = 0
    for seed in range(first, first + RUNS):
        print("seed", seed)
        ended, wrong = run(f"{engine_url}-{seed}", seed, crawlers=1 + seed % 2)
        assert wrong == [], f"seed {seed}"
        crawlers += 1 + seed % 2
        killed += ended
    assert killed > crawlers / 2


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name, ONE_OF_EACH)) for name in ONE_OF_EACH])
def test_a_server_that_is_killed_and_comes_back_on_its_data(name: str, tmp_path: Path) -> None:
    """One crawler gives up at once and sets its pages aside, the other one waits."""
    pages, waits = made_pages(3), {"hasty": "retries=0", "patient": "retries=40&timeout=240"}
    with running_node(name) as node:
        url = f"{name.split('-')[0]}://{node.server.url.removeprefix('http://')}"
        killed = get_context("forkserver").Event()
        crawlers = {
            kind: Worker(crawl, f"{url}/{kind}?{wait}", pages, tmp_path / kind, 0, killed)
            for kind, wait in waits.items()
        }
        for crawler in crawlers.values():
            crawler.listen(4)
        node.kill()
        killed.set()
        crawlers["hasty"].listen(len(pages))  # to its end
        node.start()
        node.wait()
        for kind, crawler in crawlers.items():
            assert crawler.end() == 0
            assert (tmp_path / kind).exists() == (kind == "hasty")
            assert faults_left(f"{url}/{kind}", pages, crawler.stored, tmp_path / kind) == []


HOUR = 3_600_000_000  # microseconds


@pytest.mark.parametrize(
    "engine_url",
    ["sqlite", pytest.param("opensearch-3", marks=marks("opensearch-3", ONE_OF_EACH))],
    indirect=True,
)
def test_writers_with_wild_clocks(engine_url: str) -> None:
    """One jumps by hours, one by years, and one stands still."""
    pages, chance = made_pages(6), random.Random(6)
    clocks: list[Callable[[], int]] = [
        lambda: now_microseconds() + chance.randrange(-9 * HOUR, 9 * HOUR),
        lambda: now_microseconds() + chance.choice((-1, 0, 1)) * 24 * 365 * 9 * HOUR,
        lambda: 0,
    ]
    with ExitStack() as stack:
        writers = [stack.enter_context(closing(Deduper(engine_url, clock=clock))) for clock in clocks]
        for start in range(0, len(pages), 3):
            writers[start % 7 % 3].add_all(pages[start : start + 3])
    assert faults_left(engine_url, pages, [str(page.id) for page in pages]) == []
