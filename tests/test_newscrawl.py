"""Whole `scrapy crawl` runs against servers on loopback."""

from __future__ import annotations

import gzip
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

from dupgroups.engines import open_engine
from dupgroups.model import Document
from dupgroups.text.urls import canonical
from dupgroups_demo import seeds, serve

pytestmark = pytest.mark.whole
PROJECT = Path(__file__).parents[1] / "scrapy_project"
PARAGRAPH = """The council of {0} voted on Thursday to rebuild the old tram line to {0} station, eleven years
after the last car ran. The work is to begin in spring and costs forty million, of which the state pays half,
said the mayor of {0}, who had promised it twice before. Shopkeepers in the long street fear for their summer.
"""


def article(name: str, links: str = "") -> str:
    body = "".join(f"<p>{PARAGRAPH.format(name + part)}</p>" for part in "abcd")
    head = f"<html><head><title>Tram of {name}</title></head><body><h1>Tram of {name}</h1>"
    return f"{head}{body}{links}</body></html>"


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
    command += [part for argument in args for part in ("-a", argument)]
    command += [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    env = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, timeout=120)
    return done, {key: float(value) for key, value in re.findall(r"'([\w/]+)': ([\d.]+)", done.stderr)}


def check_counts(stats: dict[str, float]) -> None:
    """Every item ended in exactly one state."""
    states = [value for name, value in stats.items() if name.startswith("dupgroups/item/")]
    assert sum(states) == stats["dupgroups/items"]


def stored(tmp_path: Path) -> dict[str, Document]:
    """The stored documents by their URL."""
    with closing(open_engine(f"sqlite:///{tmp_path}/news.db")) as engine:
        return {str(document.content.url): document for document in engine.scan()}


def groups(tmp_path: Path) -> dict[str, str]:
    return {url: document.record.group for url, document in stored(tmp_path).items()}


def test_the_dupgroups_demos_are_crawled_into_groups_and_a_second_run_changes_none(tmp_path):
    file = tmp_path / "seeds.txt"
    with serve() as sites:
        file.write_text(seeds(sites))
        resolver = {"TWISTED_DNS_RESOLVER": "dupgroups_demo.crawl.LoopbackResolver"}
        done, stats = crawl(tmp_path, "news", f"seeds={file}", **resolver)
        assert done.returncode == 0, done.stderr
        first = groups(tmp_path)
        again, stats_again = crawl(tmp_path, "news", f"seeds={file}", **resolver)
        articles = {canonical(page.canonical) for site in sites for page in site.pages if page.article}
    check_counts(stats)
    assert articles - set(first) == set()
    assert not any("/private/" in url for url in first)
    assert stats["robotstxt/forbidden"] >= 1
    assert len(set(first.values())) < len(articles) * 0.7
    check_counts(stats_again)
    assert stats_again.get("dupgroups/item/new", 0) == 0
    assert groups(tmp_path) == first
    assert "dup-groups: " in again.stderr


class Answering(BaseHTTPRequestHandler):
    """Says nothing of its requests."""

    def answer(self, body: bytes, kind: str = "text/html", status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def site(handler: type[Answering]) -> Iterator[str]:
    """The URL of a server on loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Site(Answering):
    """A site with everything that goes wrong: redirects, also to another server of our network, 404, a film,
    a packed sitemap, large pages.
    """

    links = """/2024/05/12/one-long-slug-here.html /gone.html /film.mp4x /moved.html /away.html /tag/x
        http://[bad/ /huge.html""".split()
    redirects = {"moved": "/big/0.html", "away": "http://127.0.0.2:9/2024/05/12/inside-of-it.html"}  # noqa: RUF012
    large = 5

    def do_GET(self):
        name = self.path.strip("/").partition(".")[0]
        here = f"http://{self.headers['Host']}"
        if name in ("gone", "robots"):
            return self.send_error(404)
        if name in self.redirects:
            return self.answer(b"", status=301, Location=self.redirects[name])
        urls = "".join(f"<url><loc>{here}/big/{n}.html</loc></url>" for n in range(self.large))
        index = f"<sitemapindex><sitemap><loc>{here}/map.xml.gz</loc></sitemap></sitemapindex>"
        front = "".join(f'<a href="{href}">read</a>' for href in self.links)
        padding = f"<!--{'x' * 1_500_000}-->" if name.startswith("big") else ""
        kind, body = {
            "": ("text/html", f"<html><body>{front}</body></html>".encode()),
            "sitemaps": ("text/xml", index.encode()),
            "map": ("application/octet-stream", gzip.compress(f"<urlset>{urls}</urlset>".encode())),
            "film": ("video/mp4", b"\x00" * 50),
            "huge": ("text/html", b"<p>" + b"x" * 3_000_000),
        }.get(name, ("text/html; charset=utf-8", (article(name) + padding).encode()))
        return self.answer(body, kind)


def test_a_difficult_site_is_crawled_to_its_end(tmp_path):
    """Pages of 1.5 MB fill the scraper's 5 MB while the batch is far from full: time must flush it."""
    file = tmp_path / "seeds.txt"
    with site(Site) as url:
        file.write_text(f"{url}/\n{url}/sitemaps.xml\n{url}/nowhere-to-be-found/gone.html\n")
        done, stats = crawl(
            tmp_path, "news", f"seeds={file}", DOWNLOAD_MAXSIZE=2_000_000, DUPGROUPS_BATCH_BYTES=10**9
        )
        assert done.returncode == 0, done.stderr
        found = {address.removeprefix(url) for address in stored(tmp_path)}
    check_counts(stats)
    assert {f"/big/{n}.html" for n in range(Site.large)} | {"/2024/05/12/one-long-slug-here.html"} <= found
    assert not found & {"/gone.html", "/huge.html", "/film.mp4x", "/tag/x"}
    assert stats["newscrawl/private_address"] == 1
    assert stats["newscrawl/not_html"] == stats["newscrawl/not_fetched"] == 1
    assert "Traceback" not in done.stderr, done.stderr


def test_a_crawl_that_cannot_start_is_one_sentence(tmp_path):
    file = tmp_path / "seeds.txt"
    file.write_text("http://127.0.0.1:9/")
    done, _ = crawl(tmp_path, "news", f"seeds={file}", LOG_LEVEL="WARNING", DUPGROUPS_X=1)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "CRITICAL: The crawl does not start: unknown setting 'DUPGROUPS_X'; known: " in line
    wrong, _ = crawl(tmp_path, "news", "seeds=/nowhere.txt", LOG_LEVEL="WARNING")
    assert wrong.returncode == 1
    assert "the seeds file cannot be read" in wrong.stderr
    assert "Traceback" not in wrong.stderr
