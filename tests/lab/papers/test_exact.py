"""Texts and similarities of the experiments, against one after another and brute force."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups_lab.labels.labelled_pairs import Pair, Truth, closure
from dupgroups_lab.measures.pairwise import confusion
from dupgroups_lab.papers.exact import Weighted, scores, similarities

bags = st.lists(st.dictionaries(st.integers(0, 12), st.floats(0.01, 1e6), max_size=8), max_size=9)


def weighted(bag: dict[int, float]) -> Weighted:
    return np.array(list(bag), np.uint64), np.array(list(bag.values()), np.float64)


@given(bags)
def test_similarities_are_those_of_brute_force(bags: list[dict[int, float]]) -> None:
    truth = {}
    for (i, a), (j, b) in combinations(enumerate(bags), 2):
        if a.keys() & b.keys():
            low, high = (
                sum(pick(a.get(feature, 0.0), b.get(feature, 0.0)) for feature in a.keys() | b.keys())
                for pick in (min, max)
            )
            truth[i, j] = low / high
    similar = similarities(list(map(weighted, bags)))
    indices = zip(similar.first.tolist(), similar.second.tolist(), strict=True)
    measured = dict(zip(indices, similar.alike.tolist(), strict=True))
    assert measured == {ids: pytest.approx(alike) for ids, alike in truth.items()}


@given(bags, st.data())
def test_scores_are_those_of_the_pairs_that_are_found(
    bags: list[dict[int, float]], data: st.DataObject
) -> None:
    ids = tuple(f"d{9 - number}" for number in range(len(bags)))  # not in the order of their indices
    positive, ignored, hard = set[Pair](), set[Pair](), set[Pair]()
    for ids_of_pair in combinations(sorted(ids), 2):
        data.draw(st.sampled_from([positive, ignored, hard, set()])).add(ids_of_pair)
    truth = Truth(ids, frozenset(positive), frozenset(ignored), frozenset(hard), closure(ids, positive))
    similar = similarities(list(map(weighted, bags)))
    every, listed = scores(similar, truth)
    for index, threshold in enumerate(every.curve.thresholds.tolist()):
        cells = confusion(similar.pairs_above(ids, threshold), truth)
        curve = every.curve
        assert (cells.tp, cells.fp) == (curve.tp[index], curve.fp[index])
        assert (cells.fn, cells.tn) == (curve.positives - curve.tp[index], curve.negatives - curve.fp[index])
    assert (len(listed.positive), len(listed.negative), listed.more) == (len(positive), len(hard), 0)
    assert (listed.negative > 0).sum() == len(hard & similar.pairs_above(ids, 1e-12))
