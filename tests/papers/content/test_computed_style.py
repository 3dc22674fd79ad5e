"""Sizes and colours of blocks: what tags, attributes, styles and simple rules give."""

from collections import Counter

import pytest

from dupgroups.content.blocks import divide
from dupgroups.content.bounds import MAX_NODES
from dupgroups.content.letters import collapse_spaces
from dupgroups_papers.content.computed_style import BlockStyle, block_styles
from dupgroups_papers.content.stylesheets import StyleSheets, element
from dupgroups_papers.content.walk import TEXT, walk


def style_of(html: str) -> BlockStyle:
    (found,) = block_styles(divide(html))
    return found


def test_a_sheet_in_an_attribute_is_none_of_the_page() -> None:
    frame = "<iframe srcdoc='<style>p {color: red}</style>'></iframe>"
    assert style_of(f"{frame}<p>x").colors == {"#000000": 1}
    assert style_of("<style>p {color: red}</style><p>x").colors != {"#000000": 1}


@pytest.mark.parametrize(
    ("html", "size"),
    [
        ("<font size='+1'>x", 18),
        ("<p style='font-size: 12pt'>x", 16),
        ("<div style='font-size:20px'><p style='font-size:50%'>x", 10),
        ("<div style='font-size:20px'><p style='font-size:1.5em'><i>x", 30),
        ("<style id=install media=print>p { font-size: 9px }</style><p>x", 16),
        ("<style media='print, Screen and (min-width: 9px)'>p { font-size: 14px }</style><p>x", 14),
        ("<style>#i { font-size: 14px } p.a { font-size: 9px } p { font: 8px }</style><p id=i class=a>x", 14),
        ("<style>p { font-size: 9px } .a .b p { font-size: 14px }</style><div class=a><div class=b><p>x", 14),
        ("<style>p { font-size: 14px !important }</style><p style='font-size: 9px'>x", 14),
        ("<style>.a .b p { font-size: 9px }</style><div class=b><div class=a><p>x", 16),
    ],
)
def test_sizes(html: str, size: float) -> None:
    assert style_of(html).sizes == Counter({size: 1})


@pytest.mark.parametrize(
    ("html", "color"),
    [
        ("<p><a href=x>x</a>", "#0000ee"),
        ("<font color=#ABC>x", "#aabbcc"),
        ("<p style='color: rgb(1, 2, 255)'>x", "#0102ff"),
        ("<div style='color: red'><p style='color: inherit'>x", "#ff0000"),
    ],
)
def test_colors(html: str, color: str) -> None:
    assert style_of(html).colors == Counter({color: 1})


def test_hostile_sheets_end() -> None:
    rules = "".join(f"p p p.a{n % 7} {{color:red}}" for n in range(5_000))
    assert block_styles(divide(f"<style>{rules}</style>" + "<p class=a1>x" * 5_000 + "<style>" * 50_000))
    assert StyleSheets.of(divide("<style>" * 100_000 + "a{{{{}")).matching([element("a", {})]) == []


def test_the_walk_is_bounded() -> None:
    page = divide("<p>a" * MAX_NODES)
    assert 0 <= len(page.blocks) - (1 + max(event.block for event in walk(page.html))) <= 1


LONG = "The ferry was towed to Kessel. " * 5


@pytest.mark.parametrize(
    "html",
    [
        "<story-part>Fog</story-part><p>It <x-tip>sank</x-tip> here.<x-card>Rain</x-card>",
        f"<p>Fog <span hidden>opens here</span> rose.<span style='display:none'>{LONG}</span> Rain",
        "<p>Fog<p>\u200b<p>\u200e<b>\u200b</b><p>Rain",
    ],
)
def test_blocks_of_the_walk_are_those_of_the_page(html: str) -> None:
    page = divide(html)
    texts: dict[int, str] = {}
    for event in walk(page.html):
        if event.kind == TEXT:
            texts[event.block] = f"{texts.get(event.block, '')}{event.node.text_content or ''}"
    assert [*map(collapse_spaces, texts.values())] == page.texts
