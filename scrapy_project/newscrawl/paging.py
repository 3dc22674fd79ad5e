"""Articles on several pages: find the next page, and join the pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from scrapy.http import HtmlResponse, Response

from dupgroups import Page
from dupgroups.content import extract, join
from dupgroups.model import Content
from newscrawl.items import PageItem
from newscrawl.links import page_url

ARTICLE = 0.5  # minimum `Content.article`: below it, rel=next belongs to a list of articles
NEXT = "//*[self::link or self::a][contains(concat(' ', @rel, ' '), ' next ')]/@href"
SMALL = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
MARK = re.compile(r"(?:[/?&_.,;-][^\d]{0,12})?")  # what precedes the number: "?page=", "/", "-p"


@dataclass
class PagedArticle:
    """The pages of an article so far: the item of the first page, the URLs and contents of all pages."""

    item: PageItem
    urls: list[str] = field(default_factory=list)
    contents: list[Content] = field(default_factory=list)

    def turn(self, response: Response, encoding: str | None) -> str | None:
        """Add a page; returns the URL of the next page.

        None at the end of the article, if the first page is not an article (but a list of articles), and for
        a response that is not a page of this article, which is left out.
        """
        if not isinstance(response, HtmlResponse) or (self.urls and not self._goes_on_at(response.url)):
            return None
        url = following(response)
        if not self.urls and not url:
            return None  # a single page, like most articles: nothing to join
        self.urls.append(response.url)
        self.contents.append(extract(Page(url=response.url, html=response.body, encoding=encoding)))
        return url if url and self.contents[0].article >= ARTICLE and self._goes_on_at(url) else None

    def _goes_on_at(self, url: str) -> bool:
        """Whether it is the URL of the article with the number of the next page, counted from 0 or from 1."""
        count = len(self.urls)
        return url not in self.urls and page_number(self.urls[0], url) in (count, count + 1)

    def joined_item(self) -> PageItem:
        """The item of the first page with the text of all pages."""
        return replace(self.item, text=join(self.contents).text)


def following(response: HtmlResponse) -> str | None:
    """The URL that the page declares as the next one (rel=next)."""
    href = response.xpath(NEXT).get()
    try:
        return page_url(response.urljoin(href)) if href else None
    except ValueError:
        return None


def page_number(first: str, url: str) -> int | None:
    """The small number that `url` adds to `first`, or has instead of its 0 or 1; None if other parts differ.

    >>> page_number("https://e.org/ferry.html", "https://e.org/ferry_2.html")
    2
    >>> page_number("https://e.org/ferry?p=1", "https://e.org/ferry?p=3")
    3
    >>> page_number("https://e.org/2024/05/12/", "https://e.org/2024/05/13/")
    """
    for number in SMALL.finditer(url):
        before, after = url[: number.start()], url[number.end() :]
        if first in (f"{before}0{after}", f"{before}1{after}") or _adds(first, before, after):
            return int(number[0])
    return None


def _adds(first: str, before: str, after: str) -> bool:
    """Whether `before` and `after` are `first` except for a mark that ends `before` or a slash after it."""
    for end in (after, after.removeprefix("/")):
        stem = first.removesuffix(end)
        if first.endswith(end) and before.startswith(stem):
            mark = before[len(stem) :]
            return bool(MARK.fullmatch(mark)) and (bool(mark) or stem.endswith("/"))
    return False
