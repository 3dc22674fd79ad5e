"""Why a page has this text: what is explained is what happens."""

from __future__ import annotations

import math

import pytest

from dupgroups.content.article_score import article_score
from dupgroups.content.extract import EXTRACTORS, extract
from dupgroups.flow.explain import explain_page
from dupgroups.flow.explain.pages import GIVEN, UNEXPLAINED
from dupgroups.model import Page
from dupgroups_demo import build

DEMO = [page for site in build() for page in site.pages if page.article][::7]
JSON = '<script type="application/ld+json">{%s}</script>'
HEAD = "<title>The quay fell in</title><meta property=og:title content='The quay fell in'>"


def sources(page: Page) -> dict[str, tuple[str, str]]:
    return {source.name: (source.value, source.found) for source in explain_page(page).sources}


@pytest.mark.parametrize("demo", DEMO, ids=range(len(DEMO)))
def test_the_blocks_that_are_kept_are_the_text_and_the_numbers_give_the_probability(demo: object) -> None:
    page = Page(html=demo.body, url=f"https://news.example{demo.path}")  # type: ignore[attr-defined]
    made = explain_page(page)
    assert made.content == extract(page)
    assert "\n".join(block.text for block in made.blocks if block.kept) == made.content.text
    odds = math.fsum(part.contribution for part in made.evidence)
    assert 1 / (1 + math.exp(-odds)) == pytest.approx(made.content.article)
    assert made.tree == article_score(page, "c45")
    assert made.path[-1].articles == pytest.approx(made.tree)
    assert {*made.extractors, UNEXPLAINED} == set(EXTRACTORS)


@pytest.mark.parametrize(
    ("html", "name", "value", "found"),
    [
        (f"{HEAD}<h1>The quay fell in</h1>", "title", "The quay fell in", "the h1 that the title"),
        (HEAD, "title", "The quay fell in", "og:title"),
        ("<title>The quay fell in</title>", "title", "The quay fell in", "the title element"),
        ("<h1>The quay fell in</h1>", "title", "The quay fell in", "the first h1"),
        ("<meta name=author content='Jo Lee'>", "author", "Jo Lee", "meta author"),
        (JSON % '"author": {"name": "Jo Lee"}', "author", "Jo Lee", "JSON-LD, author"),
        ('<p>x<span rel="author">Jo Lee</span>', "author", "Jo Lee", "an element marked as author"),
        ("<meta name=pubdate content=2026-03-04>", "date", "2026-03-04", "meta pubdate"),
        (JSON % '"datePublished": "2026-03-04"', "date", "2026-03-04", "JSON-LD, date of publication"),
        ("<time datetime=2026-03-04>x</time>", "date", "2026-03-04", "the first time element"),
        ("<p>x", "author", "", ""),
        ("<link rel=canonical href=/news/1>", "url", "https://news.example/news/1", "the canonical link"),
        ("<p>x", "url", "https://news.example/news/1/amp", GIVEN),
    ],
)  # fmt: skip
def test_where_it_was_found(html: str, name: str, value: str, found: str) -> None:
    shown, where = sources(Page(html=html, url="https://news.example/news/1/amp"))[name]
    assert shown == value
    assert where.startswith(found)
    assert bool(where) is bool(found)
