"""The features that CE-BEST's paper names, counted by hand."""

from __future__ import annotations

import numpy as np

from dupgroups.content.blocks import divide
from dupgroups_papers.content.crf_paper_features import paper
from dupgroups_papers.content.hashed_bag_of_words import bucket


def test_words_count_as_often_as_they_come_however_long_the_block() -> None:
    filler = "unread " * 40
    bags = paper(divide(f"<p>Fog, fog and {filler} FOG</p><p>Fog"), "").bags
    assert [int((bags.bucket[bags.owner == block] == bucket("fog")).sum()) for block in (0, 1)] == [3, 1]


def test_tags_are_those_in_and_around_the_block() -> None:
    page = divide("<div class=story><p>Ice <b>and <a href=/>fog</a></b><p><i></i>Rain<p>Sun</div>")
    bags = paper(page, "").bags
    first, second, third = ({int(number) for number in bags.bucket[bags.owner == at]} for at in range(3))
    assert second - {bucket("rain")} == third - {bucket("sun")}
    assert third == {bucket(feature) for feature in ("sun", "<<p", "<p>", "<div>", "<body>", "<html>")}
    assert first - third == {bucket(feature) for feature in ("ice", "and", "fog", "<a>", "<b>")}


def test_the_share_in_links_is_of_tokens_and_not_of_characters() -> None:
    page = divide("<p>I am at <a href=/>headquarters</a></p><a href=/><p>Read on<p>Now</a><p>…</p>")
    chinese = paper(divide("<p>渡轮<a href=/>相撞</a>"), "").numbers
    assert np.allclose(chinese, [[np.log(5), 0.5]])  # a character is a token
    numbers = paper(page, "").numbers
    assert np.allclose(numbers, [[np.log(5), 0.25], [np.log(3), 1], [np.log(2), 1], [0, 0]])
