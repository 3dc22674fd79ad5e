"""How many links of a page look like those of articles (Standke: Identifying Online News Articles).

Links are resolved to absolute URLs first: as they are written, hosts and lengths tell sites apart. As in the
slides, a URL is reserved when it contains a reserved word; `link_target` compares whole segments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urljoin

from dupgroups.text.links import RESERVED_WORDS, link_target

_NOT_PAGES = ("#", "javascript:", "mailto:", "tel:", "data:")
_RESERVED_PATTERN = re.compile(rf"(?<![a-z])(?:{'|'.join(sorted(RESERVED_WORDS))})(?![a-z])")


class LinkCounts(NamedTuple):
    """How many links of a page have each feature."""

    number: int
    date: int
    slash: int
    reserved: int
    short: int


def count_links(hrefs: Iterable[str], url: str = "") -> LinkCounts:
    """Count the features of the `href`s of the page at `url`, except links within the page.

    Without a `url` they are taken as they are written.

    >>> count_links(["/2019/04/15/omar.html", "7/", "#top"], "https://example.org/video-news/")
    LinkCounts(number=0, date=1, slash=1, reserved=1, short=2)
    """
    links = [_absolute(url, href) for href in hrefs if not href.startswith(_NOT_PAGES)]
    targets = [
        link_target(link)._replace(reserved=_RESERVED_PATTERN.search(link.lower()) is not None)
        for link in links
    ]
    return LinkCounts(*map(sum, zip(*targets, strict=True))) if targets else LinkCounts(0, 0, 0, 0, 0)


def _absolute(url: str, href: str) -> str:
    try:
        return urljoin(url, href)
    except ValueError:  # an invalid host
        return href
