"""The Scrapy item pipeline that signs, groups and stores every item, and its add-on.

    ADDONS = {"dupgroups.Addon": 300}
    DUPGROUPS_ENGINE = "sqlite:///news.db"

The event loop is never blocked: pages are extracted and signed in one worker thread (in processes, once the
crawl has some hundred pages), batches are stored in another, and an item is passed on when its batch is
stored. Items are never dropped. docs/scrapy.md lists settings and stats.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings
from scrapy.statscollectors import StatsCollector
from scrapy.utils.asyncio import is_asyncio_available

from dupgroups.engines import open_engine
from dupgroups.errors import DupGroupsError, InputError
from dupgroups.flow.dead_letters import utc_now, waiting
from dupgroups.flow.deduper import Deduper
from dupgroups.flow.ingest import Ingestor, ItemResult, Signed
from dupgroups.metrics import ITEM_STATES, STEPS, CrawlMetrics, listen
from dupgroups.model import Page
from dupgroups.scrapy.batcher import Batcher
from dupgroups.scrapy.crawl_warnings import Notices
from dupgroups.scrapy.fields import NoTextError
from dupgroups.scrapy.pipeline_settings import PipelineSettings, read
from dupgroups.scrapy.signers import Signers
from dupgroups.text.words import search_words

STATES = list(ITEM_STATES)
# signing these loads dictionaries and tables before the crawl starts: loading blocks all threads for a while
WARM_UP = ("The first page of all.", "第一个网页,准备好了。")
Result = TypeVar("Result")
log = logging.getLogger(__name__)


def _warm_page(text: str) -> Page:
    link = '<link rel="canonical" href="https://www.example.org/2026/first">'
    return Page("https://example.org/first", link + f"<p>{text * 9}</p>" * 9)


@contextmanager
def starting() -> Iterator[None]:
    """Under the `scrapy` command, turn an error that prevents the start into a log line and exit status 1.

    A program that runs crawls itself gets the error: it is not for us to end its process.
    """
    try:
        yield
    except DupGroupsError as error:
        if "scrapy.cmdline" not in sys.modules:
            raise
        log.critical("The crawl does not start: %s", error)
        raise SystemExit(1) from None


class Addon:
    """`ADDONS = {"dupgroups.Addon": 300}`: adds the pipeline with priority 800, after most others."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Add the pipeline unless the project has already done so."""
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", DupGroupsPipeline, 800)


