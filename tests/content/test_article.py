"""How surely a page is an article: every weight of the fitted rule, one at a time, on pages made by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dupgroups.content.article import article_probability
from dupgroups.content.blocks import Block, Blocks, Box


def odds(words: int = 99, declared: bool = False, url: str | None = None) -> float:
    """The logarithm of the odds of a page of one paragraph with so many words, all of them kept and sure."""
    boxes = [Box(0, tag, "", False, 0) for tag in ("body", "div", "p")]
    page = Blocks([Block(" ".join(["word"] * words), 0, 0, 0, 2)], boxes)
    probability = article_probability(page, (0,), np.array([1.0]), declared, url)
    return math.log(probability / (1 - probability))


@pytest.mark.parametrize("words", [9, 99, 999])
def test_words_that_are_all_sure_and_in_one_element_add_up(words: int) -> None:
    expected = math.log1p(words) + 11.7 + 3.3 * words / (words + 1) - 18.5
    assert odds(words) == pytest.approx(expected)


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
    assert odds(url=url) - odds() == pytest.approx(weight)
    assert odds(url=url, declared=True) - odds() == pytest.approx(weight + 2.1)


def test_a_page_of_which_nothing_is_kept_is_not_an_article() -> None:
    page = Blocks([], [Box(0, "body", "", False, 0)])
    assert article_probability(page, (), np.array([1.0]), True, "https://example.org/2026/03/01/a") == 0.0
