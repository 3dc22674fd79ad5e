"""`dup-groups evaluate keys`: the share of joined pairs that an index finds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.documents import FieldOption, JsonLines
from dupgroups.cli.methods import ExtractorOption, JudgeOption, MethodsFile, SignerOption, chosen_unordered
from dupgroups.cli.progress import bars, teller
from dupgroups_lab.commands.evaluate import evaluate


@evaluate.command("keys")
def keys(
    docs: Annotated[Path, typer.Argument(help="JSON Lines, gzipped or not.", metavar="DOCS.jsonl[.gz]")],
    field: FieldOption = None,
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: MethodsFile = None,
) -> None:
    """Judge every pair of documents, and print the share of the joined pairs that share a key, and the cost.

    An index compares only documents that share a key. Needs no labels; the time grows with the square of the
    number of documents: about a minute for 1,600. Example:

        dup-groups evaluate keys news.jsonl.gz --signer period_string
    """
    from rich.console import Console

    from dupgroups_lab.duplicates.keys import look_up

    settings = chosen_unordered(config, extractor, signer, judge)
    console = Console(stderr=True, highlight=False, markup=False)
    lines = JsonLines(docs, field.value if field else None, teller(console))
    with bars(lines, console) as progress:
        recall = look_up(lines, settings, progress)
    Console(highlight=False, markup=False).print(
        f"{recall.documents:,} signed documents, {recall.joined:,} pairs joined, of which the keys find "
        f"{recall.found:,}: recall {recall.recall:.4f}; at most {recall.keys} keys per document, "
        f"{recall.candidates:.1f} candidates per look-up.",
        soft_wrap=True,
    )
