"""CE-SIMPLE: words decide, and nothing but words."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dupgroups.content.blocks import divide
from dupgroups_papers.content.hashed_bag_of_words import BUCKETS, bucket
from dupgroups_papers.content.maxent import MaxEnt, Words


def known(weights: dict[str, float], level: float = 0.0) -> Words:
    """A model of these words."""
    given = np.zeros(BUCKETS, np.float32)
    for word, weight in weights.items():
        given[bucket(word)] = weight
    return Words(given, level)


def test_odds_are_the_sum_of_the_weights_of_the_words_each_once() -> None:
    page = divide("<p>Police said, police SAID.<p>Share this<p>...")
    odds = known({"police": 1.5, "said": 0.5, "share": -3.0}, level=-0.25).odds(page)
    assert odds.tolist() == [1.75, -3.25, -0.25]


def test_the_threshold_is_a_probability() -> None:
    odds = np.array([math.log(0.3 / 0.7), math.log(0.6 / 0.4), math.log(0.8 / 0.2)], np.float32)
    assert MaxEnt(0.7).select(odds) == [2]
    assert MaxEnt().select(odds) == [1, 2]
    assert MaxEnt(0.25).select(odds) == [0, 1, 2]
    with pytest.raises(ValueError, match="threshold"):
        MaxEnt(1.0)
