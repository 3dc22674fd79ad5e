"""Tables of extraction scores, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from dupgroups_lab.extraction import declared_fields
from dupgroups_lab.extraction.run import Row
from dupgroups_lab.extraction.scores import PUBLISHED, BlockScore
from dupgroups_lab.extraction.validation import Validated


def print_rows(console: Console, extractor: str, rows: Sequence[Row]) -> None:
    """Print everything that was measured of one extractor, one line per row."""
    columns = ("pages", "P", "R", "F1", "mean\nF1", "block\nP", "block\nR", "exact\npages")
    times = ("pages\n/s", "parses", "own\nparses")
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("", overflow="fold")
    for column in (*columns, *times):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(row.name, *cells(row))
    console.print(extractor, style="italic", soft_wrap=True)
    console.print(table)


def cells(row: Row) -> list[str]:
    """The cells of a row: pages, P, R, F1, mean F1, blocks in %, pages a second, and the time of the whole
    and of the method as multiples of parsing."""
    score, blocks = row.score, row.blocks
    return [
        str(score.pages),
        *(f"{value:.3f}" for value in (score.precision, score.recall, score.f1, score.page_f1)),
        *(percents((blocks.precision, blocks.recall, blocks.exact)) if blocks else "---"),
        f"{row.time.rate:,.0f}",
        f"{row.time.parses:.1f}",
        f"{row.time.method_parses:.1f}",
    ]


def print_fields(console: Console, packs: Mapping[str, Mapping[str, declared_fields.Row]]) -> None:
    """Print one line per pack and reader: equal values of those with gold, closeness, milliseconds a page."""
    table = Table("", "", box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for column in ("titles", "F1", "authors", "F1", "dates", "3 days", "sites", "ms"):
        table.add_column(column, justify="right")
    for pack, readers in packs.items():
        for name, row in readers.items():
            cells = [
                cell
                for field, tally in row.fields.items()
                for cell in (
                    (f"{tally.equal}/{tally.gold}", f"{tally.close / tally.gold:.3f}")
                    if tally.found
                    else "--"
                )
            ]
            table.add_row(pack, name, *cells[:-1], f"{1000 * row.seconds / max(row.pages, 1):.1f}")
    console.print(table)


def percents(shares: Sequence[float]) -> list[str]:
    """Shares (0 to 1) as percentages with one decimal."""
    return [f"{100 * share:.1f}" for share in shares]


def print_validated(console: Console, title: str, rows: Mapping[str, Validated]) -> None:
    """Print one line per row."""
    table = Table("pages of", "number", "P", "R", "F1", "error", "mean F1", title=title)
    for name, row in rows.items():
        score = row.score
        values = (score.precision, score.recall, score.f1, row.error, score.page_f1)
        table.add_row(name, str(score.pages), *(f"{value:.3f}" for value in values))
    console.print(table)


def print_blocks(console: Console, method: str, score: BlockScore) -> None:
    """Print block precision and recall and document accuracy in percent, beside those of CEDAR's method."""
    table = Table(
        "", "block precision", "block recall", "pages without an error", title="blocks of articles, %"
    )
    table.add_row(method, *percents((score.precision, score.recall, score.exact)))
    name = method.partition(" ")[0]  # without parameters
    if name in PUBLISHED:
        table.add_row("CEDAR", *(f"{value:.1f}" for value in PUBLISHED[name]))
    console.print(table)
