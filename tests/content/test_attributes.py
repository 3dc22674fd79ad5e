"""Tags with very many attributes are ended early, however a page hides where they begin."""

from __future__ import annotations

import pytest

from content.pages import STORY, news_page
from dupgroups.content import attributes
from dupgroups.content.attributes import MAX_ATTRIBUTES, with_few_attributes
from dupgroups.content.blocks import divide

MANY = 2_000


def crowd(attribute: str, between: str = " ") -> str:
    return between.join(attribute.format(number) for number in range(MANY))


def most_attributes(html: bytes) -> int:
    """The largest number of attributes that the parser reads from one element."""
    from selectolax.lexbor import LexborHTMLParser

    nodes = LexborHTMLParser(html.decode()).css("*")
    return max(len(node.attributes) for node in nodes)


@pytest.mark.parametrize(
    "attribute", ["a{}=1", "a{}='>'", 'a{}="<b "', "a{}", 'a{}="', "a{} = <b", "a{}=<i/b"]
)
@pytest.mark.parametrize("between", [" ", "/", "\n"])
@pytest.mark.parametrize("before", ["", "<script>'<a '</script>", '<script><a x="</script>', "<!--> <a b='"])
def test_a_tag_is_ended_where_it_has_too_many_attributes(
    before: str, attribute: str, between: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attributes, "HARMLESS", 0)
    html = f"<p>{STORY[0]}</p>{before}<p {crowd(attribute, between)}>".encode()
    assert most_attributes(with_few_attributes(html)) <= MAX_ATTRIBUTES


def test_a_page_with_a_crowded_tag_keeps_its_story() -> None:
    page = news_page().replace("<article", f"<i {' '.join(f'a{n}=1' for n in range(60_000))}></i><article", 1)
    assert len(page) > attributes.HARMLESS
    assert STORY[0] in [block.text for block in divide(page).blocks]


def test_a_page_of_usual_tags_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attributes, "HARMLESS", 0)
    page = (
        news_page() * 3 + "<p " + " ".join(f"a{number}=1" for number in range(MAX_ATTRIBUTES)) + ">"
    ).encode()
    assert with_few_attributes(page) is page
    assert with_few_attributes(b"") == b""
