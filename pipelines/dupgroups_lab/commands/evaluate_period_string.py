"""`dup-groups evaluate period-string`: An and Cheng's recall and precision on documents of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.documents import Docs, Labels, Positive
from dupgroups.errors import InputError
from dupgroups_lab.commands.ablations import Report, Shown, Tabulated, labelled
from dupgroups_lab.commands.evaluate import evaluate

if TYPE_CHECKING:
    from dupgroups_lab.papers.period_strings import Ablation, Reached


@evaluate.command("period-string")
def period_string(
    docs: Docs,
    labels: Labels,
    positive: Positive = "duplicate",
    extractors: Annotated[
        str, typer.Option("--extractor", help="What the feature strings are made of.", metavar="METHOD,...")
    ] = "whole,auto",
    report: Report = None,
) -> None:
    """An, Cheng: recall and precision of the feature string over alpha, beta and epsilon, Chinese only.

    The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance compares pages by the
    characters before their full stops, and needs no extraction. Prints precision and recall of your
    documents, as far as these have html, for whole pages, for extracted articles, and for the documents' own
    `text`: in pages, as the paper counts, and in pairs. Each coefficient is varied while the others stay as
    the paper has them (alpha 0.8, epsilon 0.2) or as we do (beta 0.5). Every pair is compared. Example:

        dup-groups evaluate period-string --docs news.jsonl.gz --labels pairs.csv
    """
    from dupgroups_lab.papers.period_strings import ablation

    found: dict[str, Ablation] = {}
    with labelled(docs, labels, positive, extractors.split(","), report=report, references=True) as given:
        for name, texts in given.texts.items():
            found[name] = ablation(texts, given.hosts, given.truth)
            given.told(len(found), len(given.texts))
    if not any(each.strings for each in found.values()):
        raise InputError(f"{docs}: no text has four Chinese characters before full stops")
    tables = [_table(name, each) for name, each in found.items()]
    Shown(f"An and Cheng's coefficients for {docs.name}", given.truth, tables, _plots(found)).show(report)


def _table(name: str, found: Ablation) -> Tabulated:
    from dupgroups_lab.papers.period_strings import PUBLISHED

    heads = ("P of pages", "R of pages", "P of pairs", "R of pairs", "F1 of pairs")
    rows = [["the paper", *(f"{each:.3f}" for each in PUBLISHED), "-", "-", "-"]]
    for coefficient, values in found.varied.items():
        rows += [[f"{coefficient} {getattr(given, coefficient)}", *_cells(told)] for given, told in values]
    best, told = found.best
    rows.append([f"best: {best.alpha}, {best.beta}, {best.epsilon}", *_cells(told)])
    return Tabulated([f"{name}: {found.strings:,} feature strings", *heads], rows)


def _cells(told: Reached) -> list[str]:
    pages, pairs = told.pages, told.pairs
    figures = (pages.precision, pages.recall, pairs.precision, pairs.recall, pairs.f1)
    return [f"{each:.3f}" for each in figures]


def _plots(found: Mapping[str, Ablation]) -> list[str]:
    """F1 of pairs over each coefficient, with a line for each kind of text."""
    from dupgroups_lab.reports.plots import value_plot

    first = next(iter(found.values()))
    return [
        value_plot(
            f"F1 of pairs by {coefficient}",
            coefficient,
            [f"{getattr(given, coefficient)}" for given, _ in values],
            {name: [told.pairs.f1 for _, told in each.varied[coefficient]] for name, each in found.items()},
        )
        for coefficient, values in first.varied.items()
    ]
