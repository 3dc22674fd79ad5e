"""`dup-groups group`: group the documents of a file, without an engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.corrections import read_corrections
from dupgroups.cli.documents import Documents, FieldNames
from dupgroups.cli.files import STDOUT, check_place, files_of
from dupgroups.cli.methods import chosen
from dupgroups.cli.options import (
    OUT,
    ConfigOption,
    DateField,
    DocumentsArgument,
    ExtractorOption,
    FieldOption,
    HtmlField,
    IdField,
    JsonOption,
    JudgeOption,
    LanguageField,
    ProcessesOption,
    SignerOption,
    TextField,
    TitleField,
    UrlField,
)
from dupgroups.cli.output import print_json, stderr
from dupgroups.cli.progress import bars, teller
from dupgroups.cli.tables import check_table, write_table
from dupgroups.errors import InputError
from dupgroups.web.wording import counted

if TYPE_CHECKING:
    from dupgroups.offline import BatchResult


@app.command("group")
def group(
    documents: DocumentsArgument,
    out: Annotated[
        Path,
        typer.Option(help=OUT, metavar="GROUPS.csv"),
    ],
    pairs: Annotated[
        Path | None,
        typer.Option(help="File for the compared pairs: a,b,score,relation.", metavar="PAIRS.csv"),
    ] = None,
    corrections: Annotated[
        Path | None,
        typer.Option(
            help="What `dup-groups corrections --out` wrote: documents to keep apart or together.",
            metavar="CORRECTIONS.csv",
        ),
    ] = None,
    field: FieldOption = None,
    text_field: TextField = "text",
    html_field: HtmlField = "html",
    title_field: TitleField = "title",
    url_field: UrlField = "url",
    date_field: DateField = "date",
    language_field: LanguageField = "language",
    id_field: IdField = "id",
    processes: ProcessesOption = None,
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Group the documents of a file: JSON Lines, CSV or Parquet, with `html` or `text`, `id`, `url`, ...

    A group has the id of its first document. Of several documents with one id the last counts, and stderr
    says how many there are. The score of a pair is 0.5 or more for copies, from 0.25 to 0.5 for an excerpt,
    and lower for all other pairs. Files that end in .parquet or .jsonl are written in that format, any other
    as CSV; `-` is standard output. `--json` prints the counts. The configuration may keep documents apart by
    their fields (`group_by`) or by days (`within_days`). Examples:

        dup-groups group news.jsonl.gz --out groups.csv --pairs pairs.csv

        dup-groups group dump.parquet --text-field body --out groups.parquet

        zcat *.jsonl.gz | dup-groups group - --out - | sort -t, -k2
    """
    from dupgroups.offline import group_pages

    settings = chosen(config, extractor, signer, judge)
    _check_output(out, pairs, as_json)
    read = (documents, config, corrections, *files_of(settings))
    check_place(out, pairs, *read, stdout=True)
    if pairs:
        check_place(pairs, *read, stdout=True)
    said = read_corrections(corrections)
    names = FieldNames(text_field, html_field, title_field, url_field, date_field, language_field, id_field)
    source = Documents(documents, field, teller(), names, settings.group_by)
    with bars(source) as progress:
        result = group_pages(source, settings, processes=processes, progress=progress, corrections=said)
    if result.warning:
        stderr().print(result.warning, style="yellow")
    write_table(out, ("id", "group"), result.groups.items())
    if pairs:
        rows = ((a, b, round(verdict.score, 6), verdict.relation) for a, b, verdict in result.pairs)
        write_table(pairs, ("a", "b", "score", "relation"), rows)
    _summarize(result, source.faults, out, as_json)


def _check_output(out: Path, pairs: Path | None, as_json: bool) -> None:
    """Raise an error now if the results could not be written after the work."""
    if [out, pairs, STDOUT if as_json else None].count(STDOUT) > 1:
        raise InputError("only one of --out, --pairs and --json can go to standard output")
    for place in filter(None, (out, pairs)):
        check_table(place)


def _summarize(result: BatchResult, broken: int, out: Path, as_json: bool) -> None:
    documents, groups = len(result.groups), len(set(result.groups.values()))
    if as_json:
        print_json({"documents": documents, "groups": groups, "pairs": len(result.pairs), "left_out": broken})
        return
    left_out = f"; {counted(broken, 'broken line')} left out" if broken else ""
    summary = f"{counted(documents, 'document')} in {counted(groups, 'group')}{left_out}"
    if out == STDOUT:
        stderr().print(summary)
    else:
        typer.echo(summary)
