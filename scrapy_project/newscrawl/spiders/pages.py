"""Process pages that are already on disk, with the same pipelines as a crawl."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.settings import BaseSettings

from newscrawl import archive
from newscrawl.items import PageItem

AT_ONCE = 10  # pages read per call in the reading thread
SHOWN = 20  # broken records or lines that are logged; all others are only counted


class PagesSpider(Spider):
    """`scrapy crawl pages -a path=FILE_OR_FOLDER`: WARC(.gz) responses, and JSON Lines(.gz).

    A line holds `html` or `text`, and may hold `url`, `id`, `title`, `date`, `lang` (or `language`),
    `encoding`. Nothing is fetched.
    """

    name = "pages"

    def __init__(self, path: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not path or not Path(path).exists():
            raise SystemExit(
                f"{path} does not exist" if path else "name a file or folder: -a path=FILE_OR_FOLDER"
            )
        self.files = archive.archives(Path(path))
        if not self.files:
            raise SystemExit(f"{path}: no {', '.join(archive.WARC + archive.JSON_LINES)} here")
        for file in self.files:
            self._check(file)
        self.broken = 0

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Store all pages of an archive unless the project says otherwise: the user has selected them."""
        super().update_settings(settings)
        settings.setdefault("DUPGROUPS_NOT_ARTICLE", "keep", priority="spider")

    async def start(self) -> AsyncIterator[Request]:
        """One request that fetches nothing, but calls `read`."""
        # Scrapy takes all items of `start` at once, but at most CONCURRENT_ITEMS of a callback
        yield Request("data:,", self.read, dont_filter=True)

    async def read(self, response: Response) -> AsyncIterator[PageItem]:
        """The pages of all files; broken records and lines are counted and logged."""
        for path in self.files:
            pages = archive.pages(path)
            # a crawl that is being stopped waits for this generator, so check for that
            while self.crawler.crawling and (chunk := await asyncio.to_thread(_next, pages)):
                for page in chunk:
                    if isinstance(page, archive.Broken):
                        self._report(page)
                    else:
                        yield page

    def _report(self, broken: archive.Broken) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value("newscrawl/broken")
        self.broken += 1
        if self.broken <= SHOWN:
            self.logger.warning("Skipped: %s", broken)
        if self.broken == SHOWN:
            self.logger.warning("Further errors of this kind are only counted, as newscrawl/broken")

    @staticmethod
    def _check(path: Path) -> None:
        try:
            path.open("rb").close()
        except OSError as error:
            raise SystemExit(f"{path} cannot be read: {error.strerror}") from error


def _next(pages: Iterator[PageItem | archive.Broken]) -> list[PageItem | archive.Broken]:
    return list(islice(pages, AT_ONCE))
