"""`dup-groups evaluate cedar`: CEDAR's tables 1 to 3 and figures 3 to 5 on the user's documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.options import FieldsOption, JsonOption
from dupgroups.cli.output import stderr
from dupgroups_lab.commands.ablations import Labelled, difference, differences, labelled, show_measured
from dupgroups_lab.commands.evaluate import PAPERS, evaluate
from dupgroups_lab.commands.options import (
    DocsOption,
    ExtractorsOption,
    LabelsOption,
    PositiveOption,
)
from dupgroups_lab.reports.marked_tables import Tabulated

if TYPE_CHECKING:
    from dupgroups_lab.extraction.scores import BlockScore
    from dupgroups_lab.measures.paired_bootstrap import Difference
    from dupgroups_lab.papers.cedar.ablation import Ablation, Row
    from dupgroups_lab.papers.cedar.figures import Figure
    from dupgroups_lab.papers.cedar.trained import TrainedByFolds
    from dupgroups_lab.papers.cedar.tuned import Tuned
    from dupgroups_lab.papers.exact import Reached
    from dupgroups_lab.training.methods import Trainer


@evaluate.command("cedar", rich_help_panel=PAPERS)
def cedar(
    docs: DocsOption,
    labels: LabelsOption,
    positive: PositiveOption = "duplicate",
    fields: FieldsOption = None,
    extractors: ExtractorsOption = "maxent,crf,auto",
    train: Annotated[
        str,
        typer.Option(
            help="Extractors to train on the documents by folds: auto, crf, maxent; '' for none.",
            metavar="METHOD,...",
        ),
    ] = "maxent,crf,crf features=paper",
    size: Annotated[
        int,
        typer.Option(min=1, max=10, help="Tokens of a shingle; 4 suits Chinese better.", metavar="TOKENS"),
    ] = 2,
    as_json: JsonOption = False,
) -> None:
    """Gibson, Wellner, Lubar (CEDAR): the effect of extraction, filters and shingle size on resemblance.

    Prints tables 1 to 3 and figures 3 to 5 of Identification of Duplicate News Stories in Web Pages
    (LREC 2008) for those of your documents that have html, beside the scores of the paper:

    1. AU-ROC by extractor: all visible text, each extractor, and the `text` of the documents;

    2. AU-ROC without short blocks and without the most frequent shingles, of the entire document (with the
    text of scripts and styles) and of all visible text;

    3. precision, recall and F1, of pairs and by B-cubed, on one half of the stories, with the filters and
    the threshold that are best on the other half;

    and the figures: best F1 and AU-ROC by least block, by share of the shingles dropped, and by shingle size.
    "block 12, top 5.0% (4.1%)" means without blocks of fewer than 12 tokens, and without at most 5 % of the
    distinct shingles, the most frequent ones: 4.1 %, because of those that equally many documents hold all or
    none go. Nothing is estimated: resemblance is exact over all pairs of documents.

    Extractors have the weights that are shipped. Those named by `--train` are also trained on your documents,
    if all have a `text`, in five folds: "by page" knows all sites, as CEDAR did; "by site" has not seen the
    site of the page. In each fold, a fifth of the training pages chooses `prior` and `sites`, unless they are
    given, as in "maxent prior=1 sites=4". The table of blocks has precision and recall, and what was chosen.
    `crf` has our features, `crf features=paper` those that the paper names except named entities, which `crf
    features=paper entities=PIPELINE` adds by a spaCy pipeline, `pip install 'dup-groups[entities]'`.

    Columns named "- that of" are differences of F1 to another row, with their 95 % intervals by the paired
    bootstrap over stories; `*` marks those that are not 0. Example:

        dup-groups evaluate cedar --docs news.jsonl.gz --labels pairs.csv
    """
    from dupgroups_lab.papers.cedar.ablation import ablation
    from dupgroups_lab.papers.cedar.published import WHOLE
    from dupgroups_lab.papers.extracted import ENTIRE
    from dupgroups_lab.training.methods import settings_of

    methods = {name.strip(): settings_of(name) for name in train.split(",") if name.strip()}
    names = list(dict.fromkeys((ENTIRE, WHOLE, *extractors.split(","))))
    with labelled(docs, labels, positive, names, fields, references=True) as given:
        trained = _trained(given, methods)
        first = {name: given.texts[name] for name in (ENTIRE, WHOLE)}
        texts = {**first, **{name: result.texts for name, result in trained.items()}, **given.texts}
        results = ablation(texts, given.truth, size, given.progress)
    results = replace(results, blocks={name: result.blocks for name, result in trained.items()})
    chosen = {name: result.settings for name, result in trained.items()}
    show_measured(given.truth, results, _tables(results, chosen, size), as_json)


def _tables(results: Ablation, chosen: Mapping[str, Mapping[str, int]], size: int) -> list[Tabulated]:
    extractors = [(_named(row.setting.extractor), row) for row in results.extractors]
    filters = [(f"{row.setting.extractor}, {_filters(row)}", row) for row in results.filters]
    return [
        _areas(f"table 1: shingles of {size} of", extractors),
        *([_blocks(results.blocks, chosen)] if results.blocks else []),
        _areas("table 2: filters", filters),
        _tuned(results.systems),
        *map(_figure, results.figures),
    ]


def _trained(given: Labelled, methods: Mapping[str, Mapping[str, Trainer]]) -> dict[str, TrainedByFolds]:
    """The extractors trained by folds; none, with a notice, if documents have no text to learn from."""
    from dupgroups_lab.papers.cedar.trained import trained_by_folds
    from dupgroups_lab.papers.extracted import REFERENCE

    names = ", ".join(methods)
    if not methods:
        return {}
    if REFERENCE not in given.texts:
        stderr().print(f"{names}: not trained by folds, because some documents have no text.", style="yellow")
        return {}
    trained = trained_by_folds(given.pages(), given.texts[REFERENCE], methods, given.progress)
    if not any(name.endswith(" by site") for name in trained):
        stderr().print(
            f"{names}: no folds of sites, which need the url or host of every document, and two sites.",
            style="yellow",
        )
    return trained


def _named(name: str) -> str:
    """The name of an extractor, with that in the paper."""
    from dupgroups_lab.papers.cedar.published import NAMES, paper_of

    published = NAMES.get(paper_of(name))
    return f"{name} ({published})" if published else name


def _blocks(blocks: Mapping[str, BlockScore], chosen: Mapping[str, Mapping[str, int]]) -> Tabulated:
    from dupgroups_lab.extraction.scores import PUBLISHED
    from dupgroups_lab.extraction.tables import percents
    from dupgroups_lab.papers.cedar.published import paper_of

    measures = ("P", "R", "pages without an error")
    rows = []
    for name, score in blocks.items():
        published = PUBLISHED.get(paper_of(name))
        shares = percents((score.precision, score.recall, score.exact))
        settings = ", ".join(f"{setting} ({folds})" for setting, folds in chosen[name].items() if setting)
        rows.append((_named(name), *shares, *(map(str, published) if published else "---"), settings or "-"))
    return Tabulated(
        ("blocks, %", *measures, *(f"paper's {measure}" for measure in measures), "chosen (folds)"), rows
    )


def _filters(row: Row | Tuned) -> str:
    """The filters, with the share of the shingles that was dropped."""
    return f"{row.setting.filters} ({row.dropped:.1%})" if row.setting.top else row.setting.filters


def _areas(title: str, rows: Sequence[tuple[str, Row]]) -> Tabulated:
    heads, *compared = differences([row for _, row in rows])
    columns = (title, "paper's AU-ROC", "AU-ROC", "best F1", "at", "F1 of listed pairs", *heads)
    cells = [(name, *_cells(row), *others) for (name, row), others in zip(rows, compared, strict=True)]
    return Tabulated(columns, cells)


def _cells(row: Row) -> list[str]:
    reached = row.reached
    best = (reached.every.f1, reached.every.threshold, reached.listed.f1)
    published = f"{row.published:.5f}" if row.published else "-"
    return [published, _area(reached), *(f"{score:.4f}" for score in best)]


def _area(reached: Reached) -> str:
    return f"{reached.area:.5f} ± {reached.spread:.5f}"


def _tuned(systems: Sequence[Tuned]) -> Tabulated:
    measures = ("P R F1", "paper's")
    heads, *compared = differences(systems)
    columns = ("filters", "threshold", *measures, *(f"B³ {measure}" for measure in measures), *heads)
    cells = [(*_tuned_cells(system), *others) for system, others in zip(systems, compared, strict=True)]
    return Tabulated(("table 3: tuned on other half", *columns), cells)


def _tuned_cells(system: Tuned) -> list[str]:
    threshold = "-" if system.threshold is None else f"{system.threshold:.2f}"
    pairs, clusters = system.pairs, system.clusters
    of_pairs, of_clusters = map(_scores, system.published) if system.published else ("-", "-")
    return [
        *(system.name, _filters(system), threshold),
        _scores((pairs.precision, pairs.recall, pairs.f1)),
        of_pairs,
        _scores((clusters.precision, clusters.recall, clusters.f1)),
        of_clusters,
    ]


def _scores(scores: Iterable[float]) -> str:
    return " ".join(f"{score:.3f}" for score in scores)


def _figure(figure: Figure) -> Tabulated:
    drops = any(map(any, figure.dropped.values()))
    measures = ("best F1", f"- that of {figure.base}", "AU-ROC", *(["dropped"] * drops))
    columns = [f"{name}: {measure}" for name in figure.lines for measure in measures]
    rows = [
        (
            value,
            *(
                cell
                for name, line in figure.lines.items()
                for cell in _figure_cells(
                    line[place], figure.against[name][place], figure.dropped[name][place] if drops else None
                )
            ),
        )
        for place, value in enumerate(figure.values)
    ]
    return Tabulated((figure.name, *columns), rows)


def _figure_cells(reached: Reached, against: Difference, dropped: float | None) -> list[str]:
    cells = [f"{reached.every.f1:.4f}", difference(against), _area(reached)]
    return cells if dropped is None else [*cells, f"{dropped:.2%}"]
