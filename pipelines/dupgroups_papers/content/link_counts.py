"""How many links of a page look like those of articles (Standke: Identifying Online News Articles)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from dupgroups.text.links import link_target

_NOT_PAGES = ("#", "javascript:", "mailto:", "tel:", "data:")


class LinkCounts(NamedTuple):
    """How many links of a page have each feature."""

    number: int
    date: int
    slash: int
    reserved: int
    short: int


def count_links(hrefs: Iterable[str]) -> LinkCounts:
    """Count the features of the `href`s of a page, as they are written, except links within the page.

    >>> count_links(["/2019/04/15/omar.html", "/video/7/", "#top"])
    LinkCounts(number=0, date=1, slash=1, reserved=1, short=2)
    """
    targets = [link_target(href) for href in hrefs if not href.startswith(_NOT_PAGES)]
    return LinkCounts(*map(sum, zip(*targets, strict=True))) if targets else LinkCounts(0, 0, 0, 0, 0)
