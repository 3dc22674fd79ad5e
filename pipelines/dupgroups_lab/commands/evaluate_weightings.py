"""`dup-groups evaluate weightings`: the tables of Alonso, Fetterly and Manasse on the user's documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.options import ExtractorOption, FieldsOption, JsonOption
from dupgroups_lab.commands.ablations import difference, differences, labelled, show_measured
from dupgroups_lab.commands.evaluate import PAPERS, evaluate
from dupgroups_lab.commands.options import DocsOption, LabelsOption, PositiveOption
from dupgroups_lab.reports.marked_tables import Tabulated

if TYPE_CHECKING:
    from dupgroups_lab.papers.weightings import Ablation, PhraseRow, Row

_COLUMNS = ("paper's F1", "F1", "at", "MCC", "F1 of listed pairs", "without")


@evaluate.command("weightings", rich_help_panel=PAPERS)
def weightings(
    docs: DocsOption,
    labels: LabelsOption,
    positive: PositiveOption = "duplicate",
    phrase: Annotated[int, typer.Option(min=1, max=32, help="Words of a phrase.", metavar="WORDS")] = 7,
    extractor: ExtractorOption = "auto",
    fields: FieldsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Alonso, Fetterly, Manasse: antecedents of SpotSigs, phrase weightings, rare-phrase limits.

    Prints the tables of Near Duplicate News Story Detection Revisited (AIRS 2013) for your documents: the
    best F1 and MCC of each variant, beside the paper's F1, and how many documents give no feature.
    Similarities are exact, document frequencies are those of the file, and thresholds are chosen on the same
    documents. The paper's pairs were drawn evenly over all similarities: your listed pairs come closest to
    them. Phrases are read from all sentences, as in the paper, and from closed ones, as `weighted_phrases`
    reads them by default.

    The last columns are differences of F1 over all pairs with their 95 % intervals by the paired bootstrap
    over stories; `*` marks those that are not 0. Examples:

        dup-groups evaluate weightings --docs news.jsonl.gz --labels pairs.csv

        dup-groups evaluate weightings --docs news.jsonl.gz --labels pairs.csv \\
            --extractor whole
    """
    from dupgroups_lab.papers.weightings import ablation

    name = extractor or "auto"
    with labelled(docs, labels, positive, [name], fields) as given:
        results = ablation(given.texts[name], given.truth, phrase, given.progress)
    show_measured(given.truth, results, _tables(results), as_json)


def _tables(results: Ablation) -> list[Tabulated]:
    from dupgroups_lab.papers.weightings import THRESHOLDS

    mcc = [
        (f"{threshold:.2f}", *(f"{values[place]:.4f}" for values in results.mcc.values()))
        for place, threshold in enumerate(THRESHOLDS)
    ]
    return [
        _antecedents(results.antecedents),
        _phrases("weighting of phrases, none of more than 50 %", results.weightings),
        _phrases("common phrases", results.filters),
        Tabulated(("MCC at threshold", *results.mcc), mcc),
    ]


def _antecedents(rows: Sequence[Row]) -> Tabulated:
    heads, *compared = differences(rows)
    cells = [(*_cells(row), *others) for row, others in zip(rows, compared, strict=True)]
    return Tabulated(("antecedents of SpotSigs", *_COLUMNS, *heads), cells)


def _phrases(title: str, rows: Sequence[PhraseRow]) -> Tabulated:
    heads, *compared = differences([row.every for row in rows])
    cells = [
        (*_cells(row.every), f"{row.closed.reached.every.f1:.4f}", difference(row.difference), *others)
        for row, others in zip(rows, compared, strict=True)
    ]
    return Tabulated((title, *_COLUMNS, "F1 of closed sentences", "closed - all", *heads), cells)


def _cells(row: Row) -> Iterator[str]:
    yield row.name
    yield f"{row.published:.4f}" if row.published else "-"
    best = row.reached.every
    for value in (best.f1, best.threshold, best.mcc, row.reached.listed.f1):
        yield f"{value:.4f}"
    yield f"{row.reached.silent:,}"
