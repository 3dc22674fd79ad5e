"""The measures against brute force, worked examples and their laws."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups_lab.labels.pairs import truth
from dupgroups_lab.measures.bcubed import bcubed
from dupgroups_lab.measures.curves import Scores, area_under_roc
from dupgroups_lab.measures.pairwise import Confusion, confusion
from dupgroups_lab.measures.rand_index import adjusted
from dupgroups_lab.measures.shingle_agreement import agreement, score

DOCUMENTS = tuple("abcdefg")
PAIRS = list(combinations(DOCUMENTS, 2))
labels = st.dictionaries(
    st.sampled_from(PAIRS), st.sampled_from(["duplicate", "containment", "near", "non"])
).map(lambda drawn: {**drawn, ("a", "b"): "duplicate"})
partitions = st.lists(st.sampled_from("xyz"), min_size=7, max_size=7).map(
    lambda parts: dict(zip(DOCUMENTS, parts, strict=True))
)
scores = st.lists(st.sampled_from([0, 0.2, 0.4, 0.5, 0.9, 1]), min_size=1, max_size=12)


@given(labels, st.sets(st.sampled_from(PAIRS)))
def test_every_pair_that_is_not_ignored_is_in_one_cell(
    known: dict[tuple[str, str], str], found: set[tuple[str, str]]
) -> None:
    cells = {"tp": 0, "fp": 0, "fn": 0, "tn": 0}
    for ids in PAIRS:
        label = known.get(ids, "non")
        if label in ("duplicate", "non"):
            right = (ids in found) == (label == "duplicate")
            cells[("t" if right else "f") + ("p" if ids in found else "n")] += 1
    assert confusion(found, truth(DOCUMENTS, known)) == Confusion(**cells)


@given(labels, partitions)
def test_b_cubed_is_what_its_formula_says(
    known: dict[tuple[str, str], str], groups: Mapping[str, str]
) -> None:
    known_truth = truth(DOCUMENTS, known)
    precision = recall = 0.0
    for document in DOCUMENTS:
        cluster = {
            other for other in DOCUMENTS if known_truth.clusters[other] == known_truth.clusters[document]
        }
        group = {other for other in DOCUMENTS if groups[other] == groups[document]}
        right = group & cluster
        group -= {
            other
            for other in group - cluster
            if (min(document, other), max(document, other)) in known_truth.ignored
        }
        precision += len(right) / len(group) / len(DOCUMENTS)
        recall += len(right) / len(cluster) / len(DOCUMENTS)
    measured = bcubed(groups, known_truth)
    assert (measured.precision, measured.recall) == (pytest.approx(precision), pytest.approx(recall))


@given(partitions, partitions)
def test_the_rand_index_is_the_chance_corrected_agreement_of_pairs(
    one: dict[str, str], two: dict[str, str]
) -> None:
    left = np.array([one[a] == one[b] for a, b in PAIRS], float)
    right = np.array([two[a] == two[b] for a, b in PAIRS], float)
    both, chance = (left * right).sum(), left.sum() * right.sum() / len(PAIRS)
    most = (left.sum() + right.sum()) / 2
    expected = 1.0 if most == chance else (both - chance) / (most - chance)
    in_both, in_one, in_two = int(both), int(left.sum()), int(right.sum())
    assert adjusted(in_both, in_one, in_two, len(DOCUMENTS)) == pytest.approx(expected)
    assert adjusted(in_one, in_one, in_one, len(DOCUMENTS)) == 1


@given(scores, scores, st.integers(0, 5))
def test_the_area_is_the_chance_that_a_positive_pair_scores_higher(
    positive: list[float], negative: list[float], more: int
) -> None:
    others = negative + [0.0] * more
    wins = sum((p > n) + (p == n) / 2 for p in positive for n in others)
    area = area_under_roc(Scores.of(positive, negative, more))
    assert area == pytest.approx(wins / len(positive) / len(others))


def test_shingles_are_counted_as_often_as_they_come() -> None:
    """As article-extraction-benchmark counts them: six words have three runs of four."""
    longer = agreement("a b c d e f", "a b c d e f a b c d", "en")
    assert (longer.precision, longer.recall, longer.f1) == (3 / 7, 1, 0.6)
    empty = agreement("渡轮撞上码头", "", "zh")
    assert (empty.precision, empty.recall, empty.f1) == (None, 0, 0)
    both = score([longer, empty])
    assert (both.precision, both.recall, both.page_f1) == (3 / 7, 1 / 2, 0.3)
