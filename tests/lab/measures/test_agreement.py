"""Kappa and alpha against published examples; the paired bootstrap knows what chance does."""

from __future__ import annotations

import pytest

from dupgroups_lab.labels.pairs import Pair, Truth, truth
from dupgroups_lab.measures.krippendorff_alpha import krippendorff_alpha
from dupgroups_lab.measures.paired_bootstrap import Difference, Samples

# Krippendorff (2011), section B: two observers, ten units; section C: four observers, twelve units
BINARY = list(zip("0100000000", "1110010100", strict=True))
OBSERVERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
UNITS = [[answer for answer in unit if answer != "."] for unit in zip(*OBSERVERS, strict=True)]


def test_alpha_of_krippendorffs_examples() -> None:
    assert krippendorff_alpha(BINARY) == pytest.approx(0.095, abs=5e-4)
    assert krippendorff_alpha(UNITS) == pytest.approx(0.743, abs=5e-4)


def test_perfect_and_opposite_agreement_and_what_says_nothing() -> None:
    assert krippendorff_alpha([("a", "a"), ("b", "b")]) == 1
    assert krippendorff_alpha([("a", "b"), ("b", "a")]) < 0
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([("a", "a"), ("a", "a")]) is None  # chance would agree as well
    uneven = [("a", "a", "b"), ("a", "b"), ("b", "b")]
    assert krippendorff_alpha([*uneven, ("a",)]) == krippendorff_alpha(uneven)


STORIES = 40


def stories() -> Truth:
    """Forty stories of two documents each."""
    documents = [f"{number}/{site}" for number in range(STORIES) for site in "ab"]
    return truth(documents, {(f"{number}/a", f"{number}/b"): "duplicate" for number in range(STORIES)})


def copies(numbers: range) -> set[Pair]:
    return {(f"{number}/a", f"{number}/b") for number in numbers}


def test_what_is_always_better_is_significant_and_one_story_is_not() -> None:
    samples = Samples(stories())
    most, one_less, half = (samples.f1(copies(range(count))) for count in (38, 37, 19))
    clear, chance, none = (Difference.of(most, other) for other in (half, one_less, most))
    assert clear.significant
    assert 0 < clear.low < clear.value < clear.high
    assert not chance.significant
    assert chance.low == 0.0 < chance.value < chance.high
    assert (none.value, none.low, none.high, none.significant) == (0.0, 0.0, 0.0, False)
    assert Difference.of(half, most).significant, "also when it is worse"
