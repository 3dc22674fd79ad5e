"""Division of a page into blocks: one pass over the tree that every extractor shares.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), LREC 2008, section 3.
A block is text that renders without a line break: it ends where any element begins or ends that is not in
the list of inline tags.

| limit | default | why |
|---|---|---|
| `MAX_CHARS` | 8,000,000 | characters of a page that are read; the rest is cut off |
| `MAX_NODES` | 100,000 | nodes of the tree that are visited |
| `MAX_DEPTH` | 10,000 | open elements at which the page is cut: parsing costs the square of the depth |
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from selectolax.lexbor import LexborHTMLParser

_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
MAX_CHARS = 8_000_000
MAX_NODES = 100_000
MAX_DEPTH = 10_000

INLINE = frozenset(
    # the paper's: inline, phrase and font elements of HTML 4
    """a abbr acronym b basefont bdo big cite code del dfn em font i ins kbd q s samp small span strike strong
    sub sup tt u var""".split()
    # what HTML 5 added
    + "bdi data img label mark nobr picture rp rt ruby time wbr".split()
)
# what a browser does not show as text of the page
UNSEEN = frozenset(
    """applet audio canvas datalist embed frame frameset iframe link map math meta noembed noframes noscript
    object param script select style svg template textarea title video
    -comment -doctype -document -other""".split()
)


class Node(Protocol):
    """What the pass needs of a tree, named as lexbor names it."""

    @property
    def tag(self) -> str | None:
        """Lower-case name; "-text" for text, another with "-" in front or None for what is no element."""

    @property
    def child(self) -> Node | None:
        """First child."""

    @property
    def next(self) -> Node | None:
        """Next sibling."""

    @property
    def text_content(self) -> str | None:
        """The characters of a text node."""

    @property
    def attributes(self) -> Mapping[str, str | None]:
        """Attributes of an element."""


class Block(NamedTuple):
    """A run of text without a line break.

    `text` has its white space collapsed and is never empty; `linked` counts characters inside links, `links`
    the links that begin in it, `strong` characters in b and strong; `box` is the index of the nearest element
    that breaks lines in `Blocks.boxes`.
    """

    text: str
    linked: int
    links: int
    strong: int
    box: int


class Box(NamedTuple):
    """An element that breaks lines. `parent` is its index in `Blocks.boxes` (the root is its own parent);
    `name` its class, id and role, "" when it has none."""

    parent: int
    tag: str
    name: str
    hidden: bool


@dataclass(slots=True)
class Blocks:
    """A page taken apart: blocks and boxes in document order, and the elements that describe the page.

    Box i and all below it are boxes[i:ends[i]]. `heads` holds (tag, attributes, text) of title, meta, link,
    time, html and of JSON-LD scripts; `hrefs` the targets of all links as they are written.
    """

    blocks: list[Block] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    heads: list[tuple[str, Mapping[str, str | None], str]] = field(default_factory=list)
    hrefs: list[str] = field(default_factory=list)


def tokens(text: str) -> list[str]:
    """Words, and single characters of the scripts that write none apart (Han, kana); punctuation is left out.

    >>> tokens("don't 你好 x-1")
    ['don', 't', '你', '好', 'x', '1']
    """
    return _TOKEN.findall(text)


_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
# empty elements, and those that one of their own kind ends
_NEVER_DEEP = frozenset(
    """area base br col dd dt embed hr img input li link meta option p param script source style tbody td th
    tr track wbr""".split()
)


def divide(html: str) -> Blocks:
    """The blocks of a page. Anything that is not HTML is text to it; "" has no blocks."""
    return read(LexborHTMLParser(_shallow(html[:MAX_CHARS])).root)


def _shallow(html: str) -> str:
    """The page up to where too many elements are open or have begun; implied ends do not count."""
    if html.count("<") <= MAX_DEPTH:
        return html
    depth = begun = 0
    opened: Counter[str] = Counter()
    for match in _TAG.finditer(html):
        end, name = match[1], match[2].lower()
        begun += not end
        if begun > MAX_NODES:
            return html[: match.start()]
        if name in _NEVER_DEEP:
            continue
        if not end:
            opened[name] += 1
            depth += 1
            if depth > MAX_DEPTH:
                return html[: match.start()]
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
    return html


def read(root: Node | None) -> Blocks:
    """The blocks under `root`, an html element; none for None. Iterative: depth costs no stack."""
    reader = _Reader()
    if root is not None:
        reader.heads("html", root)
        reader.walk(root)
    return reader.found


class _Reader:
    """State of one pass: the open box, the unfinished block, and in how many links and strongs it stands."""

    __slots__ = ("box", "found", "in_link", "in_strong", "linked", "links", "parts", "strong")

    def __init__(self) -> None:
        self.found = Blocks(boxes=[Box(0, "html", "", False)], ends=[0])
        self.parts: list[str] = []
        self.box = self.in_link = self.in_strong = self.linked = self.links = self.strong = 0

    def walk(self, root: Node) -> None:
        """Depth first by child and next, with the way back on a list of our own."""
        open_nodes: list[tuple[Node, str]] = []
        node = root.child
        for _ in range(MAX_NODES):
            while node is None:
                if not open_nodes:
                    return self.end_page()
                parent, tag = open_nodes.pop()
                self.close(tag)
                node = parent.next
            tag = node.tag or "-other"
            if tag == "-text":
                self.add(node.text_content or "")
            elif tag in UNSEEN:
                self.describe(tag, node)
            else:
                self.open(tag, node)
                child = node.child
                if child is not None:
                    open_nodes.append((node, tag))
                    node = child
                    continue
                self.close(tag)
            node = node.next
        return self.end_page()

    def add(self, text: str) -> None:
        """Text of the page, with the white space that the source has."""
        if text.isspace():
            if self.parts:  # between words it counts, at the beginning of a block it does not
                self.parts.append(text)
            return
        self.parts.append(text)
        if self.in_link or self.in_strong:
            size = len(text.strip())
            if self.in_link:
                self.linked += size
            if self.in_strong:
                self.strong += size

    def open(self, tag: str, node: Node) -> None:
        """An element begins."""
        if tag not in INLINE:
            if self.parts:
                self.end_block()
            self.enter(tag, node)
        elif tag == "a":
            self.in_link += 1
            self.links += 1
            self.found.hrefs.append(node.attributes.get("href") or "")
        elif tag in ("b", "strong"):
            self.in_strong += 1
        elif tag == "time":
            self.heads(tag, node)

    def close(self, tag: str) -> None:
        """An element ends."""
        if tag not in INLINE:
            if self.parts:
                self.end_block()
            self.found.ends[self.box] = len(self.found.boxes)
            self.box = self.found.boxes[self.box].parent
        elif tag == "a":
            self.in_link -= 1
        elif tag in ("b", "strong"):
            self.in_strong -= 1

    def enter(self, tag: str, node: Node) -> None:
        """A box begins."""
        given = node.attributes
        name, hidden = "", False
        if given:
            name = given.get("class") or ""
            if "id" in given or "role" in given:
                name = f"{name} {given.get('id') or ''} {given.get('role') or ''}".strip()
            style = given.get("style")
            hidden = "hidden" in given or bool(style and "none" in style and _NOT_SHOWN.search(style))
        boxes = self.found.boxes
        boxes.append(Box(self.box, tag, name, hidden or boxes[self.box].hidden))
        self.found.ends.append(0)
        self.box = len(boxes) - 1

    def end_block(self) -> None:
        """The line breaks here: what was gathered becomes a block, if there is anything to see."""
        text = " ".join("".join(self.parts).split())
        if text:
            self.found.blocks.append(Block(text, self.linked, self.links, self.strong, self.box))
            self.linked = self.links = self.strong = 0
        self.parts.clear()

    def end_page(self) -> None:
        """Nothing follows, or nothing is read any more."""
        self.end_block()
        self.found.ends = [end or len(self.found.boxes) for end in self.found.ends]

    def describe(self, tag: str, node: Node) -> None:
        """An element that shows nothing itself; some tell about the page."""
        if tag in ("meta", "title", "link", "script"):
            self.heads(tag, node)

    def heads(self, tag: str, node: Node) -> None:
        """Keep an element that describes the page."""
        given = node.attributes
        if tag != "script":
            text = node.child.text_content if tag == "title" and node.child else None
        elif "ld+json" in (given.get("type") or ""):
            text = node.child.text_content if node.child else None
        else:
            return
        self.found.heads.append((tag, given, text or ""))
