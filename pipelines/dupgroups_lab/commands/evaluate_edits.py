"""`dup-groups evaluate edits`: how many edited copies are still grouped with their original."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.documents import FieldOption, JsonLines
from dupgroups.cli.methods import ExtractorOption, JudgeOption, MethodsFile, SignerOption, chosen_unordered
from dupgroups.cli.progress import bars, teller
from dupgroups_lab.commands.evaluate import evaluate

if TYPE_CHECKING:
    from rich.table import Table

    from dupgroups_lab.duplicates.edits import Row, Survival


@evaluate.command("edits")
def edits(
    docs: Annotated[Path, typer.Argument(help="JSON Lines, gzipped or not.", metavar="DOCS.jsonl[.gz]")],
    labels: Annotated[
        Path | None, typer.Option(help="Labelled pairs: a,b,label.", metavar="PAIRS.csv")
    ] = None,
    positive: Annotated[
        str, typer.Option(help="Labels that should be joined, separated by commas.", metavar="LABEL,...")
    ] = "duplicate,containment",
    field: FieldOption = None,
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: MethodsFile = None,
) -> None:
    """Edit every article as a newsroom would, and print the share of copies that are still found and joined.

    With labels, also prints the precision of the pairs that are joined among the originals: a high share
    means little without it. Example:

        dup-groups evaluate edits news.jsonl.gz --labels pairs.csv
    """
    from rich.console import Console

    from dupgroups_lab.duplicates.edits import survive
    from dupgroups_lab.labels.pairs import check_labels, read_labels

    wanted = positive.split(",")
    check_labels(wanted)
    pairs = read_labels(labels) if labels else None
    settings = chosen_unordered(config, extractor, signer, judge)
    console = Console(stderr=True, highlight=False, markup=False)
    lines = JsonLines(docs, field.value if field else None, teller(console))
    with bars(lines, console) as progress:
        survival = survive(lines, settings, progress)
    shown = Console(highlight=False, markup=False)
    shown.print(_table(survival))
    shown.print(
        f"{len(survival.documents):,} originals, {survival.short:,} of them too short to be signed.",
        soft_wrap=True,
    )
    if pairs is not None:
        shown.print(_precision(survival, pairs, wanted), soft_wrap=True)


def _table(survival: Survival) -> Table:
    from rich.table import Table

    languages = list(dict.fromkeys(row.language for row in survival.rows))
    table = Table(
        "edit", *(f"{language or 'unknown'} (copies)" for language in languages), "strangers", box=None
    )
    rows: dict[str, list[Row]] = {}
    for row in survival.rows:
        rows.setdefault(row.edit, []).append(row)
    for edit, rows_of_edit in rows.items():
        table.add_row(edit, *map(_share, rows_of_edit), str(sum(row.strangers for row in rows_of_edit)))
    return table


def _share(row: Row) -> str:
    return f"{row.recall:.1%} ({row.copies:,})" if row.copies else "-"


def _precision(survival: Survival, pairs: dict[tuple[str, str], str], positive: list[str]) -> str:
    from dupgroups_lab.labels.pairs import truth
    from dupgroups_lab.measures.pairwise import confusion

    joined = confusion(survival.pairs, truth(survival.documents, pairs, positive=positive))
    counts = f"{joined.tp:,} right, {joined.fp:,} wrong"
    return f"Pairs joined among the originals: {counts}, precision {joined.precision:.4f}."
