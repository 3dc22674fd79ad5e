"""CEDAR's "entire document", all text of a page, and its "heuristic", all but that of scripts and styles.

Both have the text of hidden elements, `noscript`, `title` and `select`, which the extractor `visible`
leaves out.
Comments, and text in attributes, are not text of the document.
"""

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from dupgroups.content.blocks import INLINE, parse
from dupgroups.content.bounds import bound_html


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
