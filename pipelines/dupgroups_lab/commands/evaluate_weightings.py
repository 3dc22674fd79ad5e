"""`dup-groups evaluate weightings`: the tables of Alonso, Fetterly and Manasse on the user's documents."""

from __future__ import annotations

from typing import Annotated

import typer

from dupgroups.cli.options import ExtractorOption, FieldsOption, JsonOption
from dupgroups_lab.commands.ablations import labelled
from dupgroups_lab.commands.evaluate import PAPERS, evaluate
from dupgroups_lab.commands.options import DocsOption, LabelsOption, PositiveOption
from dupgroups_lab.commands.tables import show


@evaluate.command("weightings", rich_help_panel=PAPERS)
def weightings(
    docs: DocsOption,
    labels: LabelsOption,
    positive: PositiveOption = "duplicate",
    phrase: Annotated[int, typer.Option(min=1, max=32, help="Words of a phrase.", metavar="WORDS")] = 7,
    extractor: ExtractorOption = "auto",
    fields: FieldsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Alonso, Fetterly, Manasse: antecedents of SpotSigs, phrase weightings, rare-phrase limits.

    Prints the tables of Near Duplicate News Story Detection Revisited (AIRS 2013) for your documents: the
    best F1 and MCC of each variant, beside the paper's F1, and how many documents give no feature.
    Similarities are exact, document frequencies are those of the file, and thresholds are chosen on the same
    documents. F1 is that of all pairs, of the listed ones, and of pairs that are drawn evenly over the
    Jaccard coefficient, as the paper drew those that it labelled. Phrases are read from all sentences, as in
    the paper; one table has closed sentences only.

    The last columns are differences of F1 over all pairs with their 95 % intervals by the paired bootstrap
    over stories; `*` marks those that are not 0. Examples:

        dup-groups evaluate weightings --docs news.jsonl.gz --labels pairs.csv

        dup-groups evaluate weightings --docs news.jsonl.gz --labels pairs.csv \\
            --extractor visible
    """
    from dupgroups_lab.papers.weightings import ablation

    name = extractor or "auto"
    with labelled(docs, labels, positive, [name], fields) as given:
        tables = ablation(given.texts[name], given.hosts, given.truth, phrase, given.progress)
    show(tables, None, as_json, extent=given.truth.extent)
