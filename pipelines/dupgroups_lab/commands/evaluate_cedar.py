"""`dup-groups evaluate cedar`: CEDAR's tables 1 to 3 and figures 3 to 5 on documents of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.documents import Docs, Labels, Positive
from dupgroups_lab.commands.ablations import Report, Shown, Tabulated, labelled
from dupgroups_lab.commands.evaluate import evaluate

if TYPE_CHECKING:
    from dupgroups_lab.papers.cedar import Figure, Row, Tuned
    from dupgroups_lab.papers.exact import Reached

_PAPER = {
    # what the paper calls them
    "whole": "Heuristic",
    "maxent": "CE-SIMPLE",
    "crf": "CE-BEST",
    "reference": "Ref. standard",
}


@evaluate.command("cedar")
def cedar(
    docs: Docs,
    labels: Labels,
    positive: Positive = "duplicate",
    extractors: Annotated[
        str, typer.Option("--extractor", help="Compared with whole pages.", metavar="METHOD,...")
    ] = "maxent,crf,auto",
    size: Annotated[
        int, typer.Option(min=1, max=10, help="Tokens of a shingle; for Chinese rather 4.", metavar="TOKENS")
    ] = 2,
    report: Report = None,
) -> None:
    """Gibson, Wellner, Lubar (CEDAR): how extraction, filters and shingle size matter for resemblance.

    Prints tables 1 to 3 and figures 3 to 5 of Identification of Duplicate News Stories in Web Pages
    (LREC 2008) for your documents, as far as these have html, beside the paper's figures:

    1. AU-ROC by what extracts the article: all visible text, each extractor, the documents' own `text`;

    2. AU-ROC of all visible text without short blocks and without the most frequent shingles;

    3. precision, recall and F1, of pairs and by B-cubed, on one half of the stories, with the filters and
    the threshold that are best on the other half;

    and best F1 and AU-ROC by least block, by share of the shingles dropped, and by shingle size. Filters read
    "block 12, top 5.0%": without blocks of fewer than 12 tokens, and without the 5 % most frequent shingles.
    Nothing is estimated: resemblance is exact over all pairs of documents. Example:

        dup-groups evaluate cedar --docs news.jsonl.gz --labels pairs.csv
    """
    from dupgroups_lab.papers.cedar import ablation

    names = ["whole", *(each for each in extractors.split(",") if each != "whole")]
    with labelled(docs, labels, positive, names, report=report, references=True) as given:
        found = ablation(given.texts, given.truth, size, given.told)
    tables = [
        _areas(f"table 1: shingles of {size} of", [(_named(each), each) for each in found.extractors]),
        _areas("table 2: all text", [(each.setting.filters, each) for each in found.filters]),
        _tuned(found.systems),
        *map(_figure, found.figures),
    ]
    plots = list(map(_plot, found.figures))
    Shown(f"CEDAR's tables for {docs.name}", given.truth, tables, plots).show(report)


def _named(row: Row) -> str:
    name = row.setting.extractor
    return f"{name} ({_PAPER[name]})" if name in _PAPER else name


def _areas(title: str, rows: Sequence[tuple[str, Row]]) -> Tabulated:
    columns = (title, "paper's AU-ROC", "AU-ROC", "best F1", "at", "F1 of listed pairs")
    return Tabulated(columns, [(name, *_cells(row)) for name, row in rows])


def _cells(row: Row) -> list[str]:
    reached = row.reached
    best = (reached.every.f1, reached.every.threshold, reached.listed.f1)
    published = f"{row.published:.5f}" if row.published else "-"
    return [published, _area(reached), *(f"{each:.4f}" for each in best)]


def _area(reached: Reached) -> str:
    return f"{reached.area:.5f} ± {reached.spread:.5f}"


def _tuned(systems: Sequence[Tuned]) -> Tabulated:
    measures = ("P", "R", "F1", "paper's")
    return Tabulated(
        (
            "table 3: tuned on other half",
            "filters",
            "threshold",
            *measures,
            *(f"B³ {x}" for x in measures),
        ),
        [(each.name, *_tuned_cells(each)) for each in systems],
    )


def _tuned_cells(system: Tuned) -> list[str]:
    threshold = "-" if system.threshold is None else f"{system.threshold:.2f}"
    pairs, clusters = system.pairs, system.clusters
    published = [f"{each:.3f}" for each in system.published] if system.published else ["-", "-"]
    return [
        *(system.setting.filters, threshold),
        *(f"{each:.3f}" for each in (pairs.precision, pairs.recall, pairs.f1)),
        published[0],
        *(f"{each:.3f}" for each in (clusters.precision, clusters.recall, clusters.f1)),
        published[1],
    ]


def _plot(figure: Figure) -> str:
    from dupgroups_lab.reports.plots import value_plot

    f1 = {f"{name}: best F1": [each.every.f1 for each in line] for name, line in figure.lines.items()}
    area = {f"{name}: AU-ROC": [each.area for each in line] for name, line in figure.lines.items()}
    return value_plot(figure.name, "", figure.values, {**f1, **area})


def _figure(figure: Figure) -> Tabulated:
    columns = [f"{name}: {measure}" for name in figure.lines for measure in ("best F1", "AU-ROC")]
    rows = zip(*figure.lines.values(), strict=True)
    return Tabulated(
        (figure.name, *columns),
        [
            (value, *(cell for each in row for cell in (f"{each.every.f1:.4f}", _area(each))))
            for value, row in zip(figure.values, rows, strict=True)
        ],
    )
