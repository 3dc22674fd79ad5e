"""What a threshold does to the labelled pairs and to the number of groups."""

from __future__ import annotations

import pytest

from dupgroups_lab.labelling.threshold_curve import around, counted, curve, group_counts, thresholds
from dupgroups_lab.measures.pairwise import Confusion

LIMITS = {("a", "b"): 0.9, ("b", "c"): 0.6, ("a", "c"): 0.5, ("d", "e"): 0.3}
LABELS = {("a", "b"): True, ("b", "c"): False, ("d", "e"): True, ("a", "e"): False}


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        (0.95, Confusion(0, 0, 2, 2)),
        (0.9, Confusion(1, 0, 1, 2)),  # a pair is found at its limit
        (0.6, Confusion(1, 1, 1, 1)),
        (0.01, Confusion(2, 1, 0, 1)),  # a pair without a common key is never found
    ],
)
def test_labelled_pairs_are_counted(threshold: float, expected: Confusion) -> None:
    assert counted(LIMITS, LABELS, threshold) == expected


def test_groups_are_the_closure_of_the_pairs_found() -> None:
    counts = group_counts(set("abcdef"), LIMITS, [0.95, 0.9, 0.6, 0.5, 0.3])
    assert counts == {0.95: 6, 0.9: 5, 0.6: 4, 0.5: 4, 0.3: 3}
    assert group_counts(set(), {}, [0.5]) == {0.5: 0}


def test_the_curve_has_hundredths_and_the_line() -> None:
    drawn = thresholds(0.475, 0.1, 0.949)
    assert drawn[:2] == [0.1, 0.11]
    assert drawn[-1] == 0.94
    points = curve(set("abcdef"), LIMITS, LABELS, drawn)
    assert len(points) == len(drawn) == 86
    assert [point.threshold for point in points] == sorted(point.threshold for point in points)
    groups = [point.groups for point in points]
    assert groups == sorted(groups)
    at = next(point for point in points if point.threshold == 0.475)
    assert (at.pairs, at.groups) == (Confusion(1, 1, 1, 1), 4)


def test_pairs_around_the_line_are_of_both_sides() -> None:
    assert around(LIMITS, LABELS, 0.5, 1) == [("b", "c"), ("d", "e")]
    assert around(LIMITS, LABELS, 0.5, 9) == [("a", "b"), ("b", "c"), ("d", "e"), ("a", "e")]
    assert around(LIMITS, LABELS, 0.95, 1) == [("a", "b")]
