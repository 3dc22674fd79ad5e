"""Tables of extraction scores, pack by pack."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from dupgroups.content.auto import Auto
from dupgroups.evaluation.extraction import Agreement, LabelledPage, Score, agreement, score
from dupgroups.evaluation.extraction_training import Example, cross_validate


def row_of(page: LabelledPage) -> str:
    """The row of the table that a page belongs to: its pack, articles apart from other pages."""
    return f"{page.pack} (no articles)" if page.kind == "other" else page.pack


def validated(examples: Sequence[Example], folds: int) -> dict[str, Score]:
    """Scores by row of `auto`, every page judged by a network that saw no page of its site."""
    found: dict[str, list[Agreement]] = defaultdict(list)
    select = Auto().select
    for each, probabilities in zip(examples, cross_validate(examples, folds), strict=True):
        page = each.page
        text = "\n".join(each.blocks.blocks[at].text for at in select(each.blocks, probabilities))
        found[row_of(page)].append(agreement(page.text or "", text, page.language))
    return {row: score(found[row]) for row in sorted(found)}


def print_scores(console: Console, title: str, scores: Mapping[str, Score]) -> None:
    """One line a row."""
    table = Table("pages of", "number", "P", "R", "F1", "mean F1", title=title)
    for row, each in scores.items():
        figures = (each.precision, each.recall, each.f1, each.page_f1)
        table.add_row(row, str(each.pages), *(f"{figure:.3f}" for figure in figures))
    console.print(table)
