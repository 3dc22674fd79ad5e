"""Shared by the commands that repeat the tables of papers: options, labelled texts, tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupgroups.bulk.inputs.documents import Documents, fields_of_file
from dupgroups.cli.files import check_place, written
from dupgroups.cli.output import print_json, stdout
from dupgroups.cli.progress import bars, teller
from dupgroups.errors import InputError
from dupgroups_lab.commands.options import check_again

if TYPE_CHECKING:
    from dupgroups.engines.foreign import Fields
    from dupgroups.model import Page
    from dupgroups_lab.labels.pairs import Truth
    from dupgroups_lab.measures.paired_bootstrap import Difference
    from dupgroups_lab.papers.exact import Progress
    from dupgroups_lab.papers.extracted import Texts


@dataclass(frozen=True, slots=True)
class Labelled:
    """The texts of documents by extractor and id, their hosts ("" unknown), and the truth from labels.

    `pages` reads the same documents once more.
    """

    texts: dict[str, Texts]
    hosts: Texts
    truth: Truth
    progress: Progress
    pages: Callable[[], Iterator[Page]]


@contextmanager
def labelled(
    docs: Path,
    labels: Path,
    positive: str,
    extractors: Sequence[str],
    fields: str | None = None,
    *,
    report: Path | None,
    references: bool = False,
) -> Iterator[Labelled]:
    """Read and extract under progress bars; the `progress` of the result moves them while measuring.

    With `references` only documents with html are read, and if all of these have a text too, the texts come
    last under the name "reference". Raises InputError for unreadable files, labels that do not fit, and a
    `report` that could not be written in the end, and standard input where `references` need it twice.
    """
    from dupgroups.text.urls import host_of
    from dupgroups_lab.labels.pairs import check_labels, read_labels, truth
    from dupgroups_lab.papers.extracted import extracted

    if report:
        check_place(report, docs, labels)  # fails early
    if references:
        check_again(docs)
    wanted = positive.split(",")
    check_labels(wanted)
    pairs = read_labels(labels)
    read = fields_of_file(fields)
    lines = Documents(docs, teller(), read)
    hosts: dict[str, str] = {}

    def pages() -> Iterator[Page]:
        for page in lines:
            if page.html or not references:
                hosts[str(page.id)] = host_of(page.url)
                yield page

    def again() -> Iterator[Page]:
        return (page for page in Documents(docs, lambda sentence: None, read) if page.id in hosts)

    with bars(lines, ("reading", "measuring")) as progress:
        texts: dict[str, Texts] = {
            **extracted(pages(), extractors, lambda done: progress("sign", done, None))
        }
        if not hosts:
            raise InputError(f"{docs}: no document has html, which is needed to compare extractors")
        if references:
            texts.update(_references(docs, hosts, read))
        size, known = len(hosts), truth(hosts, pairs, positive=wanted)
        yield Labelled(
            texts, hosts, known, lambda done, total: progress("judge", done * size, total * size), again
        )


def _references(docs: Path, hosts: Texts, fields: Fields) -> dict[str, Texts]:
    """The texts of these documents in the file, if all have one."""
    from dupgroups_lab.papers.extracted import REFERENCE

    if not fields.text:
        return {}
    with suppress(InputError):  # no document has a text
        pages = Documents(docs, lambda sentence: None, replace(fields, html=None))
        texts = {str(page.id): page.text or "" for page in pages if page.id in hosts}
        if len(texts) == len(hosts):
            return {REFERENCE: texts}
    return {}


def difference(measured: Difference) -> str:
    """A difference of F1 with its interval; `*` marks one that is significant."""
    mark = "*" if measured.significant else ""
    return f"{measured.value:+.3f} [{measured.low:+.3f}, {measured.high:+.3f}]{mark}"


def differences(against: Mapping[str, Difference], names: Sequence[str]) -> list[str]:
    """The differences to these rows, in this order; "-" where there is none."""
    return [difference(against[name]) if name in against else "-" for name in names]


def counts(truth: Truth) -> dict[str, Any]:
    """How many documents and pairs the truth has, for JSON."""
    return {
        "documents": len(truth.documents),
        "positive_pairs": len(truth.positive),
        "ignored_pairs": len(truth.ignored),
    }


@dataclass(frozen=True, slots=True)
class Tabulated:
    """A table of text. The first column names the rows; its header names the table."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Shown:
    """The results of a command: as they are, as tables, and as plots (HTML) for the report."""

    title: str
    truth: Truth
    results: object
    tables: Sequence[Tabulated]
    plots: Sequence[str]

    def show(self, report: Path | None, as_json: bool) -> None:
        """Print the tables, or the results as JSON, and write the tables to the report with the plots."""
        if report:
            with written(report, errors="xmlcharrefreplace") as file:
                file.write(self._page())
        if as_json:
            print_json({**counts(self.truth), "results": self.results})
        else:
            self._print(report)

    def _print(self, report: Path | None) -> None:
        from rich.table import Table

        console = stdout()
        console.print(f"{self.truth.extent}\n", soft_wrap=True)
        for tabulated in self.tables:
            table = Table(*tabulated.columns, box=None, pad_edge=False)
            for row in tabulated.rows:
                table.add_row(*row)
            console.print(table)
            console.print()
        if report:
            console.print(f"Report: {report}", soft_wrap=True)

    def _page(self) -> str:
        from dupgroups_lab.reports.page import html_page, plots, score_table

        tables = [
            score_table(list(map(escape, table.columns)), [list(map(escape, row)) for row in table.rows])
            for table in self.tables
        ]
        return html_page(self.title, [f"<p>{escape(self.truth.extent)}</p>", plots(self.plots), *tables])
