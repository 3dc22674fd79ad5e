"""The crawl of the demo: a spider such as any project has, and the add-on."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.resolver import CachingThreadedResolver
from twisted.internet.defer import Deferred, succeed
from w3lib.encoding import http_content_type_encoding

_FEED_LINKS = "//*[local-name() = 'loc' or local-name() = 'link']/text() | //*[local-name() = 'link']/@href"


class DemoSpider(Spider):
    """Crawls all pages of the sites of the seeds, and what their feeds and sitemaps list."""

    name = "demo"

    def __init__(self, seeds: Sequence[str], **rest: Any) -> None:
        super().__init__(**rest)
        self.seeds = seeds
        self.allowed_domains = [urlsplit(url).hostname for url in seeds]
        self._links = LinkExtractor()

    async def start(self) -> AsyncIterator[Request]:
        """Requests the seeds."""
        for url in self.seeds:
            yield Request(url)

    def parse(self, response: Response, **rest: Any) -> Iterator[Any]:
        """Yields the page as an item, and requests for its links."""
        if isinstance(response, HtmlResponse):
            header = (response.headers.get("Content-Type") or b"").decode("latin-1")
            charset = http_content_type_encoding(header)
            yield {"url": response.url, "html": response.body, "encoding": charset}
            yield from (Request(link.url) for link in self._links.extract_links(response))
        elif isinstance(response, TextResponse):
            yield from (
                response.follow(link.strip()) for link in response.xpath(_FEED_LINKS).getall() if link.strip()
            )


class LoopbackResolver(CachingThreadedResolver):
    """Resolves `*.localhost` to 127.0.0.1, as browsers do; the resolvers of some systems do not."""

    def getHostByName(self, name: str, timeout: Any = ()) -> Deferred[str]:  # noqa: N802  # Twisted's
        """The address of a name."""
        return succeed("127.0.0.1") if name.endswith(".localhost") else super().getHostByName(name, timeout)


def crawl(seeds: Sequence[str], engine: str, folder: Path) -> Mapping[str, Any]:
    """Crawl in this process, which can do it only once; returns the stats of Scrapy."""
    settings = {
        "ADDONS": {"dupgroups.Addon": 300},
        "DUPGROUPS_ENGINE": engine,
        "DUPGROUPS_DEAD_LETTERS": str(folder / "dead.jsonl"),
        "ROBOTSTXT_OBEY": True,
        "TWISTED_DNS_RESOLVER": "dupgroups_demo.crawl.LoopbackResolver",
        "HTTPPROXY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "DOWNLOAD_DELAY": 0,  # these sites are our own: be polite to others
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "LOG_LEVEL": "ERROR",
    }
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(DemoSpider)
    process.crawl(crawler, seeds=seeds)
    process.start()
    logging.disable(logging.NOTSET)
    assert crawler.stats is not None
    return crawler.stats.get_stats()
