"""`dup-groups evaluate duplicates`: how well groups agree with labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dupgroups.bulk.inputs.documents import Documents, fields_of_file
from dupgroups.cli.files import check_place, written
from dupgroups.cli.methods import chosen
from dupgroups.cli.options import (
    ConfigOption,
    ExtractorOption,
    FieldsOption,
    JsonOption,
    JudgeOption,
    ProcessesOption,
    SignerOption,
)
from dupgroups.cli.output import print_json, stdout
from dupgroups.cli.progress import bars, teller
from dupgroups.errors import InputError
from dupgroups_lab.commands.ablations import counts
from dupgroups_lab.commands.evaluate import evaluate
from dupgroups_lab.commands.options import DocsOption, LabelsIfAny, PositiveOption, ReportOption, check_again

if TYPE_CHECKING:
    from rich.table import Table

    from dupgroups.engines.foreign import Fields
    from dupgroups.model import Content, Page
    from dupgroups.model.config import Config
    from dupgroups_lab.duplicates.evaluation import Estimate, Evaluation
    from dupgroups_lab.labels.pairs import Pair


@evaluate.command("duplicates")
def duplicates(
    docs: DocsOption,
    labels: LabelsIfAny = None,
    clusters: Annotated[
        Path | None, typer.Option(help="True clusters: id,cluster.", metavar="CLUSTERS.csv")
    ] = None,
    positive: PositiveOption = "duplicate",
    fields: FieldsOption = None,
    report: ReportOption = None,
    vary: Annotated[
        str | None,
        typer.Option(
            help="Measure again with each value of a parameter, as in signer.size=1,2,3.",
            metavar="PART.PARAMETER=VALUE,...",
        ),
    ] = None,
    noise: Annotated[
        str | None,
        typer.Option(
            help="Put noise into the texts: ocr, asr, hyphen, runon, charset or traditional, and a share.",
            metavar="KIND:SHARE[:half]",
        ),
    ] = None,
    processes: ProcessesOption = None,
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Group the documents of a file and compare the groups with labels.

    Labels are duplicate, containment, near and non; a pair that is not listed is non. --positive names the
    labels that are to be found; pairs with any other label but non count neither way. Without labels, two
    documents of a cluster are duplicates. Examples:

        dup-groups evaluate duplicates --docs news.jsonl.gz --labels pairs.csv

        dup-groups evaluate duplicates --docs news.jsonl.gz --labels pairs.csv \\
            --vary judge.threshold=0.4,0.5,0.6 --report report.html
    """
    from dupgroups_lab.duplicates.variation import Variation

    settings = chosen(config, extractor, signer, judge)
    if report:
        check_place(report, docs, labels, clusters, config)  # fails early
    if report or vary:
        check_again(docs)
    variation = Variation.parse(vary) if vary else None
    configs = list(variation.configs(settings)) if variation else []
    known = _Known.read(labels, clusters, positive.split(","))
    run = _Run(docs, fields_of_file(fields), known, processes, noise)
    evaluation = run.evaluation(settings)
    varied = [(value, run.evaluation(changed)) for value, changed in configs]
    if report:
        run.write_report(report, evaluation, settings)
    if as_json:
        print_json(_values(evaluation) | {"varied": {value: _values(other) for value, other in varied}})
        return
    out = stdout()
    out.print(_summary(evaluation), soft_wrap=True)
    out.print(_table(evaluation))
    if variation:
        out.print(_varied_table(variation.name, varied))
    if report:
        out.print(f"Report: {report}", soft_wrap=True)


def _values(evaluation: Evaluation) -> dict[str, Any]:
    """The results for JSON: every score, without the texts and curves of the report."""
    return {
        **counts(evaluation.truth),
        "pairs": evaluation.pairs,
        "groups": evaluation.groups,
        "auroc": {"all": evaluation.every.estimate, "listed": evaluation.hard.estimate},
        "best": evaluation.best and {"threshold": evaluation.best[0], "f1": evaluation.best[1]},
        "looked_up": evaluation.looked_up,
        "candidates": evaluation.candidates,
        "texts": evaluation.texts,
        "wrong": evaluation.wrong,
        "missed": evaluation.missed,
    }


