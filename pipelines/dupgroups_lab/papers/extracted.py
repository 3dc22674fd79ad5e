"""The texts that several extractors take from the same pages; each page is divided once.

Beside them stand CEDAR's "entire document", all text of a page, and its "heuristic", all but that of scripts
and styles. Both have the text of hidden elements, `noscript`, `title` and `select`, which the extractor
`visible` leaves out. Comments, and text in attributes, are not text of the document.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from selectolax.lexbor import LexborNode

from dupgroups.content import Extractor
from dupgroups.content.blocks import INLINE, divide, parse
from dupgroups.content.bounds import bound_html
from dupgroups.model import Page
from dupgroups.text.decoding import decode
from dupgroups_lab.extraction.run import load_extractors

Texts = Mapping[str, str]  # by the id of the document
REFERENCE = "reference"  # named among the extractors: the text that came with the documents
ENTIRE_NAME = "entire"  # named among the extractors: all text of the page, that of scripts too
HEURISTIC = "heuristic"  # named among the extractors: the same without scripts and styles


def without_scripts(html: str) -> str:
    """The text of a page without that of scripts and styles.

    >>> without_scripts("<title>Fog</title><p hidden>Close<script>track(1)</script>")
    'Fog\\nClose'
    """
    return entire_text(html, frozenset({"script", "style"}))


def entire_text(html: str, without: frozenset[str] = frozenset()) -> str:
    """The text of a page, each block on a line of its own, without elements with these tags; "" for none.

    >>> entire_text("<style>p {color: red}</style><p>The <b>ferry</b> sank.<script>track(1)</script>")
    'p {color: red}\\nThe ferry sank.\\ntrack(1)'
    """
    blocks: list[list[str]] = [[]]
    root = parse(bound_html(html)[0]) if html else None
    stack: list[LexborNode | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:  # an element that breaks lines ends
            blocks.append([])
        elif node.tag == "-text":
            blocks[-1].append(node.text_content or "")
        elif node.tag not in without:
            if node.tag not in INLINE:
                blocks.append([])
                stack.append(None)
            stack.extend(reversed(list(_children(node))))
    lines = (" ".join("".join(block).split()) for block in blocks)
    return "\n".join(filter(None, lines))


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


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
