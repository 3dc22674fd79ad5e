"""The crawl: link ranks, feeds, archives, and whole `scrapy crawl` runs against servers on loopback."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo_site import seeds, serve
from dupgroups.dead_letters import loads
from dupgroups.engines import open_engine
from newscrawl.archive import Broken, archives, pages
from newscrawl.feeds import CHILDREN, listing
from newscrawl.items import PageItem
from newscrawl.links import ARTICLE, NEVER, rank
from newscrawl.spiders.news import read_seeds, site_of

PROJECT = Path(__file__).parents[1] / "scrapy_project"
PARAGRAPH = """The council of {0} voted on Thursday to rebuild the old tram line to {0} station, eleven years
after the last car ran. The work is to begin in spring and costs forty million, of which the state pays half,
said the mayor of {0}, who had promised it twice before. Shopkeepers in the long street fear for their summer.
"""


BARN = (
    "A barn burned down at night near the mill; nobody was hurt, and the cows were found in the next valley. "
)


def article(name: str, links: str = "") -> str:
    body = "".join(f"<p>{PARAGRAPH.format(name + part)}</p>" for part in "abcd")
    head = f"<html><head><title>Tram of {name}</title></head><body><h1>Tram of {name}</h1>"
    return f"{head}{body}{links}</body></html>"


# -- links


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/2024/05/12/minister-resigns",
        "https://example.org/world/minister-resigns-after-vote-on-ferry",
        "https://example.org/news/12345678.html",
        "https://example.cn/gj/2020/03-30/9142537.shtml",
        "https://example.org/news/story32377.htm?page=1",
        "https://example.org/%E6%96%B0%E9%97%BB/20200330/9142537",
    ],
)
def test_articles_rank_above_fronts(url):
    fronts = ["", "world/", "section/politics", "category/news/", "about.html", "contact", "?page=2"]
    assert rank(url) >= ARTICLE
    assert all(NEVER < rank(f"https://example.org/{front}") < ARTICLE for front in fronts)


@pytest.mark.parametrize(
    "path", ["video/2024/05/12/a-long-slug-here", "tag/ferry", "login.php", "a/gallery/7"]
)
def test_what_holds_no_text_is_never_followed(path):
    assert rank(f"https://example.org/{path}") == NEVER


@given(path=st.text())
def test_any_path_has_a_rank(path):
    assert NEVER <= rank(f"https://example.org/{path.replace('?', '').replace('#', '')}") < 10


# -- feeds and sitemaps

RSS = b"""<?xml version="1.0"?><rss version="2.0"><channel><link>https://e.org/</link>
<item><link> https://e.org/1 </link></item><item><link>/2</link></item><item><title>none</title></item>
<item><link>https://e.org/1</link></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://e.org/"/>
<entry><link href="1"/></entry><entry><link rel="alternate" href="https://e.org/2"/><link rel="replies" href="https://e.org/no"/></entry></feed>"""
RDF = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<item rdf:about="x"><link>https://e.org/1</link></item></rdf:RDF>"""
SITEMAP = b"""<?xml version="1.0"?><!-- c --><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://e.org/old</loc><lastmod>2020-01-01</lastmod></url><url><loc>https://e.org/undated</loc></url>
<url><loc>https://e.org/new</loc><lastmod>2024-01-01</lastmod></url><url/></urlset>"""
INDEX = (
    b'<sitemapindex xmlns="x">'
    + b"<sitemap><loc>https://e.org/s.xml</loc></sitemap>" * 99
    + b"</sitemapindex>"
)


@pytest.mark.parametrize(
    ("body", "kind", "urls"),
    [
        (RSS, "pages", ["https://e.org/1", "https://e.org/2"]),
        (ATOM, "pages", ["https://e.org/1", "https://e.org/2"]),
        (RDF, "pages", ["https://e.org/1"]),
        (SITEMAP, "pages", ["https://e.org/new", "https://e.org/old", "https://e.org/undated"]),
        (INDEX, "sitemaps", ["https://e.org/s.xml"] * CHILDREN),
        (RSS[:-60], "pages", ["https://e.org/1", "https://e.org/2"]),
    ],
    ids=["rss", "atom", "rdf", "sitemap", "index", "cut off"],
)
def test_feeds_and_sitemaps_list_pages(body, kind, urls):
    found = listing(body, "https://e.org/feed")
    assert found is not None
    assert (found.kind, list(found.urls)) == (kind, urls)


@pytest.mark.parametrize(
    "body", [b"", b"<html><p>about <rss>", b"\x00\xff", b"<!doctype html><html><feed></feed>"]
)
def test_what_is_no_list_lists_nothing(body):
    assert listing(body, "https://e.org/") is None


