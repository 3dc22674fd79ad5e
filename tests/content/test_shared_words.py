"""The words that a block shares with the headline, the page's description of itself, and its other text."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dupgroups.content.blocks import divide
from dupgroups.content.features import Floats, features
from dupgroups.content.shared_words import SHARED

STORY = [
    "The harbour master closed the northern quay on Monday, after divers found a crack in a pillar.",
    "Ships are sent to the old harbour, said the port, which lies two miles up the river and has no crane.",
    "The pillar was last looked at eleven years ago, and divers named no fault of the northern quay then.",
]
ELSEWHERE = "A bakery in the valley won a prize for its rye bread, and gives away a hundred loaves."
QUAY = ("northern quay", "northern lights", "bread")


def numbers(*blocks: str, head: str = "", title: str = "") -> Floats:
    page = divide(f"<html><head>{head}</head><body>{''.join(f'<p>{text}</p>' for text in blocks)}")
    return features(page, title)[:, -SHARED:].T


@pytest.mark.parametrize(
    ("head", "title", "first"),
    [
        ("", "Northern quay closed", 0),
        ("<meta property=og:description content='The northern quay'>", "", 2),
        ("<meta name=Description content='The northern quay'>", "", 2),
    ],
)
def test_the_words_of_the_headline_and_of_the_description(head: str, title: str, first: int) -> None:
    share, number = numbers(*QUAY, head=head, title=title)[first : first + 2]
    assert share.tolist() == [1, 0.5, 0]
    assert np.expm1(number).round().tolist() == [2, 1, 0]


def test_the_article_in_json_ld_and_what_is_about_something_else() -> None:
    body = json.dumps({"@graph": [{"@type": "NewsArticle", "articleBody": "\n\n".join(STORY)}]})
    made = numbers(*STORY, ELSEWHERE, head=f"<script type=application/ld+json>{body}</script>")
    assert (made[4].tolist(), made[5].tolist()) == ([1, 1, 1, 1], [1, 1, 1, 0])
    share, mean, number = made[6:]
    assert share[:3].min() >= 0.1
    assert share[3] == mean[3] == number[3] == 0
    assert not numbers(STORY[0])[6:].any(), "a block is not compared with itself"
