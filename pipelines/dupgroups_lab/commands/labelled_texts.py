"""The labelled texts that the commands read which repeat the tables of papers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dupgroups.bulk.inputs.page_reader import PageReader, fields_of_file
from dupgroups.cli.progress import bars, teller
from dupgroups.errors import InputError
from dupgroups_lab.commands.lab_options import check_again

if TYPE_CHECKING:
    from dupgroups.model import Page
    from dupgroups_lab.labels.labelled_pairs import Truth
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
def read_labelled(
    docs: Path,
    labels: Path,
    positive: str,
    extractors: Sequence[str],
    fields: str | None = None,
    *,
    references: bool = False,
) -> Iterator[Labelled]:
    """Read and extract under progress bars; the `progress` of the result moves them while measuring.

    With `references` only documents with html are read, and if all of these have a text too, the texts come
    last under the name "reference". Raises InputError for unreadable files, labels that do not fit, and
    standard input where `references` need it twice.
    """
    from dupgroups.text.urls import host_of
    from dupgroups_lab.labels.labelled_pairs import check_labels, read_labels, truth
    from dupgroups_lab.papers.extracted import REFERENCE, extract_all

    if references:
        check_again(docs)
    wanted = positive.split(",")
    check_labels(wanted)
    pairs = read_labels(labels)
    read = fields_of_file(fields)
    lines = PageReader(docs, teller(), read)
    hosts: dict[str, str] = {}

    def pages() -> Iterator[Page]:
        for page in lines:
            if page.html or not references:
                hosts[str(page.id)] = host_of(page.url)
                yield page

    def again() -> Iterator[Page]:
        return (page for page in PageReader(docs, lambda sentence: None, read) if page.id in hosts)

    with bars(lines, ("reading", "measuring")) as progress:
        texts: dict[str, Texts] = {
            **extract_all(pages(), extractors, lambda done: progress("sign", done, None))
        }
        lines.check_left_out()
        if not hosts:
            raise InputError(f"{docs}: no document has html, which is needed to compare extractors")
        if references and read.text:
            pages_of_text = PageReader(docs, lambda sentence: None, replace(read, html=None))
            with suppress(InputError):  # no document has a text
                found = {str(page.id): page.text or "" for page in pages_of_text if page.id in hosts}
                texts |= {REFERENCE: found} if len(found) == len(hosts) else {}
        size, known = len(hosts), truth(hosts, pairs, positive=wanted)
        yield Labelled(
            texts, hosts, known, lambda done, total: progress("judge", done * size, total * size), again
        )
