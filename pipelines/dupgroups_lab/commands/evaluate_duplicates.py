"""`dup-groups evaluate duplicates`: how well groups agree with labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from dupgroups.bulk.inputs.page_reader import PageReader, fields_of_file
from dupgroups.cli import options
from dupgroups.cli.methods import choose_methods
from dupgroups.cli.progress import bars, teller
from dupgroups.errors import InputError
from dupgroups_lab.commands.evaluate import evaluate
from dupgroups_lab.commands.lab_options import DocsOption, LabelsIfAny, PositiveOption, check_again
from dupgroups_lab.commands.printed_tables import show
from dupgroups_lab.measures.tabulated import Tabulated

if TYPE_CHECKING:
    from dupgroups.bulk.offline.page_groups import BatchResult
    from dupgroups.model import Content, Page
    from dupgroups.model.config import Config
    from dupgroups_lab.duplicates.evaluation import Evaluation
    from dupgroups_lab.labels.labelled_pairs import Pair, Weight


_SCORES = {"precision": "precision", "recall": "recall", "f1": "F1", "b3_f1": "B³ F1"}


@evaluate.command("duplicates")
def duplicates(
    docs: DocsOption,
    labels: LabelsIfAny = None,
    clusters: Annotated[
        Path | None, typer.Option(help="True clusters: id,cluster.", metavar="CLUSTERS.csv")
    ] = None,
    positive: PositiveOption = "duplicate",
    fields: options.Fields = None,
    beside: Annotated[
        str | None,
        typer.Option(
            help="Also group by this signer, and measure the groups that both have in common.",
            metavar="METHOD",
        ),
    ] = None,
    changes: Annotated[
        bool, typer.Option("--changes", help="Also print how many of the labelled pairs have new words.")
    ] = False,
    noise: Annotated[
        str | None,
        typer.Option(
            help="Damage the texts: ocr, asr, hyphen, runon, charset, cut or traditional, and a share.",
            metavar="KIND:SHARE[:half]",
        ),
    ] = None,
    processes: options.Processes = None,
    preset: options.Preset = None,
    extractor: options.Extractor = None,
    signer: options.Signer = None,
    judge: options.Judge = None,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Group the documents of a file and compare the groups with labels.

    Labels are duplicate, containment, near and non; a pair that is not listed is non. --positive names the
    labels that are to be found; pairs with any other label but non count neither way. Without labels, two
    documents of a cluster are duplicates. A column `weight` in the labels says that they are a sample: each
    pair stands for that many, pairs that are not listed count neither way, and `words` are those of the
    shorter text. Examples:

        dup-groups evaluate duplicates --docs news.jsonl.gz --labels pairs.csv

        dup-groups evaluate duplicates --docs news.jsonl.gz --labels pairs.csv \\
            --signer "shingling size=2" --json
    """
    from dupgroups_lab.duplicates import sampled
    from dupgroups_lab.duplicates.evaluation import extent, tabulate
    from dupgroups_lab.duplicates.new_information import tabulate_marks

    settings = choose_methods(config, preset, extractor, signer, judge)
    if beside or changes:
        check_again(docs)
    labelled = _read_truth(labels, clusters, positive)
    if labelled.weights and (beside or changes):
        raise InputError(f"{labels}: --beside and --changes do not take labels with weights: leave them out")
    if changes and not labels:
        raise InputError("--changes compares labelled pairs: give --labels, too")
    lines = PageReader(docs, teller(), fields_of_file(fields))
    grouped = _group(lines, settings, processes, noise)
    if labelled.weights:
        scores = sampled.scores(grouped.groups, labelled.pairs or {}, labelled.weights, labelled.positive)
        show([scores], None, as_json)
        lines.check_left_out()
        return
    evaluation = labelled.evaluate(grouped)
    tables = [tabulate(evaluation)]
    if beside:
        again = PageReader(docs, lambda sentence: None, fields_of_file(fields))
        other = _group(again, choose_methods(config, preset, extractor, beside, None), processes, noise)
        both = labelled.evaluate(_intersect(grouped, other))
        evaluations = {signer or "the default": evaluation, beside: labelled.evaluate(other), "both": both}
        tables.append(_tabulate_beside(evaluations))
    if changes:
        again = PageReader(docs, lambda sentence: None, fields_of_file(fields))
        pairs = labelled.pairs or {}
        contents = _extract(again, {id_ for pair in pairs for id_ in pair}, settings, noise)
        tables.append(tabulate_marks(pairs, {id_: content.text for id_, content in contents.items()}))
    show(tables, _values(evaluation), as_json, extent=extent(evaluation))
    lines.check_left_out()


