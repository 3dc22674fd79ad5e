"""Pages of 8 MB that were made to keep us busy: CPU time stays small, whatever they consist of."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest
from selectolax.lexbor import LexborHTMLParser

from dupgroups.content import extract
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing.sign import sign
from dupgroups.model import Page

pytestmark = pytest.mark.slow

SIZE = 8_000_000
ALLOWED = 6.0  # seconds of CPU; alone on a machine, none takes 2
PARSES = 40  # or as many times what parsing plain paragraphs of that size takes, on a slow or busy machine
TEXT = "The ferry struck a barge in the harbour on Monday morning and forty people were taken ashore. "
SCRIPT = '<script type="application/ld+json">'
URL = "https://e.org/2024/a"
METHODS = MethodSet()


def fill(unit: str) -> Callable[[int], str]:
    """So many characters of this unit; with a number in each, if it has a place for one."""
    if "{}" not in unit:
        return lambda size: unit * (size // len(unit))
    return lambda size: "".join(unit.replace("{}", str(at)) for at in range(size // (len(unit) + 4)))


def junk(size: int) -> str:
    return random.Random(1).randbytes(size).decode("latin-1")


PAGES: dict[str, tuple[str, Callable[[int], str], str]] = {
    "attributes": ("<p ", fill("a{}=1 "), ">"),
    "attributes not ended": ("<p ", fill('a="<b "'), ""),
    "attribute, giant": ('<p class="', fill("word "), '">'),
    "nested": ("", fill("<div>"), "x"),
    "reopened": ("", fill("<p><b id=x>"), ""),
    "end tags in a deep place": ("<div>" * 9_000, fill("</p>"), ""),
    "entities": ("<p>", fill("&amp;"), ""),
    "one long line": ("<p>", fill("word "), ""),
    "numbers": ("<p>", fill("{} "), ""),
    "Chinese bylines": ("<p>作者：", fill("王小 "), ""),
    "bylines": ("<p>", fill("By Jo Li, "), ""),
    "links": ("", fill("<a href=/a>x</a> "), ""),
    "options": ("<select>", fill("<option>"), ""),
    "JSON-LD": (SCRIPT + '{"@type":"NewsArticle","author":[', fill('{"name":"Jo"},'), "{}]}</script>"),
    "JSON-LD, article": (SCRIPT + '{"articleBody":"', fill("word "), '"}</script>' + f"<p>{TEXT}" * 20_000),
    "meta": ("", fill("<meta name=author content='Jo Li'>"), ""),
    "binary junk": ("", junk, ""),
}


def seconds(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def extracted_and_signed(html: str) -> None:
    extract(Page(URL, html))
    sign(Page(URL, text=html), METHODS)


@pytest.fixture(scope="module")
def allowed() -> float:
    """Seconds of CPU for 8 MB; also loads the models."""
    extracted_and_signed(f"<p>{TEXT}</p>")
    plain = f"<p>{TEXT}</p>" * (SIZE // (len(TEXT) + 7))
    return max(ALLOWED, PARSES * seconds(lambda: LexborHTMLParser(plain)))


@pytest.mark.parametrize("name", PAGES)
def test_no_page_keeps_us_busy(name: str, allowed: float) -> None:
    before, content, after = PAGES[name]
    for part in (20, 1):  # what is quadratic would not end soon at the whole size
        html = f"<title>Ferry</title><p>{TEXT * 5}</p>{before}{content(SIZE // part)}{after}"
        taken = seconds(lambda html=html: extracted_and_signed(html))  # type: ignore[misc]
        assert taken < (allowed if part == 1 else allowed / 4), f"1/{part} of 8 MB"
