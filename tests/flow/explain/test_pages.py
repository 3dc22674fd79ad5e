"""Why a page has this text: what is explained is what happens."""

from __future__ import annotations

import math

import pytest

from dupgroups.content.extract import EXTRACTORS, extract
from dupgroups.flow.explain import explain_page
from dupgroups.flow.explain.pages import BLOCKS, GIVEN, LONGEST
from dupgroups.model import Page
from dupgroups_demo import build

DEMO = [page for site in build() for page in site.pages if page.article][::7]
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


@pytest.mark.parametrize("name", sorted(EXTRACTORS))
def test_each_extractor_keeps_what_it_is_said_to_keep(name: str) -> None:
    page = Page(html=DEMO[0].body)
    made = explain_page(page, name)
    assert "\n".join(block.text for block in made.blocks if block.kept) == extract(page, extractor=name).text
    assert made.extractor == name


@pytest.mark.parametrize(
    ("html", "name", "value", "found"),
    [
        (f"{HEAD}<h1>The quay fell in</h1>", "title", "The quay fell in", "the h1 that the title"),
        (HEAD, "title", "The quay fell in", "og:title"),
        ("<title>The quay fell in</title>", "title", "The quay fell in", "the title element"),
        ("<h1>The quay fell in</h1>", "title", "The quay fell in", "the first h1"),
        ("<meta name=author content='Jo Lee'>", "author", "Jo Lee", "meta author"),
        (
            '<script type="application/ld+json">{"author": {"name": "Jo Lee"}}</script>',
            "author", "Jo Lee", "JSON-LD, author",
        ),
        ('<p>x<span rel="author">Jo Lee</span>', "author", "Jo Lee", "an element marked as author"),
        ("<meta name=pubdate content=2026-03-04>", "date", "2026-03-04", "meta pubdate"),
        (
            '<script type="application/ld+json">{"datePublished": "2026-03-04"}</script>',
            "date", "2026-03-04", "JSON-LD, date of publication",
        ),
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


def test_where_the_date_and_the_author_are_read_beside_the_text() -> None:
    sentences = (
        "The quay fell into the harbour on Wednesday, and two people are missing, police said.",
        "Divers searched the harbour until dark, and will go on in the morning, the coast guard said.",
        "Nobody knows why it fell: it had been inspected in the spring, and nothing was found then.",
    )
    text = "".join(f"<p>{sentence}" for sentence in sentences)
    found = sources(Page(html=f"<h1>The quay fell in</h1><p>By Jo Lee<p>4 March 2026{text}"))
    assert found["author"] == ("Jo Lee", "the byline beside the text")
    assert found["date"] == ("2026-03-04", "the line beside the headline")


def test_what_comes_with_the_page_is_said_to() -> None:
    page = Page(text="A text.", title="T", date="2026-01-01", language="en", url="https://a.example/1")
    assert {sources(page)[name][1] for name in ("title", "date", "language", "url")} == {GIVEN}
    assert (explain_page(page).blocks, explain_page(page).evidence) == ((), ())


def test_large_pages_are_cut() -> None:
    made = explain_page(Page(html=f"<p>{'long ' * LONGEST}" + "<p>x" * (BLOCKS + 9)))
    assert (len(made.blocks), made.more) == (BLOCKS, 10)
    assert max(len(block.text) for block in made.blocks) == LONGEST
