"""Whole evaluations: the counts of stories add up to the scores."""

from __future__ import annotations

import pytest

from dupgroups_lab.duplicates.evaluation import NAMES, agreement
from dupgroups_lab.duplicates.new_information import tabulate_marks
from dupgroups_lab.labels.labelled_pairs import closure, truth
from dupgroups_lab.measures.bcubed import score_bcubed
from dupgroups_lab.measures.pairwise import adjusted_rand_index

DOCUMENTS = tuple("abcdefgh")


def test_counts_of_stories_add_up_to_the_scores() -> None:
    labels = {("a", "b"): "duplicate", ("b", "c"): "near", ("d", "e"): "duplicate", ("f", "g"): "non"}
    found, known_truth = {("a", "b"), ("b", "c"), ("f", "g")}, truth(DOCUMENTS, labels)
    groups = closure(DOCUMENTS, found)
    result = agreement(found, groups, known_truth)
    pairs, cubed = result.confusion, score_bcubed(groups, known_truth)
    expected = (pairs.precision, pairs.recall, pairs.f1, pairs.mcc, cubed.precision, cubed.recall, cubed.f1)
    values = [estimate.value for estimate in result.estimates.values()]
    assert list(result.estimates) == list(NAMES)
    assert values == pytest.approx([*expected, adjusted_rand_index(1, 4, 2, len(DOCUMENTS))])


def test_pairs_with_enough_new_words_in_either_text_are_marked() -> None:
    words = list(map(str, range(1000, 1080)))
    texts = {"a": words, "b": [*words, *"uvwxyzabcdefghijklmn"], "c": words[:20], "d": words}
    labels = {("a", "b"): "duplicate", ("a", "d"): "duplicate", ("a", "c"): "containment", ("c", "e"): "near"}
    found = tabulate_marks(labels, {id_: " ".join(text) for id_, text in texts.items()})
    cells = {row[0]: row[1:] for row in found.rows}
    assert cells["20% new words"] == ("50.0", "100.0", "-", "50.0")  # 20 of 100
    assert cells["30% new words"] == ("0.0", "100.0", "-", "100.0")
