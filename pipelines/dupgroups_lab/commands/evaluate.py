"""`dup-groups evaluate`: measure the methods on labelled data."""

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
        typer.Option("--pack", help="A folder with a pages.jsonl.gz; may be repeated.", metavar="DIR"),
    ],
    extractors: Annotated[
        str,
        typer.Option(
            "--extractor",
            help="Extractors to compare, separated by commas: names or module:Class, then parameters, as in "
            "heuristic min_block=5,mss.",
            metavar="NAME,...",
        ),
    ] = "auto,mss,heuristic,whole",
    report: Annotated[
        Path | None,
        typer.Option(help="File to write a report to, with plots and the worst pages.", metavar="OUT.html"),
    ] = None,
) -> None:
    """Measure precision, recall and F1 of extractors against gold texts, by shingle and by block, and time.

    Times are given as multiples of parsing the page ("parses"), for the whole of `extract` and for the method
    alone ("own parses"). `auto`, `crf` and `maxent` were trained on most public packs: `dup-groups train
    extraction` prints their scores on unseen sites. Example:

        dup-groups evaluate extraction --pack news --extractor auto,mss --report report.html
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from dupgroups_lab.extraction.run import count_pages, load_extractors, measure, rows
    from dupgroups_lab.extraction.tables import print_rows
    from dupgroups_lab.labels.pages import PAGES
    from dupgroups_lab.reports.extraction import html_report

    if report:
        check_place(report, *(pack / PAGES for pack in packs))  # fails early
    chosen = load_extractors(name.strip() for name in extractors.split(","))
    notes = Console(stderr=True, highlight=False, markup=False)
    counts = count_pages(packs)
    for pack in (pack for pack, count in counts.items() if not count):
        notes.print(f"{pack} has no gold texts and is left out.", style="yellow", soft_wrap=True)
    columns = ("extracting", BarColumn(), MofNCompleteColumn(), "pages", TimeRemainingColumn())
    with Progress(*columns, console=notes) as progress:
        task = progress.add_task("", total=sum(counts.values()))
        extractions = measure(packs, chosen, lambda: progress.advance(task))
    out = Console(highlight=False, markup=False)
    for name, results in extractions.items():
        print_rows(out, name, rows(results))
    if report:
        with written(report, errors="xmlcharrefreplace") as file:
            file.write(html_report(extractions))
        out.print(f"Report: {report}", soft_wrap=True)
