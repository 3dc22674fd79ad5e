"""`dup-groups evaluate weightings`: the tables of Alonso, Fetterly and Manasse on the user's documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.options import (
    DocsOption,
    ExtractorOption,
    FieldOption,
    JsonOption,
    LabelsOption,
    PositiveOption,
    ReportOption,
)
from dupgroups_lab.commands.ablations import Shown, Tabulated, labelled
from dupgroups_lab.commands.evaluate import PAPERS, evaluate

if TYPE_CHECKING:
    from dupgroups_lab.papers.weightings import Row


@evaluate.command("weightings", rich_help_panel=PAPERS)
def weightings(
    docs: DocsOption,
    labels: LabelsOption,
    positive: PositiveOption = "duplicate",
    phrase: Annotated[int, typer.Option(min=1, max=32, help="Words of a phrase.", metavar="WORDS")] = 7,
    extractor: ExtractorOption = "auto",
    field: FieldOption = None,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Alonso, Fetterly, Manasse: antecedents of SpotSigs, phrase weightings, rare-phrase limits.

    Prints the tables of Near Duplicate News Story Detection Revisited (AIRS 2013) for your documents: the
    best F1 and MCC of each variant, beside the paper's F1. Similarities are exact, document frequencies are
    those of the file, and thresholds are chosen on the same documents. The paper's pairs were drawn evenly
    over all similarities: your listed pairs come closest to them. Examples:

        dup-groups evaluate weightings --docs news.jsonl.gz --labels pairs.csv

        dup-groups evaluate weightings --docs news.jsonl.gz --labels pairs.csv \\
            --extractor whole
    """
    from dupgroups_lab.papers.weightings import ablation

    name = extractor or "auto"
    with labelled(docs, labels, positive, [name], field, report=report) as given:
        results = ablation(given.texts[name], given.truth, phrase, given.progress)
    tables = {
        "antecedents of SpotSigs": results.antecedents,
        "weighting of phrases, without those of more than 50 %": results.weightings,
        "phrases of more documents than this dropped, weighting df2": results.common,
    }
    Shown(
        f"The tables of Alonso et al. for {docs.name}",
        given.truth,
        results,
        [_table(title, rows) for title, rows in tables.items()],
        [_plot(results.common)],
    ).show(report, as_json)


def _plot(rows: Sequence[Row]) -> str:
    from dupgroups_lab.reports.plots import value_plot

    lines = {
        "all pairs": [row.reached.every.f1 for row in rows],
        "listed pairs": [row.reached.listed.f1 for row in rows],
    }
    names = [row.name for row in rows]
    return value_plot("Best F1 without common phrases", "share of documents", names, lines)


def _table(title: str, rows: Sequence[Row]) -> Tabulated:
    columns = (title, "paper's F1", "F1, all pairs", "at", "MCC", "F1, listed pairs", "at", "MCC")
    return Tabulated(columns, [(row.name, *_cells(row)) for row in rows])


def _cells(row: Row) -> list[str]:
    published = f"{row.published:.4f}" if row.published else "-"
    both = (row.reached.every, row.reached.listed)
    return [published, *(f"{value:.4f}" for best in both for value in (best.f1, best.threshold, best.mcc))]
