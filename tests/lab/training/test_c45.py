"""C4.5: the slides' worked gains, the trees that are printed for golf and iris, missing values, pruning."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups_lab.training.c45 import C45, Case, distribute, gain, info, weigh
from dupgroups_papers.content.decision_tree import Node

SLIDES = [
    ({"mss": 15.0, "tag": "body"}, "other"),
    ({"mss": 65.0, "tag": "body"}, "article"),
    ({"mss": 70.0, "tag": "div"}, "article"),
    ({"mss": 80.0, "tag": "div"}, "article"),
    ({"mss": 50.0, "tag": "iframe"}, "other"),
]
GOLF = """sunny 75 70 true play; sunny 80 90 true stay; sunny 85 85 false stay; sunny 72 95 false stay
sunny 69 70 false play; overcast 72 90 true play; overcast 83 78 false play; overcast 64 65 true play
overcast 81 75 false play; rain 71 80 true stay; rain 65 70 true stay; rain 75 80 false play
rain 68 80 false play; rain 70 96 false play"""
# length and width of the petals in mm (Fisher 1936)
IRIS = {
    "setosa": """11/1 14/2 13/2 13/2 13/3 15/2 14/2 14/3 10/2 13/2 16/2 14/1 14/3 16/2 16/2 19/2 14/2 15/1
    15/2 14/1 16/2 12/2 14/2 15/2 16/4 13/3 16/6 14/2 17/5 15/2 14/2 14/3 15/4 15/3 16/2 19/4 14/2 15/2 15/1
    15/2 15/4 17/2 15/2 13/4 17/4 13/2 14/2 17/3 15/4 12/2""",
    "versicolor": """33/10 35/10 33/10 30/11 39/14 45/15 40/13 37/10 38/11 40/13 44/12 39/11 42/13 36/13
    41/13 45/15 35/10 41/13 45/13 42/13 42/12 40/12 39/12 41/10 42/15 48/18 40/10 51/16 45/15 45/16 40/13
    47/12 47/14 46/14 45/15 43/13 44/13 49/15 47/16 43/13 45/15 46/15 46/13 44/14 50/17 44/14 47/15 48/14
    49/15 47/14""",
    "virginica": """45/17 49/20 50/20 51/19 51/19 51/24 51/18 50/15 48/18 56/14 49/18 48/18 54/23 50/19 49/18
    51/15 56/18 60/25 56/24 53/19 56/21 56/22 55/18 53/23 52/20 55/18 58/22 51/20 58/18 52/23 56/24 57/21
    57/25 55/21 59/23 51/23 54/21 57/23 59/21 58/16 60/18 61/25 63/18 61/19 66/21 69/23 67/20 61/23 67/22
    64/20""",
}


def golf() -> tuple[list[dict[str, float | str | None]], list[str]]:
    days = [day.split() for day in GOLF.replace("\n", ";").split(";")]
    rows = [
        {"outlook": a, "temperature": float(b), "humidity": float(c), "windy": d} for a, b, c, d, _ in days
    ]
    return rows, [day[-1] for day in days]


def parts(name: str, threshold: float | None = None) -> list[dict[str, float]]:
    cases = [Case(*slide) for slide in SLIDES]
    return [weigh(part) for part in distribute(cases, name, threshold).values()]


def test_the_slides_gains_and_tree():
    assert round(info([3, 2]), 2) == 0.97
    assert round(gain(parts("mss", 57.5)), 2) == 0.97
    assert round(gain(parts("tag")), 2) == 0.57
    tree = C45()(*zip(*SLIDES, strict=True))
    assert str(tree) == "mss <= 57.5: other (2)\nmss > 57.5: article (3)"


def test_golf():
    assert str(C45()(*golf())).splitlines() == [
        "outlook = overcast: play (4)",
        "outlook = rain",
        "|   windy = false: play (3)",
        "|   windy = true: stay (2)",
        "outlook = sunny",
        "|   humidity <= 77.5: play (2)",
        "|   humidity > 77.5: stay (3)",
    ]


PAIRS = {
    "id": "11223344",
    "flag": "aaaaabbb",
    "noise": "pppqppqq",
}  # gains 1, .549, .049; ratios .5, .575, .051


@pytest.mark.parametrize(("names", "root"), [(["id", "flag"], "id"), (["id", "flag", "noise"], "flag")])
def test_the_best_ratio_wins_among_those_of_at_least_the_mean_gain(names: list[str], root: str) -> None:
    rows = [{name: PAIRS[name][index] for name in names} for index in range(8)]
    assert C45()(rows, list("xxxxyyyy")).attribute == root


def test_iris():
    petals = [(kind, *map(float, petal.split("/"))) for kind, row in IRIS.items() for petal in row.split()]
    rows = [{"length": length, "width": width} for _, length, width in petals]
    tree = C45()(rows, [kind for kind, *_ in petals])
    assert str(tree).splitlines() == [
        "length <= 24.5: setosa (50)",
        "length > 24.5",
        "|   width <= 17.5",
        "|   |   length <= 49.5: versicolor (48/1)",
        "|   |   length > 49.5",
        "|   |   |   width <= 15.5: virginica (3)",
        "|   |   |   width > 15.5: versicolor (3/1)",
        "|   width > 17.5: virginica (46/1)",
    ]


def test_a_missing_value_goes_down_every_branch():
    """The book's section 3.3: golf, with the outlook of one overcast day unknown."""
    rows, labels = golf()
    rows[5]["outlook"] = None
    cases = [Case(row, label) for row, label in zip(rows, labels, strict=True)]
    known = [case for case in cases if case.row["outlook"]]
    divided = [weigh(part) for part in distribute(known, "outlook", None).values()]
    assert round(gain(divided) * 13 / 14, 3) == 0.199
    assert round(info([5, 3, 5, 1]), 3) == 1.809
    sunny = distribute(cases, "outlook", None)["sunny"]
    assert [round(case.weight, 4) for case in sunny] == [1] * 5 + [0.3846]
    tree = C45(confidence=0.5)(rows, labels)
    lines = str(tree).splitlines()
    assert "|   humidity > 77.5: stay (3.38462/0.384615)" in lines
    assert "|   windy = true: stay (2.38462/0.384615)" in lines
    shares = tree.shares({"outlook": "sunny", "temperature": 70.0, "windy": "false"})  # the book's own case
    assert round(shares["play"], 2) == pytest.approx(0.44, abs=0.01)


