"""The default extractor's network: what runs is what was trained."""

from __future__ import annotations

import numpy as np
import pytest

from content.pages import HEADLINE, QUESTION, REPLIES, forum_page, front_page, news_page
from dupgroups import extract
from dupgroups.content.auto import load_network
from dupgroups.content.blocks import divide
from dupgroups.content.features import Measures, features
from dupgroups.content.lexicon import LEXICAL, NAMES, Lexicons
from dupgroups.errors import ConfigError


@pytest.mark.parametrize("html", [news_page(), front_page(), "<p>a", news_page() * 3])
def test_the_fast_way_through_the_network_gives_what_its_formula_gives(html: str) -> None:
    page, network = divide(html), load_network()
    known = np.zeros((LEXICAL, len(page.blocks)), np.float32)
    Lexicons(network.names, network.words).fill(Measures(page), known)
    inputs = np.concatenate((features(page, HEADLINE), known.T), 1)
    given = np.clip((inputs - network.centre) * network.scale, -5, 5)
    active = np.maximum(given @ network.hidden + network.bias, 0)
    expected = 1 / (1 + np.exp(-(active @ network.out + network.level)))
    assert network.probabilities(page, HEADLINE) == pytest.approx(expected, abs=1e-4)


def test_each_word_of_a_name_and_of_a_block_counts_once() -> None:
    page = divide("<main id=foo><nav><p class='barBar foo'>a 12 b a</main>x<p>A c d e f g h i b<p>渡轮渡轮")
    words = {"a": -2.0, "b": 3.0, "a 0": 4.0, "0": 5.0, "渡轮": 6.0, "轮渡": 2.0}
    rows = np.zeros((LEXICAL, 4), np.float32)
    Lexicons({"foo": 2.0, "bar": -3.0}, words).fill(Measures(page), rows)
    assert rows[:NAMES, :2].T.tolist() == [[-3, 2, -2, 4, -0.5, 2], [0] * 6]
    assert rows[NAMES:].T.tolist() == [[-2, 5, 2.5, 1], [0, 0, 0, 0], [-2, -2, -2, 1], [2, 6, 4, 1]]


def test_favor_recall_keeps_the_posts_of_a_forum_and_nothing_around_them() -> None:
    kept = extract(forum_page(), extractor="auto favor=recall").text.split("\n")
    assert kept == [QUESTION, *REPLIES]
    assert len(extract(forum_page()).text.split("\n")) < len(kept)
    with pytest.raises(ConfigError, match="favor must be one of articles, recall, not 'all'"):
        extract(forum_page(), extractor="auto favor=all")
