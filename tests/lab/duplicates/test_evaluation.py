"""Whole evaluations: the counts of stories add up to the scores, and the report is complete."""

from __future__ import annotations

import html
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.model import Content, Verdict
from dupgroups_lab.duplicates.evaluation import NAMES, agreement, evaluate
from dupgroups_lab.labels.pairs import closure, truth
from dupgroups_lab.measures.bcubed import bcubed
from dupgroups_lab.measures.rand_index import adjusted
from dupgroups_lab.reports.duplicates import html_report
from lab.reports.pages import EVIL, read

DOCUMENTS = tuple("abcdefgh")
PAIRS = list(combinations(DOCUMENTS, 2))
LABELS = st.dictionaries(st.sampled_from(PAIRS), st.sampled_from(["duplicate", "near", "non"]), max_size=9)


@given(LABELS, st.sets(st.sampled_from(PAIRS), max_size=5))
def test_counts_of_stories_add_up_to_the_scores(
    known: dict[tuple[str, str], str], found: set[tuple[str, str]]
) -> None:
    known_truth = truth(DOCUMENTS, {**known, ("a", "b"): "duplicate"})
    groups = closure(DOCUMENTS, found)
    result = agreement(found, groups, known_truth)
    value = {name: estimate.value for name, estimate in result.estimates.items()}
    pairs = result.confusion
    assert list(value) == list(NAMES)
    assert (value["precision"], value["recall"]) == pytest.approx((pairs.precision, pairs.recall))
    assert (value["f1"], value["mcc"]) == pytest.approx((pairs.f1, pairs.mcc))
    cubed = bcubed(groups, known_truth)
    assert (value["b3_precision"], value["b3_recall"]) == pytest.approx((cubed.precision, cubed.recall))
    assert value["b3_f1"] == pytest.approx(cubed.f1)
    in_groups, in_clusters = (
        {(a, b) for a, b in PAIRS if parts[a] == parts[b]} for parts in (groups, known_truth.clusters)
    )
    counts = len(in_groups & in_clusters), len(in_groups), len(in_clusters)
    assert value["ari"] == pytest.approx(adjusted(*counts, len(DOCUMENTS)))


COPY = Verdict("duplicate", 0.9, "Much alike.")


def test_the_report_is_whole_escaped_and_needs_nothing_else() -> None:
    labels = {("a", "b"): "duplicate", ("c", "d"): "non"}
    groups = closure(DOCUMENTS, [("c", "d")])
    evaluation = evaluate(groups, [("c", "d", COPY)], truth(DOCUMENTS, labels))
    contents = {
        "c": Content(f"{EVIL} was said.\nIt rained.", title=EVIL),
        "d": Content("It rained.", site=EVIL),
    }
    page = html_report(EVIL, evaluation, contents, ["duplicate"])
    read(page)
    assert page.count("<svg") == 2
    assert "Wrong: 1 pairs" in page
    assert "Missed: 1 pairs" in page
    assert html.escape(EVIL) in page
