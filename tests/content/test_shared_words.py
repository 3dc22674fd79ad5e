"""The words that a block shares with the headline, the page's description of itself, and its other text."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dupgroups.content import shared_words
from dupgroups.content.blocks import Blocks, divide
from dupgroups.content.features import Floats, features, measure
from dupgroups.content.shared_words import SHARED, article_body, description, words_of

STORY = [
    "The harbour master closed the northern quay on Monday, after divers found a crack in a pillar.",
    "Ships are sent to the old harbour, said the port, which lies two miles up the river and has no crane.",
    "The pillar was last looked at eleven years ago, and divers named no fault of the northern quay then.",
]
ELSEWHERE = "A bakery in the valley won a prize for its rye bread, and gives away a hundred loaves."


def page(*blocks: str, head: str = "") -> Blocks:
    return divide(f"<html><head>{head}</head><body>{''.join(f'<p>{text}</p>' for text in blocks)}")


def numbers(blocks: Blocks, title: str = "") -> Floats:
    rows = np.zeros((SHARED, len(blocks.blocks)), np.float32)
    shared_words.fill(rows, blocks, title, measure(blocks).good)
    return rows


def test_the_words_of_the_headline() -> None:
    share, number = numbers(page("northern quay", "northern lights", "bread"), "Northern quay closed")[:2]
    assert share.tolist() == [1, 0.5, 0]
    assert np.expm1(number).round().tolist() == [2, 1, 0]


@pytest.mark.parametrize("name", ["property=og:description", "name=description", "name=Description"])
def test_the_words_of_the_description(name: str) -> None:
    meta = f"<meta {name} content='The northern quay'>"
    share, number = numbers(page("northern quay", "northern lights", "bread", head=meta))[2:4]
    assert share.tolist() == [1, 0.5, 0]
    assert np.expm1(number).round().tolist() == [2, 1, 0]


def test_the_description_for_sharing_comes_first() -> None:
    metas = "<meta name=description content=Site><meta property=og:description content=Story>"
    assert description(page("x", head=metas)) == "Story"
    assert description(page("x")) == ""


def test_a_block_of_the_article_in_json_ld() -> None:
    body = {"@graph": [{"@type": "NewsArticle", "articleBody": "\n\n".join(STORY)}]}
    script = f"<script type=application/ld+json>{json.dumps(body)}</script>"
    has, inside = numbers(page(*STORY, ELSEWHERE, head=script))[4:6]
    assert has.tolist() == [1, 1, 1, 1]
    assert inside.tolist() == [1, 1, 1, 0]


@pytest.mark.parametrize(
    "script",
    [
        "",
        '{"articleBody": "short"}',
        '{"articleBody": 7}',
        '{"articleBody": "' + "broken " * 100,
        '{"articleBody": ' + "[" * 100_000,
    ],
    ids=["none", "short", "a number", "broken", "deep"],
)
def test_without_such_an_article_nothing_is_said_about_it(script: str) -> None:
    blocks = page(*STORY, head=f"<script type=application/ld+json>{script}</script>")
    assert not numbers(blocks)[4:6].any()


def test_the_longest_article_counts() -> None:
    body = [{"articleBody": "one"}, {"mainEntity": {"articleBody": "the longer one"}}]
    script = f"<script type=application/ld+json>{json.dumps(body)}</script>"
    assert article_body(page("x", head=script)) == "the longer one"


def test_what_is_about_something_else_shares_few_words_with_the_rest() -> None:
    share, mean, number = numbers(page(*STORY, ELSEWHERE))[6:]
    assert share[:3].min() >= 0.1
    assert share[3] == mean[3] == number[3] == 0


def test_a_block_is_not_compared_with_itself() -> None:
    assert not numbers(page(STORY[0]))[6:].any()


def test_words_that_many_blocks_have_count_as_shared_but_not_as_few() -> None:
    said = [
        f"Somebody said {word * 2}, {word * 3}, {word * 4} and {word * 5} of it all today."
        for word in "abcdefgh"
    ]
    share, mean, number = numbers(page(*said))[6:]
    assert share.min() > 0
    assert mean.min() > 0
    assert not number.any()


def test_chinese_words_are_pairs_of_characters() -> None:
    blocks = page(
        "渡轮在大雾中撞上驳船，两人失踪，搜救仍在继续，警方说。",
        "渡轮的船长说，大雾很浓，没有看见驳船，警方不信。",
        "面包师获奖",
    )
    share = numbers(blocks, "渡轮撞上驳船")
    assert share[0, 0] > share[0, 1] > share[0, 2] == 0
    assert share[6, :2].min() > 0
    assert share[6, 2] == 0


def test_blocks_without_words_have_no_numbers() -> None:
    assert not numbers(page("a b c", "1 2"), "The headline").any()
    assert words_of("") == words_of("a b") == words_of("中") == set()


def test_they_are_the_last_of_the_features() -> None:
    blocks = page(*STORY, ELSEWHERE)
    assert (features(blocks, "Quay closed")[:, -SHARED:] == numbers(blocks, "Quay closed").T).all()
