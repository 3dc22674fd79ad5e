"""Line plots as inline SVG, readable in light and dark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 460, 300
_LEFT, _TOP, _RIGHT, _BOTTOM = 66, 14, 14, 44
LINE_COLOURS = 3  # colours repeat for lines beyond these
_MAX_POINTS = 400  # points drawn of a line: about as many as there are pixels
_AXIS_TICKS = 5


@dataclass(frozen=True, slots=True)
class Series:
    """A named line through points (x, y), with bars of length `spreads`, if any, up and down from each."""

    name: str
    points: Sequence[tuple[float, float]]
    spreads: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class _Axes:
    """The ranges of the axes: x from 0 to `x_to`, y from `y_from` to 1."""

    x_to: float
    y_from: float

    def x(self, value: float) -> float:
        return _LEFT + value / self.x_to * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        share = (value - self.y_from) / (1 - self.y_from)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)


def line_plot(
    title: str, x: str, y: str, series: Sequence[Series], *, x_to: float = 1, y_from: float = 0
) -> str:
    """Lines over x from 0 to `x_to` and y from `y_from` (below 1) to 1, as an `<svg>` element.

    `x` and `y` are the names of the axes.
    """
    axes = _Axes(x_to, y_from)
    lines = "".join(
        part for number, line in enumerate(series) for part in _line(axes, f"s{number % LINE_COLOURS}", line)
    )
    ticks = "".join(_tick(axes, number / _AXIS_TICKS) for number in range(_AXIS_TICKS + 1))
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">{ticks}{lines}'
        f'<text x="{middle}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(x)}</text>'
        f'<text transform="translate(12 {_HEIGHT / 2}) rotate(-90)" text-anchor="middle">{escape(y)}</text>'
        f"</svg>{_legend(series)}</figure>"
    )


def _legend(series: Sequence[Series]) -> str:
    names = "".join(
        f'<span><i class="s{number % LINE_COLOURS}"></i>{escape(line.name)}</span>'
        for number, line in enumerate(series)
    )
    return f'<p class="legend">{names}</p>'


def _tick(axes: _Axes, share: float) -> str:
    """A value below the x axis, and beside the y axis with a horizontal line, at a share of both axes."""
    x, y = share * axes.x_to, axes.y_from + share * (1 - axes.y_from)
    digits = 4 if axes.y_from else 1
    return (
        f'<text x="{axes.x(x):.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{round(x, 2):g}</text>'
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{axes.y(y):.1f}" y2="{axes.y(y):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{axes.y(y) + 4:.1f}" text-anchor="end">{y:.{digits}f}</text>'
    )


def _line(axes: _Axes, colour: str, line: Series) -> Iterator[str]:
    step = max(1, len(line.points) // _MAX_POINTS)
    thinned = line.points if step == 1 else [*line.points[::step], line.points[-1]]
    points = " ".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y in thinned)
    yield f'<polyline class="{colour}" points="{points}"/>'
    for (x, y), spread in zip(line.points, line.spreads, strict=False):
        top, bottom = axes.y(min(1.0, y + spread)), axes.y(max(axes.y_from, y - spread))
        across = f"{axes.x(x):.1f}"
        yield f'<polyline class="{colour}" points="{across},{top:.1f} {across},{bottom:.1f}"/>'
