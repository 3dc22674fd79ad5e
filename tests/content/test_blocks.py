"""Division into blocks: the definition, and pages that want to break it, with attributes too."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from content.pages import STORY, news_page
from dupgroups.content import bounds
from dupgroups.content.blocks import divide, parse
from dupgroups.content.bounds import bound_html


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", []),
        ("<p>one <b>two</b> <a href=x>three</a>", ["one two three"]),
        ("a<br>b<hr>c", ["a", "b", "c"]),
        ("<table><tr><td>a<td>b", ["a", "b"]),
        ("<p>a<script>x</script><del>c</del>b<style>y</style>", ["ab"]),
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
        ("<div>" * 9_000 + "</p>" * 20_000, 45_000 + 4 * 7_000),
        ("<p>" + "</p>" * 999_999, 4 * bounds.MAX_TAGS),
        ("<b id=x>" * 300 + "<p>a" * 3_000, 8 * 300 + 4 * 517),
        (LONG_AND_FLAT, len(LONG_AND_FLAT)),
    ],
    ids=["deep", "end tags", "reopened", "long and flat"],
)
def test_a_page_is_cut_where_its_tags_take_long_to_parse(page: str, read: int) -> None:
    assert len(divide(page).html) == pytest.approx(read, rel=0.05)


def test_a_page_beyond_the_limits_is_cut() -> None:
    page = divide("<p>story</p>" + "<div>" * 1_000_000 + "deep")
    assert page.texts == ["story"]
    assert len(page.boxes) <= bounds.MAX_DEPTH + 5
    assert len(divide("<p>a" * (bounds.MAX_NODES // 2 + 1000)).blocks) <= bounds.MAX_NODES // 2
    assert divide("a" * (bounds.MAX_CHARS + 5)).texts == ["a" * bounds.MAX_CHARS]


SQUARE = 1_000_000  # comparisons that are allowed here
MOST = 1_300  # attributes of one tag: the root of that, and those of tags too short to be counted
MANY = 4_000


def most_attributes(html: str) -> int:
    """The largest number of attributes that the parser reads from one element of the part that is read."""
    return max(len(node.attributes) for node in LexborHTMLParser(bound_html(html)[1]).css("*"))


PARTS = ["a{}", " ", "\n", "/", "=", "'", '"', ">", "<b ", "<p", "</p ", "<body ", "a{}='", "' ", '="', "é"]
PARTS += [
    *("<!--", "-->", "<script>", "</script>", "<textarea>", "a{}=1 ", "='>' ", '=">" ', "<svg "),
    "<![CDATA[",
]


@given(st.lists(st.sampled_from(PARTS), max_size=4), st.lists(st.sampled_from(PARTS), min_size=1, max_size=6))
@example([], ["<body ", "a{}", ">"])  # tags that share their attributes count as one
@example(["<p "], ["a{}='>'", "/"])
@example(["<p "], ["a{} =\n\t '>'", " "])
@example(["<p "], ["a{}='b'"])
@example(["<p "], ["a{}/"])
@example(["<p "], ["a{} "])
@example(["<script>'<a '</script><p "], ['a{}="<b "', "\n"])
@example(['<script><a x="</script><p '], ["a{} =\n\t '>'", " "])
@example(["<!--> <a b='><p "], ["a{}=<i/b", " "])
def test_no_mixture_of_tags_and_quotes_gets_past(before: list[str], repeated: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "HARMLESS_BYTES", 0)
        patch.setattr(bounds, "MAX_COMPARISONS", SQUARE)
        patch.setattr(bounds, "STEP_BYTES", 100)
        html = "".join(before) + "".join("".join(repeated).format(*[number] * 6) for number in range(MANY))
        assert most_attributes(f"{html}>") <= MOST


@pytest.mark.parametrize(
    "page",
    [
        news_page() * 100,
        "<p " + " ".join(f"a{number}=1" for number in range(9_000)) + ">",
        "<p " + 'rel="author" ' * 90_000 + ">",
        f"<img src='data:image/png;base64,{'Zm9v/YmFy' * 90_000}'>",
        "word " * 90_000,
        "<script>" + '{"a": "b c"}, ' * 90_000 + "</script>",
    ],
)
def test_other_pages_are_left_as_they_are(page: str) -> None:
    assert len(page) > bounds.HARMLESS_BYTES
    assert bound_html(page) == (page, page.encode())
    assert bound_html("") == ("", b"")