@given(body=st.binary(), kind=st.sampled_from([b"<rss>", b"<urlset>", b"<sitemapindex>", b"<feed"]))
def test_no_bytes_break_a_list(body, kind):
    listing(kind + body, "https://e.org/")


def test_a_list_cannot_read_our_files():
    bomb = b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><item><link>&x;</link></item></rss>'
    found = listing(bomb, "https://e.org/")
    assert found is None or "root:" not in str(found)


# -- seeds


def test_seeds_are_read_with_comments(tmp_path):
    file = tmp_path / "seeds.txt"
    file.write_text(
        "\ufeff# sites\nhttps://a.example/ # the front\n\n https://b.example/x#y \nhttps://a.example/\n"
    )
    assert read_seeds(str(file)) == ["https://a.example/", "https://b.example/x#y"]


@pytest.mark.parametrize(
    ("content", "message"), [("", "holds no URL"), ("ftp://a/\n", "no http"), ("a b", "no http")]
)
def test_seeds_that_are_none_are_told(tmp_path, content, message):
    file = tmp_path / "seeds.txt"
    file.write_text(content)
    with pytest.raises(SystemExit, match=message):
        read_seeds(str(file))


def test_sites_are_known_by_host_and_port():
    assert site_of("https://www.example.org/a") == "example.org"
    assert site_of("http://user@127.0.0.1:8000/") == "127.0.0.1:8000"
    assert site_of("http://[bad/") == ""


# -- archives


def test_lines_become_pages_and_broken_ones_are_named(tmp_path):
    good = {
        "url": None,
        "html": "<p>x",
        "text": "y",
        "id": 7,
        "lang": "en",
        "title": "t",
        "date": "2024-01-01",
    }
    lines = [
        json.dumps(good).encode(),
        b"",
        b"{",
        b"[1]",
        b'{"text": ""}',
        b'{"text": "x", "url": 5}',
        b"\xff\xfe{",
        b"[" * 100_000,
        b'{"text": "z", "language": "zh", "host": "e.org"}',
    ]
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"\r\n".join(lines))
    found = list(pages(file))
    assert found[0] == PageItem(html="<p>x", id="7", language="en", title="t", date="2024-01-01")
    assert found[-1] == PageItem(text="z", language="zh")
    assert [each.number for each in found if isinstance(each, Broken)] == [3, 4, 5, 6, 7, 8]
    assert str(found[1]).startswith(f"{file}, line 3: not JSON")


def warc(url: str, body: bytes, header: str = "Content-Type: text/html", status: str = "200 OK") -> bytes:
    http = f"HTTP/1.1 {status}\r\n{header}\r\n\r\n".encode() + body
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
    head += "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
    head += f"Content-Length: {len(http)}\r\n\r\n"
    return head.encode() + http + b"\r\n\r\n"


