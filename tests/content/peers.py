"""`python -m content.peers`: the rows of `test_own.py` that other extractors pass, as a table of Markdown.

Each test of that file is a kind of page, and its parameters are the variations. Here `found`, which the tests
ask, is another extractor: trafilatura, newspaper4k, and htmldate where only a date is asked for. What a
library does not give at all (whether a page is an article) counts as not passed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from content import pages as content_pages
from content import test_own

Found = Callable[..., Any]
DATES = {
    "time",
    "dates",
    "date",
    "day",
    "update",
    "labels",
    "beside",
}  # words in the names of tests of dates alone


def trafilatura() -> Found:
    from trafilatura import bare_extraction

    def found(html: str, url: str | None = test_own.URL) -> Any:
        got = bare_extraction(html, url=url, with_metadata=True)
        author = (got.author or "").replace("; ", ", ") if got else ""
        title, date, text = (got.title, got.date, got.text) if got else ("", None, "")
        return SimpleNamespace(title=title, author=author, date=date, text=text or "", article=0.0)

    return found


def newspaper4k() -> Found:
    from newspaper import Article

    def found(html: str, url: str | None = test_own.URL) -> Any:
        article: Any = Article(url or test_own.URL, fetch_images=False)
        article.download(input_html=html)
        article.parse()
        date = str(article.publish_date or "").replace(" ", "T") or None
        text = "\n".join(line for line in article.text.splitlines() if line)
        return SimpleNamespace(
            title=article.title, author=", ".join(article.authors), date=date, text=text, article=0.0
        )

    return found


def htmldate() -> Found:
    from htmldate import find_date

    def found(html: str, url: str | None = test_own.URL) -> Any:
        return SimpleNamespace(date=find_date(html, url=url, original_date=True))

    return found


class Day(str):
    """A date that equals one of the same day: other extractors give no time."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and self[:10] == other[:10]

    __hash__ = str.__hash__


class Counting:
    """A plugin of pytest that asks `found` and counts what passes, by the name of the test."""

    def __init__(self, found: Found) -> None:
        self.found, self.passed, self.all = found, Counter[str](), Counter[str]()

    def ask(self, *page: Any, **options: Any) -> Any:
        got = self.found(*page, **options)
        beside = (
            content_pages.HEADLINE,
            "By Jo Brandt",
            "By [Jo Brandt]",
        )  # whether these belong to it is a matter of taste
        text = (
            "\n".join(line for line in (got.text or "").splitlines() if not line.startswith(beside))
            if hasattr(got, "text")
            else ""
        )
        values = {name: getattr(got, name, None) for name in ("title", "author", "date", "text", "article")}
        return SimpleNamespace(**values | {"text": text, "date": Day(got.date) if got.date else None})

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        own, item.module.found = item.module.found, self.ask
        try:
            return (yield)
        finally:
            item.module.found = own

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call":
            name = report.nodeid.partition("::test_")[2].partition("[")[0]
            self.all[name] += 1
            self.passed[name] += report.passed


def main() -> None:
    """Print the table."""
    columns = {}
    for name, make in (("dup-groups", lambda: test_own.found), *PEERS.items()):
        columns[name] = counting = Counting(make())
        pytest.main(
            [
                "-qq",
                "--no-header",
                "--no-summary",
                "--tb=no",
                "-p",
                "no:cacheprovider",
                str(test_own.__file__),
            ],
            plugins=[counting],
        )
    print("|kind|" + "|".join(columns) + "|")
    print("|---|" + "---|" * len(columns))
    for kind in columns["dup-groups"].all:
        is_date = not DATES.isdisjoint(kind.split("_"))
        cells = [
            f"{column.passed[kind]}/{column.all[kind]}" if is_date or name != "htmldate" else "-"
            for name, column in columns.items()
        ]
        print(f"|{kind.replace('_', ' ')}|{'|'.join(cells)}|")


PEERS = {"trafilatura": trafilatura, "newspaper4k": newspaper4k, "htmldate": htmldate}

if __name__ == "__main__":
    main()
