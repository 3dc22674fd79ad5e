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
    PresetOption,
    SignerOption,
)
from dupgroups.cli.progress import bars, teller
from dupgroups.text.counted import counted
from dupgroups_lab.commands.evaluate import evaluate
from dupgroups_lab.commands.tables import show
from dupgroups_lab.measures.tables import Tabulated

if TYPE_CHECKING:
    from dupgroups_lab.duplicates.edits import Row, Survival


@evaluate.command("edits")
def edits(
    docs: DocumentsArgument,
    fields: FieldsOption = None,
    preset: PresetOption = None,
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Edit every article as a newsroom would, and print the share of copies that are still found and joined.

    Also prints how many strangers the copies are joined with: a high share means little without it. Example:

        dup-groups evaluate edits news.jsonl.gz
    """
    from dupgroups_lab.duplicates.edits import survive

    settings = chosen(config, preset, extractor, signer, judge)
    lines = Documents(docs, teller(), fields_of_file(fields))
    with bars(lines) as progress:
        survival = survive(lines, settings, progress)
    originals = counted(survival.originals, "original")
    extent = f"{originals}, {survival.short:,} of them too short to be signed."
    show([_table(survival)], None, as_json, extent=extent)


def _table(survival: Survival) -> Tabulated:
    languages = list(dict.fromkeys(row.language for row in survival.rows))
    rows: dict[str, list[Row]] = {}
    for row in survival.rows:
        rows.setdefault(row.edit, []).append(row)
    return Tabulated(
        ("edit", *(f"{language or 'unknown'} (copies)" for language in languages), "strangers"),
        [
            (edit, *map(_share, rows_of_edit), str(sum(row.strangers for row in rows_of_edit)))
            for edit, rows_of_edit in rows.items()
        ],
    )


def _share(row: Row) -> str:
    return f"{row.recall:.1%} ({row.copies:,})" if row.copies else "-"
