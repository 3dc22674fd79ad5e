"""`dup-groups evaluate`: measure the methods on labelled data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.files import check_place, written
from dupgroups.cli.options import JsonOption
from dupgroups.cli.output import stderr, stdout
from dupgroups.cli.progress import progress
from dupgroups_lab.commands.options import ExtractorsOption, ReportOption
from dupgroups_lab.commands.tables import show

if TYPE_CHECKING:
    pass

PAPERS = "The tables of papers"

evaluate = typer.Typer(
    help="""Measure methods on labelled data.

    Example:

        dup-groups evaluate duplicates --docs news.jsonl.gz --labels pairs.csv
    """,
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
    extractors: ExtractorsOption = "auto,mss,long_blocks,visible",
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure precision, recall and F1 of extractors against gold texts, by shingle and by block, and time.

    Times are given as multiples of parsing the page ("parses"), for the whole of `extract` and for the method
    alone ("own parses"). `auto`, `crf` and `maxent` were trained on most public packs: `dup-groups train
    extraction` prints their scores on unseen sites. Example:

        dup-groups evaluate extraction --pack news --extractors auto,mss
    """
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

    from dupgroups_lab.extraction.run import count_pages, load_extractors, measure, rows
    from dupgroups_lab.labels.pages import PAGES
    from dupgroups_lab.reports.extraction import html_report, scores

    if report:
        check_place(report, *(pack / PAGES for pack in packs))  # fails early
    chosen = load_extractors(name.strip() for name in extractors.split(","))
    counts = count_pages(packs)
    for pack in (pack for pack, count in counts.items() if not count):
        stderr().print(f"{pack} has no gold texts and is left out.", style="yellow")
    columns = ("extracting", BarColumn(), MofNCompleteColumn(), "pages", TimeRemainingColumn())
    with progress(*columns) as shown:
        task = shown.add_task("", total=sum(counts.values()))
        extractions = measure(packs, chosen, lambda: shown.advance(task))
    if report:
        with written(report, errors="xmlcharrefreplace") as file:
            file.write(html_report(extractions))
    by_extractor = {name: rows(results) for name, results in extractions.items()}
    show([scores(*item) for item in by_extractor.items()], None, as_json)
    if report and not as_json:
        stdout().print(f"Report: {report}", soft_wrap=True)
