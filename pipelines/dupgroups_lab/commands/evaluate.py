"""`dup-groups evaluate`: measure the methods on labelled data."""

from __future__ import annotations

from functools import partial
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.output import stderr
from dupgroups.cli.progress import bar
from dupgroups_lab.commands.lab_options import ExtractorsOption
from dupgroups_lab.commands.printed_tables import show
from dupgroups_lab.measures.tabulated import Tabulated

if TYPE_CHECKING:
    from dupgroups_lab.extraction.declared_fields import Row

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
    fields: Annotated[
        bool,
        typer.Option(
            "--fields",
            help="Also measure titles, authors, dates and site names, and compare other libraries.",
        ),
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Measure precision, recall and F1 of extractors against gold texts, by shingle and by block, and time.

    Times are given as multiples of parsing the page ("parses"), for the whole of `extract` and for the method
    alone ("own parses"). `auto`, `crf` and `maxent` were trained on most public packs: `dup-groups train
    extraction` prints their scores on unseen sites. The last table has the worst pages of
    the first.

    With `--fields`, trafilatura, htmldate, newspaper4k and news-please read the same pages. These count as
    equal: a title with the letters and digits of the gold, the same set of authors, the same day, and a
    site's name that spells the domain. F1 is of the words of titles and of names of authors. Example:

        dup-groups evaluate extraction --pack news --extractors auto,mss
    """
    from dupgroups_lab.extraction.run import (
        count_pages,
        load_extractors,
        measure,
        rows,
        tabulate,
        tabulate_worst,
    )

    if fields:
        _fields(packs, as_json)
        return
    chosen = load_extractors(name.strip() for name in extractors.split(","))
    counts = count_pages(packs)
    for pack in (pack for pack, count in counts.items() if not count):
        stderr().print(f"{pack} has no gold texts and is left out.", style="yellow")
    with bar("extracting", sum(counts.values()), "page") as advance:
        extractions = measure(packs, chosen, partial(advance, 1))
    by_extractor = {name: rows(results) for name, results in extractions.items()}
    first, results = next(iter(extractions.items()))
    show([*starmap(tabulate, by_extractor.items()), tabulate_worst(first, results)], None, as_json)


def _fields(packs: list[Path], as_json: bool) -> None:
    from dupgroups_lab.extraction.declared_fields import available_readers, measure

    readers = available_readers()
    for name in (name for name, reader in readers.items() if not reader):
        stderr().print(f"{name} is not installed (pip install 'dup-groups[bench]'): it is not measured.")
    with bar("reading", None, "page") as advance:
        there = {name: reader for name, reader in readers.items() if reader}
        rows = measure(packs, there, partial(advance, 1))
    columns = ("titles", "F1 of titles", "authors", "F1 of authors", "dates", "within 3 days", "sites", "ms")
    cells = [
        (f"{pack}, {name}", *_cells(row)) for pack, readers_ in rows.items() for name, row in readers_.items()
    ]
    show([Tabulated(("", *columns), cells)], rows, as_json)


def _cells(row: Row) -> list[str]:
    """Equal values of those with gold, and closeness, of each field; milliseconds a page."""
    found = [
        (f"{tally.equal}/{tally.gold}", f"{tally.close / tally.gold:.3f}") if tally.found else ("-", "-")
        for tally in row.fields.values()
    ]
    cells = [cell for pair in found for cell in pair]
    return [*cells[:-1], f"{1000 * row.seconds / max(row.pages, 1):.1f}"]
