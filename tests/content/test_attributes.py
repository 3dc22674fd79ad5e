"""Pages are cut before a tag with too many attributes, however they hide where it begins."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from content.pages import news_page
from dupgroups.content import bounds
from dupgroups.content.bounds import bound_html

SQUARE = 1_000_000  # comparisons that are allowed here
MOST = 1_300  # attributes of one tag: the root of that, and those of tags too short to be counted
MANY = 4_000


def most_attributes(html: str) -> int:
    """The largest number of attributes that the parser reads from one element of the part that is read."""
    return max(len(node.attributes) for node in LexborHTMLParser(bound_html(html)[1]).css("*"))


PARTS = ["a{}", " ", "\n", "/", "=", "'", '"', ">", "<b ", "<p", "</p ", "<body ", "a{}='", "' ", '="', "é"]
PARTS += [
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<textarea>",
    "a{}=1 ",
    "='>' ",
    '=">" ',
    "<svg ",
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