def test_warc_responses_become_pages(tmp_path):
    zipped = gzip.compress(b"<p>zip")
    records = [
        warc("http://e/1", "<p>中".encode("gbk"), "Content-Type: text/html; charset=GBK"),
        warc("http://e/404", b"<p>gone", status="404 Not Found"),
        warc("http://e/pdf", b"%PDF", "Content-Type: application/pdf"),
        warc("http://e/2", b"", "Content-Type: text/html"),
        warc("http://e/3", zipped, "Content-Type: text/html\r\nContent-Encoding: gzip"),
        warc("http://e/4", b"no zip", "Content-Type: text/html\r\nContent-Encoding: gzip"),
        warc(
            "http://e/5",
            b"6\r\n<p>chu\r\n2\r\nnk\r\n0\r\n\r\n",
            "Content-Type: text/html\r\nTransfer-Encoding: chunked",
        ),
    ]
    plain, packed = tmp_path / "a.warc", tmp_path / "b.warc.gz"
    plain.write_bytes(b"".join(records))
    packed.write_bytes(b"".join(map(gzip.compress, records)))
    assert archives(tmp_path) == [plain, packed]
    for file in (plain, packed):
        found = list(pages(file))
        assert found[0] == PageItem("http://e/1", "<p>中".encode("gbk"), encoding="gbk")
        good = [each for each in found if isinstance(each, PageItem)]
        assert [(each.url, each.html) for each in good[1:]] == [
            ("http://e/3", b"<p>zip"),
            ("http://e/5", b"<p>chunk"),
        ]
        assert [each.number for each in found if isinstance(each, Broken)] == [4, 6]


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.warc.gz", "b.warc"])
def test_a_damaged_file_gives_what_it_holds_and_says_where_it_breaks(tmp_path, name):
    whole = {
        "a.jsonl.gz": gzip.compress(
            b'{"text": "x"}\n' + b'{"text": "%s"}\n' % os.urandom(9999).hex().encode()
        ),
        "a.warc.gz": gzip.compress(warc("http://e/1", b"<p>")) + b"\x1f\x8b\x08\x00" + os.urandom(500),
        "b.warc": warc("http://e/1", b"<p>") + b"scribble\r\n" * 9,
    }[name]
    file = tmp_path / name
    file.write_bytes(whole[: -len(whole) // 4])
    found = list(pages(file))
    assert isinstance(found[0], PageItem)
    assert isinstance(found[-1], Broken)
    assert found[-1].number == 2


@given(data=st.binary(max_size=300), name=st.sampled_from(["x.jsonl", "x.jsonl.gz", "x.warc", "x.warc.gz"]))
def test_no_bytes_break_an_archive(data, name, tmp_path_factory):
    file = tmp_path_factory.mktemp("any") / name
    file.write_bytes(data)
    list(pages(file))


# -- whole crawls


def crawl(
    tmp_path: Path, spider: str, *args: str, **settings: object
) -> tuple[subprocess.CompletedProcess, dict]:
    """Run `scrapy crawl`; returns the process and its stats."""
    given = {
        "DUPGROUPS_ENGINE": f"sqlite:///{tmp_path}/news.db",
        "DUPGROUPS_DEAD_LETTERS": tmp_path / "dead.jsonl",
    }
    given |= {"DOWNLOAD_DELAY": 0, "AUTOTHROTTLE_ENABLED": False, **settings}
    command = [sys.executable, "-m", "scrapy", "crawl", spider]
    command += [part for each in args for part in ("-a", each)]
    command += [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    env = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, timeout=120)
    return done, {key: float(value) for key, value in re.findall(r"'([\w/]+)': ([\d.]+)", done.stderr)}


def check_counts(stats: dict[str, float]) -> None:
    """Every item ended in exactly one state."""
    states = [value for name, value in stats.items() if name.startswith("dupgroups/item/")]
    assert sum(states) == stats["dupgroups/items"]


def groups(tmp_path: Path) -> dict[str, str]:
    """The group of each stored document, by its URL."""
    with closing(open_engine(f"sqlite:///{tmp_path}/news.db")) as engine:
        return {str(each.content.url or each.record.id): each.record.group for each in engine.scan()}


def test_the_demo_sites_are_crawled_into_groups_and_a_second_run_changes_none(tmp_path):
    file = tmp_path / "seeds.txt"
    with serve() as sites:
        file.write_text(seeds(sites))
        done, stats = crawl(tmp_path, "news", f"seeds={file}")
        assert done.returncode == 0, done.stderr
        first = groups(tmp_path)
        again, stats_again = crawl(tmp_path, "news", f"seeds={file}")
        urls = {site.url + page.path for site in sites for page in site.pages}
    check_counts(stats)
    print(f"longest delay of the event loop: {stats['dupgroups/loop_delay_max_ms']} ms")
    articles = {url for url in urls if rank(url) >= ARTICLE and "/amp/" not in url and "/print/" not in url}
    assert articles <= set(first)
    assert not any("/private/" in url for url in first)
    assert stats["robotstxt/forbidden"] >= 1
    assert len(set(first.values())) < len(articles) * 0.7
    check_counts(stats_again)
    assert stats_again.get("dupgroups/item/new", 0) == 0
    assert groups(tmp_path) == first
    assert "dup-groups: " in again.stderr


class Site(BaseHTTPRequestHandler):
    """A site with everything that goes wrong: redirects, 404, a film, a packed sitemap, large pages."""

    large = 5

    def do_GET(self):
        name = self.path.strip("/").partition(".")[0]
        here = f"http://{self.headers['Host']}"
        urls = "".join(f"<url><loc>{here}/big/{n}.html</loc></url>" for n in range(self.large))
        hrefs = "/2024/05/12/one-long-slug-here.html /gone.html /film.mp4x /moved.html /tag/x http://[bad/"
        links = "".join(f'<a href="{href}">read</a>' for href in [*hrefs.split(), "/huge.html"])
        answers = {
            "": ("text/html", f"<html><body>{links}</body></html>".encode()),
            "sitemaps": (
                "text/xml",
                f"<sitemapindex><sitemap><loc>{here}/map.xml.gz</loc></sitemap></sitemapindex>".encode(),
            ),
            "map": ("application/octet-stream", gzip.compress(f"<urlset>{urls}</urlset>".encode())),
            "film": ("video/mp4", b"\x00" * 50),
            "huge": ("text/html", b"<p>" + b"x" * 3_000_000),
        }
        if name in ("gone", "robots"):
            return self.send_error(404)
        if name == "moved":
            self.send_response(301)
            self.send_header("Location", "/big/0.html")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        padding = f"<!--{'x' * 1_500_000}-->" if name.startswith("big") else ""
        kind, body = answers.get(name, ("text/html; charset=utf-8", (article(name) + padding).encode()))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def test_a_difficult_site_is_crawled_to_its_end(tmp_path):
    """Pages of 1.5 MB fill the scraper's 5 MB while the batch is far from full: time must flush it."""
    file = tmp_path / "seeds.txt"
    with site() as url:
        file.write_text(f"{url}/\n{url}/sitemaps.xml\n{url}/nowhere-to-be-found/gone.html\n")
        done, stats = crawl(
            tmp_path, "news", f"seeds={file}", DOWNLOAD_MAXSIZE=2_000_000, DUPGROUPS_BATCH_BYTES=10**9
        )
        assert done.returncode == 0, done.stderr
        found = {each.removeprefix(url) for each in groups(tmp_path)}
    check_counts(stats)
    assert {f"/big/{n}.html" for n in range(Site.large)} | {"/2024/05/12/one-long-slug-here.html"} <= found
    assert not found & {"/gone.html", "/huge.html", "/film.mp4x", "/tag/x"}
    assert stats["newscrawl/not_html"] == stats["newscrawl/not_fetched"] == 1
    assert "Traceback" not in done.stderr, done.stderr


def test_follow_depth_and_pages_bound_the_crawl(tmp_path):
    file = tmp_path / "seeds.txt"
    with site() as url:
        file.write_text(f"{url}/\n")
        _, stats = crawl(tmp_path, "news", f"seeds={file}", "follow=none", "pages=1")
        assert stats["dupgroups/items"] == 1
        file.write_text(f"{url}/\n{url}/sitemaps.xml\n")
        _, stats = crawl(
            tmp_path, "news", f"seeds={file}", "follow=articles", "pages=2", DUPGROUPS_NOT_ARTICLE="keep"
        )
        assert stats["newscrawl/over_page_limit"] >= 1
        assert stats["dupgroups/items"] <= 3


def test_archives_go_through_the_same_pipeline(tmp_path):
    folder = tmp_path / "archive"
    folder.mkdir()
    lines = [
        {"id": "one", "text": BARN * 4},
        {"id": "two", "url": None, "html": article("y")},
    ]
    body = "\n".join(map(json.dumps, lines)) + "\nbroken\n"
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(body.encode()))
    copy = article("y").replace("<title>Tram", "<title>Our tram").encode()
    (folder / "b.warc").write_bytes(warc("http://e.example/y.html", copy))
    (folder / "notes.txt").write_text("not an archive")
    done, stats = crawl(tmp_path, "pages", f"path={folder}", DUPGROUPS_NOT_ARTICLE="keep")
    assert done.returncode == 0, done.stderr
    check_counts(stats)
    assert stats["dupgroups/items"] == 3
    assert stats["newscrawl/broken"] == 1
    assert "a.jsonl.gz, line 3: not JSON" in done.stderr
    found = groups(tmp_path)
    assert found["http://e.example/y.html"] == found["two"] == "two"
    assert found["one"] == "one"


def test_what_the_engine_refuses_waits_in_the_dead_letters(tmp_path):
    """The database is taken away from the crawl after it was opened."""
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"id": "\ud800", "text": PARAGRAPH.format("x")}) + "\n")
    done, stats = crawl(tmp_path, "pages", f"path={file}")
    assert done.returncode == 0, done.stderr
    check_counts(stats)
    assert stats["dupgroups/item/dead_letter"] == 1
    assert [loads(line).page.id for line in (tmp_path / "dead.jsonl").read_bytes().splitlines()] == ["\ud800"]


@pytest.mark.parametrize(
    ("spider", "args", "sentence"),
    [
        ("pages", ["path=/nowhere.jsonl"], "/nowhere.jsonl does not exist"),
        ("news", ["seeds=/nowhere.txt"], "the seeds file cannot be read"),
    ],
)
def test_a_wrong_argument_is_one_sentence(tmp_path, spider, args, sentence):
    done, _ = crawl(tmp_path, spider, *args, LOG_LEVEL="WARNING")
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