@dataclass(frozen=True)
class _Known:
    """The labels from files and options."""

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
    fields: Fields
    known: _Known
    processes: int | None
    noise: str | None

    def evaluation(self, settings: Config) -> Evaluation:
        """Group the documents and compare the groups with the labels."""
        from dupgroups.bulk.offline import group_pages
        from dupgroups_lab.duplicates.evaluation import evaluate
        from dupgroups_lab.labels.pairs import truth

        lines = self._lines(teller())
        with bars(lines) as progress:
            grouped = group_pages(self._heard(lines), settings, processes=self.processes, progress=progress)
        known = self.known
        known_truth = truth(grouped.groups, known.labels, known.clusters, known.positive)
        return evaluate(grouped.groups, grouped.pairs, known_truth, known.positive)

    def write_report(self, path: Path, evaluation: Evaluation, settings: Config) -> None:
        """The page with plots and mistakes."""
        from dupgroups_lab.reports.duplicates import html_report

        contents = self.contents(evaluation, settings)
        title = f"Duplicates in {self.docs.name}"
        page = html_report(title, evaluation, contents, self.known.positive)
        with written(path, errors="xmlcharrefreplace") as file:
            file.write(page)

    def contents(self, evaluation: Evaluation, settings: Config) -> dict[str, Content]:
        """The articles of the mistakes that the report shows, read again because they are few."""
        from dupgroups.flow.method_set import MethodSet
        from dupgroups_lab.reports.page import SHOWN

        mistakes = (*evaluation.wrong[:SHOWN], *evaluation.missed[:SHOWN])
        wanted = {document for mistake in mistakes for document in mistake.judged}
        if not wanted:
            return {}
        methods = MethodSet(settings)
        again = self._heard(self._lines(lambda sentence: None))
        return {page.id: methods.extract(page) for page in again if page.id in wanted}

    def _heard(self, pages: Documents) -> Iterable[Page]:
        from dupgroups_lab.duplicates.noise import noisy

        return noisy(pages, self.noise) if self.noise else pages

    def _lines(self, broken: Callable[[str], None]) -> Documents:
        return Documents(self.docs, broken, self.fields)


def _summary(evaluation: Evaluation) -> str:
    truth = evaluation.truth
    best = (
        f"Best F1 of the pairs: {evaluation.best[1]:.4f} at a score of {evaluation.best[0]:.3f}. "
        if evaluation.best
        else ""
    )
    return (
        f"{truth.extent} {best}Keys: {evaluation.looked_up:.2%} of the pairs to be found share one; "
        f"{evaluation.candidates:.1f} pairs judged per document, {evaluation.texts:.2f} by their texts."
    )


def _table(evaluation: Evaluation) -> Table:
    from rich.table import Table

    from dupgroups_lab.duplicates.evaluation import NAMES

    table = Table("", "pairs", "groups", box=None, pad_edge=False)
    for name, shown in NAMES.items():
        table.add_row(
            shown, *(_cell(agreement.estimates[name]) for agreement in (evaluation.pairs, evaluation.groups))
        )
    table.add_row("AU-ROC, all pairs", _cell(evaluation.every.estimate), "")
    table.add_row("AU-ROC, listed pairs", _cell(evaluation.hard.estimate), "")
    both = [agreement.confusion for agreement in (evaluation.pairs, evaluation.groups)]
    table.add_row(
        "right, wrong, missed",
        *(f"{confusion.tp:,}, {confusion.fp:,}, {confusion.fn:,}" for confusion in both),
    )
    return table


def _cell(estimate: Estimate | None) -> str:
    return f"{estimate.value:.4f} [{estimate.low:.3f}, {estimate.high:.3f}]" if estimate else "-"


def _varied_table(name: str, varied: Sequence[tuple[str, Evaluation]]) -> Table:
    from rich.table import Column, Table

    columns = ("precision", "recall", "F1", "F1 of groups", "AU-ROC", "listed", "judged")
    table = Table(Column(name, no_wrap=True), *columns, box=None, pad_edge=False)
    for value, evaluation in varied:
        pairs, groups = evaluation.pairs.confusion, evaluation.groups.confusion
        scores = (pairs.precision, pairs.recall, pairs.f1, groups.f1)
        areas = (
            area.estimate.value if area.estimate else 0.0 for area in (evaluation.every, evaluation.hard)
        )
        table.add_row(value, *(f"{score:.4f}" for score in (*scores, *areas)), f"{evaluation.candidates:.1f}")
    return table
