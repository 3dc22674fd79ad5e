"""The parts of the crawl: link ranks, feeds, seeds, and what the spider follows."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response, XmlResponse
from scrapy.resolver import CachingThreadedResolver
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler
from twisted.internet import defer
from twisted.internet.error import DNSLookupError

from newscrawl.feeds import CHILDREN, listing
from newscrawl.spiders.news import NewsSpider, read_seeds
from newscrawl.strangers import SETTING, NoStrangers, PublicResolver


@pytest.fixture
def spider_of(tmp_path):
    """A spider that may count, with these seeds, settings and arguments."""

    def made(seed: str, settings: dict[str, object] | None = None, **given: str) -> NewsSpider:
        file = tmp_path / "seeds.txt"
        file.write_text(f"{seed}\n")
        return NewsSpider.from_crawler(counting(settings), seeds=str(file), **given)

    return made


def counting(settings: dict[str, object] | None = None) -> Crawler:
    crawler = get_crawler(settings_dict=settings)
    crawler.stats = MemoryStatsCollector(crawler)
    return crawler


# -- feeds and sitemaps

RSS = b"""<?xml version="1.0"?><rss version="2.0"><channel><link>https://e.org/</link>
<item><link> https://e.org/1 </link></item><item><link>/2</link></item><item><title>none</title></item>
<item><link>http://[bad/2</link></item></channel></rss>"""
SITEMAP = b"""<?xml version="1.0"?><!-- c --><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://e.org/old</loc><lastmod>2020-01-01</lastmod></url><url><loc>https://e.org/undated</loc></url>
<url><loc>https://e.org/new</loc><lastmod>2024-01-01</lastmod></url><url/></urlset>"""
CHILD = b"<sitemap><loc>https://e.org/s.xml</loc></sitemap>"
INDEX = b'<sitemapindex xmlns="x">' + CHILD * 99 + b"</sitemapindex>"


@pytest.mark.parametrize(
    ("body", "kind", "urls"),
    [
        (RSS, "pages", ["https://e.org/1", "https://e.org/2", "http://[bad/2"]),
        (RSS[:-60], "pages", ["https://e.org/1", "https://e.org/2"]),
        (SITEMAP, "pages", ["https://e.org/new", "https://e.org/old", "https://e.org/undated"]),
        (INDEX, "sitemaps", ["https://e.org/s.xml"] * CHILDREN),
    ],
    ids=["rss", "cut off", "sitemap", "index"],
)
def test_feeds_and_sitemaps_list_pages(body, kind, urls):
    """The demo that tests/test_newscrawl.py crawls has feeds of each kind."""
    found = listing(body, "https://e.org/feed")
    assert found is not None
    assert (found.kind, list(found.urls)) == (kind, urls)


# -- seeds


def test_seeds_are_read_with_comments_and_invalid_ones_are_reported(tmp_path):
    file = tmp_path / "seeds.txt"
    file.write_text(
        "\ufeff# sites\nhttps://a.example/ # the front\n\n https://b.example/x#y \nhttps://a.example/\n"
    )
    assert read_seeds(str(file)) == ["https://a.example/", "https://b.example/x#y"]
    file.write_text("https://a.example/\nhttps://[bad/\n")
    with pytest.raises(SystemExit, match=r"'https://\[bad/' is not an http"):
        read_seeds(str(file))


# -- what is followed


def followed(
    spider: NewsSpider, body: bytes, depth: int, kind: type[Response] = HtmlResponse, indexes: int = 0
) -> list[str]:
    """The URLs that the spider asks for after a page, each with its priority in front, best first."""

    async def parse():
        found = spider.parse(kind("https://e.org/start", body=body), depth, indexes)
        return [request async for request in found if isinstance(request, Request)]

    return [f"{request.priority} {request.url}" for request in asyncio.run(parse())]


LINKS = b"""<a href="/world/">w</a><a href="/2024/05/12/the-minister-resigns-again.html#top">a</a>
<a href="/2024/05/12/the-minister-resigns-again.html">b</a><a href="https://other.org/2024/05/12/x.html">c</a>
<a href="https://news.e.org/story12345.html">d</a><a href="/tag/x">e</a><a href="mailto:a@e.org">f</a>
<a href="http://[bad/">g</a>"""
ARTICLES = [
    "5 https://e.org/2024/05/12/the-minister-resigns-again.html",
    "3 https://news.e.org/story12345.html",
]


@pytest.mark.parametrize(
    ("given", "depth", "asked"),
    [
        ({}, 0, [*ARTICLES, "-1 https://e.org/world/"]),
        ({"follow": "articles"}, 0, ARTICLES),
        ({"follow": "none"}, 0, []),
        ({"depth": "2"}, 1, [*ARTICLES, "-1 https://e.org/world/"]),
        ({"pages": "1"}, 0, ARTICLES),
    ],
)
def test_links_are_followed_within_bounds_and_articles_first(spider_of, given, depth, asked):
    spider = spider_of("https://www.e.org/start", **given)
    assert followed(spider, LINKS, depth) == asked
    assert followed(spider, LINKS, depth) == []  # never the same page twice


# -- sitemaps without end, and strangers


@pytest.mark.parametrize(
    ("settings", "indexes", "asked"), [({}, 2, 1), ({}, 3, 0), ({"NEWSCRAWL_SITEMAPS": 0}, 0, 0)]
)
def test_sitemaps_are_read_to_a_bound_of_number_and_depth(spider_of, settings, indexes, asked):
    spider = spider_of("https://e.org/sitemaps.xml", settings)
    assert len(followed(spider, INDEX, 0, XmlResponse, indexes)) == asked


def test_a_bad_url_in_a_feed_takes_none_of_the_others_with_it(spider_of):
    asked = followed(spider_of("https://feeds.org/rss"), RSS, 0, XmlResponse)
    assert asked == ["0 https://e.org/1", "0 https://e.org/2"]


@pytest.mark.parametrize("host", "127.1 0x7f000002 10.1.2.3 [::1] [fe80::1] 0.0.0.0 localhost".split())
def test_no_request_leads_to_a_private_address_that_is_no_seed(host):
    crawler = counting()
    crawler.spider = SimpleNamespace(seeds=["http://127.0.0.1:8/"])
    guard = NoStrangers.from_crawler(crawler)
    with pytest.raises(IgnoreRequest, match="private"):
        guard.process_request(Request(f"http://{host}/admin"))
    guard.process_request(Request("http://127.0.0.1:9/"))
    guard.process_request(Request("https://example.org/"))
    assert crawler.stats.get_value("newscrawl/private_address") == 1
    NoStrangers.from_crawler(counting({SETTING: True})).process_request(Request(f"http://{host}/admin"))


def test_a_name_that_resolves_to_a_private_address_is_unknown(monkeypatch):
    monkeypatch.setattr(CachingThreadedResolver, "getHostByName", lambda *_: defer.succeed("10.0.0.1"))
    crawler = counting()
    crawler.spider = SimpleNamespace(seeds=["http://seeded.example/"])
    process = SimpleNamespace(settings=crawler.settings, crawlers={crawler})
    resolver, results = PublicResolver(process, None, 0, 1.0), []
    for name in ("seeded.example", "inside.example"):
        resolver.getHostByName(name).addBoth(results.append)
    assert results[0] == "10.0.0.1"
    assert results[1].check(DNSLookupError)
