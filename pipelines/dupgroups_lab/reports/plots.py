"""Small plots as inline SVG: lines, bars and points in a unit square, readable in light and dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 460, 300
_LEFT, _TOP, _RIGHT, _BOTTOM = 52, 14, 14, 44
COLOURS = 8  # colours repeat for series beyond these
_MOST = 400  # points drawn of a line: about as many as there are pixels


@dataclass(frozen=True, slots=True)
class Series:
    """A named line through points (x, y), the points alone, or bars of heights y at x."""

    name: str
    points: Sequence[tuple[float, float]]


TENTHS = tuple((number / 5, f"{number / 5:.1f}") for number in range(6))


def line_plot(
    title: str,
    x: str,
    y: str,
    series: Sequence[Series],
    across: Sequence[tuple[float, str]] = TENTHS,
    top: float = 1.0,
) -> str:
    """Lines over x from 0 to 1 and y from 0 to `top`, as an `<svg>` element.

    x and y are the names of the axes, `across` the marks (position, label) of the x axis.
    """
    lines = "".join(
        f'<polyline class="{_colour(number)}" points="{_points([(x, y / top) for x, y in line.points])}"/>'
        for number, line in enumerate(series)
    )
    ticks = TENTHS if top == 1 else [(height, f"{height * top:,.4g}") for height, _ in TENTHS]
    return _plot(title, (x, y), _ticks(ticks) + _marks(across) + lines, series)


def value_plot(title: str, x: str, values: Sequence[str], lines: Mapping[str, Sequence[float]]) -> str:
    """Named lines, 0 to 1 high, over any `values`, which are spaced evenly."""
    centres = [(index + 0.5) / len(values) for index in range(len(values))]
    series = [Series(name, list(zip(centres, line, strict=True))) for name, line in lines.items()]
    return line_plot(title, x, "", series, list(zip(centres, values, strict=True)))


def histogram(title: str, x: str, series: Sequence[Series], bins: int = 20) -> str:
    """The `points` (x from 0 to 1; y counts) of each series counted in bins, on a log scale."""
    counts = [_binned(drawn.points, bins) for drawn in series]
    most = max((count for counts_of_series in counts for count in counts_of_series), default=0)
    top = max(1, math.ceil(math.log10(most + 1)))
    width = 1 / bins / (len(series) + 0.5)
    bars = "".join(
        _bar(number, index / bins + (number + 0.25) * width, width, math.log10(count + 1) / top, f"{count:,}")
        for number, counts_of_series in enumerate(counts)
        for index, count in enumerate(counts_of_series)
        if count
    )
    ticks = [(math.log10(10**power + 1) / top, f"{10**power:,}") for power in range(top) if 10**power <= most]
    inside = _ticks([(0, "0"), *ticks]) + _marks(TENTHS) + bars
    return _plot(title, (x, "pairs (log)"), inside, series)


def bar_plot(
    title: str, axes: tuple[str, str], series: Sequence[Series], groups: Sequence[str], top: float = 1.0
) -> str:
    """A bar of each series in each of the `groups`, whose numbers from 0 are the x; y is 0 to `top`."""
    wide = 1 / max(len(groups), 1)
    width = wide / (len(series) + 0.5)
    bars = "".join(
        _bar(number, x * wide + (number + 0.25) * width, width, y / top, f"{y:.3g}")
        for number, group in enumerate(series)
        for x, y in group.points
    )
    ticks = [(height, f"{height * top:.3g}") for height, _ in TENTHS]
    marks = [((index + 0.5) * wide, name) for index, name in enumerate(groups)]
    return _plot(title, axes, _ticks(ticks) + _marks(marks) + bars, series)


def point_plot(title: str, axes: tuple[str, str], series: Sequence[Series], names: Sequence[str]) -> str:
    """The points of each series as numbers, 1 for the first of `names`; both axes end at 1."""
    least = min((min(point) for group in series for point in group.points), default=0.0)
    low = max(limit for limit in (0, 0.5, 0.75, 0.9) if limit <= max(least, 0))
    ticks = [(height, f"{low + height * (1 - low):.2f}") for height, _ in TENTHS]
    points = "".join(
        _number(
            number,
            position,
            tuple((coordinate - low) / (1 - low) for coordinate in point),
            f"{group.name}, {name}",
        )
        for number, group in enumerate(series)
        for position, (name, point) in enumerate(zip(names, group.points, strict=True), 1)
    )
    return _plot(title, axes, _ticks(ticks) + _marks(ticks) + points, series)


def _binned(points: Sequence[tuple[float, float]], bins: int) -> list[int]:
    counts = [0] * bins
    for x, y in points:
        counts[min(bins - 1, int(x * bins))] += int(y)
    return counts


def _plot(title: str, axes: tuple[str, str], inside: str, series: Sequence[Series]) -> str:
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    x, y = axes
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">{inside}'
        f'<text x="{middle}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(x)}</text>'
        f'<text transform="translate(12 {_HEIGHT / 2}) rotate(-90)" text-anchor="middle">{escape(y)}</text>'
        f"</svg>{_legend(series)}</figure>"
    )


def _legend(series: Sequence[Series]) -> str:
    names = "".join(
        f'<span><i class="{_colour(number)}"></i>{escape(line.name)}</span>'
        for number, line in enumerate(series)
    )
    return f'<p class="legend">{names}</p>'


def _marks(marks: Sequence[tuple[float, str]]) -> str:
    """Labels below the x axis."""
    return "".join(
        f'<text x="{_x(position):.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">'
        f"{escape(label)}</text>"
        for position, label in marks
    )


def _ticks(ticks: Sequence[tuple[float, str]]) -> str:
    """Horizontal lines, each with its number."""
    return "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(height):.1f}" '
        f'y2="{_y(height):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{_y(height) + 4:.1f}" text-anchor="end">{label}</text>'
        for height, label in ticks
    )


def _bar(number: int, x: float, width: float, height: float, tooltip: str) -> str:
    return (
        f'<rect class="{_colour(number)}" x="{_x(x):.1f}" y="{_y(height):.1f}" '
        f'width="{_x(width) - _x(0):.1f}" height="{_y(0) - _y(height):.1f}"><title>{tooltip}</title></rect>'
    )


def _number(number: int, position: int, point: tuple[float, ...], tooltip: str) -> str:
    x, y = point
    return (
        f'<text class="{_colour(number)}" x="{_x(x):.1f}" y="{_y(y) + 4:.1f}" text-anchor="middle">{position}'
        f"<title>{escape(tooltip)}</title></text>"
    )


def _colour(number: int) -> str:
    return f"s{number % COLOURS}"


def _thinned(points: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
    step = max(1, len(points) // _MOST)
    return points if step == 1 else [*points[::step], points[-1]]


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_x(x):.1f},{_y(y):.1f}" for x, y in _thinned(points))


def _x(value: float) -> float:
    return _LEFT + value * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float) -> float:
    return _HEIGHT - _BOTTOM - value * (_HEIGHT - _TOP - _BOTTOM)
