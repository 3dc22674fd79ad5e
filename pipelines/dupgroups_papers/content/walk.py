"""The tree of a page as a stream of events, for methods that need nodes instead of blocks.

The events are those of SAX: an element begins or ends, or there is text. Every text has the index of its
block in `divide(html)`, so that a method can select blocks by what it finds in the tree.

>>> from dupgroups_papers.content.walk import walk
>>> [(event.kind, event.tag, event.block) for event in walk("<p>Fog <b>again</b><p>Rain")][4:9]
[('start', 'p', 0), ('text', '-text', 0), ('start', 'b', 0), ('text', '-text', 0), ('end', 'b', 0)]
"""

from collections.abc import Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from dupgroups.content.blocks import UNSEEN, ends_block, parse
from dupgroups.content.bounds import MAX_NODES
from dupgroups.content.letters import collapse_spaces

START, TEXT, END = "start", "text", "end"


class Event(NamedTuple):
    """`kind` is START, TEXT or END; `block` the index of the block of a text, or of the next one."""

    kind: str
    tag: str
    node: LexborNode
    block: int


def walk(html: str) -> Iterator[Event]:
    """Depth first through what a browser shows, without text that is only white space.

    `html` is the part of a page that `divide` has read (`Blocks.html`), and blocks end in the same places.
    The walk stops after `MAX_NODES`, so elements may stay open at the end.
    """
    node = parse(html)
    if node is None:
        return
    yield Event(START, "html", node, 0)
    open_elements: list[tuple[LexborNode, str, bool]] = []
    block, has_text = 0, False
    node = node.first_child
    for _ in range(MAX_NODES):
        while node is None and open_elements:
            closed, tag, is_box = open_elements.pop()
            if is_box:
                block, has_text = block + has_text, False
            yield Event(END, tag, closed, block)
            node = closed.next
        if node is None:
            return
        tag = node.tag or "-other"
        if tag == "-text":
            if collapse_spaces(node.text_content or ""):
                has_text = True
                yield Event(TEXT, tag, node, block)
        elif tag not in UNSEEN:
            if is_box := ends_block(node):
                block, has_text = block + has_text, False
            yield Event(START, tag, node, block)
            open_elements.append((node, tag, is_box))
            node = node.first_child
            continue
        node = node.next
