"""How surely a page is an article: every weight of the fitted rule, one at a time, on pages made by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from dupgroups.content.article import article_probability
from dupgroups.content.blocks import Block, Blocks, Box

ROOT, LEFT, RIGHT = 0, 1, 2


def blocks(*texts: str, under: Sequence[int] = (LEFT,) * 9) -> Blocks:
    """A page of these texts, each in a paragraph of its own under the element that is given."""
    boxes = [Box(ROOT, tag, "", False, 0) for tag in ("body", "div", "div")]
    boxes += [Box(parent, "p", "", False, 0) for parent in under[: len(texts)]]
    return Blocks([Block(text, 0, 0, 0, 3 + place) for place, text in enumerate(texts)], boxes)


def odds(
    page: Blocks,
    kept: Sequence[int] = (0,),
    certainty: Sequence[float] = (1.0,) * 9,
    declared: bool = False,
    url: str | None = None,
) -> float:
    """The logarithm of the odds."""
    probability = article_probability(page, kept, np.array(certainty), declared, url)
    return math.log(probability / (1 - probability))


def text(words: int) -> str:
    return " ".join(["word"] * words)


ONE = blocks(text(99))
PLAIN = odds(ONE)


@pytest.mark.parametrize("words", [9, 99, 999])
def test_words_that_are_all_sure_and_in_one_element_add_up(words: int) -> None:
    expected = math.log1p(words) + 11.7 + 3.3 * words / (words + 1) - 18.5
    assert odds(blocks(text(words))) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("url", "weight"),
    [
        ("https://example.org/harbour-closed", 0.0),
        ("https://example.org/2026/03/01/harbour-closed", 1.0),
        ("https://example.org/news/", -1.0),
        ("https://example.org/video/harbour-closed", -2.0),
        ("https://example.org/video/", -3.0),
        ("https://example.org/?p=17", -1.0),
        ("https://example.org", -4.0),
        (None, 0.0),
        ("not a url", 0.0),
    ],
)
def test_what_the_url_and_the_page_say(url: str | None, weight: float) -> None:
    assert odds(ONE, url=url) - PLAIN == pytest.approx(weight)
    assert odds(ONE, url=url, declared=True) - PLAIN == pytest.approx(weight + 2.1)


def test_a_page_of_which_nothing_is_kept_is_not_an_article() -> None:
    assert article_probability(ONE, (), np.array([1.0]), True, "https://example.org/2026/03/01/a") == 0.0
