"""Plots: what they show stays inside, and counts what it should."""

from __future__ import annotations

import re

from dupgroups_lab.reports.plots import Series, histogram, line_plot


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
