"""The experiment of Standke: scores over random folds, and with sites left out."""

from __future__ import annotations

from dupgroups_lab.papers.standke import by_site, repeated
from dupgroups_lab.training.article_tree import LabelledCase


def test_a_site_that_is_left_out_teaches_nothing():
    """Only the site separates these pages, which random folds hide."""
    kinds = ["article", "other", "article", "other"]
    cases = [
        LabelledCase(str(site), kinds[site], {"mss": 10.0 * site}) for site in range(4) for _ in range(8)
    ]
    assert repeated(cases, ["mss"], trials=1, folds=8) == [1.0]
    assert by_site(cases, ["mss"]) == 0.0
