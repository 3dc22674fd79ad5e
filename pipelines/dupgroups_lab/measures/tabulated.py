"""Tables of text, as commands print them, and as they write them into pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dupgroups.errors import InputError
from dupgroups_lab.measures.bootstrap import Difference, Floats

NO_VALUE = "-"  # a cell without a value


@dataclass(frozen=True, slots=True)
class Tabulated:
    """A table of text. The first column names the rows; its head names the table."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def cell(self, row: str, column: str) -> str:
        """The text of a cell, "-" without such a row. Raises InputError for an unknown column."""
        if column not in self.columns:
            known = "; ".join(self.columns)
            raise InputError(f"the table {self.columns[0]!r} has no column {column!r}; it has {known}")
        place = list(self.columns).index(column)
        return next((cells[place] for cells in self.rows if cells[0] == row), NO_VALUE)

    @property
    def values(self) -> list[dict[str, str]]:
        """Its rows by the names of the columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    @property
    def turned(self) -> Tabulated:
        """Its rows as columns."""
        head, *rows = zip(self.columns, *self.rows, strict=True)
        return Tabulated(head, rows)


@dataclass(frozen=True, slots=True)
class Line:
    """The cells of a row, the F1 of `Samples.f1` of what it measured, and that of others by their name."""

    cells: Sequence[str]
    f1: Floats
    rivals: Mapping[str, Floats] = field(default_factory=dict)


def tabulate_differences(columns: Sequence[str], lines: Sequence[Line]) -> Tabulated:
    """A table of these lines with columns of the differences of F1 to each rival; "-" to itself."""
    names = list(dict.fromkeys(name for line in lines for name in line.rivals))

    def difference(line: Line, name: str) -> str:
        rival = line.rivals.get(name)
        return NO_VALUE if rival is None or rival is line.f1 else str(Difference.of(line.f1, rival))

    rows = [(*line.cells, *(difference(line, name) for name in names)) for line in lines]
    return Tabulated((*columns, *(f"- {name}" for name in names)), rows)


def decimals(values: Iterable[float | None], digits: int = 3) -> list[str]:
    """Numbers with this many decimals; "-" for None."""
    return [NO_VALUE if value is None else f"{value:.{digits}f}" for value in values]


def percents(shares: Sequence[float]) -> list[str]:
    """Shares (0 to 1) as percentages with one decimal."""
    return decimals([100 * share for share in shares], 1)
