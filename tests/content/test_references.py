"""Links to other stories among and after the paragraphs of an article are not its text."""

from __future__ import annotations

import pytest

from dupgroups import extract
from dupgroups_demo import build

STORY = [
    "The harbour master closed the northern quay on Monday after divers found a crack in a pillar.",
    "Ships are sent to the old basin, said the port, which lies two miles up the river and has no crane.",
    "The pillar was last looked at eleven years ago, and the report of that day names no fault of any kind.",
    "Fishermen who land their catch there want to know who pays for the way to the other market in town.",
]


def article(*inside: str, after: str = "") -> str:
    paragraphs = [f"<p>{text}</p>" for text in STORY]
    return f"<html><body><h1>Quay closed</h1>{paragraphs[0]}{''.join(inside)}{''.join(paragraphs[1:])}{after}"


@pytest.mark.parametrize("label", ["READ MORE", "See also", "延伸阅读"])
def test_a_label_with_a_link_is_left_out(label: str) -> None:
    text = extract(article(f"<div><p>{label}: <a href=/x>Inspectors warned ferry company</a></p></div>")).text
    assert text.split("\n") == STORY


@pytest.mark.parametrize(
    "sentence",
    [
        "The report says: <a href=/x>no fault</a>, and nothing of the crane that fell into the basin in May.",
        "See it now: <a href=/x>Amazon</a>",
        "He wrote <a href=/x>on Monday</a> that the quay stays closed until the pillar has been mended.",
    ],
)
def test_a_sentence_with_a_link_is_kept(sentence: str) -> None:
    text = extract(article(f"<p>{sentence}</p>")).text
    assert len(text.split("\n")) == len(STORY) + 1


def test_the_articles_of_the_demo_hold_no_links_to_others() -> None:
    pages = [(site, page) for site in build() for page in site.pages if page.article]
    texts = [extract(page.body, site.url + page.path).text for site, page in pages]
    for label in ("READ MORE", "See also", "Print this page", "延伸阅读"):
        assert not any(label in text for text in texts), label
