"""The judge of weighted phrases: by weight, not by number."""

from __future__ import annotations

import numpy as np
import pytest

from dupgroups.model import Record
from dupgroups_papers.codecs.weight_codec import pack_elements
from dupgroups_papers.verdicts.weighted_jaccard import WeightedJaccard
from verdicts.records import check_too_short, hashes, judged, record


def phrases(start: int, *weights: float) -> Record:
    return record(pack_elements(hashes(start, start + len(weights)), np.array(weights)))


def test_weight_decides_not_number() -> None:
    heavy, light = judged(WeightedJaccard(), phrases(0, 1, 4), phrases(1, 4, 1)), phrases(0, 4, 1)
    assert heavy.relation == "duplicate"  # they share 4 of 6
    assert heavy.score == pytest.approx(0.5 + 0.5 * (4 / 6 - 0.4) / 0.6)
    assert heavy.reason == "67% of the weight of their phrases is common to both, 80% of the lighter's."
    assert judged(WeightedJaccard(), light, phrases(1, 1, 4)).relation == "different"  # 1 of 9


def test_what_stands_in_a_heavier_text_is_contained() -> None:
    assert judged(WeightedJaccard(), phrases(0, 2, 2, 6), phrases(0, 2)).relation == "contains"


def test_the_defaults_of_the_table() -> None:
    judge = WeightedJaccard()
    assert (judge.threshold, judge.containment, judge.near) == (0.4, 0.7, 0.15)


def test_texts_without_features_are_too_short() -> None:
    check_too_short(WeightedJaccard(), phrases(0, 1.0))
