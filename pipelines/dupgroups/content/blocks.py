"""Division of a page into blocks: one pass over the tree that every extractor shares.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), LREC 2008,
section 4.1. A block is text that renders without a line break: it ends where an element begins or ends that
is not in the list of inline tags.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from dupgroups.content.bounds import MAX_NODES, bound_html, utf8
from dupgroups.content.hidden import hides, is_hidden
from dupgroups.content.json_ld import Found, objects_of
from dupgroups.content.letters import collapse_spaces
from dupgroups.content.page_source import as_xhtml, with_shadow, without_open_links

# events only copy the selected option of a list, which is not read; without them a tenth of the time is saved
_OPTIONS = LexborDocumentOptions.WO_EVENTS
_MOST_LONG = 50  # hidden spans of more characters
_MIN_LONG_CHARS = 100  # characters of a block that is longer than most headlines
MIN_LINKED_SHARE = 0.75  # least share of the characters of a block that are linked in one that is a link
_MIN_INSIDE_SHARE = 0.9  # of the characters of a block, from which it is a link as a whole
_LONGEST_HIDDEN = 100  # characters of what is hidden in a line; with more it is a box, which asides.py judges

HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
INLINE = frozenset(
    # from the paper: inline, phrase and font elements of HTML 4
    """a abbr acronym b basefont bdo big cite code dfn em font i ins kbd q s samp small span strike strong
    sub sup tt u var""".split()
    # added in HTML 5
    + "bdi data img label mark nobr picture ruby time wbr".split()
)
BOXES = HEADINGS | frozenset(
    """address article aside blockquote body br button caption center col colgroup dd details dialog dir div
    dl dt fieldset figcaption figure footer form head header hgroup hr html input legend li main menu nav ol
    optgroup option p pre search section slot summary table tbody td tfoot th thead tr ul""".split()
)
# elements whose contents a browser does not show as text of the page
UNSEEN = frozenset(
    """applet audio canvas datalist del embed frame frameset iframe link map math meta noembed noframes
    noscript object param rp rt rtc script select style svg template textarea title video
    -comment -doctype -document -other""".split()
)


class Block(NamedTuple):
    """A run of text without a line break.

    `text` has collapsed white space and is never empty. `linked` is the number of characters inside links,
    `links` the number of links that begin in the block, `strong` the number of characters in b and strong.
    `box` is the index, in `Blocks.boxes`, of the nearest element that breaks lines.
    """

    text: str
    linked: int
    links: int
    strong: int
    box: int


class Box(NamedTuple):
    """An element that breaks lines.

    `parent` is the index of its parent in `Blocks.boxes` (the root is its own parent); `name` holds its
    class, id and role, "" when it has none.
    """

    parent: int
    tag: str
    name: str
    hidden: bool


@dataclass
class Blocks:
    """A parsed page: blocks and boxes in document order, and the elements that describe the page.

    Both are stored as columns, and become rows when they are asked for. Box i and all its descendants are
    boxes[i:ends[i]]; except for the root, elements without text are not boxes.
    `heads` holds (tag, attributes, text) of title, meta, link, html, style and JSON-LD scripts, `times` the
    number of the block and the attributes of time elements. `hrefs` holds the targets of all links as they
    are written, if requested. `html` is the part of the page that was read.
    """

    texts: list[str] = field(default_factory=list)
    linked: list[int] = field(default_factory=list)
    links: list[int] = field(default_factory=list)
    strong: list[int] = field(default_factory=list)
    box: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    hidden: list[bool] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    heads: list[tuple[str, Mapping[str, str | None], str]] = field(default_factory=list)
    times: list[tuple[int, Mapping[str, str | None]]] = field(default_factory=list)
    hrefs: list[str] = field(default_factory=list)
    html: str = ""

    @cached_property
    def objects(self) -> list[Found]:
        """The objects in JSON-LD."""
        return objects_of(text for tag, _, text in self.heads if tag == "script")

    @cached_property
    def blocks(self) -> list[Block]:
        """The rows of blocks."""
        return [*map(Block, self.texts, self.linked, self.links, self.strong, self.box)]

    @cached_property
    def boxes(self) -> list[Box]:
        """The rows of boxes."""
        return [*map(Box, self.parents, self.tags, self.names, self.hidden)]

    @cached_property
    def spans(self) -> list[range]:
        """The blocks of each box."""
        firsts, ends = [len(self.texts)] * len(self.parents), [0] * len(self.parents)
        for index, box in enumerate(self.box):
            firsts[box], ends[box] = min(firsts[box], index), index + 1
        for box in range(len(firsts) - 1, 0, -1):
            parent = self.parents[box]
            firsts[parent], ends[parent] = min(firsts[parent], firsts[box]), max(ends[parent], ends[box])
        return [*map(range, firsts, ends)]

    def count_chars(self, indices: Iterable[int]) -> int:
        """The characters of these blocks."""
        return sum(len(self.texts[index]) for index in indices)

    def is_linked(self, index: int) -> bool:
        """Whether a block is a link as a whole."""
        return self.linked[index] >= MIN_LINKED_SHARE * len(self.texts[index])

    def is_seen(self, index: int) -> bool:
        """Whether readers see a block, by its box."""
        box = self.box[index]
        return not (self.hidden[box] or hides(self.names[box]))

    def kind(self, index: int) -> tuple[int, str, str]:
        """The parent, the tag and the name of the box of a block: equal for blocks of one kind."""
        box = self.box[index]
        return self.parents[box], self.tags[box], self.names[box]

    def walk_up(self, box: int, count: int) -> Iterator[int]:
        """A box and those around it, the innermost first; the root again where there are no more."""
        for _ in range(count):
            yield box
            box = self.parents[box]


def divide(html: str, *, hrefs: bool = True) -> Blocks:
    """The blocks of a page. Anything that is not HTML is taken as text; "" has no blocks.

    `hrefs`: whether to collect the targets of links; reading attributes takes time.
    """
    reader = _Reader(hrefs)
    if html:  # a page that came with its text has none
        html, source = bound_html(as_xhtml(html))
        reader.read(source)
        if reader.has_shadow:
            reader, html = _Reader(hrefs), with_shadow(html)
            reader.read(utf8(html))
        if _is_in_link(reader.rows):
            reader, html = _Reader(hrefs), without_open_links(html)
            reader.read(utf8(html))
    page = reader.page
    if reader.rows:
        page.texts, page.linked, page.links, page.strong, page.box = map(list, zip(*reader.rows, strict=True))
    page.parents, page.tags, page.names, page.hidden = map(list, zip(*reader.boxes, strict=True))
    page.ends = [end or len(page.ends) for end in page.ends]  # what is still open ends with the page
    page.html = html
    return page


def _is_in_link(rows: Sequence[tuple[str, int, int, int, int]]) -> bool:
    """Whether most of the text is in long blocks that are links as a whole: one that is not closed goes on in
    each block that follows.
    """
    sizes = [(len(text), linked) for text, linked, *_ in rows if linked >= _MIN_LONG_CHARS]
    inside = (size for size, linked in sizes if linked >= _MIN_INSIDE_SHARE * size)
    return 2 * sum(inside) > sum(len(row[0]) for row in rows)


def parse(html: str) -> LexborNode | None:
    """The html element of the part of a page that `divide` has read (`Blocks.html`), if there is one."""
    parser = LexborHTMLParser(utf8(html), options=_OPTIONS)
    reader, spans = _Reader(hrefs=False), parser.css(", ".join(_HIDDEN_INLINE))
    left_out = [node for node in spans if reader.kind_here(node, _SPAN) == _UNSEEN]
    for node in left_out[::-1]:  # outer ones take inner ones along
        node.decompose()
    return parser.root


_HIDDEN_INLINE = ("span", "small", "em", "i")  # of elements in a line those that may not be shown
_PLAIN, _LINK, _STRONG, _TIME, _BOX, _UNSEEN, _HEAD, _SPAN, _UNKNOWN = range(9)  # the last two become others
_KINDS = (
    dict.fromkeys(UNSEEN, _UNSEEN)
    | dict.fromkeys(("meta", "title", "link", "script", "style", "template"), _HEAD)
    | dict.fromkeys(BOXES, _BOX)
    | dict.fromkeys(INLINE, _PLAIN)
    | dict.fromkeys(("relative-time", "time-ago", "local-time"), _TIME)
    | dict.fromkeys(_HIDDEN_INLINE, _SPAN)
    | {"a": _LINK, "b": _STRONG, "strong": _STRONG, "time": _TIME}
)
_TEXT_TAG = 2  # the number of text nodes, LXB_TAG__TEXT
_KNOWN_TAGS = 1 << 12  # numbers below are the same on every page, those of unknown tags are addresses
_kinds_by_number: dict[int, tuple[int, str]] = {}  # kind and tag


class _Reader:
    """The results of one pass over the tree: blocks and boxes as rows of the columns of `page`."""

    def __init__(self, hrefs: bool) -> None:
        self.page = Blocks(ends=[0])
        self.rows: list[tuple[str, int, int, int, int]] = []
        self.boxes: list[tuple[int, str, str, bool]] = [(0, "html", "", False)]
        self.want_hrefs = hrefs
        self.has_shadow = False
        self.long_hidden = 0
        self.box = 0  # the innermost open one with text
        self.begun: list[tuple[LexborNode, str]] = []  # open elements in it without text, and their tags
        self.parts: list[str] = []  # of the next block
        self.linked = self.links = self.strong = 0  # of it
        self.inside = [0] * _SPAN  # open elements of each kind

    def read(self, source: bytes) -> None:
        """Read a page in UTF-8."""
        root = LexborHTMLParser(source, options=_OPTIONS).root
        if root is not None:
            self.describe("html", root)
            self.walk(root)

    def walk(self, root: LexborNode) -> None:
        """Depth first, with an explicit stack."""
        kinds, parts, inside = _kinds_by_number.copy(), self.parts, self.inside
        node, path = root.first_child, list[tuple[LexborNode, int]]()
        for _ in repeat(None, MAX_NODES):
            while node is None and path:
                node, kind = path.pop()
                inside[kind] -= 1
                if kind == _BOX:
                    self.leave_box()
                node = node.next
            if node is None:
                break
            number = node.tag_id
            if number == _TEXT_TAG:
                # white space counts between words, but not at the beginning of a block
                if parts or not node.is_empty_text_node:
                    self.add(node.text_content or " ")
                node = node.next
                continue
            try:
                kind, tag = kinds[number]
            except KeyError:
                kind, tag = kinds[number] = _kind(node)
            if kind >= _SPAN:
                kind = self.kind_here(node, kind)
            child = node.first_child if kind == _PLAIN else self.enter(node, kind, tag)
            if child is None:
                node = node.next
            else:
                path.append((node, kind))
                inside[kind] += 1
                node = child
        self.end_block()

    def enter(self, node: LexborNode, kind: int, tag: str) -> LexborNode | None:
        """Begin an element, and give its first child, None if it has none that is read."""
        if kind >= _UNSEEN:
            if kind == _HEAD:
                self.describe(tag, node)
            return None
        child = node.first_child
        if kind == _BOX:
            if self.parts:
                self.end_block()
            if child is not None:
                self.begun.append((node, tag))
        elif kind == _LINK:
            self.links += 1
            self.page.hrefs += [node.attributes.get("href") or ""] if self.want_hrefs else []
        elif kind == _TIME:
            self.page.times.append((len(self.rows), node.attributes))
        return child

    def leave_box(self) -> None:
        """End the innermost box."""
        if self.parts:
            self.end_block()
        if self.begun:
            self.begun.pop()
        else:
            self.page.ends[self.box] = len(self.boxes)
            self.box = self.boxes[self.box][0]

    def add(self, text: str) -> None:
        """Add a text to the block, which begins with it if it is not only white space."""
        if not text.isspace():
            if self.begun:
                self.open_boxes()
            if self.inside[_LINK]:
                self.linked += len(text.strip())
            if self.inside[_STRONG]:
                self.strong += len(text.strip())
        elif not self.parts:
            return
        self.parts.append(text)

    def end_block(self) -> None:
        """Store the block, if there is one."""
        if self.parts:
            if text := collapse_spaces("".join(self.parts)):
                self.rows.append((text, self.linked, self.links, self.strong, self.box))
            self.parts.clear()
            self.linked = self.links = self.strong = 0

    def kind_here(self, node: LexborNode, kind: int) -> int:
        """The kind, in its place, of a span, which may be hidden, or of an element unknown to HTML."""
        if kind == _UNKNOWN:
            return _PLAIN if _is_in_line(node) else _BOX
        attributes = node.attributes
        if not attributes or not (is_hidden(attributes) or hides(attributes.get("class") or "")):
            return _PLAIN
        return _UNSEEN if self.leaves_out(node) else _BOX

    def leaves_out(self, span: LexborNode) -> bool:
        """Whether a hidden span is short, such as "opens in a new tab". Of many long ones, which may stand in
        each other, only the first are looked at."""
        is_short = self.long_hidden <= _MOST_LONG and len(span.text()) <= _LONGEST_HIDDEN
        self.long_hidden += not is_short
        return is_short

    def open_boxes(self) -> None:
        """Make boxes of the elements that have text now."""
        box, boxes = self.box, self.boxes
        hides = boxes[box][3]
        for opened, tag in self.begun:
            name = ""
            if attributes := opened.attributes:
                name = attributes.get("class") or ""
                if len(attributes) > bool(name):
                    hides = hides or is_hidden(attributes)
                    if "id" in attributes or "role" in attributes:
                        name = f"{name} {attributes.get('id') or ''} {attributes.get('role') or ''}".strip()
            boxes.append((box, tag, name, hides))
            box = len(boxes) - 1
        self.page.ends += [0] * len(self.begun)
        self.box = box
        self.begun.clear()

    def describe(self, tag: str, node: LexborNode) -> None:
        """Store an element that describes the page; the only scripts among them are those of JSON-LD."""
        attributes = node.attributes
        if tag == "template":
            self.has_shadow = self.has_shadow or "shadowrootmode" in attributes
            return
        if tag == "script" and "ld+json" not in (attributes.get("type") or "").lower():
            return
        child = node.first_child if tag in ("title", "script", "style") else None
        self.page.heads.append((tag, attributes, (child.text_content if child else None) or ""))


def _kind(node: LexborNode) -> tuple[int, str]:
    tag = node.tag or "-other"
    kind = _KINDS.get(tag, _UNKNOWN), tag
    if node.tag_id < _KNOWN_TAGS:
        _kinds_by_number[node.tag_id] = kind
    return kind


def ends_block(node: LexborNode) -> bool:
    """Whether a block ends where this element of a parsed page (`parse`) begins, and where it ends."""
    kind = _kind(node)[0]
    return (_Reader(hrefs=False).kind_here(node, kind) if kind >= _SPAN else kind) == _BOX


def _is_in_line(node: LexborNode) -> bool:
    """Whether an element has text beside it, or stands in a paragraph or a heading."""
    beside = (one for one in (node.prev, node.next) if one is not None and one.tag_id == _TEXT_TAG)
    outer = node.parent
    is_in_paragraph = outer is not None and (outer.tag == "p" or outer.tag in HEADINGS)
    return is_in_paragraph or any(not one.is_empty_text_node for one in beside)
