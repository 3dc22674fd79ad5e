"""Division into blocks: the definition, and pages that want to break it."""

from __future__ import annotations

import pytest

from content.pages import STORY
from dupgroups.content import bounds
from dupgroups.content.blocks import divide, parse


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", []),
        ("<p>one <b>two</b> <a href=x>three</a>", ["one two three"]),
        ("a<br>b<hr>c", ["a", "b", "c"]),
        ("<table><tr><td>a<td>b", ["a", "b"]),
        ("<p>a<script>x</script>b<style>y</style>", ["ab"]),
        ("<p> \n\t </p><p>\u3000 x\u00a0y </p>", ["x y"]),
        ("<a href=x>one<p>two</p></a>", ["one", "two"]),
        ("<!-- no --><p>yes<!-- no -->!", ["yes!"]),
        (
            "<p>the <g class=x>ferry</g> <g>hit</g> a <x-pier>pier</x-pier>.</p><x-a>one</x-a><x-a>two</x-a>",
            ["the ferry hit a pier.", "one", "two"],
        ),
        (
            "<div>the <q-link>ferry</q-link></div><p>\u200b\xad</p><p>fer\xadry\u200b \u200fpi\u2060er",
            ["the ferry", "ferry pier"],
        ),
        ("<p>石<ruby>嶺<rp>(</rp><rt>みね</rt><rp>)</rp></ruby>町", ["石嶺町"]),
    ],
)
def test_a_block_is_text_without_a_line_break(html: str, expected: list[str]) -> None:
    assert divide(html).texts == expected


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


@pytest.mark.parametrize(
    "unseen",
    [
        "<small class=sr-only>opens a new tab</small>",
        "<em style='display:none'>opens a new tab</em>",
        "<i class=material-icons>open_in_new</i>",
        "<span class=element-invisible>opens a new tab</span>",
        "<span class='lead show-for-sr'>opens a new tab</span>",
    ],
)
def test_what_no_reader_sees_in_a_line_is_left_out(unseen: str) -> None:
    html = f"<p>The <i>report</i>{unseen} is <small>out</small>."
    assert divide(html).texts == ["The report is out."]
    root = parse(html)
    assert root is not None
    assert "open" not in root.text()


@pytest.mark.parametrize("opened", ["<a name=top>", "<a href=/x>", "<a name=a><a name=b>"])
def test_a_link_that_is_not_closed_is_none_where_it_holds_the_whole_story(opened: str) -> None:
    paragraphs = "".join(f"<p>{text}</p>" for text in STORY)
    page = divide(f"<h1>Ferry</h1>{opened}{paragraphs}<p>See <a href=/y>the report</a>.</p>")
    assert page.texts == ["Ferry", *STORY, "See the report."]
    assert page.linked == [0] * (1 + len(STORY)) + [len("the report")]
    cards = "".join(f"<a href=/{n}><h2>Ferry {n}</h2><p>{text}</p></a>" for n, text in enumerate(STORY))
    assert sum(divide(cards).linked) == sum(map(len, divide(cards).texts))


def test_a_tag_that_html_does_not_know_is_never_taken_for_that_of_another_page() -> None:
    tags = [f"story-{number}" for number in range(20)]
    assert [divide(f"<{tag}>a").boxes[-1].tag for tag in tags] == tags


LONG_AND_FLAT = "<div><p>a<ul><li>b<li>c</ul><br><img src=x></div>" * 2_000


@pytest.mark.parametrize(
    ("page", "read"),
    [
        ("<select>" + "<option>a" * 9_999, bounds.MAX_OPTIONS * 9 + 8),
        ("<div>" * 9_000 + "</p>" * 20_000, 45_000 + 4 * 7_000),
        ("<p>" + "</p>" * 999_999, 4 * bounds.MAX_TAGS),
        ("<b id=x>" * 300 + "<p>a" * 3_000, 8 * 300 + 4 * 517),
        (LONG_AND_FLAT, len(LONG_AND_FLAT)),
    ],
    ids=["options", "deep", "end tags", "reopened", "long and flat"],
)
def test_a_page_is_cut_where_its_tags_take_long_to_parse(page: str, read: int) -> None:
    assert len(divide(page).html) == pytest.approx(read, rel=0.05)


def test_a_page_beyond_the_limits_is_cut() -> None:
    page = divide("<p>story</p>" + "<div>" * 1_000_000 + "deep")
    assert page.texts == ["story"]
    assert len(page.boxes) <= bounds.MAX_DEPTH + 5
    assert len(divide("<p>a" * (bounds.MAX_NODES // 2 + 1000)).blocks) <= bounds.MAX_NODES // 2
    assert divide("a" * (bounds.MAX_CHARS + 5)).texts == ["a" * bounds.MAX_CHARS]
