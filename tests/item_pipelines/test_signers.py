"""A crawl that signs in processes: the same results in the same order, and a dying worker loses nothing."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.model import Document
from dupgroups.scrapy import DupGroupsPipeline, signers
from dupgroups.scrapy.settings import PipelineSettings
from dupgroups.scrapy.signers import Signers
from item_pipelines.test_pipeline import Stats
from stories import reprint, story

PAGES = [
    Page(id=f"{at:02}", url=f"http://site{at}.example/a", text=reprint(story(str(at // 4)), at))
    for at in range(24)
]


def test_pages_are_signed_by_processes_once_there_are_many_and_a_killed_worker_loses_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(signers, "AFTER", 3)
    here = Deduper("memory://")
    results: list[tuple[Document, float] | None] = []

    async def run() -> None:
        crew = Signers(2, Config(), PAGES[:1])
        assert [await crew.sign(page) for page in PAGES[:2]] == [None, None]
        assert multiprocessing.active_children() == [], "a small crawl starts no process"
        while not (signed := await crew.sign(PAGES[2])):
            await asyncio.sleep(0.01)
        assert signed[0] == here.sign(PAGES[2])
        on_their_way = [asyncio.create_task(crew.sign(page)) for page in PAGES]
        await asyncio.sleep(0)
        for worker in multiprocessing.active_children():
            assert worker.pid
            os.kill(worker.pid, signal.SIGKILL)
        results.extend(await asyncio.gather(*on_their_way))
        await crew.close()

    asyncio.run(run())
    assert all(done is None or done[0] == here.sign(page) for page, done in zip(PAGES, results, strict=True))
    assert multiprocessing.active_children() == []


def test_documents_are_stored_in_the_order_of_their_items_whoever_is_signed_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every second page is signed elsewhere, and sooner than those before it."""

    async def sign(crew: Signers, page: Page) -> tuple[Document, float] | None:
        number = int(str(page.id))
        await asyncio.sleep((24 - number) / 500)
        return (flow.sign(page), 0.0) if number % 2 else None

    monkeypatch.setattr(Signers, "sign", sign)
    flow, stats = Deduper(f"sqlite:///{tmp_path}/news.db"), Stats()
    given = PipelineSettings(dead_letters=tmp_path / "dead.jsonl", batch_seconds=0.02, batch_items=4)
    pipeline = DupGroupsPipeline(given, stats, lambda: flow)
    items = [{"id": page.id, "url": page.url, "text": page.text} for page in PAGES]

    async def crawl() -> None:
        await pipeline.open_spider()
        await asyncio.gather(*map(pipeline.process_item, items))
        found = sorted((document.record for document in flow.engine.scan()), key=lambda record: record.age)
        assert [record.id for record in found] == [page.id for page in PAGES]
        assert [int(record.group) for record in found] == [at // 4 * 4 for at in range(24)]
        await pipeline.close_spider()

    asyncio.run(asyncio.wait_for(crawl(), 100))
    assert stats.states() == {"new": 6, "joined": 18}
