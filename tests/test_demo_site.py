"""The demo sites are what they say: fixed pages, wrong charsets, feeds, robots, and every link."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import pytest
from lxml import etree, html

from dupgroups.errors import InputError
from dupgroups_demo import PORT, DemoPage, DemoSite, build, seeds, serve
from dupgroups_demo.pages import DEAD
from processes import Command, environment, free_port, started


@pytest.fixture(scope="module")
def sites() -> Iterator[list[DemoSite]]:
    with serve() as served:
        yield served


def _get(url: str, method: str = "GET") -> tuple[int, str, bytes]:
    parts = urlsplit(url)
    connection = HTTPConnection("127.0.0.1", parts.port, timeout=10)  # not every system knows *.localhost
    try:
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, path, headers={"Host": parts.netloc})
        answer = connection.getresponse()
        return answer.status, answer.getheader("Content-Type", ""), answer.read()
    finally:
        connection.close()


def _links(url: str, page: DemoPage) -> set[str]:
    if not page.content_type.startswith("text/html") or not page.body:
        return set()
    found = html.document_fromstring(page.body.decode(page.encoding)).xpath("//@href | //@src")
    joined = {urljoin(url + page.path, link).partition("#")[0] for link in found}
    return {link for link in joined if link.startswith("http")}


def test_pages_and_their_urls_are_fixed() -> None:
    assert build() == build()
    for site in build():
        assert re.fullmatch(rf"http://[a-z]+-[a-z]+\.localhost:{PORT}", site.url)
        assert len(site.by_path) == len(site.pages)
        for page in site.pages:
            assert page.article == (page.story is not None) == (page.canonical is not None)
            assert page.canonical is None or page.canonical.startswith(site.url + "/")


@pytest.mark.parametrize(
    ("declared", "encoding", "words"),
    [
        ("", "gbk", "望鹤大桥"),
        ("utf-8", "gb18030", "恐龙"),
        ("iso-8859-1", "utf-8", "“There was a bang"),
    ],
)
def test_pages_that_lie_about_their_charset(declared: str, encoding: str, words: str) -> None:
    articles = [page for site in build() for page in site.pages if page.article]
    [page] = [page for page in articles if (page.declared, page.encoding) == (declared, encoding)]
    assert page.content_type == "text/html"
    assert (f"charset={declared}".encode() in page.body) == bool(declared)
    assert words in page.body.decode(encoding)
    assert words not in page.body.decode(declared or "utf-8", "replace")


def test_every_page_is_served_as_built(sites: list[DemoSite]) -> None:
    for site in sites:
        for page in site.pages:
            assert _get(site.url + page.path) == (200, page.content_type, page.body)
            assert _get(site.url + page.path, "HEAD") == (200, page.content_type, b"")


def test_every_link_answers_but_one(sites: list[DemoSite]) -> None:
    links = {link for site in sites for page in site.pages for link in _links(site.url, page)}
    assert {urlsplit(link).netloc for link in links} == {urlsplit(site.url).netloc for site in sites}
    dead = [link for link in links if _get(link)[0] != 200]
    assert dead == [sites[0].url + DEAD]
    tracked = next(link for link in links if "utm_" in link)
    assert _get(tracked)[2] == _get(tracked.partition("?")[0])[2]


def test_robots(sites: list[DemoSite]) -> None:
    for site in sites:
        robots = RobotFileParser()
        robots.parse(_get(f"{site.url}/robots.txt")[2].decode().splitlines())
        assert robots.can_fetch("*", f"{site.url}/")
        assert not robots.can_fetch("*", f"{site.url}/private/drafts.html")
        assert bool(robots.site_maps()) == (site.feed == "/sitemap.xml")
    private = [link for page in sites[0].pages for link in _links(sites[0].url, page) if "/private/" in link]
    assert private


@pytest.mark.parametrize(
    ("path", "tag"),
    [("/rss.xml", "item/guid"), ("/atom.xml", "{*}entry/{*}id"), ("/sitemap.xml", "{*}url/{*}loc")],
)
def test_feeds_list_every_article(sites: list[DemoSite], path: str, tag: str) -> None:
    [site] = [site for site in sites if site.feed == path]
    tree = etree.fromstring(_get(site.url + path)[2])
    listed = {element.text for element in tree.findall(f".//{tag}")} - {site.url + "/"}
    assert listed == {page.canonical for page in site.pages if page.article}


def test_seeds_hold_home_pages_and_feeds(sites: list[DemoSite]) -> None:
    urls = [line for line in seeds(sites).splitlines() if not line.startswith("#")]
    assert len(urls) == len(sites) + 4
    assert all(_get(url)[0] == 200 for url in urls)


def test_a_taken_port_is_one_sentence() -> None:
    with serve() as first:
        taken = urlsplit(first[0].url).port
        assert taken
        with pytest.raises(InputError, match=rf"on port {taken} of 127.0.0.1.*--sites-port"), serve(taken):
            pass


def test_a_name_that_is_no_site_is_not_found(sites: list[DemoSite]) -> None:
    port = urlsplit(sites[0].url).port
    assert [_get(f"http://{host}:{port}/")[0] for host in ("127.0.0.1", "other.localhost")] == [404, 404]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Command]:
    """`dup-groups demo --serve` in an empty folder: the search page, with the sites on another port."""
    sites_port = str(free_port())
    arguments = ["-m", "dupgroups_demo", "--serve", "--port", "{port}", "--sites-port", sites_port]
    with started(arguments, folder) as command:
        yield command


@pytest.mark.whole
def test_the_demo_groups_all_copies_and_serves_what_its_headlines_lead_to(served: Command) -> None:
    printed = " ".join(served.printed().split())
    assert "0 other pages, 0 pairs of copies missed, 0 pairs grouped wrongly" in printed
    hits = json.loads(served.get("/api/search?q=ferry"))["hits"]
    urls = [hit["shown"]["url"] for hit in hits]
    pages = {site.url.rpartition(":")[0]: site for site in build()}
    found = [pages[url.rpartition(":")[0]].by_path[urlsplit(url).path].story for url in urls]
    assert found == ["ferry-collision", "ferry-inquiry", "storm-odile"]  # which names Ferry Street
    assert all(urlsplit(url).hostname.endswith(".localhost") for url in urls)
    assert [_get(url)[0] for url in urls] == [200] * len(urls)
    assert all("127.0.0.1" not in str(hit) for hit in hits)


@pytest.mark.whole
def test_a_demo_that_was_crawled_is_served_without_another_crawl(served: Command, folder: Path) -> None:
    arguments = ["-m", "dupgroups_demo", "--serve", "--port", "{port}", "--sites-port", str(free_port())]
    with started(arguments, folder) as again:
        assert json.loads(again.get("/api/search"))["documents"] > 50
        assert "Ground truth" not in again.printed()


def test_without_the_extras_the_demo_is_one_sentence(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['scrapy'] = None\n"
        "from typer.testing import CliRunner; from dupgroups_demo.command import app\n"
        "print(CliRunner().invoke(app).exception)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True
    )
    assert done.stdout == "The demo needs an extra: pip install 'dup-groups[scrapy,web]'\n"
    assert list(tmp_path.iterdir()) == []
