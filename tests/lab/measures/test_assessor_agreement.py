"""Cohen's and Fleiss' kappa and Krippendorff's alpha, against the published examples."""

from __future__ import annotations

import pytest

from dupgroups_lab.measures.cohen_kappa import cohen_kappa
from dupgroups_lab.measures.fleiss_kappa import fleiss_kappa
from dupgroups_lab.measures.krippendorff_alpha import krippendorff_alpha

# Krippendorff (2011), section B: two observers, ten units; section C: four observers, twelve units
BINARY = list(zip("0100000000", "1110010100", strict=True))
OBSERVERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
UNITS = [[answer for answer in unit if answer != "."] for unit in zip(*OBSERVERS, strict=True)]

# Fleiss (1971) as Gwet's handbook and others print it: 14 raters, 10 subjects, 5 categories
COUNTS = [
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
]  # fmt: skip
SUBJECTS = [[str(j) for j, count in enumerate(counts) for _ in range(count)] for counts in COUNTS]


def test_alpha_of_krippendorffs_examples() -> None:
    assert krippendorff_alpha(BINARY) == pytest.approx(0.095, abs=5e-4)
    assert krippendorff_alpha(UNITS) == pytest.approx(0.743, abs=5e-4)


def test_kappa_of_fourteen_raters() -> None:
    assert fleiss_kappa(SUBJECTS) == pytest.approx(0.210, abs=5e-4)


def test_kappa_of_two_assessors_of_whom_one_says_yes_more_often() -> None:
    answers = [("yes", "yes")] * 45 + [("yes", "no")] * 15 + [("no", "yes")] * 25 + [("no", "no")] * 15
    assert cohen_kappa(answers) == pytest.approx(0.1304, abs=5e-5)


@pytest.mark.parametrize("measure", [cohen_kappa, fleiss_kappa, krippendorff_alpha])
def test_perfect_and_opposite_agreement_and_what_says_nothing(measure) -> None:
    assert measure([("a", "a"), ("b", "b")]) == 1
    assert measure([("a", "b"), ("b", "a")]) < 0
    assert measure([]) is None
    assert measure([("a", "a"), ("a", "a")]) is None  # chance would agree as well


def test_fleiss_needs_the_same_number_of_answers_and_alpha_does_not() -> None:
    uneven = [("a", "a", "b"), ("a", "b"), ("b", "b")]
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa(uneven)
    with pytest.raises(ValueError, match="at least two"):
        fleiss_kappa([("a",), ("b",)])
    assert krippendorff_alpha([*uneven, ("a",)]) == krippendorff_alpha(uneven) != None  # noqa: E711
