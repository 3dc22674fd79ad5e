"""A crawl that signs in processes: the same results in the same order, and a dying worker loses nothing."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from dupgroups import Deduper
from dupgroups.engines import open_engine
from dupgroups.item_pipelines import DupGroupsPipeline, signers
from dupgroups.item_pipelines.settings import PipelineSettings
from item_pipelines.test_pipeline import Stats
from stories import reprint, story

FIRST = 3  # items that are signed before there are processes


def items(count: int = 24) -> list[dict[str, str]]:
    """Four copies of each story; of two stories the later one is signed much sooner."""
    texts = (reprint(story(str(number // 4), 6_000 >> number // 4), number) for number in range(count))
    return [{"url": f"http://site{number}.example/a", "text": text} for number, text in enumerate(texts)]


def crawl(
    tmp_path: Path, number: int, between: Callable[[], object] = lambda: None
) -> tuple[list[tuple[str, str]], Stats, DupGroupsPipeline]:
    """Id and group of each item, in the order in which the items came; `between` runs when some are on their
    way."""
    stats = Stats()
    given = PipelineSettings(
        dead_letters=tmp_path / "dead.jsonl", batch_seconds=0.02, batch_items=4, processes=number
    )
    url = f"sqlite:///{tmp_path / f'{number}.db'}"
    pipeline = DupGroupsPipeline(given, stats, lambda: Deduper(url, given.config))

    async def run() -> None:
        await pipeline.open_spider()
        pages = items()
        for item in pages[:FIRST]:
            await pipeline.process_item(item)
        if pipeline._signers._starting:
            await pipeline._signers._starting
        tasks = [asyncio.create_task(pipeline.process_item(item)) for item in pages[FIRST:]]
        await asyncio.sleep(0.05)
        between()
        await asyncio.gather(*tasks)
        await pipeline.close_spider()

    asyncio.run(asyncio.wait_for(run(), 100))
    with closing(open_engine(url)) as engine:
        found = sorted((document.record for document in engine.scan()), key=lambda record: record.age)
    return [(record.host, record.group) for record in found], stats, pipeline


@pytest.fixture
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signers, "AFTER", FIRST)


@pytest.mark.usefixtures("_soon")
def test_results_and_order_are_those_of_one_process_and_none_is_left(tmp_path: Path) -> None:
    alone, _, pipeline = crawl(tmp_path, 1)
    assert pipeline._signers._pool is None
    spread, stats, pipeline = crawl(tmp_path, 2)
    assert pipeline._signers._ready
    assert spread == alone
    assert [host for host, _ in spread] == [f"site{number}.example" for number in range(24)]
    assert stats.states() == {"new": 6, "joined": 18}
    assert multiprocessing.active_children() == []


@pytest.mark.usefixtures("_soon")
def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    def kill() -> None:
        for worker in multiprocessing.active_children():
            assert worker.pid
            os.kill(worker.pid, signal.SIGKILL)

    killed, stats, _ = crawl(tmp_path, 2, kill)
    assert killed == crawl(tmp_path, 1)[0]
    assert sum(stats.states().values()) == 24
    assert not (tmp_path / "dead.jsonl").exists()


def test_a_small_crawl_starts_no_process(tmp_path: Path) -> None:
    running: list[object] = []
    _, _, pipeline = crawl(tmp_path, 2, lambda: running.extend(multiprocessing.active_children()))
    assert (pipeline._signers._pool, running) == (None, [])
