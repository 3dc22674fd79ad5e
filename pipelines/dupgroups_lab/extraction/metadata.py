"""Titles, dates and authors of labelled pages, as this package and others find them, and the time they take.

Every reader gets the html and the URL of a page. Its time includes its own parse of the page, and for
dup-groups and newspaper4k the extraction of the text, with which they find these values.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from dupgroups.content import extract
from dupgroups.content.blocks import letters_and_digits
from dupgroups.model import Page
from dupgroups_lab.labels.pages import LabelledPage, read_pack

_NEAR = 3  # days: some gold dates are those on which a page was collected


class Described(NamedTuple):
    """What a reader says about a page; "" for what it does not find. `date` is ISO 8601."""

    title: str
    date: str
    author: str


Reader = Callable[[LabelledPage], Described]


@dataclass(slots=True)
class Row:
    """Counts of pages: with a date, and among those with gold how many the reader gets right; seconds.

    A date is `same` on the day of the gold, `near` within three days of it, and otherwise wrong. A title or
    author is right if its letters and digits are those of the gold.
    """

    pages: int = 0
    dates: int = 0
    gold_dates: int = 0
    dated: int = 0
    same: int = 0
    near: int = 0
    gold_titles: int = 0
    titles: int = 0
    gold_authors: int = 0
    authors: int = 0
    seconds: float = 0.0

    def add(self, page: LabelledPage, described: Described, seconds: float) -> None:
        """Count a page."""
        self.pages += 1
        self.seconds += seconds
        self.dates += bool(described.date)
        if page.date:
            days = _days_between(described.date, page.date)
            self.gold_dates += 1
            self.dated += days is not None
            self.same += days == 0
            self.near += days is not None and days <= _NEAR
        if page.title:
            self.gold_titles += 1
            self.titles += letters_and_digits(described.title) == letters_and_digits(page.title)
        if page.author:
            self.gold_authors += 1
            self.authors += letters_and_digits(described.author) == letters_and_digits(page.author)


def measure(
    packs: Sequence[Path], readers: Mapping[str, Reader], progress: Callable[[], None] = lambda: None
) -> dict[str, dict[str, Row]]:
    """The rows by pack and reader, over the pages not known to be no articles.

    `progress` is called after every page. Raises InputError for a folder that is not a pack.
    """
    packs_rows: dict[str, dict[str, Row]] = {}
    for page in (page for pack in packs for page in read_pack(pack) if page.kind != "other"):
        rows = packs_rows.setdefault(page.pack, {name: Row() for name in readers})
        for name, reader in readers.items():
            begin = time.process_time()
            described = reader(page)
            rows[name].add(page, described, time.process_time() - begin)
        progress()
    return packs_rows


def total(rows: Iterable[Row]) -> Row:
    """The sums of the counts."""
    summed = Row()
    for row in rows:
        for field in fields(Row):
            setattr(summed, field.name, getattr(summed, field.name) + getattr(row, field.name))
    return summed


def available_readers() -> dict[str, Reader | None]:
    """The readers by name; None for one that is not installed (extra `bench`)."""
    return {name: _installed(make) for name, make in _READERS.items()}


def _installed(make: Callable[[], Reader]) -> Reader | None:
    try:
        return make()
    except ImportError:
        return None


def _dup_groups() -> Reader:
    extract(Page(html=""))  # reads the weights, which is not the time of a page

    def read(page: LabelledPage) -> Described:
        content = extract(Page(page.url, page.html))
        return Described(content.title, content.date or "", content.author)

    return read


def _trafilatura() -> Reader:
    from trafilatura import extract_metadata

    def read(page: LabelledPage) -> Described:
        found = extract_metadata(page.html, default_url=page.url)
        if found is None:
            return Described("", "", "")
        return Described(found.title or "", found.date or "", found.author or "")

    return read


def _newspaper() -> Reader:
    from newspaper import Article

    def read(page: LabelledPage) -> Described:
        article: Any = Article(page.url or f"https://{page.site}/")
        try:
            article.download(input_html=page.html)
            article.parse()
        except Exception:  # of several libraries below it; such a page counts as not read
            return Described("", "", "")
        published = article.publish_date
        return Described(
            article.title or "", published.isoformat() if published else "", ", ".join(article.authors)
        )

    return read


_READERS: Mapping[str, Callable[[], Reader]] = {
    "dup-groups": _dup_groups,
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper,
}


def _days_between(found: str, gold: str) -> int | None:
    try:
        return abs((date.fromisoformat(found[:10]) - date.fromisoformat(gold[:10])).days)
    except ValueError:
        return None
