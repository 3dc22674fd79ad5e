"""`dup-groups evaluate keys`: the share of joined pairs that an index finds."""

from __future__ import annotations

from dupgroups.bulk.inputs.documents import Documents, fields_of_file
from dupgroups.cli.methods import chosen
from dupgroups.cli.options import (
    ConfigOption,
    DocumentsArgument,
    ExtractorOption,
    FieldsOption,
    JsonOption,
    JudgeOption,
    PresetOption,
    SignerOption,
)
from dupgroups.cli.progress import bars, teller
from dupgroups_lab.commands.evaluate import evaluate
from dupgroups_lab.commands.tables import show
from dupgroups_lab.measures.tables import Tabulated


@evaluate.command("keys")
def keys(
    docs: DocumentsArgument,
    fields: FieldsOption = None,
    preset: PresetOption = None,
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge every pair of documents, and print the share of the joined pairs that share a key, and the cost.

    An index compares only documents that share a key. Needs no labels; the time grows with the square of the
    number of documents: about a minute for 1,600. Example:

        dup-groups evaluate keys news.jsonl.gz --signer period_string
    """
    from dupgroups_lab.duplicates.keys import look_up

    settings = chosen(config, preset, extractor, signer, judge)
    lines = Documents(docs, teller(), fields_of_file(fields))
    with bars(lines) as progress:
        recall = look_up(lines, settings, progress)
    columns = ("signed documents", "pairs joined", "found by keys", "recall", "keys", "candidates")
    counts = (recall.documents, recall.joined, recall.found)
    cells = (
        *(f"{count:,}" for count in counts),
        f"{recall.recall:.4f}",
        str(recall.keys),
        f"{recall.candidates:.1f}",
    )
    show([Tabulated(("pairs", *columns), [("all", *cells)])], recall, as_json)
