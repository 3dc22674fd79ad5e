"""Whole evaluations: the counts of stories add up to the scores, and the report is complete."""

from __future__ import annotations

import html

import pytest

from dupgroups.model import Content, Verdict
from dupgroups_lab.duplicates.evaluation import NAMES, agreement, evaluate
from dupgroups_lab.duplicates.new_information import tabulate_marks
from dupgroups_lab.labels.labelled_pairs import closure, truth
from dupgroups_lab.measures.bcubed import score_bcubed
from dupgroups_lab.measures.pairwise import adjusted_rand_index
from dupgroups_lab.reports.duplicates import html_report
from lab.reports.pages import EVIL, read

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


COPY = Verdict("duplicate", 0.9, "Much alike.")


def test_the_report_is_whole_escaped_and_needs_nothing_else() -> None:
    labels = {("a", "b"): "duplicate", ("c", "d"): "non"}
    groups = closure(DOCUMENTS, [("c", "d")])
    evaluation = evaluate(groups, [("c", "d", COPY)], truth(DOCUMENTS, labels))
    contents = {
        "c": Content(f"{EVIL} was said.\nIt rained.", title=EVIL),
        "d": Content("It rained.", site=EVIL),
    }
    page = html_report(EVIL, evaluation, contents)
    read(page)
    assert page.count("<svg") == 2
    assert "Wrong: 1 pairs" in page
    assert "Missed: 1 pairs" in page
    assert html.escape(EVIL) in page


def test_pairs_with_enough_new_words_in_either_text_are_marked() -> None:
    words = list(map(str, range(1000, 1080)))
    texts = {"a": words, "b": [*words, *"uvwxyzabcdefghijklmn"], "c": words[:20], "d": words}
    labels = {("a", "b"): "duplicate", ("a", "d"): "duplicate", ("a", "c"): "containment", ("c", "e"): "near"}
    found = tabulate_marks(labels, {id_: " ".join(text) for id_, text in texts.items()})
    cells = {row[0]: row[1:] for row in found.rows}
    assert cells["20% new words"] == ("50.0", "100.0", "-", "50.0")  # 20 of 100
    assert cells["30% new words"] == ("0.0", "100.0", "-", "100.0")
