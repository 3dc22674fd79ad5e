"""Whole `scrapy crawl` runs against servers on loopback, and their parts: feeds, seeds, what is followed."""

import asyncio
import gzip
import os
import re
import subprocess
import sys
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
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

from dupgroups.engines import open_engine
from dupgroups.model import Document
from newscrawl.feeds import MAX_CHILDREN, listing
from newscrawl.spiders.news import NewsSpider, read_seeds
from newscrawl.strangers import SETTING, NoStrangers, PublicResolver

PROJECT = Path(__file__).parents[1] / "scrapy_project"
PARAGRAPH = """The council of {0} voted on Thursday to rebuild the old tram line to {0} station, eleven years
after the last car ran. The work is to begin in spring and costs forty million, of which the state pays half,
said the mayor of {0}, who had promised it twice before. Shopkeepers in the long street fear for their summer.
"""


def article(name: str) -> str:
    body = "".join(f"<p>{PARAGRAPH.format(name + part)}</p>" for part in "abcd")
    head = f"<html><head><title>Tram of {name}</title></head><body><h1>Tram of {name}</h1>"
    return f"{head}{body}</body></html>"


# -- whole crawls


def crawl(tmp_path: Path, *args: str, **settings: object) -> tuple[subprocess.CompletedProcess, dict]:
    """Run `scrapy crawl`; returns the process and its stats."""
    given = {
        "DUPGROUPS_ENGINE": f"sqlite:///{tmp_path}/news.db",
        "DUPGROUPS_DEAD_LETTERS": tmp_path / "dead.jsonl",
    }
    given |= {"DOWNLOAD_DELAY": 0, "AUTOTHROTTLE_ENABLED": False, **settings}
    command = [sys.executable, "-m", "scrapy", "crawl", "news"]
    command += [part for argument in args for part in ("-a", argument)]
    command += [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    env = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, timeout=120)
    return done, {key: float(value) for key, value in re.findall(r"'([\w/]+)': ([\d.]+)", done.stderr)}


def stored(tmp_path: Path) -> dict[str, Document]:
    """The stored documents by their URL."""
    with closing(open_engine(f"sqlite:///{tmp_path}/news.db")) as engine:
        return {str(document.content.url): document for document in engine.scan()}


class Site(BaseHTTPRequestHandler):
    """A site with everything that goes wrong: redirects, also to another server of our network, 404, a film,
    a packed sitemap, large pages, some for nobody.
    """

    links = """/2024/05/12/one-long-slug-here.html /gone.html /film.mp4x /moved.html /away.html /tag/x
        http://[bad/ /huge.html /private/2024/05/12/one-more-slug-here.html""".split()
    redirects = {"moved": "/big/0.html", "away": "http://127.0.0.2:9/2024/05/12/inside-of-it.html"}  # noqa: RUF012
    large = 5

    def do_GET(self):
        name = self.path.strip("/").partition(".")[0]
        here = f"http://{self.headers['Host']}"
        if name == "gone":
            return self.send_error(404)
        if name in self.redirects:
            return self.answer(b"", status=301, Location=self.redirects[name])
        urls = "".join(f"<url><loc>{here}/big/{n}.html</loc></url>" for n in range(self.large))
        index = f"<sitemapindex><sitemap><loc>{here}/map.xml.gz</loc></sitemap></sitemapindex>"
        front = "".join(f'<a href="{href}">read</a>' for href in self.links)
        padding = f"<!--{'x' * 1_500_000}-->" if name.startswith("big") else ""
        kind, body = {
            "": ("text/html", f"<html><body>{front}</body></html>".encode()),
            "robots": ("text/plain", b"User-agent: *\nDisallow: /private/"),
            "sitemaps": ("text/xml", index.encode()),
            "map": ("application/octet-stream", gzip.compress(f"<urlset>{urls}</urlset>".encode())),
            "film": ("video/mp4", b"\x00" * 50),
            "huge": ("text/html", b"<p>" + b"x" * 3_000_000),
        }.get(name, ("text/html; charset=utf-8", (article(name) + padding).encode()))
        return self.answer(body, kind)

    def answer(self, body: bytes, kind: str = "text/html", status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@pytest.mark.whole
def test_a_difficult_site_is_crawled_to_its_end(tmp_path):
    """Pages of 1.5 MB fill the scraper's 5 MB while the batch is far from full: time must flush it."""
    file = tmp_path / "seeds.txt"
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        file.write_text(f"{url}/\n{url}/sitemaps.xml\n{url}/nowhere-to-be-found/gone.html\n")
        done, stats = crawl(
            tmp_path, f"seeds={file}", DOWNLOAD_MAXSIZE=2_000_000, DUPGROUPS_BATCH_BYTES=10**9
        )
        assert done.returncode == 0, done.stderr
        found = {address.removeprefix(url) for address in stored(tmp_path)}
        server.shutdown()
    assert {f"/big/{n}.html" for n in range(Site.large)} | {"/2024/05/12/one-long-slug-here.html"} <= found
    assert found.isdisjoint({"/gone.html", "/huge.html", "/film.mp4x", "/tag/x", Site.links[-1]})
    assert stats["newscrawl/private_address"] == 1
    assert stats["newscrawl/not_html"] == stats["newscrawl/not_fetched"] == 1
    assert stats["robotstxt/forbidden"] == 1
    assert "dup-groups: " in done.stderr
    assert "Traceback" not in done.stderr, done.stderr


# -- the parts of the crawl


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
        (INDEX, "sitemaps", ["https://e.org/s.xml"] * MAX_CHILDREN),
    ],
    ids=["rss", "cut off", "sitemap", "index"],
)
def test_feeds_and_sitemaps_list_pages(body, kind, urls):
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
    with pytest.raises(SystemExit, match="the seeds file cannot be read"):
        read_seeds("/nowhere.txt")


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