class DupGroupsPipeline:
    """Every item ends in exactly one of `STATES`; the counts of `dupgroups/item/*` add up to all items."""

    def __init__(
        self, settings: PipelineSettings, stats: StatsCollector, open_deduper: Callable[[], Deduper]
    ) -> None:
        self.settings = settings
        self._stats = stats
        self._open_deduper = open_deduper
        self._counts: Counter[str] = Counter()
        self._running: set[asyncio.Task[None]] = set()
        self._signing = ThreadPoolExecutor(1, "dup-groups-sign")
        self._storing = ThreadPoolExecutor(1, "dup-groups-store")
        self._notices = Notices(settings.fields)
        self._settling: asyncio.Task[None] | None = None
        self._stop_listening: Callable[[], None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DupGroupsPipeline:
        """Build it from the settings of the crawl. Raises ConfigError for a wrong setting."""
        if not crawler.settings.getbool("DUPGROUPS_ENABLED", True):
            raise NotConfigured
        if not is_asyncio_available():
            raise NotConfigured(
                "dup-groups needs the asyncio reactor of Scrapy (its default): see TWISTED_REACTOR"
            )
        with starting():
            settings = read(crawler.settings)
        assert crawler.stats is not None
        return cls(settings, crawler.stats, lambda: Deduper(open_engine(settings.engine), settings.config))

    async def open_spider(self) -> None:
        """Open the engine. If it cannot be used, EngineError or ConfigError ends the crawl."""
        with starting():
            self._deduper = await self._run_in(self._storing, self._open_deduper)
            await self._run_in(self._storing, self._deduper.ready)
            settings = self.settings
            if settings.metrics_port is not None:
                metrics = self._deduper.metrics
                metrics.dead_letters.set_function(lambda: waiting(settings.dead_letters))
                self._stop_listening = listen(metrics.registry, settings.metrics_host, settings.metrics_port)
        for text in WARM_UP:
            await self._run_in(self._signing, self._deduper.sign, _warm_page(text))
            await self._run_in(self._signing, search_words, text)
        gc.collect()
        gc.freeze()  # a full collection of modules and tables would stop the loop for 50 ms or more
        self._signers = Signers(settings.processes, self._deduper.config, [*map(_warm_page, WARM_UP)])
        self._last = asyncio.Event()
        self._last.set()
        ingestor = Ingestor(self._deduper, settings.dead_letters, settings.left_out)
        limits = settings.batch_items, settings.batch_bytes, settings.batch_seconds
        self._batcher = Batcher(ingestor, self._storing, *limits)
        self._settling = asyncio.get_running_loop().create_task(self._settle_regularly())

    async def process_item(self, item: Any) -> Any:
        """Store the item, set `dup_group`, `dup_id` and `dup_state` if it can hold them, and return it.

        If the caller is cancelled, the item is stored and counted nevertheless.
        """
        self._stats.inc_value("dupgroups/items")
        task = asyncio.get_running_loop().create_task(self._process(item))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        await asyncio.shield(task)
        return item

    async def close_spider(self) -> None:
        """Store the waiting items, settle, close the engine, and log what became of all items."""
        if not self._settling:
            return  # the engine was never opened
        while self._running:
            self._batcher.flush()
            await asyncio.wait(self._running, timeout=0.05)
        self._settling.cancel()
        await self._signers.close()
        try:
            await self._run_in(self._storing, self._batcher.ingestor.close)
        finally:
            if self._stop_listening:
                self._stop_listening()
            self._notices.close()
            self._report()
            self._signing.shutdown(wait=False)
            self._storing.shutdown(wait=False)

    # -- one item

    async def _process(self, item: Any) -> None:
        result = ItemResult("failed")
        try:
            result = await self._result(item)
        except Exception:  # a bug of ours: the item is passed on nevertheless
            log.exception("An item was not stored")
        finally:
            self._write(item, result)
            self._counts[result.state] += 1
            self._deduper.metrics.items[result.state].inc()
            self._stats.inc_value(f"dupgroups/item/{result.state}")

    async def _result(self, item: Any) -> ItemResult:
        try:
            page = self.settings.fields.page(item)
        except InputError as error:
            self._notices.without_page(item, error)
            return ItemResult("passed" if isinstance(error, NoTextError) else "failed")
        self._notices.page(item, page)
        before, done = self._last, asyncio.Event()
        self._last = done  # pages are stored in the order in which they came, whichever is signed first
        try:
            signed = await self._sign(page)
            await before.wait()
            stored = self._store(signed)
        finally:
            done.set()
        return stored if isinstance(stored, ItemResult) else await stored

    async def _sign(self, page: Page) -> Signed | ItemResult:
        time = utc_now()
        elsewhere = await self._signers.sign(page)
        if elsewhere:
            return self._batcher.ingestor.take_signed(page, *elsewhere, time)
        return await self._run_in(self._signing, self._batcher.ingestor.sign, page, time)

    def _store(self, signed: Signed | ItemResult) -> ItemResult | Awaitable[ItemResult]:
        if isinstance(signed, ItemResult):
            return signed
        if self.settings.not_article == "skip" and not signed.is_article(self.settings.article_threshold):
            return self._run_in(self._signing, self._batcher.ingestor.leave_out, signed)
        return self._batcher.add(signed)

    def _write(self, item: Any, result: ItemResult) -> None:
        """Write all fields, also empty ones: a CSV feed takes its columns from the first item."""
        fields = {"dup_group": result.group, "dup_id": result.id, "dup_state": result.state}
        self._notices.unset(item, self.settings.fields.write(item, fields))
        if result.state != "failed":  # the item is all that is left of a page that was not stored
            self.settings.fields.drop(item, self.settings.drop_fields)

    # -- the whole crawl

    async def _settle_regularly(self) -> None:
        while True:
            await asyncio.sleep(self.settings.regroup_seconds)
            await self._run_in(self._storing, self._batcher.ingestor.regroup)

    def _report(self) -> None:
        self._stats.set_value("dupgroups/batches", self._batcher.stored)
        self._stats.set_value("dupgroups/groups_merged", self._batcher.ingestor.merged)
        for name, value in stats(self._deduper.metrics):
            self._stats.set_value(f"dupgroups/{name}", value)
        counted = ", ".join(f"{self._counts[state]} {state}" for state in STATES if self._counts[state])
        figures = self._counts.total(), counted or "none", self._batcher.ingestor.merged
        log.info(
            "dup-groups: %d items (%s), %d groups merged afterwards, in %s",
            *figures,
            self._deduper.engine.name,
        )

    @staticmethod
    async def _run_in(thread: ThreadPoolExecutor, call: Callable[..., Result], *args: Any) -> Result:
        return await asyncio.get_running_loop().run_in_executor(thread, call, *args)


def stats(metrics: CrawlMetrics) -> Iterator[tuple[str, float]]:
    """The Scrapy stats of what a Deduper has counted and timed, without the prefix `dupgroups/`."""
    yield "lookups", int(metrics.value("candidates_count"))
    yield "candidates", int(metrics.value("candidates_sum"))
    for relation in metrics.verdicts:
        yield f"verdict/{relation}", int(metrics.value("verdicts_total", relation=relation))
    yield "replans", int(metrics.value("replans_total"))
    yield "engine_retries", int(metrics.value("engine_retries_total"))
    for step in STEPS:
        yield f"seconds/{step}", round(metrics.value("step_seconds_sum", step=step), 3)
