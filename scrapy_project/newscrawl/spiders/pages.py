"""Feed pages that are already on disk through the same pipelines as a crawl."""

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

AT_ONCE = 10  # pages read per visit to the reading thread
SHOWN = 20  # broken places that are logged, the others are only counted


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
        for each in self.files:
            self._check(each)
        self.broken = 0

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Who hands in an archive has chosen its pages: all are stored, unless the project says otherwise."""
        super().update_settings(settings)
        settings.setdefault("DUPGROUPS_NOT_ARTICLE", "keep", priority="spider")

    async def start(self) -> AsyncIterator[Request]:
        """One request that fetches nothing, for its callback."""
        # Scrapy takes all items of `start` at once, but no more of a callback than CONCURRENT_ITEMS
        yield Request("data:,", self.read, dont_filter=True)

    async def read(self, response: Response) -> AsyncIterator[PageItem]:
        """The pages of all files; broken places are counted and logged."""
        for path in self.files:
            found = archive.pages(path, self.settings.getint("NEWSCRAWL_UNPACKED", archive.LARGEST))
            # Scrapy waits for us when it is told to stop, so look whether it was
            while self.crawler.crawling and (chunk := await asyncio.to_thread(_next, found)):
                for each in chunk:
                    if isinstance(each, archive.Broken):
                        self._tell(each)
                    else:
                        yield each

    def _tell(self, broken: archive.Broken) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value("newscrawl/broken")
        self.broken += 1
        if self.broken <= SHOWN:
            self.logger.warning("Passed over: %s", broken)
        if self.broken == SHOWN:
            self.logger.warning("More places like these are counted as newscrawl/broken, not shown")

    @staticmethod
    def _check(path: Path) -> None:
        try:
            path.open("rb").close()
        except OSError as error:
            raise SystemExit(f"{path} cannot be read: {error.strerror}") from error


def _next(found: Iterator[PageItem | archive.Broken]) -> list[PageItem | archive.Broken]:
    return list(islice(found, AT_ONCE))
