"""Pages of 8 MB that were made to keep us busy: CPU time grows as they do, whatever they consist of."""

import random
import time
from collections.abc import Callable

import pytest

from dupgroups.content import extract
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign
from dupgroups.model import Page

pytestmark = pytest.mark.slow

SIZE = 8_000_000
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
    "JSON-LD, blanks in a name": (SCRIPT + '{"author":"Jo', fill(" "), '"}</script>'),
    "JSON-LD, signs in a name": (SCRIPT + '{"author":"Jo (', fill("@"), '"}</script>'),
    "JSON-LD, article": (SCRIPT + '{"articleBody":"', fill("word "), '"}</script>' + f"<p>{TEXT}" * 20_000),
    "meta": ("", fill("<meta name=author content='Jo Li'>"), ""),
    "states of scripts": ("<script>", fill('a={"'), "</script>"),
    "hidden spans": ("<p>", fill("<span hidden>"), "x"),
    "JSON-LD, comments": (SCRIPT, fill("/*"), "</script>"),
    "binary junk": ("", junk, ""),
}


@pytest.mark.parametrize("name", PAGES)
def test_no_page_keeps_us_busy(name: str) -> None:
    """Twenty times as much takes less than sixty times as long; what is quadratic, 400 times."""
    before, content, after = PAGES[name]

    def seconds(size: int) -> float:
        html = f"<title>Ferry</title><p>{TEXT * 5}</p>{before}{content(size)}{after}"
        begin = time.process_time()
        extract(Page(URL, html))
        sign(Page(URL, text=html), METHODS)
        return time.process_time() - begin

    seconds(1_000)  # loads the models
    assert seconds(SIZE) < 60 * max(seconds(SIZE // 20), 0.05)
