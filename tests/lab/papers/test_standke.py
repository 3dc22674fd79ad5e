"""The experiment of Standke: scores over random folds, and with sites left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupgroups_lab.papers.standke import Interval, by_site, f1, repeated
from dupgroups_lab.training.article_tree import LabelledCase, case_of, read_typed


def test_a_site_that_is_left_out_teaches_nothing():
    """Only the site separates these pages, which random folds hide."""
    kinds = ["article", "other", "article", "other"]
    cases = [
        LabelledCase(str(site), kinds[site], {"mss": 10.0 * site}) for site in range(4) for _ in range(8)
    ]
    assert repeated(cases, ["mss"], trials=1, folds=8) == [1.0]
    assert by_site(cases, ["mss"]) == 0.0


def test_f1_and_its_interval(typed: Path) -> None:
    cases = [case_of(page) for page in read_typed([typed])]
    assert f1(cases, [True] * 24) == pytest.approx(2 / 3)
    assert f1(cases, [False] * 24) == 0
    assert Interval.of([0.5]) == Interval(0.5, 0.0)
    assert Interval.of([0.4, 0.6]).half == pytest.approx(1.96 * 0.1)
    assert str(Interval(0.5, 0.01)) == "0.500 +- 0.010"
