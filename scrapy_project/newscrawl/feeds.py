"""Lists of pages that sites publish: RSS, RDF and Atom feeds, sitemaps and sitemap indexes."""

import re
from dataclasses import dataclass
from typing import Literal

from lxml import etree
from parsel import Selector
from scrapy.utils.sitemap import Sitemap

from dupgroups.text.urls import join_url

MAX_CHILDREN = 50  # sitemaps of an index that are read, the newest ones
HEAD = re.compile(rb"<(?:[\w.-]+:)?(rss|rdf|feed|urlset|sitemapindex)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Listing:
    """The URLs of a feed or sitemap (`pages`), or of the sitemaps of an index (`sitemaps`), in order."""

    kind: Literal["pages", "sitemaps"]
    urls: tuple[str, ...]


def listing(body: bytes, base: str) -> Listing | None:
    """The URLs in a feed or sitemap; None if the body is neither, or cannot be parsed.

    `base` is its URL. Feeds keep their order, sitemaps are sorted newest first. URLs are not validated.
    """
    head = HEAD.search(body[:2000])
    if not head or b"<html" in body[: head.start()].lower():
        return None
    try:
        name = head[1].lower()
        return _sitemap(body) if name in (b"urlset", b"sitemapindex") else _feed(body, base)
    except (etree.LxmlError, ValueError, StopIteration):
        return None


def _sitemap(body: bytes) -> Listing:
    sitemap = Sitemap(body)
    entries = sorted(sitemap, key=lambda entry: str(entry.get("lastmod", "")), reverse=True)
    urls = tuple(entry["loc"] for entry in entries if entry.get("loc"))
    if sitemap.type == "sitemapindex":
        return Listing("sitemaps", urls[:MAX_CHILDREN])
    return Listing("pages", urls)


def _feed(body: bytes, base: str) -> Listing:
    document = Selector(body=body, type="xml")
    rss = "//*[local-name()='item']/*[local-name()='link']/text()"
    atom = "//*[local-name()='entry']/*[local-name()='link'][not(@rel) or @rel='alternate']/@href"
    links = document.xpath(f"{rss} | {atom}").getall()
    return Listing(
        "pages", tuple(dict.fromkeys(join_url(base, link.strip()) for link in links if link.strip()))
    )
