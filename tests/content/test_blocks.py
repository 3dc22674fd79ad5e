"""Division into blocks: the definition, an independent parser as oracle, and pages that want to break it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.pages import HEADLINE_ZH, STORY_ZH, news_page
from dupgroups.content import bounds, extract
from dupgroups.content.blocks import Blocks, divide, read
from dupgroups.content.blocks_lxml import LxmlTree
from dupgroups.model import Page


def texts(page: Blocks) -> list[str]:
    return [block.text for block in page.blocks]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", []),
        ("plain", ["plain"]),
        ("<p>one <b>two</b> <a href=x>three</a>", ["one two three"]),
        ("a<br>b<hr>c", ["a", "b", "c"]),
        ("<div>a<p>b</p>c</div>d", ["a", "b", "c", "d"]),
        ("<td>a<td>b", ["ab"]),  # cells outside a table are not elements
        ("<table><tr><td>a<td>b", ["a", "b"]),
        ("<p>a<script>x</script>b<style>y</style>", ["ab"]),
        ("<p> \n\t </p><p>\u3000 x\u00a0y </p>", ["x y"]),
        ("<p>snow<wbr>ball <time>now</time>", ["snowball now"]),
        ("<a href=x>one<p>two</p></a>", ["one", "two"]),
        ("<!-- no --><p>yes<!-- no -->!", ["yes!"]),
        ("<title>no</title><select><option>no</select><p>yes", ["yes"]),
    ],
)
def test_a_block_is_text_without_a_line_break(html: str, expected: list[str]) -> None:
    assert texts(divide(html)) == expected


def test_blocks_carry_links_emphasis_and_the_box_they_stand_in() -> None:
    page = divide(
        '<div class="story lead" id=s><p>one <a href=x>two</a> <b>three</b></p></div><p hidden><b>x'
    )
    block, unseen = page.blocks
    assert (block.linked, block.links, block.strong) == (3, 1, 5)
    paragraph = page.boxes[block.box]
    assert paragraph.tag == "p"
    assert page.boxes[paragraph.parent].name == "story lead s"
    assert (page.boxes[block.box].hidden, page.boxes[unseen.box].hidden) == (False, True)


def test_items_of_a_list_are_of_one_make() -> None:
    page = divide("<ul class=menu><li>a<li>b</ul><ul><li>c</ul>")
    first, second, other = (page.boxes[block.box].make for block in page.blocks)
    assert first == second != other
    around, tag, name = page.makes[first]
    assert (tag, name, page.makes[around][1:]) == ("li", "", ("ul", "menu"))


def test_boxes_below_a_box_follow_it_up_to_its_end() -> None:
    page = divide("<div><p>a</p><div><p>b</p></div></div><p>c</p>")
    for index, end in enumerate(page.ends):
        below = [at for at in range(len(page.boxes)) if at != index and index in ancestors(page, at)]
        assert below == list(range(index + 1, end))


def ancestors(page: Blocks, index: int) -> list[int]:
    up = [index]
    while page.boxes[up[-1]].parent != up[-1]:
        up.append(page.boxes[up[-1]].parent)
    return up


inline = st.sampled_from(["b", "span", "em", "code", "strong"])
block_tags = st.sampled_from(["div", "section", "blockquote", "ul", "article"])
words = st.text(alphabet="abc é你.\n ", max_size=12)


def element(tag: str, inside: list[str]) -> str:
    return f"<{tag}>{''.join(inside)}</{tag}>"


links = words.map(lambda text: f"<a href=x>{text}</a>")  # links in links are where parsers part
phrases = st.recursive(
    words | links, lambda inner: st.builds(element, inline, st.lists(inner, max_size=3)), max_leaves=6
)
pages = st.recursive(
    phrases,
    lambda inner: st.builds(element, block_tags, st.lists(inner | st.just("<br>"), max_size=4)),
    max_leaves=15,
)


@given(pages)
def test_another_parser_gives_the_same_blocks(body: str) -> None:
    html = f"<html><head><title>t</title></head><body>{body}</body></html>"
    ours, other = divide(html), read(LxmlTree(html.encode()).root)
    assert [block[:4] for block in ours.blocks] == [block[:4] for block in other.blocks]
    one, two = (
        [[page.boxes[at].tag for at in ancestors(page, block.box)] for block in page.blocks]
        for page in (ours, other)
    )
    assert one == two


WITHOUT = """
import sys
sys.modules["selectolax"] = sys.modules["selectolax.lexbor"] = None
from dupgroups import extract
for line in sys.stdin:
    content = extract(bytes.fromhex(line), "https://courier.example/a")
    print(ascii((content.text, content.title, content.language)))
