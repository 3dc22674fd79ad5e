"""The facts of the demo: what its pages say of themselves, and what is told about them."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

import pytest

from dupgroups.content import extract
from dupgroups.model import Content, Page
from dupgroups_demo.pages import DemoPage, DemoSite, build
from dupgroups_demo.report import show_facts


@dataclass
class Stored:
    content: Content


@cache
def articles() -> tuple[list[DemoSite], list[tuple[DemoPage, Content]]]:
    sites = build()
    pages = [(site.url + page.path, page) for site in sites for page in site.pages if page.article]
    return sites, [(page, extract(Page(url, page.body))) for url, page in pages if url == page.canonical]


def wrong(**changed: str) -> int:
    """How many facts are wrong if the first page said something else."""
    sites, (first, *others) = articles()
    contents = [replace(first[1], **cast(Any, changed)), *(content for _, content in others)]
    return show_facts([cast(Any, Stored(content)) for content in contents], sites)


def test_the_day_of_every_article_is_that_below_its_headline_not_one_of_the_sidebar() -> None:
    found = {page.path: (content.date or "")[:10] for page, content in articles()[1]}
    assert found == {page.path: page.published[:10] for page, _ in articles()[1]}
    assert any(
        "Reservoir levels, Thursday 5 March 2026" in page.body.decode("latin-1") for page, _ in articles()[1]
    )


def test_no_article_of_the_demo_has_an_author_that_it_does_not_name() -> None:
    assert wrong() == 0
    assert sum(bool(content.author) for _, content in articles()[1]) >= 15


@pytest.mark.parametrize("changed", [{"date": "2026-03-01"}, {"author": "Gus Troll"}])
def test_the_demo_counts_what_is_wrong(changed: dict[str, str]) -> None:
    assert wrong(**changed) >= 1
