"""`dup-groups evaluate`: how well the methods do on labelled data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.files import check_place, written

evaluate = typer.Typer(
    help="Measure methods on labelled data.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    add_completion=False,
)


@evaluate.command("extraction")
def extraction(
    packs: Annotated[
        list[Path],
        typer.Option("--pack", help="A folder with pages.jsonl.gz; may be repeated.", metavar="DIR"),
    ],
    extractors: Annotated[
        str,
        typer.Option(
            "--extractor",
            help="Names or module:Class, with commas between, as heuristic min_block=5,mss.",
            metavar="NAME,...",
        ),
    ] = "auto,mss,heuristic,whole",
    report: Annotated[
        Path | None,
        typer.Option(help="Where the report with plots and worst pages goes.", metavar="OUT.html"),
    ] = None,
) -> None:
    """Precision, recall and F1 of extractors against gold texts, by shingle and by block, and their time.

    Times are multiples of what parsing the page takes ("parses"), of all that `extract` does and of the
    method's own part. `auto`, `crf` and `maxent` have learned from most public packs: `dup-groups train
    extraction` tells their scores on unseen sites. Example:

        dup-groups evaluate extraction --pack news --extractor auto,mss --report report.html
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from dupgroups_lab.extraction.run import count_pages, load_extractors, measure, rows
    from dupgroups_lab.extraction.tables import print_rows
    from dupgroups_lab.labels.pages import PAGES
    from dupgroups_lab.reports.extraction import html_report

    if report:
        check_place(report, *(pack / PAGES for pack in packs))  # not after hours
    chosen = load_extractors(name.strip() for name in extractors.split(","))
    notes = Console(stderr=True, highlight=False, markup=False)
    counts = count_pages(packs)
    for pack in (pack for pack, count in counts.items() if not count):
        notes.print(f"{pack} has no gold texts and is left out.", style="yellow", soft_wrap=True)
    columns = ("extracting", BarColumn(), MofNCompleteColumn(), "pages", TimeRemainingColumn())
    with Progress(*columns, console=notes) as progress:
        task = progress.add_task("", total=sum(counts.values()))
        found = measure(packs, chosen, lambda: progress.advance(task))
    out = Console(highlight=False, markup=False)
    for name, each in found.items():
        print_rows(out, name, rows(each))
    if report:
        with written(report, errors="xmlcharrefreplace") as file:
            file.write(html_report(found))
        out.print(f"Report: {report}", soft_wrap=True)