class _LabelledTruth(NamedTuple):
    """The labels that groups are compared with. `pairs` and `clusters`: None if no such file is given;
    `positive`: the labels that are to be found.
    """

    pairs: Mapping[Pair, str] | None
    weights: Mapping[Pair, Weight]
    clusters: Mapping[str, str] | None
    positive: Sequence[str]

    def evaluate(self, grouped: BatchResult) -> Evaluation:
        """How well groups agree with it."""
        from dupgroups_lab.duplicates.evaluation import evaluate as evaluate_groups
        from dupgroups_lab.labels.labelled_pairs import truth

        true = truth(grouped.groups, self.pairs, self.clusters, self.positive)
        return evaluate_groups(grouped.groups, grouped.pairs, true, self.positive)


def _read_truth(labels: Path | None, clusters: Path | None, positive: str) -> _LabelledTruth:
    from dupgroups_lab.labels.labelled_pairs import check_labels, read_clusters, read_labels, read_weights

    if not labels and not clusters:
        raise InputError("nothing to compare with: give --labels, --clusters or both")
    check_labels(wanted := positive.split(","))
    return _LabelledTruth(
        pairs=read_labels(labels) if labels else None,
        weights=read_weights(labels) if labels else {},
        clusters=read_clusters(clusters) if clusters else None,
        positive=wanted,
    )


def _values(evaluation: Evaluation) -> dict[str, Any]:
    """The results for JSON: every score, and the pairs that are wrong or missed."""
    truth = evaluation.truth
    return {
        "documents": len(truth.documents),
        "positive_pairs": len(truth.positive),
        "ignored_pairs": len(truth.ignored),
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


def _group(lines: PageReader, settings: Config, processes: int | None, noise: str | None) -> BatchResult:
    """Group the documents of a file."""
    from dupgroups.bulk.offline.page_groups import group_pages

    with bars(lines) as progress:
        return group_pages(_add_noise(lines, noise), settings, processes=processes, progress=progress)


def _extract(lines: PageReader, wanted: Set[str], settings: Config, noise: str | None) -> dict[str, Content]:
    """The articles of these documents."""
    from dupgroups.flow.method_set import MethodSet

    methods = MethodSet(settings)
    pages = _add_noise(lines, noise)
    return {str(page.id): methods.extract(page) for page in pages if page.id in wanted}


def _add_noise(pages: PageReader, noise: str | None) -> Iterable[Page]:
    from dupgroups_lab.duplicates.noise import noisy

    return noisy(pages, noise) if noise else pages


def _intersect(first: BatchResult, second: BatchResult) -> BatchResult:
    """The groups of the documents that two signers both put together."""
    from dupgroups.bulk.offline.page_groups import BatchResult

    together = {id_: f"{group} {second.groups[id_]}" for id_, group in first.groups.items()}
    return BatchResult(together, [], ())


def _tabulate_beside(evaluations: Mapping[str, Evaluation]) -> Tabulated:
    """The scores of two signers, and of what both put together, by their names."""
    from dupgroups_lab.duplicates.evaluation import cell

    rows = [
        (name, *(cell(evaluation.groups.estimates[score]) for score in _SCORES))
        for name, evaluation in evaluations.items()
    ]
    return Tabulated(("groups by", *_SCORES.values()), rows)
