"""`dup-groups group`: group the documents of a file, without an engine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.documents import FieldOption, JsonLines
from dupgroups.cli.files import check_place, files_of, write_csv
from dupgroups.cli.methods import ExtractorOption, JudgeOption, MethodsFile, SignerOption, chosen
from dupgroups.cli.progress import bars, teller
from dupgroups.web.wording import counted


@app.command("group")
def group(
    documents: Annotated[
        Path, typer.Argument(help="Documents as JSON Lines, may be gzipped.", metavar="DOCS.jsonl[.gz]")
    ],
    out: Annotated[Path, typer.Option(help="CSV file for the groups: id,group.", metavar="GROUPS.csv")],
    pairs: Annotated[
        Path | None,
        typer.Option(help="CSV file for the compared pairs: a,b,score,relation.", metavar="PAIRS.csv"),
    ] = None,
    field: FieldOption = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Number of processes. Default: one per core.")
    ] = None,
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: MethodsFile = None,
) -> None:
    """Group the documents of a file: one JSON object per line, with `html` or `text`, `id`, `url`, ...

    A group has the id of its first document. Of several documents with one id the last counts, and stderr
    says how many there are. The score of a pair is 0.5 or more for copies, from 0.25 to 0.5 for an excerpt,
    and lower for all other pairs. The configuration may keep documents apart by their fields (`group_by`) or
    by days (`within_days`). Examples:

        dup-groups group news.jsonl.gz --out groups.csv --pairs pairs.csv

        dup-groups group news.jsonl.gz --out groups.csv --extractor whole --signer "shingling size=2"
    """
    from rich.console import Console

    from dupgroups.offline import group_pages

    console = Console(stderr=True, highlight=False, markup=False)
    settings = chosen(config, extractor, signer, judge)
    read = (documents, config, *files_of(settings))
    check_place(out, pairs, *read)
    if pairs:
        check_place(pairs, *read)
    lines = JsonLines(documents, field.value if field else None, teller(console), settings.group_by)
    with bars(lines, console) as progress:
        result = group_pages(lines, settings, processes=processes, progress=progress)
    if result.warning:
        console.print(result.warning, style="yellow", soft_wrap=True)
    write_csv(out, ("id", "group"), result.groups.items())
    if pairs:
        rows = ((a, b, f"{verdict.score:.6f}", verdict.relation) for a, b, verdict in result.pairs)
        write_csv(pairs, ("a", "b", "score", "relation"), rows)
    groups = len(set(result.groups.values()))
    left_out = f"; {counted(lines.faults, 'broken line')} left out" if lines.faults else ""
    typer.echo(f"{counted(len(result.groups), 'document')} in {counted(groups, 'group')}{left_out}")
