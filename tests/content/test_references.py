"""Links to other stories and labels around the paragraphs of an article are not its text."""

from __future__ import annotations

import pytest

from dupgroups import extract
from dupgroups.content.blocks import divide
from dupgroups.content.references import without_references

STORY = [
    "The harbour master closed the northern quay on Monday after divers found a crack in a pillar.",
    "Ships are sent to the old basin, said the port, which lies two miles up the river and has no crane.",
    "The pillar was last looked at eleven years ago, and the report of that day names no fault of any kind.",
    "Fishermen who land their catch there want to know who pays for the way to the other market in town.",
]
LINK = "<a href=/x>{}</a>"


@pytest.mark.parametrize(
    ("inside", "kept"),
    [
        ("<div><p>READ MORE: <a href=/x>Inspectors warned ferry company</a></p></div>", 0),
        ("<p>&gt;&gt; <a href=/x>Inspectors warned ferry company</a></p>", 0),
        ("<p>延伸阅读: <a href=/x>Inspectors warned ferry company</a></p>", 0),
        ("<p>The report says: <a href=/x>no fault</a>, and nothing of the crane that fell.</p>", 1),
        ("<p>See it now: <a href=/x>Amazon</a></p>", 1),
        ("<p>He wrote <a href=/x>on Monday</a> that the quay stays closed until it has been mended.</p>", 1),
    ],
)
def test_a_label_with_a_link_is_left_out_and_a_sentence_with_a_link_is_kept(inside: str, kept: int) -> None:
    paragraphs = [f"<p>{text}</p>" for text in STORY]
    html = f"<html><body><h1>Quay closed</h1>{paragraphs[0]}{inside}{''.join(paragraphs[1:])}"
    assert len(extract(html).text.split("\n")) == len(STORY) + kept


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("<p>Added:</p><p>4 March 2026</p><p>Author:</p><p>By Jo Brandt, Staff Writer</p>", "", 0),
        ("<p><a href=/x>Inspectors warned ferry company</a></p><p>By Jo Brandt and Ann Lee</p>", "", 0),
        ("<p>A short standfirst.</p>", "", 1),
        ("", "<p>He is 40.</p>", 1),
        ("", "<p>All rights reserved.</p>", 0),
        ("", "<aside><p>6,200 members pay for this. <a href=/m>Become one of them.</a></p></aside>", 0),
    ],
)
def test_labels_and_appeals_around_bare_paragraphs(before: str, after: str, kept: int) -> None:
    paragraphs = "".join(f"<p>{text}</p>" for text in STORY)
    html = f"<html><title>Quay closed</title><body><h1>Quay closed</h1>{before}{paragraphs}{after}"
    assert len(extract(html).text.split("\n")) == len(STORY) + kept


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        (["See also", LINK.format("Inspectors warned ferry company"), "Seed potatoes are in!"], 0),
        ([LINK.format("Inspectors warned ferry company"), "Seed potatoes are in!"], 0),
        (["He is 40.", LINK.format("Inspectors warned ferry company")], 1),
        ([LINK.format("Inspectors warned ferry company"), STORY[0] + " Again."], 2),
        (["See also", LINK.format("A shop")], 2),
        ([LINK.format("渡轮公司曾两次接到警告"), "种子到货"], 0),
        ([LINK.format("渡轮公司曾两次接到警告"), "警方周三晚间说，失踪的两人仍未找到，搜救继续。"], 2),
    ],
)
def test_links_after_the_last_paragraph_end_the_article(after: list[str], kept: int) -> None:
    page = divide("".join(f"<p>{line}</p>" for line in [*STORY, *after]))
    everything = range(len(page.blocks))
    assert without_references(page, everything) == [*everything][: len(STORY) + kept]
