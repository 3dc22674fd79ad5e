"""Line plots as inline SVG: lines in a unit square, readable in light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 460, 300
_LEFT, _TOP, _RIGHT, _BOTTOM = 52, 14, 14, 44
COLOURS = 3  # colours repeat for lines beyond these
_MOST = 400  # points drawn of a line: about as many as there are pixels
_TENTHS = [number / 5 for number in range(6)]


@dataclass(frozen=True, slots=True)
class Series:
    """A named line through points (x, y), both 0 to 1."""

    name: str
    points: Sequence[tuple[float, float]]


def line_plot(title: str, x: str, y: str, series: Sequence[Series]) -> str:
    """Lines over x and y from 0 to 1, as an `<svg>` element; x and y are the names of the axes."""
    lines = "".join(
        f'<polyline class="{_colour(number)}" points="{_points(line.points)}"/>'
        for number, line in enumerate(series)
    )
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">{"".join(map(_tick, _TENTHS))}{lines}'
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


def _tick(value: float) -> str:
    """A value below the x axis, and beside the y axis with a horizontal line."""
    return (
        f'<text x="{_x(value):.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{value:.1f}</text>'
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(value):.1f}" y2="{_y(value):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{_y(value) + 4:.1f}" text-anchor="end">{value:.1f}</text>'
    )


def _colour(number: int) -> str:
    return f"s{number % COLOURS}"


def _points(points: Sequence[tuple[float, float]]) -> str:
    step = max(1, len(points) // _MOST)
    thinned = points if step == 1 else [*points[::step], points[-1]]
    return " ".join(f"{_x(x):.1f},{_y(y):.1f}" for x, y in thinned)


def _x(value: float) -> float:
    return _LEFT + value * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float) -> float:
    return _HEIGHT - _BOTTOM - value * (_HEIGHT - _TOP - _BOTTOM)
