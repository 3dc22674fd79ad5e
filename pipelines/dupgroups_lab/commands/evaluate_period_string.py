"""`dup-groups evaluate period-string`: An and Cheng's recall and precision on the user's documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dupgroups.cli.options import FieldsOption, JsonOption
from dupgroups.errors import InputError
from dupgroups_lab.commands.ablations import difference, labelled, show_measured
from dupgroups_lab.commands.evaluate import PAPERS, evaluate
from dupgroups_lab.commands.options import (
    DocsOption,
    ExtractorsOption,
    LabelsOption,
    PositiveOption,
)
from dupgroups_lab.reports.marked_tables import Tabulated

if TYPE_CHECKING:
    from dupgroups_lab.papers.period_strings import Ablation, Row, Times


@evaluate.command("period-string", rich_help_panel=PAPERS)
def period_string(
    docs: DocsOption,
    labels: LabelsOption,
    positive: PositiveOption = "duplicate",
    fields: FieldsOption = None,
    extractors: ExtractorsOption = "whole,auto",
    as_json: JsonOption = False,
) -> None:
    """An, Cheng: recall and precision of the feature string over alpha, beta and epsilon, Chinese only.

    The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance compares pages by the
    characters before their full stops, and needs no extraction. Prints precision and recall for those of your
    documents that have html, on whole pages, on extracted articles, and on the `text` of the documents: in
    pages, as the paper counts, and in pairs. Each coefficient is varied while the others keep the values of
    the paper (alpha 0.8, epsilon 0.2) or ours (beta 0.5). The paper calls the value 0.8 rho and does not
    define it: the two rows "rho is" have both readings. Every pair is compared. The first table has the
    seconds of CPU that this took.

    The last column is the difference of F1 to these values, with its 95 % interval by the paired bootstrap
    over stories, and the last row that of these values to those on the first kind of text; `*` marks those
    that are not 0. Example:

        dup-groups evaluate period-string --docs news.jsonl.gz --labels pairs.csv
    """
    from dupgroups_lab.papers.period_strings import ablations

    names = extractors.split(",")
    with labelled(docs, labels, positive, names, fields, references=True) as given:
        results = ablations(given.texts, given.hosts, given.truth, given.progress)
    if not any(measured.strings for measured in results.values()):
        raise InputError(f"{docs}: no text has four Chinese characters before full stops")
    tables = [_times({name: measured.times for name, measured in results.items()})]
    tables += [_table(name, measured, next(iter(results))) for name, measured in results.items()]
    show_measured(given.truth, results, tables, as_json)


def _times(measured: Mapping[str, Times]) -> Tabulated:
    from dupgroups_lab.papers.period_strings import PUBLISHED_TIMES

    rows = [
        [name, f"{times.pages:,}", f"{times.extraction:.2f}", f"{times.comparison:.2f}"]
        for name, times in {"the paper": PUBLISHED_TIMES, **measured}.items()
    ]
    return Tabulated(("table II: seconds", "pages", "extraction", "comparison"), rows)


def _table(name: str, measured: Ablation, first: str) -> Tabulated:
    from dupgroups_lab.papers.period_strings import PUBLISHED

    heads = ("P of pages", "R of pages", "P of pairs", "R of pairs", "F1 of pairs", "difference")
    rows = [["the paper", *(f"{score:.3f}" for score in PUBLISHED), "-", "-", "-", "-"]]
    rows += [[name, *_cells(row)] for name, row in measured.readings.items()]
    for coefficient, values in measured.varied.items():
        rows += [[f"{coefficient} {getattr(row.given, coefficient)}", *_cells(row)] for row in values]
    best = measured.best.given
    rows.append([f"best: {best.alpha}, {best.beta}, {best.epsilon}", *_cells(measured.best)])
    if name != first:
        rows.append([f"{name} - {first}", "-", "-", "-", "-", "-", difference(measured.against)])
    return Tabulated([f"{name}: {measured.strings:,} feature strings", *heads], rows)


def _cells(row: Row) -> list[str]:
    pages, pairs = row.reached.pages, row.reached.pairs
    scores = (pages.precision, pages.recall, pairs.precision, pairs.recall, pairs.f1)
    return [*(f"{score:.3f}" for score in scores), difference(row.difference)]
