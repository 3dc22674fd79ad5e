"""The measures against brute force, worked examples and their laws."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups_lab.labels.pairs import truth
from dupgroups_lab.measures.bcubed import bcubed
from dupgroups_lab.measures.curves import (
    Scores,
    area_under_roc,
    best_threshold,
    hanley_mcneil,
    threshold_for,
)
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


@given(st.tuples(*[st.integers(0, 50)] * 4))
def test_mcc_is_the_correlation_of_found_and_positive(cells: tuple[int, int, int, int]) -> None:
    tp, fp, fn, tn = cells
    found = np.repeat([1, 1, 0, 0], cells)
    positive = np.repeat([1, 0, 1, 0], cells)
    if len(set(found)) == len(set(positive)) == 2:
        assert Confusion(tp, fp, fn, tn).mcc == pytest.approx(np.corrcoef(found, positive)[0, 1])
    else:
        assert Confusion(tp, fp, fn, tn).mcc == 0


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


def test_the_interval_of_hanley_and_mcneil_is_as_wide_as_samples_spread() -> None:
    """Their Q1 and Q2 are exact for exponential scores: positive ones three times as high give 3/4."""
    rng = np.random.default_rng(5)
    areas = [
        area_under_roc(Scores(1 + rng.exponential(3, 60), 1 + rng.exponential(1, 40))) for _ in range(2000)
    ]
    low, high = hanley_mcneil(0.75, 60, 40)
    assert np.mean(areas) == pytest.approx(0.75, abs=0.005)
    assert (high - low) / 2 / 1.959964 == pytest.approx(np.std(areas), rel=0.05)
    assert hanley_mcneil(1.0, 5, 5) == (1.0, 1.0)
    assert hanley_mcneil(0.5, 1, 1) == (0.0, 1.0)


@given(scores, scores, st.integers(0, 3))
def test_no_threshold_beats_the_best_one(positive: list[float], negative: list[float], more: int) -> None:
    def f1(threshold: float) -> float:
        tp, fp = (sum(score >= threshold for score in side) for side in (positive, negative))
        return 2 * tp / (tp + fp + len(positive))

    best = best_threshold(Scores.of(positive, negative, more).curve)
    if best is None:
        assert not any(positive)
    else:
        assert f1(best) == pytest.approx(max(f1(score) for score in {*positive, *negative} if score))


@given(scores, scores, st.sampled_from([0.5, 0.8, 1.0]))
def test_the_threshold_for_a_precision_has_the_best_recall(
    positive: list[float], negative: list[float], wanted: float
) -> None:
    def found_with(threshold: float) -> tuple[int, int]:
        tp, fp = (sum(score >= threshold for score in side) for side in (positive, negative))
        return tp, fp

    chosen = threshold_for(Scores.of(positive, negative).curve, wanted)
    thresholds = {score for score in (*positive, *negative) if score}
    enough = [tp for tp, fp in map(found_with, thresholds) if tp and tp / (tp + fp) >= wanted]
    if chosen is None:
        assert not enough
    else:
        tp, fp = found_with(chosen)
        assert tp / (tp + fp) >= wanted
        assert tp == max(enough)


def benchmark(pairs: Sequence[tuple[str, str]], tokens: str) -> tuple[float, float, float]:
    """P, R and F1 as article-extraction-benchmark defines them, of pairs of gold and extracted text."""

    def occurrences(text: str) -> list[tuple[str, int]]:
        """Each shingle with the number of equal ones before it, so that multisets become sets."""
        cut = re.findall(tokens, text)
        runs = [tuple(cut[index : index + 4]) for index in range(max(1, len(cut) - 3)) if cut]
        return [(run, runs[:index].count(run)) for index, run in enumerate(runs)]

    precisions, recalls = [], []
    for gold, found in pairs:
        wanted, extracted = set(occurrences(gold)), set(occurrences(found))
        precisions += [len(wanted & extracted) / len(extracted)] if extracted else []
        recalls += [len(wanted & extracted) / len(wanted)] if wanted else []
    precision = sum(precisions) / len(precisions) if precisions else 0.0
    recall = sum(recalls) / len(recalls) if recalls else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


texts = st.lists(st.sampled_from([*"ab c, é 渡轮撞\n", "ab ", "B ", "… "]), max_size=30).map("".join)


@given(st.lists(st.tuples(texts, texts), max_size=5), st.sampled_from(["en", "zh"]))
def test_scores_are_those_of_the_benchmark(pairs: list[tuple[str, str]], language: str) -> None:
    scores = score(agreement(*texts_of_page, language) for texts_of_page in pairs)
    expected = benchmark(pairs, r"\w" if language == "zh" else r"\w+")
    assert (scores.precision, scores.recall, scores.f1) == pytest.approx(expected)
