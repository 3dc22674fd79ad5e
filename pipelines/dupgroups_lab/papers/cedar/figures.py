"""Figures 3 to 5: one parameter varied, the others fixed.

| values | of | the paper |
|---|---|---|
| BLOCKS | least tokens of a block; every block has 1 | 1 to 20 |
| TOPS   | share of the distinct shingles that are dropped as too frequent, at most | 0 to 10 % |
| SIZES  | tokens of a shingle | 1 to 10 |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from dupgroups_lab.measures.tabulated import Tabulated, decimals
from dupgroups_lab.papers.cedar.cedar_shingles import Setting
from dupgroups_lab.papers.exact import Measured

BLOCKS = tuple(range(1, 21))
TOPS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1)
SIZES = tuple(range(1, 11))


@dataclass(frozen=True, slots=True)
class Figure:
    """One parameter varied: `values` are those of the axis `x`, `grid` the settings of each line in the same
    order, and `lines` the scores of each extractor once they are measured.
    """

    name: str
    x: str
    values: Sequence[float]
    grid: Sequence[Sequence[Setting]]
    lines: Mapping[str, Sequence[Measured]] = field(default_factory=dict)

    @property
    def settings(self) -> list[Setting]:
        """Everything that has to be measured."""
        return [setting for line in self.grid for setting in line]

    def with_lines(self, results: Mapping[Setting, Measured]) -> Figure:
        """The figure with its lines."""
        lines = {line[0].extractor: [results[setting] for setting in line] for line in self.grid}
        return replace(self, lines=lines)

    @property
    def table(self) -> Tabulated:
        """The figure in numbers."""
        heads = [f"{name}: {score}" for name in self.lines for score in ("best F1", "AU-ROC")]
        columns = [[f"{value:g}" for value in self.values]]
        for line in self.lines.values():
            columns += decimals([one.best for one in line]), decimals([one.area for one in line], 5)
        return Tabulated((f"{self.name}: {self.x}", *heads), list(zip(*columns, strict=True)))


def figures(plain: Sequence[Setting]) -> list[Figure]:
    """The plans of figures 3 to 5, with a line for each of these settings.

    Shingles are three times as long in figures 3 and 4, as in the paper: 6 words instead of 2.
    """
    larger = [replace(setting, size=3 * setting.size) for setting in plain]
    blocks = [[replace(setting, block=block) for block in BLOCKS] for setting in larger]
    tops = [[replace(setting, top=top) for top in TOPS] for setting in larger]
    sizes = [[replace(setting, size=size) for size in SIZES] for setting in plain]
    return [
        Figure("figure 3", "least tokens of a block", BLOCKS, blocks),
        Figure("figure 4", "% of the shingles dropped", [100 * top for top in TOPS], tops),
        Figure("figure 5", "tokens of a shingle", SIZES, sizes),
    ]
