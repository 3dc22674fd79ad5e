"""`dup-groups evaluate period-string`: An and Cheng's recall and precision on the user's documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dupgroups.cli.options import (
    DocsOption,
    ExtractorsOption,
    JsonOption,
    LabelsOption,
    PositiveOption,
    ReportOption,
)
from dupgroups.errors import InputError
from dupgroups_lab.commands.ablations import Shown, Tabulated, labelled
from dupgroups_lab.commands.evaluate import PAPERS, evaluate

if TYPE_CHECKING:
    from dupgroups_lab.papers.period_strings import Ablation, Reached


@evaluate.command("period-string", rich_help_panel=PAPERS)
def period_string(
    docs: DocsOption,
    labels: LabelsOption,
    positive: PositiveOption = "duplicate",
    extractors: ExtractorsOption = "whole,auto",
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> None:
    """An, Cheng: recall and precision of the feature string over alpha, beta and epsilon, Chinese only.

    The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance compares pages by the
    characters before their full stops, and needs no extraction. Prints precision and recall for those of your
    documents that have html, on whole pages, on extracted articles, and on the `text` of the documents: in
    pages, as the paper counts, and in pairs. Each coefficient is varied while the others keep the values of
    the paper (alpha 0.8, epsilon 0.2) or ours (beta 0.5). Every pair is compared. Example:

        dup-groups evaluate period-string --docs news.jsonl.gz --labels pairs.csv
    """
    from dupgroups_lab.papers.period_strings import ablation

    ablations: dict[str, Ablation] = {}
    with labelled(docs, labels, positive, extractors.split(","), report=report, references=True) as given:
        for name, texts in given.texts.items():
            ablations[name] = ablation(texts, given.hosts, given.truth)
            given.progress(len(ablations), len(given.texts))
    if not any(measured.strings for measured in ablations.values()):
        raise InputError(f"{docs}: no text has four Chinese characters before full stops")
    tables = [_table(name, measured) for name, measured in ablations.items()]
    title, plots = f"An and Cheng's coefficients for {docs.name}", _plots(ablations)
    Shown(title, given.truth, ablations, tables, plots).show(report, as_json)


def _table(name: str, measured: Ablation) -> Tabulated:
    from dupgroups_lab.papers.period_strings import PUBLISHED

    heads = ("P of pages", "R of pages", "P of pairs", "R of pairs", "F1 of pairs")
    rows = [["the paper", *(f"{score:.3f}" for score in PUBLISHED), "-", "-", "-"]]
    for coefficient, values in measured.varied.items():
        rows += [
            [f"{coefficient} {getattr(given, coefficient)}", *_cells(reached)] for given, reached in values
        ]
    best, reached = measured.best
    rows.append([f"best: {best.alpha}, {best.beta}, {best.epsilon}", *_cells(reached)])
    return Tabulated([f"{name}: {measured.strings:,} feature strings", *heads], rows)


def _cells(reached: Reached) -> list[str]:
    pages, pairs = reached.pages, reached.pairs
    scores = (pages.precision, pages.recall, pairs.precision, pairs.recall, pairs.f1)
    return [f"{score:.3f}" for score in scores]


def _plots(ablations: Mapping[str, Ablation]) -> list[str]:
    """F1 of pairs over each coefficient, with a line for each kind of text."""
    from dupgroups_lab.reports.plots import value_plot

    first = next(iter(ablations.values()))
    return [
        value_plot(
            f"F1 of pairs by {coefficient}",
            coefficient,
            [f"{getattr(given, coefficient)}" for given, _ in values],
            {
                name: [reached.pairs.f1 for _, reached in measured.varied[coefficient]]
                for name, measured in ablations.items()
            },
        )
        for coefficient, values in first.varied.items()
    ]
