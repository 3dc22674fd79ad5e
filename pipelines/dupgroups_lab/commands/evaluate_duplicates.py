"""`dup-groups evaluate duplicates`: how well groups agree with labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dupgroups.bulk.inputs.page_reader import PageReader, fields_of_file
from dupgroups.cli import options
from dupgroups.cli.methods import choose_methods
from dupgroups.cli.progress import bars, teller
from dupgroups.errors import InputError
from dupgroups_lab.commands.evaluate import evaluate
from dupgroups_lab.commands.lab_options import DocsOption, LabelsIfAny, PositiveOption
from dupgroups_lab.commands.printed_tables import show

if TYPE_CHECKING:
    from dupgroups_lab.duplicates.evaluation import Evaluation


@evaluate.command("duplicates")
def duplicates(
    docs: DocsOption,
    labels: LabelsIfAny = None,
    clusters: Annotated[
        Path | None, typer.Option(help="True clusters: id,cluster.", metavar="CLUSTERS.csv")
    ] = None,
    positive: PositiveOption = "duplicate",
    fields: options.Fields = None,
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
    from dupgroups.bulk.offline.page_groups import group_pages
    from dupgroups_lab.duplicates import evaluation, sampled
    from dupgroups_lab.duplicates.evaluation_table import extent, scores
    from dupgroups_lab.duplicates.noise import noisy
    from dupgroups_lab.labels.labelled_pairs import (
        check_labels,
        read_clusters,
        read_labels,
        read_weights,
        truth,
    )

    settings = choose_methods(config, preset, extractor, signer, judge)
    if not labels and not clusters:
        raise InputError("nothing to compare with: give --labels, --clusters or both")
    check_labels(wanted := positive.split(","))
    pairs, weights = read_labels(labels) if labels else None, read_weights(labels) if labels else {}
    true = read_clusters(clusters) if clusters else None
    lines = PageReader(docs, teller(), fields_of_file(fields))
    pages = noisy(lines, noise) if noise else lines
    with bars(lines) as progress:
        grouped = group_pages(pages, settings, processes=processes, progress=progress)
    if weights:
        show([sampled.scores(grouped.groups, pairs or {}, weights, wanted)], None, as_json)
    else:
        known = truth(grouped.groups, pairs, true, wanted)
        made = evaluation.evaluate(grouped.groups, grouped.pairs, known, wanted)
        show([scores(made)], _values(made), as_json, extent=extent(made))
    lines.check_left_out()


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