def test_an_unseen_value_counts_as_missing():
    tree = C45()(*golf())
    assert tree.shares({"outlook": "hail"}) == tree.shares({})
    assert tree.shares({})["play"] == pytest.approx(9 / 14)


def test_predicted_errors_of_the_book():
    c45 = C45()
    assert [round(c45.predicted(cases, 0) / cases, 3) for cases in (6, 9, 1)] == [0.206, 0.143, 0.75]
    assert c45.predicted(16, 1) / 16 == pytest.approx(0.157, abs=0.003)  # the book's is not approximated


def test_a_subtree_without_information_becomes_a_leaf():
    rows = [{"party": "a"}] * 6 + [{"party": "b"}] * 9 + [{"party": "c"}, {"party": "c"}]
    labels = ["yes"] * 15 + ["yes", "no"]
    assert str(C45()(rows, labels)) == "yes (17/1)"
    assert C45(confidence=0.5)(rows, labels).branches == {}


@pytest.mark.parametrize("confidence", [0.01, 0.05, 0.25, 0.5])
def test_predicted_errors_are_at_least_those_seen_and_rise(confidence):
    c45 = C45(confidence=confidence)
    for cases in (1, 2, 7.5, 30):
        errors = [c45.predicted(cases, step * cases / 20) for step in range(21)]
        assert all(step * cases / 20 <= error + 1e-9 <= cases + 1e-6 for step, error in enumerate(errors))
        if cases > 2:
            assert errors[:15] == sorted(errors[:15])


VALUES = st.none() | st.integers(0, 9).map(float)
ROWS = st.fixed_dictionaries({"x": VALUES, "y": VALUES, "z": st.none() | st.sampled_from("abc")})
TABLES = st.lists(st.tuples(ROWS, st.sampled_from(["p", "q", "r"])), min_size=1, max_size=20)


@given(TABLES, ROWS)
def test_any_table_gives_a_tree_that_keeps_its_cases(table, row):
    rows, labels = zip(*table, strict=True)
    tree = C45()(rows, labels)
    assert tree.weight == pytest.approx(len(rows))
    assert sum(fraction for _, fraction in tree.leaves(row)) == pytest.approx(1)
    assert sum(tree.shares(row).values()) == pytest.approx(1)
    assert tree.classify(row) in labels
    assert C45()(rows, labels) == tree


@given(TABLES)
def test_json_keeps_the_tree(table):
    tree = C45()(*zip(*table, strict=True))
    again = Node.from_json(json.loads(json.dumps(tree.to_json())))
    assert str(again) == str(tree)
    assert all(again.classify(row) == tree.classify(row) for row, _ in table)


def test_wrong_parameters_and_no_cases():
    with pytest.raises(ValueError, match="confidence"):
        C45(confidence=0.6)
    with pytest.raises(ValueError, match="min_cases"):
        C45(min_cases=0)
    with pytest.raises(ValueError, match="at least one case"):
        C45()([], [])
