"""The texts that several extractors take from the same pages; each page is divided once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from dupgroups.content import Extractor
from dupgroups.content.blocks import divide
from dupgroups.model import Page
from dupgroups.text.decoding import decode
from dupgroups_lab.extraction.run import load_extractors
from dupgroups_lab.papers.entire import entire_text, without_scripts

Texts = Mapping[str, str]  # by the id of the document
REFERENCE = "reference"  # named among the extractors: the text that came with the documents
ENTIRE_NAME = "entire"  # named among the extractors: all text of the page, that of scripts too
HEURISTIC = "heuristic"  # named among the extractors: the same without scripts and styles
_PARTS = {ENTIRE_NAME: entire_text, HEURISTIC: without_scripts}


def extract_all(
    pages: Iterable[Page], names: Sequence[str], progress: Callable[[int], None] = lambda done: None
) -> dict[str, dict[str, str]]:
    """The text of each page by extractor, as the user typed it, and id; pages without an id are left out.

    A page that comes with its text keeps it. `progress` is called with the number of pages done. Raises
    ConfigError for an unknown extractor.
    """
    extractors = load_extractors(name for name in names if name not in _PARTS)
    texts: dict[str, dict[str, str]] = {name: {} for name in names}
    for done, page in enumerate(pages, start=1):
        if page.id:
            for name, text in _texts(page, extractors, texts.keys() & _PARTS):
                texts[name][page.id] = text
        progress(done)
    return texts


def html_of(page: Page) -> str:
    """The html of a page as characters; "" without."""
    return decode(page.html, page.encoding) if isinstance(page.html, bytes) else page.html or ""


def _texts(page: Page, extractors: Mapping[str, Extractor], parts: Set[str]) -> Iterator[tuple[str, str]]:
    html = html_of(page)
    for name in parts:
        yield name, _PARTS[name](html) if page.text is None else page.text
    if page.text is not None:
        yield from ((name, page.text) for name in extractors)
        return
    blocks = divide(html, hrefs=False)
    for name, extractor in extractors.items():
        yield name, "\n".join(blocks.blocks[index].text for index in extractor(blocks))
