"""The cells of tables of extraction scores."""

from __future__ import annotations

from collections.abc import Sequence

from dupgroups_lab.extraction.run import Row


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


def percents(shares: Sequence[float]) -> list[str]:
    """Shares (0 to 1) as percentages with one decimal."""
    return [f"{100 * share:.1f}" for share in shares]
