"""Figures 3 to 5: one parameter varied, the others fixed.

| values | of | the paper |
|---|---|---|
| BLOCKS | least tokens of a block; every block has 1 | 1 to 20 |
| TOPS   | share of the distinct shingles that are dropped as too frequent, at most | 0 to 10 % |
| SIZES  | tokens of a shingle | 1 to 10 |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dupgroups_lab.measures.paired_bootstrap import Difference
from dupgroups_lab.papers.cedar.shingles import Setting
from dupgroups_lab.papers.exact import Measured, Reached

BLOCKS = tuple(range(1, 21))
TOPS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1)
SIZES = tuple(range(1, 11))


@dataclass(frozen=True, slots=True)
class Figure:
    """One parameter varied: the scores of each extractor, in the order of `values`; `dropped`: see Row.

    `against`: the best F1 of each value minus that of the value `base`.
    """

    name: str
    values: Sequence[str]
    base: str
    lines: Mapping[str, Sequence[Reached]]
    dropped: Mapping[str, Sequence[float]]
    against: Mapping[str, Sequence[Difference]]


@dataclass(frozen=True, slots=True)
class Grid:
    """The plan of a figure: the settings of each line, in the order of `values`; `base`: see Figure."""

    name: str
    values: Sequence[str]
    base: str
    lines: Sequence[Sequence[Setting]]

    def figure(self, measured: Mapping[Setting, tuple[Measured, float]]) -> Figure:
        """The figure, once everything is measured."""
        lines = {line[0].extractor: [measured[setting] for setting in line] for line in self.lines}
        base = self.values.index(self.base)
        f1 = {name: [one.f1 for one, _ in line] for name, line in lines.items()}
        return Figure(
            self.name,
            self.values,
            self.base,
            {name: [one.reached for one, _ in line] for name, line in lines.items()},
            {name: [dropped for _, dropped in line] for name, line in lines.items()},
            {name: [Difference.of(value, values[base]) for value in values] for name, values in f1.items()},
        )


def grids(plain: Sequence[Setting]) -> list[Grid]:
    """The plans of figures 3 to 5, with a line for each of these settings.

    Shingles are three times as long in figures 3 and 4, as in the paper: 6 words instead of 2.
    """
    larger = [replace(setting, size=3 * setting.size) for setting in plain]
    with_size = f"shingles of {larger[0].size}"
    return [
        Grid(
            f"figure 3: least tokens of a block ({with_size})",
            list(map(str, BLOCKS)),
            str(BLOCKS[0]),
            [[replace(setting, block=block) for block in BLOCKS] for setting in larger],
        ),
        Grid(
            f"figure 4: share of shingles dropped ({with_size})",
            [f"{top:.1%}" for top in TOPS],
            f"{TOPS[0]:.1%}",
            [[replace(setting, top=top) for top in TOPS] for setting in larger],
        ),
        Grid(
            "figure 5: tokens of a shingle",
            list(map(str, SIZES)),
            str(plain[0].size),
            [[replace(setting, size=size) for size in SIZES] for setting in plain],
        ),
    ]
