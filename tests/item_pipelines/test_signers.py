"""A crawl that signs in processes: the same results, and a dying worker loses nothing."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.model import Document
from dupgroups.scrapy import signers
from dupgroups.scrapy.signers import Signers
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
