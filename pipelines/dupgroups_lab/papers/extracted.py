"""The texts that several extractors take from the same pages; each page is divided once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from dupgroups.content import Extractor
from dupgroups.content.blocks import divide
from dupgroups.model import Page
from dupgroups.text.decoding import decode
from dupgroups_lab.extraction.run import load_extractors

Texts = Mapping[str, str]  # by the id of the document
REFERENCE = "reference"  # named among the extractors: the text that came with the documents


def extracted(
    pages: Iterable[Page], names: Sequence[str], progress: Callable[[int], None] = lambda done: None
) -> dict[str, dict[str, str]]:
    """The text of each page by extractor, as the user typed it, and id; pages without an id are left out.

    A page that comes with its text keeps it. `progress` is called with the number of pages done. Raises
    ConfigError for an unknown extractor.
    """
    extractors = load_extractors(names)
    texts: dict[str, dict[str, str]] = {name: {} for name in extractors}
    for done, page in enumerate(pages, start=1):
        if page.id:
            for name, text in _texts(page, extractors):
                texts[name][page.id] = text
        progress(done)
    return texts


def _texts(page: Page, extractors: Mapping[str, Extractor]) -> Iterator[tuple[str, str]]:
    if page.text is not None:
        yield from ((name, page.text) for name in extractors)
        return
    html = decode(page.html, page.encoding) if isinstance(page.html, bytes) else page.html or ""
    blocks = divide(html, hrefs=False)
    for name, extractor in extractors.items():
        yield name, "\n".join(blocks.blocks[index].text for index in extractor(blocks))
