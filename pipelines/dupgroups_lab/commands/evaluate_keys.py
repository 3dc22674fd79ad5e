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
    SignerOption,
)
from dupgroups.cli.output import print_json, stdout
from dupgroups.cli.progress import bars, teller
from dupgroups.text.counted import counted
from dupgroups_lab.commands.evaluate import evaluate


@evaluate.command("keys")
def keys(
    docs: DocumentsArgument,
    fields: FieldsOption = None,
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

    settings = chosen(config, extractor, signer, judge)
    lines = Documents(docs, teller(), fields_of_file(fields))
    with bars(lines) as progress:
        recall = look_up(lines, settings, progress)
    if as_json:
        print_json(recall)
        return
    signed = counted(recall.documents, "signed document")
    stdout().print(
        f"{signed}, {counted(recall.joined, 'pair')} joined, of which the keys find "
        f"{recall.found:,}: recall {recall.recall:.4f}; at most {recall.keys} keys per document, "
        f"{recall.candidates:.1f} candidates per look-up.",
        soft_wrap=True,
    )
