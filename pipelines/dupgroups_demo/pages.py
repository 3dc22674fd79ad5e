"""Build pages from sites and stories: articles, AMP and print versions, front pages, feeds, footers."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from dupgroups_demo.stories import ROOM, Copy, Link, Site, Story, load_sites, load_stories, paragraphs

if TYPE_CHECKING:
    from jinja2 import Environment

DEFAULT_PORT = 8091
TEASERS = {"en": 60, "zh": 36}  # characters
DEAD = "/2019/archive.html"  # linked, but the response is 404
EMPTY = "/live/"  # an empty page
FEED_TYPES = {
    "rss.xml": "application/rss+xml",
    "atom.xml": "application/atom+xml",
    "sitemap.xml": "application/xml",
}
DRAFT = "Not for publication: the mayor is said to be considering a toll on the old bridge. To be checked."
ROBOTS = "User-agent: *\nDisallow: /private/\n"


@dataclass(frozen=True)
class DemoPage:
    """A page and the ground truth about it.

    Two pages with `article` belong to the same group exactly if they have the same `story`, except excerpts:
    an `excerpt` is contained in the other copies, and a judge may or may not treat that as the same story.
    Pages with the same `canonical` URL are one document (`canonical` is None on pages that are not articles).
    `declared` is the charset in the head of the page ("" none), which may be wrong; `encoding` is the true
    one. `published` is the local time of an article (ISO 8601), `byline` its author as the page says it.
    """

    path: str
    body: bytes
    content_type: str
    story: str | None = None
    article: bool = False
    canonical: str | None = None
    excerpt: bool = False
    encoding: str = "utf-8"
    declared: str = "utf-8"
    published: str = ""
    byline: str = ""


@dataclass(frozen=True)
class DemoSite:
    """A site with its pages; `url` is its base URL without a final slash, `feed` the path of its feed."""

    key: str
    name: str
    language: str
    url: str
    feed: str
    pages: tuple[DemoPage, ...]

    @cached_property
    def by_path(self) -> dict[str, DemoPage]:
        """The pages by path."""
        return {page.path: page for page in self.pages}


@dataclass(frozen=True)
class Article:
    """A copy of a story before it is rendered, with what front pages, feeds and sidebars need."""

    story: Story
    copy: Copy
    path: str
    at: datetime
    paragraphs: Sequence[str]

    @property
    def link(self) -> Link:
        """The link to it on other pages of the site."""
        beginning = self.paragraphs[0][: TEASERS[self.story.language]]
        return Link(self.copy.headline, self.path, beginning.rsplit(" ", 1)[0] + "…")


def build(port: int = DEFAULT_PORT) -> list[DemoSite]:
    """All sites with all pages; their URLs have names below `.localhost`, and this port."""
    stories = load_stories()
    found = [(site, f"http://{site.host}:{port}") for site in load_sites()]
    return [
        DemoSite(
            site.key, site.name, site.language, url, site.feed and "/" + site.feed, _pages(site, url, stories)
        )
        for site, url in found
    ]


def _pages(site: Site, url: str, stories: Sequence[Story]) -> tuple[DemoPage, ...]:
    articles = _articles(site, stories)
    press = _Press(site, url, articles)
    pages = [press.front("/", site.name, articles)]
    for part in site.sections:
        held = [article for article in articles if article.story.section in part.holds]
        pages.append(press.front(part.path, part.label, held))
    pages += [page for article in articles for page in press.article(article)]
    pages += [press.text(link) for link in site.links if link.path != DEAD]
    pages += [press.feed()] if site.feed else []
    return (*pages, press.robots())


def _articles(site: Site, stories: Sequence[Story]) -> list[Article]:
    """The site's articles, newest first."""
    copies = [(story, copy) for story in stories for copy in story.copies if copy.site == site.key]
    articles = [
        Article(story, copy, _path(site, story, copy), story.published_at(copy), paragraphs(story, copy))
        for story, copy in copies
    ]
    return sorted(articles, key=lambda article: article.at, reverse=True)


