"""Crawl news sites from a list of start pages, feeds and sitemaps."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.gz import gunzip, gzip_magic_number
from twisted.python.failure import Failure
from w3lib.encoding import http_content_type_encoding

from newscrawl.feeds import listing
from newscrawl.link_ranks import MIN_ARTICLE_RANK, NEVER_RANK, page_url, rank

FOLLOW = {"site": NEVER_RANK + 1, "articles": MIN_ARTICLE_RANK, "none": None}


@dataclass
class PageItem:
    """A page as received: undecoded `html` with the charset of its HTTP header.

    The pipeline sets `dup_id`, `dup_group` and `dup_state`. Bodies are not part of `repr`, hence not of logs.
    """

    url: str | None = None
    html: bytes | str | None = field(default=None, repr=False)
    encoding: str | None = None
    dup_id: str | None = None
    dup_group: str | None = None
    dup_state: str | None = None


class NewsSpider(Spider):
    """`scrapy crawl news -a seeds=FILE [-a follow=site|articles|none] [-a depth=2] [-a pages=500]`.

    FILE holds one URL per line (`#` begins a comment): a start page, a feed or a sitemap; which of them it is
    follows from its content. The pages that feeds and sitemaps list are fetched. Links are followed within
    the sites of the seeds, those that look like articles first, up to `depth` links deep and `pages` pages
    per site.
    """

    name = "news"

    def __init__(
        self, seeds: str = "", follow: str = "site", depth: str = "2", pages: str = "500", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        if follow not in FOLLOW:
            raise SystemExit(f"follow={follow} is not one of {', '.join(FOLLOW)}")
        self.seeds = read_seeds(seeds)
        self.lowest_rank = FOLLOW[follow]
        self.depth, self.pages = whole_number("depth", depth), whole_number("pages", pages)
        self.sites = {site_of(url) for url in self.seeds}
        self.links = LinkExtractor()
        self.seen = set(self.seeds)
        self.asked: Counter[str] = Counter()
        self.sitemaps: Counter[str] = Counter()

    async def start(self) -> AsyncIterator[Request]:
        """One request per seed."""
        for url in self.seeds:
            yield Request(url, self.parse, errback=self.log_failure, dont_filter=True, priority=100)

    async def parse(
        self, response: Response, depth: int = 0, indexes: int = 0
    ) -> AsyncIterator[Request | PageItem]:
        """Make an item of a page, and requests of its links; make only requests of a feed or sitemap."""
        if depth == 0:
            self.sites.add(site_of(response.url))  # the target of a redirect belongs to the seeds too
        body = await asyncio.to_thread(unpack_body, response, self.settings.getint("DOWNLOAD_MAXSIZE"))
        listed = await asyncio.to_thread(listing, body, response.url)
        if listed and listed.kind == "sitemaps":
            for request in self._sitemaps(listed.urls, depth, indexes + 1):
                yield request
        elif listed:
            for request in self._requests(listed.urls, depth):
                yield request
        elif isinstance(response, HtmlResponse):
            yield PageItem(response.url, response.body, encoding=declared_charset(response))
            for request in await self._follow_links(response, depth):
                yield request
        else:
            self._count("not_html")

    def log_failure(self, failure: Failure) -> Failure | None:
        """Log a failed request in one line; Scrapy itself counts robots.txt and 404."""
        if isinstance(failure.value, IgnoreRequest):
            return failure
        request: Request = failure.request  # type: ignore[attr-defined]  # set by Scrapy
        self.logger.warning("Not fetched: %s (%s)", request.url, failure.value)
        self._count("not_fetched")
        return None

    async def _follow_links(self, response: HtmlResponse, depth: int) -> Iterable[Request]:
        if self.lowest_rank is None or depth >= self.depth or not self._is_in_scope(response.url):
            return ()
        links = await asyncio.to_thread(self.links.extract_links, response)
        urls = [
            link.url
            for link in links
            if self._is_in_scope(link.url) and rank(link.url) >= (self.lowest_rank or 0)
        ]
        return self._requests(sorted(urls, key=rank, reverse=True), depth + 1)

    def _requests(self, urls: Iterable[str], depth: int) -> Iterable[Request]:
        """Requests for pages that were not requested before, within the page limit of their sites."""
        for url in self._take_new(urls, self.asked, self.pages, "over_page_limit"):
            given = {"depth": max(depth, 1)}
            yield Request(url, self.parse, errback=self.log_failure, cb_kwargs=given, priority=rank(url))

    def _sitemaps(self, urls: Iterable[str], depth: int, indexes: int) -> Iterable[Request]:
        """Requests for the sitemaps of an index, `indexes` below a seed, while their sites have some left."""
        most = self.settings.getint("NEWSCRAWL_SITEMAPS", 200)
        deepest = self.settings.getint("NEWSCRAWL_SITEMAP_DEPTH", 3)
        for url in self._take_new(
            urls, self.sitemaps, most if indexes <= deepest else 0, "over_sitemap_limit"
        ):
            given = {"depth": depth, "indexes": indexes}
            yield Request(url, self.parse, errback=self.log_failure, cb_kwargs=given, priority=50)

    def _take_new(self, urls: Iterable[str], counts: Counter[str], most: int, over: str) -> Iterable[str]:
        """The URLs that were not seen before, at most so many of a site by these counts."""
        for url in map(page_url, urls):
            if url is None:
                self._count("bad_url")
            elif url not in self.seen:
                self.seen.add(url)
                counts[site_of(url)] += 1
                if counts[site_of(url)] <= most:
                    yield url
                else:
                    self._count(over)

    def _is_in_scope(self, url: str) -> bool:
        site = site_of(url)
        return any(site == known or site.endswith(f".{known}") for known in self.sites)

    def _count(self, name: str) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newscrawl/{name}")


def read_seeds(path: str) -> list[str]:
    """The distinct URLs of a seeds file. Raises SystemExit with a sentence if it cannot be used."""
    if not path:
        raise SystemExit("name a file of start pages, feeds and sitemaps: -a seeds=FILE")
    try:
        lines = [line.partition(" #")[0].strip() for line in Path(path).read_text("utf-8-sig").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"the seeds file cannot be read: {error}") from error
    urls = [line for line in lines if line and not line.startswith("#")]
    wrong = next((url for url in urls if page_url(url) is None), None)
    if wrong or not urls:
        raise SystemExit(f"{path}: {wrong!r} is not an http(s) URL" if wrong else f"{path} contains no URL")
    return list(dict.fromkeys(urls))


def whole_number(name: str, value: str) -> int:
    """The value of a spider argument as a whole number, 0 or more. Raises SystemExit for anything else."""
    if not value.isascii() or not value.isdigit():
        raise SystemExit(f"{name}={value} is not a whole number")
    return int(value)


def site_of(url: str) -> str:
    """The site of a URL: host and port without `www.`; "" if it is malformed."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower().removeprefix("www.")
    except ValueError:
        return ""


def unpack_body(response: Response, largest: int) -> bytes:
    """The body, decompressed if it is a gzip file (`sitemap.xml.gz`); b"" if that is broken or too large."""
    if not gzip_magic_number(response):
        return response.body
    try:
        return gunzip(response.body, max_size=largest)
    except Exception:  # damaged, or above the limit (an exception that Scrapy does not export)
        return b""


def declared_charset(response: Response) -> str | None:
    """The charset that the HTTP header declares."""
    header = response.headers.get("Content-Type")
    return http_content_type_encoding(header.decode("latin-1")) if header else None
