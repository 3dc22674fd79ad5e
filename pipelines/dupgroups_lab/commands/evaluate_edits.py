"""`dup-groups evaluate edits`: how many edited copies are still grouped with their original."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from dupgroups_lab.commands.options import LabelsIfAny, PositiveOption

if TYPE_CHECKING:
    from rich.table import Table

    from dupgroups_lab.duplicates.edits import Row, Survival
    from dupgroups_lab.labels.pairs import Pair
    from dupgroups_lab.measures.pairwise import Confusion


@evaluate.command("edits")
def edits(
    docs: DocumentsArgument,
    labels: LabelsIfAny = None,
    positive: PositiveOption = "duplicate,containment",
    fields: FieldsOption = None,
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Edit every article as a newsroom would, and print the share of copies that are still found and joined.

    With labels, also prints the precision of the pairs that are joined among the originals: a high share
    means little without it. Example:

        dup-groups evaluate edits news.jsonl.gz --labels pairs.csv
    """
    from dupgroups_lab.duplicates.edits import survive
    from dupgroups_lab.labels.pairs import check_labels, read_labels

    wanted = positive.split(",")
    check_labels(wanted)
    pairs = read_labels(labels) if labels else None
    settings = chosen(config, extractor, signer, judge)
    lines = Documents(docs, teller(), fields_of_file(fields))
    with bars(lines) as progress:
        survival = survive(lines, settings, progress)
    joined = _joined(survival, pairs, wanted) if pairs is not None else None
    if as_json:
        originals = {"originals": len(survival.documents), "too_short": survival.short}
        print_json({**originals, "edits": survival.rows, "joined_originals": joined})
    else:
        _print(survival, joined)


def _print(survival: Survival, joined: Confusion | None) -> None:
    console = stdout()
    console.print(_table(survival))
    originals = counted(len(survival.documents), "original")
    console.print(f"{originals}, {survival.short:,} of them too short to be signed.", soft_wrap=True)
    if joined:
        counts = f"{joined.tp:,} right, {joined.fp:,} wrong, precision {joined.precision:.4f}"
        console.print(f"Pairs joined among the originals: {counts}.", soft_wrap=True)


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


def _joined(survival: Survival, pairs: dict[Pair, str], positive: list[str]) -> Confusion:
    from dupgroups_lab.labels.pairs import truth
    from dupgroups_lab.measures.pairwise import confusion

    return confusion(survival.pairs, truth(survival.documents, pairs, positive=positive))
