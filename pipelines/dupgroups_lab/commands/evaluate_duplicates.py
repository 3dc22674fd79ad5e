"""`dup-groups evaluate duplicates`: how well the groups agree with labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.documents import Docs, FieldName, FieldOption, JsonLines, Positive
from dupgroups.cli.files import check_place, files_of, written
from dupgroups.cli.methods import ExtractorOption, JudgeOption, MethodsFile, SignerOption, chosen
from dupgroups.cli.progress import bars, teller
from dupgroups.errors import InputError
from dupgroups_lab.commands.evaluate import evaluate

if TYPE_CHECKING:
    from rich.table import Table

    from dupgroups.config import Config
    from dupgroups.model import Content
    from dupgroups_lab.duplicates.evaluation import Evaluation, Figure
    from dupgroups_lab.labels.pairs import Pair


@evaluate.command("duplicates")
def duplicates(
    docs: Docs,
    labels: Annotated[
        Path | None, typer.Option(help="Labelled pairs: a,b,label.", metavar="PAIRS.csv")
    ] = None,
    clusters: Annotated[
        Path | None, typer.Option(help="True clusters: id,cluster.", metavar="CLUSTERS.csv")
    ] = None,
    positive: Positive = "duplicate",
    field: FieldOption = None,
    report: Annotated[
        Path | None, typer.Option(help="Where the report with plots and errors goes.", metavar="OUT.html")
    ] = None,
    vary: Annotated[
        str | None,
        typer.Option(
            help="Measure again for each value, as signer.size=1,2,3.", metavar="PART.PARAMETER=VALUE,..."
        ),
    ] = None,
    processes: Annotated[int | None, typer.Option(min=1, help="Processes; else one a core.")] = None,
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: MethodsFile = None,
) -> None:
    """Group the documents of a file and compare with labels.

    Labels are duplicate, containment, near and non; a pair that is not listed is non. Pairs with another
    label than those to be found and non count neither way. Without labels, two documents of a cluster are
    duplicates. Example:

        dup-groups evaluate duplicates --docs news.jsonl.gz --labels pairs.csv --report report.html
    """
    from rich.console import Console

    from dupgroups_lab.duplicates.variation import Variation
    from dupgroups_lab.reports.duplicates import html_report

    settings = chosen(config, extractor, signer, judge)
    if report:
        check_place(report, docs, labels, clusters, config, *files_of(settings))  # not after hours
    variation = Variation.parse(vary) if vary else None
    configs = list(variation.configs(settings)) if variation else []
    run = _Run(docs, field, _Known.read(labels, clusters, positive.split(",")), processes)
    found = run.evaluation(settings)
    varied = [(value, run.evaluation(each)) for value, each in configs]
    out = Console(highlight=False, markup=False)
    out.print(_summary(found), soft_wrap=True)
    out.print(_table(found))
    if variation:
        out.print(_varied_table(variation.name, varied))
    if report:
        contents = run.contents(found, settings)
        told = (variation.name, varied) if variation else None
        page = html_report(f"Duplicates in {docs.name}", found, contents, run.known.positive, told)
        with written(report, errors="xmlcharrefreplace") as file:
            file.write(page)
        out.print(f"Report: {report}", soft_wrap=True)


@dataclass(frozen=True)
class _Known:
    """The labels, as files and options give them."""

    labels: Mapping[Pair, str] | None
    clusters: Mapping[str, str] | None
    positive: Sequence[str]

    @classmethod
    def read(cls, labels: Path | None, clusters: Path | None, positive: Sequence[str]) -> _Known:
        from dupgroups_lab.labels.pairs import check_labels, read_clusters, read_labels

        if not labels and not clusters:
            raise InputError("nothing to compare with: give --labels, --clusters or both")
        check_labels(positive)
        return cls(
            read_labels(labels) if labels else None, read_clusters(clusters) if clusters else None, positive
        )


@dataclass(frozen=True)
class _Run:
    """The documents, read again for every configuration."""

    docs: Path
    field: FieldName | None
    known: _Known
    processes: int | None

    def evaluation(self, settings: Config) -> Evaluation:
        """Group the documents and compare."""
        from rich.console import Console

        from dupgroups.offline import group_pages
        from dupgroups_lab.duplicates.evaluation import evaluate
        from dupgroups_lab.labels.pairs import truth

        console = Console(stderr=True, highlight=False, markup=False)
        lines = self._lines(teller(console))
        with bars(lines, console) as progress:
            found = group_pages(lines, settings, processes=self.processes, progress=progress)
        known = self.known
        told = truth(found.groups, known.labels, known.clusters, known.positive)
        return evaluate(found.groups, found.pairs, told, known.positive)

    def contents(self, found: Evaluation, settings: Config) -> dict[str, Content]:
        """The articles of the mistakes that the report shows: read again, for it is but a few."""
        from dupgroups.method_set import MethodSet
        from dupgroups_lab.reports.page import SHOWN

        mistakes = (*found.wrong[:SHOWN], *found.missed[:SHOWN])
        wanted = {own for each in mistakes for own in each.judged}
        if not wanted:
            return {}
        methods = MethodSet(settings)
        again = self._lines(lambda sentence: None)
        return {page.id: methods.extract(page) for page in again if page.id in wanted}

    def _lines(self, broken: Callable[[str], None]) -> JsonLines:
        return JsonLines(self.docs, self.field.value if self.field else None, broken)


def _summary(found: Evaluation) -> str:
    told = found.truth
    best = (
        f"Best F1 of the pairs: {found.best[1]:.4f} at a score of {found.best[0]:.3f}. " if found.best else ""
    )
    return (
        f"{told.extent} {best}Keys: {found.looked_up:.2%} of the pairs to be found share one; "
        f"{found.candidates:.1f} pairs judged a document."
    )


def _table(found: Evaluation) -> Table:
    from rich.table import Table

    from dupgroups_lab.duplicates.evaluation import NAMES

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


def _varied_table(name: str, varied: Sequence[tuple[str, Evaluation]]) -> Table:
    from rich.table import Column, Table

    columns = ("precision", "recall", "F1", "F1 of groups", "AU-ROC", "listed", "judged")
    table = Table(Column(name, no_wrap=True), *columns, box=None, pad_edge=False)
    for value, each in varied:
        pairs, groups = each.pairs.confusion, each.groups.confusion
        figures = (pairs.precision, pairs.recall, pairs.f1, groups.f1)
        areas = (area.figure.value if area.figure else 0.0 for area in (each.every, each.hard))
        table.add_row(value, *(f"{figure:.4f}" for figure in (*figures, *areas)), f"{each.candidates:.1f}")
    return table
