"""Pages of 8 MB that were made to keep the extraction busy: CPU time is small, and grows with the size."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from dupgroups.content import extract
from dupgroups.model import Page

SIZE = 8_000_000
ALLOWED = 10.0  # seconds of CPU; alone on a machine, none takes 2
NOTICEABLE = 0.5  # seconds below which growth is not measurable
GROWTH = 3.0  # from half the size to the whole: 2 is linear, 4 is quadratic
TEXT = "The ferry struck a barge in the harbour on Monday morning and forty people were taken ashore. "


def fill(unit: str) -> Callable[[int], str]:
    return lambda size: unit * (size // len(unit))


def numbered(unit: str) -> Callable[[int], str]:
    return lambda size: "".join(unit.format(number) for number in range(size // (len(unit) + 4)))


SCRIPT = '<script type="application/ld+json">'
PAGES: dict[str, tuple[str, Callable[[int], str], str]] = {
    "attributes": ("<p ", numbered("a{}=1 "), ">"),
    "attributes, quoted": ("<p ", numbered("a{}='>' "), ">"),
    "attributes without values": ("<p ", numbered("a{}/"), ">"),
    "attributes of an end tag": ("<p></p ", numbered("a{}=1 "), ">"),
    "attributes not ended": ("<p ", fill('a="<b '), ""),
    "attributes, the same": ("<p ", fill('rel="author" '), ">"),
    "classes": ('<p class="', numbered("c{} "), '">'),
    "nested": ("", fill("<div>"), "x"),
    "nested, with text": ("", fill("<div><p>a"), ""),
    "nested tables": ("", fill("<table><tr><td>"), ""),
    "nested links": ("", fill("<a><div>"), ""),
    "reopened": ("", fill("<p><b id=x>"), ""),
    "end tags": ("", fill("</p>"), ""),
    "end tags in a deep place": ("<div>" * 9_000, fill("</b>"), ""),
    "entities": ("<p>", fill("&amp;"), ""),
    "entities, long": ("<p>", fill("&CounterClockwiseContourIntegral;"), ""),
    "entity, one": ("<p>&#", fill("1"), ";"),
    "one long line": ("<p>", fill("word "), ""),
    "one word": ("<p>", fill("a"), ""),
    "tiny tags": ("", fill("<b>a</b>"), ""),
    "line breaks": ("", fill("<br>"), ""),
    "links": ("", fill("<a href=/a>x</a> "), ""),
    "options": ("<select>", fill("<option>"), ""),
    "angle brackets": ("", fill("<"), ""),
    "comments": ("", fill("<!--"), ""),
    "comments, ended": ("", fill("<!-- a -->"), ""),
    "scripts": ("", fill("<script>"), ""),
    "scripts, ended": ("", fill("<script>x</script>"), ""),
    "styles": ("<style>", numbered(".a{} p{{display:none}}"), "</style>"),
    "JSON-LD": (SCRIPT + '{"@type":"NewsArticle","author":[', fill('{"name":"Jo"},'), "{}]}</script>"),
    "JSON-LD, blanks": (SCRIPT + '{"@type":', fill(" "), "x</script>"),
    "JSON-LD, nested": (SCRIPT + '{"author":', fill("["), "</script>"),
    "JSON-LD, many": ("", fill(SCRIPT + '{"@type":"NewsArticle",</script>'), ""),
    "meta": ("", fill("<meta name=author content='Jo Li'>"), ""),
    "meta, long": ('<meta name=author content="', fill("Jo Li and "), '">'),
    "meta, dates": ("", fill("<meta name=date content=2020-01-01>"), ""),
    "titles": ("<title>", fill("a - "), "</title>"),
    "bylines": ("<p>", fill("By Jo Li, "), ""),
}


def cpu_seconds(name: str, size: int) -> float:
    before, content, after = PAGES[name]
    page = Page(
        "https://e.org/2024/a", f"<title>Ferry</title><p>{TEXT * 5}</p>{before}{content(size)}{after}"
    )
    begin = time.thread_time()
    extract(page)
    return time.thread_time() - begin


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def models_are_loaded() -> None:
    extract(Page("https://e.org/2024/a", f"<p>{TEXT}</p>"))


@pytest.mark.parametrize("name", PAGES)
def test_no_page_keeps_the_extraction_busy(name: str) -> None:
    small = cpu_seconds(name, SIZE // 20)  # what is quadratic would not end soon at the whole size
    assert small < ALLOWED / 5, "a page of 0.4 MB"
    whole = cpu_seconds(name, SIZE)
    assert whole < ALLOWED
    if whole > NOTICEABLE:
        assert min(whole / cpu_seconds(name, SIZE // 2) for _ in range(3)) < GROWTH
