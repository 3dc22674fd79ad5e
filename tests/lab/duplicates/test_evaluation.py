"""Whole evaluations: the counts of stories add up to the scores, and the report is complete."""

from __future__ import annotations

import html
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.model import Content, Page, Verdict
from dupgroups.offline import group_pages
from dupgroups_lab.duplicates.evaluation import NAMES, agreement, evaluate
from dupgroups_lab.labels.pairs import closure, truth
from dupgroups_lab.measures.bcubed import bcubed
from dupgroups_lab.measures.rand_index import adjusted
from dupgroups_lab.reports.differences import side_by_side
from dupgroups_lab.reports.duplicates import html_report
from dupgroups_lab.reports.plots import Series, histogram, line_plot
from stories import reprints, story

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


def test_made_reprints_are_measured_from_pages_to_scores() -> None:
    pages = list(reprints().values())
    ids = [page.id or "" for page in pages]
    labels = {
        (a, b): "duplicate" for a, b in combinations(sorted(ids), 2) if a.split("/")[0] == b.split("/")[0]
    }
    run = group_pages(pages, processes=1)
    evaluation = evaluate(run.groups, run.pairs, truth(run.groups, labels))
    assert evaluation.pairs.confusion.tp == evaluation.groups.confusion.tp == len(labels) == 36
    assert all(estimate.value == estimate.low == 1 for estimate in evaluation.groups.estimates.values())
    assert evaluation.every.estimate is not None
    assert evaluation.every.estimate.value == 1
    assert evaluation.looked_up == 1
    assert not evaluation.wrong
    assert not evaluation.missed


COPY = Verdict("duplicate", 0.9, "Much alike.")
PART = Verdict("contains", 0.4, "One has the other.")


def test_mistakes_are_sorted_worst_first_without_ignored_pairs() -> None:
    labels = {("a", "b"): "duplicate", ("a", "c"): "near", ("d", "e"): "duplicate", ("f", "g"): "duplicate"}
    judged = [("a", "b", COPY), ("c", "a", PART), ("e", "d", PART), ("g", "h", COPY)]
    groups = closure(DOCUMENTS, [("a", "b"), ("a", "c"), ("g", "h")])
    evaluation = evaluate(groups, judged, truth(DOCUMENTS, labels))
    assert [(mistake.judged, mistake.score) for mistake in evaluation.wrong] == [
        (("g", "h"), 0.9),
        (("b", "c"), 0.0),
    ]
    assert [(mistake.judged, mistake.score) for mistake in evaluation.missed] == [
        (("f", "g"), 0.0),
        (("e", "d"), 0.4),
    ]
    assert evaluation.looked_up == pytest.approx(2 / 3)
    assert evaluation.candidates == 4 / 8
    assert (
        evaluation.groups.confusion.tp,
        evaluation.groups.confusion.fp,
        evaluation.groups.confusion.fn,
    ) == (1, 2, 2)
    assert (evaluation.pairs.confusion.tp, evaluation.pairs.confusion.fp, evaluation.pairs.confusion.fn) == (
        1,
        1,
        2,
    )


def test_an_excerpt_is_found_where_containment_is_wanted() -> None:
    labels = {("a", "b"): "duplicate", ("c", "d"): "containment"}
    judged = [("a", "b", COPY), ("d", "c", PART)]
    groups = closure(DOCUMENTS, labels)
    both = ("duplicate", "containment")
    assert evaluate(groups, judged, truth(DOCUMENTS, labels)).pairs.confusion.tp == 1
    assert evaluate(groups, judged, truth(DOCUMENTS, labels, positive=both), both).pairs.confusion.tp == 2


# -- the report


def test_the_report_is_whole_escaped_and_needs_nothing_else() -> None:
    evil = "<script>alert('1')</script> & co"
    labels = {("a", "b"): "duplicate", ("c", "d"): "non"}
    groups = closure(DOCUMENTS, [("c", "d")])
    evaluation = evaluate(groups, [("c", "d", COPY)], truth(DOCUMENTS, labels))
    contents = {
        "c": Content(f"{evil} was said.\nIt rained.", title=evil),
        "d": Content("It rained.", site=evil),
    }
    page = html_report(evil, evaluation, contents, ["duplicate"])
    assert "<script" not in page
    assert not re.search(r"""(?:src|href)=|url\(|@import""", page)
    assert page.count("<svg") == 3
    assert "Wrong: 1 pairs" in page
    assert "Missed: 1 pairs" in page
    assert html.escape(evil) in page
    body = page[page.index("<body>") : page.index("</html>")]
    ElementTree.fromstring(body.replace("<br>", "<br/>"))  # every element is closed


@given(st.text(), st.text())
def test_both_texts_can_be_read_from_the_diff(one: str, two: str) -> None:
    table = ElementTree.fromstring(f"<t>{_legal(side_by_side(_legal(one), _legal(two)))}</t>")
    rows = [["".join(cell.itertext()) for cell in row] for row in table]
    if all(len(row) == 2 for row in rows):  # nothing is collapsed
        for column, text in enumerate((one, two)):
            assert _bare("".join(row[column] for row in rows)) == _bare(_legal(text))


def _legal(text: str) -> str:
    """Without what XML cannot hold."""
    return re.sub("[^\n\x20-\ud7ff\ue000-\ufffd]", "", text)


def _bare(text: str) -> str:
    return "".join(text.split())


def test_the_diff_marks_what_changed_and_folds_what_did_not() -> None:
    text = story("one")
    rows = side_by_side(text, text.replace("\n", " Really so.\n", 1))
    assert "<ins>Really so.</ins>" in rows
    assert "<del>" not in rows
    assert "3 equal sentences" in rows
    changed = side_by_side(
        "The ferry left at nine with all aboard.", "The ferry left at ten with all aboard."
    )
    assert "The ferry left at <del>nine</del> with" in changed
    assert "The ferry left at <ins>ten</ins> with" in changed


def test_long_runs_without_a_stop_are_marked_whole() -> None:
    one, two = (f"{end} " + "word " * 20_000 for end in "ab")
    rows = side_by_side(one, two)
    assert rows.count("<del>") == rows.count("<ins>") == 1


def test_traditional_and_simplified_script_do_not_differ() -> None:
    assert "<del>" not in side_by_side("渡輪撞上碼頭。", "渡轮撞上码头。")


def test_plots_keep_their_points_inside() -> None:
    points = [(number / 2000, 1 - number / 2000) for number in range(2001)]
    plot = line_plot("a < b", "x", "y", [Series("one", points)])
    assert "a &lt; b" in plot
    line = re.search(r'points="([^"]+)"', plot)
    assert line
    drawn = [tuple(map(float, point.split(","))) for point in line[1].split()]
    assert 100 < len(drawn) < 700
    assert all(0 <= x <= 460 and 0 <= y <= 300 for x, y in drawn)
    assert drawn[-1] == (446.0, 256.0)


def test_a_histogram_counts_every_score_once() -> None:
    bars = histogram("h", "x", [Series("one", [(0.0, 1), (0.01, 1), (1.0, 1)]), Series("two", [])])
    assert re.findall(r"<title>([^<]+)</title>", bars) == ["2", "1"]
    assert "<svg" in histogram("h", "x", [Series("none", [])])


def test_pages_of_any_kind_are_measured() -> None:
    pages = [Page(text="", id="empty"), Page(text=story("s"), id="a"), Page(text=story("s"), id="b")]
    run = group_pages(pages, processes=1)
    evaluation = evaluate(run.groups, run.pairs, truth(run.groups, {("a", "b"): "duplicate"}))
    assert evaluation.groups.confusion.f1 == 1
