"""The overlap factors of An and Cheng: their definitions, and an oracle for the largest common number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.model import Record, Relation
from dupgroups_papers.verdicts.overlap_factors import OverlapFactors, lcc
from methods.verdicts.records import judged
from methods.verdicts.records import record as made

short = st.text(alphabet="了的说人", max_size=9)


def record(feature: str, host: str = "") -> Record:
    return made(feature.encode("utf-16-le", "surrogatepass"), host=host)


def edit(one: str, two: str) -> int:
    """The minimum edit distance by its recurrence, row by row."""
    row = list(range(len(two) + 1))
    for at, character in enumerate(one, start=1):
        above, row[0] = row[0], at
        for place, other in enumerate(two, start=1):
            least = min(row[place] + 1, row[place - 1] + 1, above + (character != other))
            above, row[place] = row[place], least
    return row[-1]


@given(short, short, st.floats(0, 9))
def test_lcc_is_the_longer_length_less_the_edit_distance(one: str, two: str, least: float) -> None:
    common = lcc(one, two)
    assert common == max(len(one), len(two)) - edit(one, two)
    assert 0 <= common <= min(len(one), len(two))  # the paper's property 2
    assert lcc(one, two, least) in ((common,) if common >= least else (0, common))


FIVE, CHANGED = "了的说人中", "了的说人事"
FOUR, HALF, QUARTER = "了的说人", "了的上日", "了年上日"
DEFAULT = OverlapFactors()
RAISED = OverlapFactors(alpha=0.7, epsilon=0.1, beta=0.1)
ROUNDED = OverlapFactors(alpha=0.8, epsilon=0.2 + 5e-10)


@pytest.mark.parametrize(
    ("judge", "one", "two", "hosts", "relation", "score"),
    [
        (DEFAULT, FIVE, FIVE, "ab", "duplicate", 1.0),
        (DEFAULT, FIVE, CHANGED, "ab", "duplicate", 0.5),  # 4 of 5 is alpha
        (DEFAULT, FIVE, CHANGED, "aa", "near", 0.4),  # on one host alpha + epsilon = 1 is asked for
        (DEFAULT, FIVE, CHANGED, ("", ""), "duplicate", 0.5),  # unknown hosts are not one host
        (RAISED, FIVE, CHANGED, "aa", "duplicate", 0.5),
        (ROUNDED, FIVE, FIVE, "aa", "duplicate", 1.0),  # what rounding adds to alpha is not asked for
        (DEFAULT, FOUR, "了的说人中会来年上日", "ab", "near", 0.4),  # 4 of 10: beta is 0.5
        (DEFAULT, FOUR, HALF, "ab", "near", 0.5 * 0.5 / 0.8),  # half of the shorter one is near
        (DEFAULT, FOUR, QUARTER, "ab", "different", 0.0),  # a quarter is not looked at
        (OverlapFactors(beta=0.3), FOUR, QUARTER, "ab", "different", 0.5 * 0.25 / 0.8),  # unless for beta
        (DEFAULT, "\ud800的说人", "\ud800的说人", "ab", "duplicate", 1.0),
    ],
)
def test_the_rule_of_definition_4(
    judge: OverlapFactors, one: str, two: str, hosts: tuple[str, str], relation: Relation, score: float
) -> None:
    verdict = judged(judge, record(one, hosts[0]), record(two, hosts[1]))
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))


def test_the_reason_says_both_factors_and_what_is_asked_for() -> None:
    assert RAISED(record(FIVE, "a"), record(CHANGED + "会", "a")).reason == (
        "4 characters before full stops agree: 80% of the shorter string (a copy needs 80%), "
        "67% of the longer one."
    )
