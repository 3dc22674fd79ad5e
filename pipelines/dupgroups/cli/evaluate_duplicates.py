"""`dup-groups evaluate duplicates`: how well the groups agree with labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.documents import FieldName, JsonLines
from dupgroups.cli.evaluate import evaluate
from dupgroups.cli.files import written
from dupgroups.cli.progress import bars, teller
from dupgroups.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from dupgroups.config import Config
    from dupgroups.evaluation.duplicates import Evaluation, Figure
    from dupgroups.model import Content


@evaluate.command("duplicates")
def duplicates(
    docs: Annotated[Path, typer.Option(help="JSON Lines, gzipped or not.", metavar="DOCS.jsonl[.gz]")],
    labels: Annotated[
        Path | None, typer.Option(help="Labelled pairs: a,b,label.", metavar="PAIRS.csv")
    ] = None,
    clusters: Annotated[
        Path | None, typer.Option(help="True clusters: id,cluster.", metavar="CLUSTERS.csv")
    ] = None,
    positive: Annotated[
        str, typer.Option(help="Labels to be found, with commas between.", metavar="LABEL,...")
    ] = "duplicate",
    field: Annotated[
        FieldName | None, typer.Option(help="Read only this; else html where a document has it, else text.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Where the report with plots and errors goes.", metavar="OUT.html")
    ] = None,
    processes: Annotated[int | None, typer.Option(min=1, help="Processes; else one a core.")] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with methods of your own.")] = None,
) -> None:
    """Group the documents of a file and compare with labels.

    Labels are duplicate, containment, near and non; a pair that is not listed is non. Pairs with another
    label than those to be found and non count neither way. Without labels, two documents of a cluster are
    duplicates. Example:

        dup-groups evaluate duplicates --docs news.jsonl.gz --labels pairs.csv --report report.html
    """
    from rich.console import Console

    from dupgroups.config import Config, from_toml
    from dupgroups.evaluation.report import html_report

    console = Console(stderr=True, highlight=False, markup=False)
    settings = from_toml(config) if config else Config()
    lines = JsonLines(docs, field.value if field else None, teller(console))
    found = _evaluated(lines, labels, clusters, positive.split(","), settings, processes, console)
    out = Console(highlight=False, markup=False)
    out.print(_summary(found), soft_wrap=True)
    out.print(_table(found))
    if report:
        page = html_report(
            f"Duplicates in {docs.name}", found, _contents(lines, found, settings), positive.split(",")
        )
        with written(report, errors="xmlcharrefreplace") as file:
            file.write(page)
        out.print(f"Report: {report}", soft_wrap=True)


def _evaluated(
    lines: JsonLines,
    labels: Path | None,
    clusters: Path | None,
    positive: Sequence[str],
    settings: Config,
    processes: int | None,
    console: Console,
) -> Evaluation:
    from dupgroups.batch import group_pages
    from dupgroups.evaluation.duplicates import evaluate
    from dupgroups.evaluation.labelled import check_labels, read_clusters, read_labels, truth

    if not labels and not clusters:
        raise InputError("nothing to compare with: give --labels, --clusters or both")
    check_labels(positive)
    pairs = read_labels(labels) if labels else None
    own = read_clusters(clusters) if clusters else None
    with bars(lines, console) as progress:
        found = group_pages(lines, settings, processes=processes, progress=progress)
    return evaluate(found.groups, found.pairs, truth(found.groups, pairs, own, positive), positive)


def _summary(found: Evaluation) -> str:
    told = found.truth
    best = (
        f"Best F1 of the pairs: {found.best[1]:.4f} at a score of {found.best[0]:.3f}. " if found.best else ""
    )
    return (
        f"{len(told.documents):,} documents, {len(told.positive):,} pairs to be found, {len(told.ignored):,} "
        f"that count neither way. {best}Keys: {found.looked_up:.2%} of the pairs to be found share one; "
        f"{found.candidates:.1f} pairs judged a document."
    )


def _table(found: Evaluation) -> Table:
    from rich.table import Table

    from dupgroups.evaluation.duplicates import NAMES

    table = Table("", "pairs", "groups", box=None, pad_edge=False)
    for name, shown in NAMES.items():
        table.add_row(shown, *(_figure(each.figures[name]) for each in (found.pairs, found.groups)))
    table.add_row("AU-ROC, all pairs", _figure(found.every.figure), "")
    table.add_row("AU-ROC, listed pairs", _figure(found.hard.figure), "")
    both = [each.confusion for each in (found.pairs, found.groups)]
    table.add_row("right, wrong, missed", *(f"{each.tp:,}, {each.fp:,}, {each.fn:,}" for each in both))
    return table


def _figure(figure: Figure | None) -> str:
    return f"{figure.value:.4f} [{figure.low:.3f}, {figure.high:.3f}]" if figure else "-"


def _contents(lines: JsonLines, found: Evaluation, settings: Config) -> dict[str, Content]:
    """The articles of the mistakes that the report shows: read again, for it is but a few."""
    from dupgroups.evaluation.report import SHOWN
    from dupgroups.recipes import Recipes

    mistakes = (*found.wrong[:SHOWN], *found.missed[:SHOWN])
    wanted = {own for each in mistakes for own in each.judged}
    recipes = Recipes(settings)
    again = JsonLines(lines.path, lines.field, lambda sentence: None)
    return {page.id: recipes.extract(page) for page in again if page.id in wanted} if wanted else {}