def _path(site: Site, story: Story, copy: Copy) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", copy.headline.lower()).strip("-")
    number = 10_000 + zlib.crc32(f"{site.key}/{story.id}".encode()) % 90_000
    return site.path.format(at=story.published_at(copy), section=story.section, slug=slug, number=number)


class _Press:
    """Renders the pages of a site with its template."""

    def __init__(self, site: Site, url: str, articles: Sequence[Article]) -> None:
        self._site, self._url, self._articles = site, url, articles

    def article(self, article: Article) -> list[DemoPage]:
        """The article and its other versions (AMP, print), which have its canonical URL."""
        return [
            self._article(article, self._site.template, article.path),
            *(self._article(article, name, f"/{name}{article.path}") for name in article.copy.twins),
        ]

    def _article(self, article: Article, template: str, path: str) -> DemoPage:
        copy = article.copy
        declared = copy.encoding if copy.meta is None else copy.meta
        header = f"; charset={self._site.charset}" if copy.meta is None and self._site.charset else ""
        html = self._render(
            f"{template}.html",
            kind="article",
            article=article,
            charset=declared,
            canonical=self._url + article.path,
            amp=f"{self._url}/amp{article.path}" if "amp" in copy.twins else "",
        )
        return DemoPage(
            path,
            html.encode(copy.encoding, "xmlcharrefreplace"),
            "text/html" + header,
            story=article.story.id,
            article=True,
            canonical=self._url + article.path,
            excerpt=copy.excerpt,
            encoding=copy.encoding,
            declared=declared,
            published=article.at.isoformat(),
            byline=copy.byline,
        )

    def front(self, path: str, title: str, articles: Sequence[Article]) -> DemoPage:
        """A home page or section front: headlines with teasers."""
        links = [article.link for article in articles]
        return self._plain(path, kind="front", title=title, links=links)

    def text(self, link: Link) -> DemoPage:
        """A page linked in the footer: about us, the drafts that robots.txt disallows, an empty ticker."""
        if link.path == EMPTY:
            return DemoPage(link.path, b"", "text/html", declared="")
        about = link.path == "/about.html"
        title, text = (self._site.about_title, self._site.about) if about else (link.title, [DRAFT])
        return self._plain(link.path, kind="text", title=title, paragraphs=text)

    def feed(self) -> DemoPage:
        """The RSS or Atom feed or the sitemap."""
        body = self._render(self._site.feed, articles=self._articles)
        return DemoPage("/" + self._site.feed, body.encode(), FEED_TYPES[self._site.feed])

    def robots(self) -> DemoPage:
        """robots.txt: /private/ is disallowed, and the sitemap is named if there is one."""
        sitemap = f"Sitemap: {self._url}/sitemap.xml\n" if self._site.feed == "sitemap.xml" else ""
        return DemoPage("/robots.txt", (ROBOTS + sitemap).encode(), "text/plain")

    def _plain(self, path: str, **fields: Any) -> DemoPage:
        html = self._render(f"{self._site.template}.html", charset="utf-8", **fields)
        return DemoPage(path, html.encode(), "text/html; charset=utf-8")

    def _render(self, template: str, **fields: Any) -> str:
        links = [article.link for article in self._articles]
        chrome = {
            "site": self._site,
            "url": self._url,
            "latest": links,
            "related": _related_links(links, fields),
        }
        return _environment().get_template(template).render({**chrome, **fields})


def _related_links(links: Sequence[Link], fields: dict[str, Any]) -> list[Link]:
    """Three links for "related": those that follow the article on the site, starting over at the end."""
    paths = [link.path for link in links]
    start = paths.index(fields["article"].path) + 1 if "article" in fields else 0
    return [*links[start:], *links[:start]][:3]


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # without it, the command says so

    return Environment(
        loader=FileSystemLoader(ROOM / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
