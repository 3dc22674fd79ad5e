"""`dup-groups evaluate`: measure the methods on labelled data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.files import check_place, written
from dupgroups.cli.options import JsonOption
from dupgroups.cli.output import print_json, stderr, stdout
from dupgroups.cli.progress import progress
from dupgroups_lab.commands.options import ExtractorsOption, ReportOption

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
    extractors: ExtractorsOption = "auto,mss,heuristic,whole",
    fields: Annotated[
        bool,
        typer.Option(
            "--fields", help="Measure titles, authors, dates and site names, beside other libraries."
        ),
    ] = False,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure precision, recall and F1 of extractors against gold texts, by shingle and by block, and time.

    Times are given as multiples of parsing the page ("parses"), for the whole of `extract` and for the method
    alone ("own parses"). `auto`, `crf` and `maxent` were trained on most public packs: `dup-groups train
    extraction` prints their scores on unseen sites.

    With `--fields`, trafilatura, htmldate, newspaper4k and news-please read the same pages. Equal are titles
    with the letters and digits of the gold, the same set of authors, the same day, and a site's name that
    spells the domain. F1 is of the words of titles and of names of authors. Example:

        dup-groups evaluate extraction --pack news --extractors auto,mss
    """
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

    from dupgroups_lab.extraction.run import count_pages, load_extractors, measure, rows
    from dupgroups_lab.extraction.tables import print_rows
    from dupgroups_lab.labels.pages import PAGES
    from dupgroups_lab.reports.extraction import html_report

    if fields:
        _fields(packs, as_json)
        return
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
    if as_json:
        print_json(by_extractor)
        return
    out = stdout()
    for name, measured in by_extractor.items():
        print_rows(out, name, measured)
    if report:
        out.print(f"Report: {report}", soft_wrap=True)


def _fields(packs: list[Path], as_json: bool) -> None:
    from dupgroups_lab.extraction.declared_fields import available_readers, measure
    from dupgroups_lab.extraction.tables import print_fields

    readers = available_readers()
    for name in (name for name, reader in readers.items() if not reader):
        stderr().print(f"{name} is not installed (pip install 'dup-groups[bench]'): it is not measured.")
    with progress() as shown:
        task = shown.add_task("reading", total=None)
        rows = measure(
            packs, {name: reader for name, reader in readers.items() if reader}, lambda: shown.advance(task)
        )
    print_json(rows) if as_json else print_fields(stdout(), rows)
