"""The default extractor's network: what runs is what was trained."""

from __future__ import annotations

import numpy as np
import pytest

from content.pages import HEADLINE, front_page, news_page
from dupgroups.content.auto import shipped
from dupgroups.content.blocks import divide
from dupgroups.content.features import features
from dupgroups.content.lexicon import Lexicons


@pytest.mark.parametrize("html", [news_page(), front_page(), "<p>a", news_page() * 3])
def test_the_fast_way_through_the_network_gives_what_its_formula_gives(html: str) -> None:
    page, network = divide(html), shipped()
    known = Lexicons(network.names.get, network.words.get).columns(page)
    inputs = np.concatenate((features(page, HEADLINE), known), 1)
    given = np.clip((inputs - network.centre) * network.scale, -5, 5)
    active = np.maximum(given @ network.hidden + network.bias, 0)
    expected = 1 / (1 + np.exp(-(active @ network.out + network.level)))
    assert network.probabilities(page, HEADLINE) == pytest.approx(expected, abs=1e-4)


def test_items_of_a_list_are_of_one_make() -> None:
    page = divide("<ul class=menu><li>a<li>b</ul><ul><li>c</ul>")
    first, second, other = (page.boxes[block.box].make for block in page.blocks)
    assert first == second != other
    around, tag, name = page.makes[first]
    assert (tag, name, page.makes[around][1:]) == ("li", "", ("ul", "menu"))
