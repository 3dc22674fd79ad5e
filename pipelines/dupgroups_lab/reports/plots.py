"""Small plots as inline SVG: lines, bars and points in a unit square, readable in light and dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 460, 300
_LEFT, _TOP, _RIGHT, _BOTTOM = 52, 14, 14, 44
COLOURS = 8  # series of a plot beyond these take the same again
_MOST = 400  # points of a line that are drawn: more than there are pixels says nothing


@dataclass(frozen=True, slots=True)
class Series:
    """A named line through points (x, y), such points alone, or bars of heights y at x."""

    name: str
    points: Sequence[tuple[float, float]]


TENTHS = tuple((at / 5, f"{at / 5:.1f}") for at in range(6))


def line_plot(
    title: str, x: str, y: str, series: Sequence[Series], across: Sequence[tuple[float, str]] = TENTHS
) -> str:
    """Lines over 0 to 1 in both directions, as an `<svg>` element.

    x and y are the names of the axes, `across` the marks (place, label) of the x axis.
    """
    lines = "".join(
        f'<polyline class="{_colour(number)}" points="{_points(one.points)}"/>'
        for number, one in enumerate(series)
    )
    return _plot(title, (x, y), _ticks(TENTHS) + _marks(across) + lines, series)


def value_plot(title: str, x: str, values: Sequence[str], lines: Mapping[str, Sequence[float]]) -> str:
    """Named lines, 0 to 1 high, over `values` that stand side by side, whatever they are."""
    places = [(place + 0.5) / len(values) for place in range(len(values))]
    series = [Series(name, list(zip(places, line, strict=True))) for name, line in lines.items()]
    return line_plot(title, x, "", series, list(zip(places, values, strict=True)))


def histogram(title: str, x: str, series: Sequence[Series], bins: int = 20) -> str:
    """How many of `points` (x from 0 to 1; y counts) of each series are in each bin, on a log scale."""
    counts = [_binned(one.points, bins) for one in series]
    most = max((count for each in counts for count in each), default=0)
    top = max(1, math.ceil(math.log10(most + 1)))
    width = 1 / bins / (len(series) + 0.5)
    bars = "".join(
        _bar(number, place / bins + (number + 0.25) * width, width, math.log10(count + 1) / top, f"{count:,}")
        for number, each in enumerate(counts)
        for place, count in enumerate(each)
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
        for number, one in enumerate(series)
        for x, y in one.points
    )
    ticks = [(at, f"{at * top:.3g}") for at, _ in TENTHS]
    marks = [((place + 0.5) * wide, name) for place, name in enumerate(groups)]
    return _plot(title, axes, _ticks(ticks) + _marks(marks) + bars, series)


def point_plot(title: str, axes: tuple[str, str], series: Sequence[Series], names: Sequence[str]) -> str:
    """The points of each series as numbers, 1 for the first of `names`; both axes end at 1."""
    least = min((min(point) for one in series for point in one.points), default=0.0)
    low = max(each for each in (0, 0.5, 0.75, 0.9) if each <= max(least, 0))
    ticks = [(at, f"{low + at * (1 - low):.2f}") for at, _ in TENTHS]
    points = "".join(
        _number(number, place, tuple((each - low) / (1 - low) for each in point), f"{one.name}, {name}")
        for number, one in enumerate(series)
        for place, (name, point) in enumerate(zip(names, one.points, strict=True), 1)
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
        f'<span><i class="{_colour(number)}"></i>{escape(one.name)}</span>'
        for number, one in enumerate(series)
    )
    return f'<p class="legend">{names}</p>'


def _marks(marks: Sequence[tuple[float, str]]) -> str:
    """Labels below the x axis."""
    return "".join(
        f'<text x="{_x(at):.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{escape(label)}</text>'
        for at, label in marks
    )


def _ticks(ticks: Sequence[tuple[float, str]]) -> str:
    """Lines across, each with its number."""
    return "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(at):.1f}" y2="{_y(at):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{_y(at) + 4:.1f}" text-anchor="end">{label}</text>'
        for at, label in ticks
    )


def _bar(number: int, x: float, width: float, height: float, told: str) -> str:
    return (
        f'<rect class="{_colour(number)}" x="{_x(x):.1f}" y="{_y(height):.1f}" '
        f'width="{_x(width) - _x(0):.1f}" height="{_y(0) - _y(height):.1f}"><title>{told}</title></rect>'
    )


def _number(number: int, place: int, point: tuple[float, ...], told: str) -> str:
    x, y = point
    return (
        f'<text class="{_colour(number)}" x="{_x(x):.1f}" y="{_y(y) + 4:.1f}" text-anchor="middle">{place}'
        f"<title>{escape(told)}</title></text>"
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
