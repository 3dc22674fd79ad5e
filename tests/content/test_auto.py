"""The default extractor's network: what runs is what was trained."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from content.pages import HEADLINE, QUESTION, REPLIES, forum_page, front_page, news_page
from dupgroups import extract
from dupgroups.content.auto import Auto, shipped
from dupgroups.content.blocks import divide
from dupgroups.content.features import features, measure
from dupgroups.content.lexicon import LEXICAL, Lexicons
from dupgroups.errors import ConfigError


@pytest.mark.parametrize("html", [news_page(), front_page(), "<p>a", news_page() * 3])
def test_the_fast_way_through_the_network_gives_what_its_formula_gives(html: str) -> None:
    page, network = divide(html), shipped()
    known = np.zeros((LEXICAL, len(page.blocks)), np.float32)
    Lexicons(network.names.get, network.words.get).fill(known, page, measure(page).make)
    inputs = np.concatenate((features(page, HEADLINE), known.T), 1)
    given = np.clip((inputs - network.centre) * network.scale, -5, 5)
    active = np.maximum(given @ network.hidden + network.bias, 0)
    expected = 1 / (1 + np.exp(-(active @ network.out + network.level)))
    assert network.probabilities(page, HEADLINE) == pytest.approx(expected, abs=1e-4)


RECALL = "auto favor=recall"


def test_favor_recall_keeps_the_posts_of_a_forum_and_nothing_around_them() -> None:
    kept = extract(forum_page(), extractor=RECALL).text.split("\n")
    assert kept == [QUESTION, *REPLIES]
    assert len(extract(forum_page()).text.split("\n")) < len(kept)
    with pytest.raises(ConfigError, match="favor must be one of articles, recall, not 'all'"):
        extract(forum_page(), extractor="auto favor=all")
    with pytest.raises(ValueError, match="favor must be one of articles, recall, not 'all'"):
        Auto(favor="all")  # type: ignore[arg-type]


@pytest.mark.parametrize("html", [news_page(), front_page(), forum_page()])
def test_favor_recall_changes_nothing_but_the_text(html: str) -> None:
    """Whether the page is an article, headline, author and date come from the default weights."""
    one, other = (replace(extract(html, extractor=name), text="") for name in ("auto", RECALL))
    assert one == other


def test_favor_recall_keeps_links_to_other_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list consists of them, while an article ends before them."""
    certain = SimpleNamespace(probabilities=lambda page, title: np.ones(len(page.blocks), np.float32))
    monkeypatch.setattr("dupgroups.content.auto.shipped", lambda file="": certain)
    page = divide("<p>Fog again." + "<p><a href=/1>The harbour in fog, a history</a>" * 3)
    assert list(Auto()(page)) == [0]
    assert list(Auto(favor="recall")(page)) == [0, 1, 2, 3]