"""


def test_without_selectolax_a_page_has_the_same_story() -> None:
    pages = [news_page(), news_page(HEADLINE_ZH, STORY_ZH, lang="zh"), "", "<!-- -->", "a\0b \ud800"]
    sources = [page.encode("utf-8", "surrogatepass") for page in pages]
    lines = "".join(f"{source.hex()}\n" for source in sources)
    run = subprocess.run([sys.executable, "-c", WITHOUT], input=lines, capture_output=True, text=True)
    ours = [extract(Page("https://courier.example/a", source)) for source in sources]
    assert run.stdout.splitlines() == [ascii((block.text, block.title, block.language)) for block in ours], (
        run.stderr
    )


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * (bounds.MAX_DEPTH - 10) + "deep",
        "<table>" * 3_000 + "deep",
        "<p>deep<!-- never closed",
        "<p>deep\0\0",
    ],
)
def test_nothing_breaks_it(html: str) -> None:
    assert "deep" in "".join(texts(divide(html)))


LONG_AND_FLAT = "<div><p>a<ul><li>b<li>c</ul><br><img src=x></div>" * 2_000


@pytest.mark.parametrize(
    ("page", "read"),
    [
        ("<select>" + "<option>a" * 9_999, bounds.MAX_OPTIONS * 9 + 8),
        ("<select>" + "<option>a" * 3_000 + "</select><select>" + "<option>a" * 3_000, 54_017),
        ("<div>" * 9_000 + "</p>" * 20_000, 45_000 + 4 * 7_000),
        ("<p>" + "</p>" * 999_999, 4 * bounds.MAX_TAGS),
        (LONG_AND_FLAT, len(LONG_AND_FLAT)),
    ],
    ids=["options", "two lists", "deep", "end tags", "long and flat"],
)
def test_a_page_is_cut_where_its_tags_take_long_to_parse(page: str, read: int) -> None:
    assert len(divide(page).html) == pytest.approx(read, rel=0.05)


def test_a_page_beyond_the_limits_is_cut() -> None:
    page = divide("<p>story</p>" + "<div>" * 1_000_000 + "deep")
    assert texts(page) == ["story"]
    assert len(page.boxes) <= bounds.MAX_DEPTH + 5
    assert len(divide("<p>a" * (bounds.MAX_NODES // 2 + 1000)).blocks) <= bounds.MAX_NODES // 2
    assert texts(divide("a" * (bounds.MAX_CHARS + 5))) == ["a" * bounds.MAX_CHARS]


reopened = "".join(f"<b id=x{number}>" for number in range(2_000))


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{reopened}</p>" + "<p>a" * 2_000,
        f"<p>{reopened.replace('<b ', '<FONT/')}</p>" + "<p>a" * 2_000,
    ],
)
def test_elements_that_are_opened_anew_in_every_paragraph_do_not_fill_the_memory(html: str) -> None:
    page = divide("<p>story</p>" + html)
    assert texts(page)[0] == "story"
    assert len(page.blocks) * 2_000 <= bounds.MAX_COPIES + 2_000
    careless = "<b><i><font color=red>" * 40 + "<p>a" * 1_000 + "<i class=icon></i>" * 2_000
    assert len(divide(careless).blocks) == 1_000, "who forgets to end a few of them is not cut"


HUNGRY = """
import resource, sys
from dupgroups import extract
html = eval(sys.argv[1])
extract("<p>warm \\u6e21")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
extract(html)
unit = 1 if sys.platform == "darwin" else 1024
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit // 1_000_000)
"""


@pytest.mark.parametrize(
    "page",
    [
        "'<p>a' * 1_700_000",
        "bytes(range(256)) * 32_000",
        "'<p>' + ''.join(f'<b id=x{i}>' for i in range(2_000)) + '</p><p>a' * 2_000",
        "''.join(f'<div class=a{i}>t{i}</div>' for i in range(100_000))",
    ],
)
def test_the_worst_pages_take_a_bounded_amount_of_memory(page: str) -> None:
    run = subprocess.run([sys.executable, "-c", HUNGRY, page], capture_output=True, text=True, check=True)
    assert int(run.stdout) < 160, "MB more than before"
