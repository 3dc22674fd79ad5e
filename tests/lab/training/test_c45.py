"""C4.5: the slides' tree, the tree that is printed for golf, missing values, pruning."""

import pytest

from dupgroups_lab.training.c45 import C45, Case, distribute, gain, info, weigh

GOLF = """sunny 75 70 true play; sunny 80 90 true stay; sunny 85 85 false stay; sunny 72 95 false stay
sunny 69 70 false play; overcast 72 90 true play; overcast 83 78 false play; overcast 64 65 true play
overcast 81 75 false play; rain 71 80 true stay; rain 65 70 true stay; rain 75 80 false play
rain 68 80 false play; rain 70 96 false play"""
# length and width of the petals in mm (Fisher 1936)


def golf() -> tuple[list[dict[str, float | str | None]], list[str]]:
    days = [day.split() for day in GOLF.replace("\n", ";").split(";")]
    rows = [
        {"outlook": a, "temperature": float(b), "humidity": float(c), "windy": d} for a, b, c, d, _ in days
    ]
    return rows, [day[-1] for day in days]


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


def test_predicted_errors_of_the_book():
    c45 = C45()
    assert [round(c45.predict_errors(cases, 0) / cases, 3) for cases in (6, 9, 1)] == [0.206, 0.143, 0.75]
    assert c45.predict_errors(16, 1) / 16 == pytest.approx(0.157, abs=0.003)  # the book's is not approximated
