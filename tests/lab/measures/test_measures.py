"""The measures by worked examples, and the area under the curve against brute force."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups_lab.labels.labelled_pairs import Pair, Truth, truth
from dupgroups_lab.measures.bcubed import score_bcubed
from dupgroups_lab.measures.bootstrap import Difference, Samples
from dupgroups_lab.measures.curves import Scores, area_under_roc
from dupgroups_lab.measures.krippendorff_alpha import krippendorff_alpha
from dupgroups_lab.measures.pairwise import Confusion, adjusted_rand_index, confusion
from dupgroups_lab.measures.shingle_agreement import agreement, score

LABELS = {("a", "b"): "duplicate", ("a", "c"): "near", ("d", "e"): "duplicate"}
GROUPS = {"a": "one", "b": "one", "c": "one", "d": "d", "e": "e"}


def test_pairs_are_counted_without_ignored_ones() -> None:
    measured = confusion({("a", "b"), ("a", "c"), ("b", "c")}, truth("abcde", LABELS))
    assert measured == Confusion(tp=1, fp=1, fn=1, tn=6)
    assert (measured.precision, measured.recall, measured.f1) == (0.5, 0.5, 0.5)
    assert measured.mcc == pytest.approx((1 * 6 - 1 * 1) / (2 * 2 * 7 * 7) ** 0.5)


def test_b_cubed_is_the_mean_over_documents() -> None:
    """For a, the ignored c is left out of its group; for c, a is, but b is wrong."""
    measured = score_bcubed(GROUPS, truth("abcde", LABELS))
    assert measured.precision == pytest.approx((2 / 2 + 2 / 3 + 1 / 2 + 1 + 1) / 5)
    assert measured.recall == pytest.approx((1 + 1 + 1 + 1 / 2 + 1 / 2) / 5)


def test_the_rand_index_is_corrected_for_chance() -> None:
    """Groups ab, c, d and clusters ab, cd of four documents: one pair together in both."""
    assert adjusted_rand_index(1, 1, 2, 4) == pytest.approx((1 - 2 / 6) / (3 / 2 - 2 / 6))
    assert adjusted_rand_index(3, 3, 3, 4) == adjusted_rand_index(0, 0, 0, 4) == 1


scores = st.lists(st.sampled_from([0, 0.2, 0.4, 0.5, 0.9, 1]), min_size=1, max_size=12)


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
