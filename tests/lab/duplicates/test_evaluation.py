"""Whole evaluations, and groups against labelled pairs of which each stands for many."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupgroups.errors import InputError
from dupgroups_lab.duplicates.evaluation import NAMES, agreement
from dupgroups_lab.duplicates.new_information import tabulate_marks
from dupgroups_lab.duplicates.sampled import scores
from dupgroups_lab.labels.labelled_pairs import Weight, closure, read_weights, truth
from dupgroups_lab.measures.bcubed import score_bcubed
from dupgroups_lab.measures.pairwise import adjusted_rand_index
from lab.running import documents, run, table

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


LABELS = {
    ("a", "b"): "duplicate",
    ("a", "c"): "non",
    ("d", "e"): "duplicate",
    ("d", "f"): "near",
    ("g", "h"): "non",
}
GROUPS = {"a": "1", "b": "1", "c": "1", "d": "2", "e": "3", "f": "2", "g": "4", "h": "5"}


def weighted(**weights: tuple[float, int]) -> dict[tuple[str, str], Weight]:
    return {ids: Weight(*weights.get("".join(ids), (1, 100))) for ids in LABELS}


@pytest.mark.parametrize(
    ("weights", "figures"),
    [
        ({}, ["0.5000", "0.5000", "0.5000"]),
        ({"ab": (3, 100)}, ["0.7500", "0.7500", "0.7500"]),
        ({"ac": (9, 100)}, ["0.1000", "0.5000", "0.1667"]),
        ({"de": (3, 100)}, ["0.5000", "0.2500", "0.3333"]),
        ({"df": (9, 100), "gh": (9, 100)}, ["0.5000", "0.5000", "0.5000"]),
    ],
)
def test_a_pair_counts_as_often_as_its_weight_says(
    weights: dict[str, tuple[float, int]], figures: list[str]
) -> None:
    assert scores(GROUPS, LABELS, weighted(**weights)).rows[0] == ("all", *figures, "1, 1, 1")


def test_short_pairs_have_a_row_of_their_own() -> None:
    made = scores(GROUPS, LABELS, weighted(ac=(2, 69), de=(2, 70)))
    assert made.cell("under 70 words", "right, wrong, missed") == "0, 1, 0"
    assert made.cell("70 words and more", "right, wrong, missed") == "1, 0, 1"
    assert made.cell("70 words and more", "recall") == "0.3333"
    assert scores(GROUPS, LABELS, weighted()).cell("under 70 words", "F1") == "-"


def test_a_document_without_a_group_is_alone() -> None:
    assert scores({}, LABELS, weighted()).rows[0][4] == "0, 0, 2"


def test_weights_are_read_where_the_labels_have_them(tmp_path: Path) -> None:
    path = table(tmp_path / "pairs.csv", "b,a,label,weight,words", [("x", "y", "non", "2.5", "30")])
    assert read_weights(path) == {("x", "y"): Weight(2.5, 30)}
    assert read_weights(table(tmp_path / "pairs.csv", "a,b,label", [("x", "y", "non")])) == {}
    with pytest.raises(InputError, match=r"line 2: weight and words are numbers: .*'many'"):
        read_weights(table(path, "a,b,label,weight,words", [("x", "y", "non", "many", "30")]))


def test_labels_with_weights_have_no_changes(tmp_path: Path) -> None:
    docs = documents(tmp_path / "docs.jsonl", [{"id": "x", "text": "One."}, {"id": "y", "text": "Two."}])
    pairs = table(tmp_path / "pairs.csv", "a,b,label,weight,words", [("x", "y", "duplicate", "2", "1")])
    given = ("evaluate", "duplicates", "--docs", docs, "--labels", pairs, "--processes", 1)
    assert "0, 0, 1" in run(*given).output
    with pytest.raises(InputError, match="--beside and --changes do not take labels with weights"):
        run(*given, "--changes")
