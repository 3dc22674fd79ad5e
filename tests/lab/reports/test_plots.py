"""Plots: what they show stays inside, and counts what it should."""

from __future__ import annotations

import re
from itertools import pairwise

from dupgroups_lab.reports.plots import Series, bar_plot, histogram, line_plot, point_plot


def test_lines_keep_their_points_inside() -> None:
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


def test_bars_stand_side_by_side() -> None:
    bars = bar_plot("t", ("x", "y"), [Series(name, [(0, 5), (1, 10)]) for name in "ab"], ["g", "h"], top=10)
    boxes = re.findall(r'<rect class="s(\d)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', bars)
    assert [box[0] for box in boxes] == ["0", "0", "1", "1"]
    spans = sorted((float(x), float(x) + float(wide)) for _, x, _, wide in boxes)
    assert all(end <= begin + 0.2 for (_, end), (begin, _) in pairwise(spans))
    assert spans[0][0] >= 52
    assert spans[-1][1] <= 446


def test_points_are_named_and_the_axes_begin_below_them() -> None:
    points = point_plot("t", ("x", "y"), [Series("one", [(0.6, 0.93), (1.0, 1.0)])], ["a<", "b"])
    assert "one, a&lt;" in points
    assert "0.50" in points
    assert "<svg" in point_plot("t", ("x", "y"), [], [])
