"""`dup-groups evaluate metadata`: titles, dates and authors, beside other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dupgroups.cli.options import JsonOption
from dupgroups.cli.progress import progress
from dupgroups_lab.commands.evaluate import evaluate
from dupgroups_lab.commands.options import PacksArgument
from dupgroups_lab.commands.tables import show
from dupgroups_lab.measures.tables import Tabulated

if TYPE_CHECKING:
    from dupgroups_lab.extraction.metadata import Row

_NOT_INSTALLED = ["not installed", *["-"] * 7]


@evaluate.command("metadata")
def metadata(
    packs: PacksArgument,
    as_json: JsonOption = False,
) -> None:
    """Measure the titles, dates and authors of labelled pages, beside trafilatura and newspaper4k.

    The lines of `pages.jsonl.gz` may have a gold `title`, `date` and `author`. Prints counts of articles:
    those with a date, and among those with gold the ones with a date, with the same day, and with a day at
    most three days away, then equal titles and authors; and milliseconds of processor time a page. Example:

        dup-groups evaluate metadata news-en news-zh
    """
    from dupgroups_lab.extraction.metadata import available_readers, measure, total

    readers = available_readers()
    installed = {name: reader for name, reader in readers.items() if reader}
    with progress() as shown:
        task = shown.add_task("reading", total=None)
        rows = measure(packs, installed, lambda: shown.advance(task))
    if len(rows) > 1:
        rows["all"] = {name: total(pack[name] for pack in rows.values()) for name in installed}
    columns = ("pages", "dates", "dated of gold", "same day", "within 3 days", "titles", "authors", "ms")
    cells = [
        (f"{pack}, {name}", *(_cells(by_reader[name]) if name in by_reader else _NOT_INSTALLED))
        for pack, by_reader in rows.items()
        for name in readers
    ]
    show([Tabulated(("", *columns), cells)], rows, as_json)


def _cells(row: Row) -> list[str]:
    return [
        str(row.pages),
        str(row.dates),
        _of(row.dated, row.gold_dates),
        _of(row.same, row.gold_dates),
        _of(row.near, row.gold_dates),
        _of(row.titles, row.gold_titles),
        _of(row.authors, row.gold_authors),
        f"{1000 * row.seconds / max(row.pages, 1):.1f}",
    ]


def _of(right: int, gold: int) -> str:
    return f"{right}/{gold}" if gold else "-"
