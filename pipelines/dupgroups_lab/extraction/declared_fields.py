"""Titles, authors, dates and site names of labelled pages, as this package and others find them.

Every reader gets the html and the URL of a page (the front page of its site, if the URL is unknown). Its time
includes its own parse of the page, and for dup-groups, newspaper4k and news-please the extraction of the
text, with which they find these values.

| field | equal | close (0 to 1) |
|---|---|---|
| title | the letters and digits of the gold | F1 of the words; of the characters in Chinese and Japanese |
| authors | the same set of names, by their letters and digits | F1 of the sets |
| date | the day of the gold | 1 within three days: some gold dates are those on which a page was collected |
| site | spells the domain: the name is part of it, holds it, or has its initials | the same |
"""

import logging
import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from dupgroups.content import extract
from dupgroups.content.headlines import spells
from dupgroups.content.letters import block_words, letters_and_digits
from dupgroups.model import Page
from dupgroups_lab.labels.labelled_pages import LabelledPage, read_pack

FIELDS = ("title", "author", "date", "site")
_NEAR_DAYS = 3  # days
_HOST = re.compile(r"[a-z0-9.-]+\.[a-z]{2,}")  # is no name
_JOINTS = re.compile(r"[,;、，|]|\s(?:and|&|und|et|y)\s", re.IGNORECASE)


class Described(NamedTuple):
    """The declarations that a reader finds on a page; "" for each that it does not find. `date` is ISO
    8601."""

    title: str = ""
    author: str = ""
    date: str = ""
    site: str = ""


Reader = Callable[[LabelledPage], Described]


@dataclass(slots=True)
class Tally:
    """Pages with gold, those on which the reader finds something, equal values, and the sum of `close`."""

    gold: int = 0
    found: int = 0
    equal: int = 0
    close: float = 0.0

    def add(self, name: str, found: str, gold: str) -> None:
        """Count a value of the field with this name."""
        close = _CLOSE[name](found, gold) if found else 0.0
        self.gold += 1
        self.found += bool(found)
        self.equal += _days_between(found, gold) == 0 if name == "date" else close == 1
        self.close += close


@dataclass(slots=True)
class Row:
    """The tally of each field, the number of pages and the seconds of processor time."""

    fields: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in FIELDS})
    pages: int = 0
    seconds: float = 0.0

    def add(self, page: LabelledPage, described: Described, seconds: float) -> None:
        """Count a page."""
        self.pages += 1
        self.seconds += seconds
        for name, tally in self.fields.items():
            gold = getattr(page, name)
            if gold and (name != "site" or "." in gold):
                tally.add(name, getattr(described, name), gold)


def measure(
    packs: Sequence[Path], readers: Mapping[str, Reader], progress: Callable[[], None] = lambda: None
) -> dict[str, dict[str, Row]]:
    """The rows by pack and reader, over the pages not known to be no articles; "all" are several packs.

    `progress` is called after every page. Raises InputError for a folder that is not a pack.
    """
    rows: dict[str, dict[str, Row]] = {}
    for page in (page for pack in packs for page in read_pack(pack) if page.kind != "other"):
        for name, reader in readers.items():
            begin = time.process_time()
            described = reader(replace(page, url=page.url or f"https://{page.site}/"))
            seconds = time.process_time() - begin
            for pack in (page.pack, "all") if len(packs) > 1 else (page.pack,):
                rows.setdefault(pack, {}).setdefault(name, Row()).add(page, described, seconds)
        progress()
    return {pack: rows[pack] for pack in sorted(rows, key=lambda pack: pack == "all")}


def available_readers() -> dict[str, Reader | None]:
    """The readers by name; None for one that is not installed (extra `bench`)."""
    readers: dict[str, Reader | None] = dict.fromkeys(_READERS)
    for name, make in _READERS.items():
        with suppress(ImportError):
            readers[name] = make()
    return readers


def _dup_groups() -> Reader:
    extract(Page(html=""))  # reads the weights, which is not the time of a page

    def read(page: LabelledPage) -> Described:
        content = extract(Page(page.url, page.html))
        return Described(content.title, content.author, content.date or "", content.site or "")

    return read


def _trafilatura() -> Reader:
    from trafilatura import extract_metadata

    def read(page: LabelledPage) -> Described:
        found = extract_metadata(page.html, default_url=page.url)
        if found is None:
            return Described()
        author = (found.author or "").replace("; ", ", ")
        return Described(found.title or "", author, found.date or "", found.sitename or "")

    return read


def _htmldate() -> Reader:
    from htmldate import find_date

    return lambda page: Described(date=find_date(page.html, original_date=True, url=page.url) or "")


def _newspaper() -> Reader:
    from newspaper import Article

    def read(page: LabelledPage) -> Described:
        article: Any = Article(page.url, fetch_images=False)
        try:
            article.download(input_html=page.html)
            article.parse()
        except Exception:  # of several libraries below it; such a page counts as not read
            return Described()
        return Described(
            article.title or "",
            ", ".join(article.authors),
            str(article.publish_date or ""),
            article.meta_site_name or "",
        )

    return read


def _news_please() -> Reader:
    from newsplease import NewsPlease

    logging.getLogger("readability").setLevel(logging.CRITICAL)  # it logs the pages on which it fails

    def read(page: LabelledPage) -> Described:
        try:
            article: Any = NewsPlease.from_html(page.html, page.url, fetch_images=False)
        except Exception:  # of several libraries below it; such a page counts as not read
            return Described()
        authors = ", ".join(article.authors or ())
        return Described(article.title or "", authors, str(article.date_publish or ""))  # no name of a site

    return read


_READERS: Mapping[str, Callable[[], Reader]] = {
    "dup-groups": _dup_groups,
    "trafilatura": _trafilatura,
    "htmldate": _htmldate,
    "newspaper4k": _newspaper,
    "news-please": _news_please,
}


def _title(found: str, gold: str) -> float:
    if letters_and_digits(found) == letters_and_digits(gold):
        return 1.0
    return _f1(block_words(found.lower()), block_words(gold.lower()))


def _names(author: str) -> set[str]:
    return {letters_and_digits(name) for name in _JOINTS.split(author)} - {""}


def _f1(found: Collection[str], gold: Collection[str]) -> float:
    shared = sum((Counter(found) & Counter(gold)).values())
    return 2 * shared / max(len(found) + len(gold), 1)


def _days_between(found: str, gold: str) -> float:
    try:
        return abs((date.fromisoformat(found[:10]) - date.fromisoformat(gold[:10])).days)
    except ValueError:
        return float("inf")


_CLOSE: Mapping[str, Callable[[str, str], float]] = {
    "title": _title,
    "author": lambda found, gold: _f1(_names(found), _names(gold)),
    "date": lambda found, gold: _days_between(found, gold) <= _NEAR_DAYS,
    "site": lambda found, gold: not _HOST.fullmatch(found) and spells(found, gold),
}
