"""In which sizes and colours the text of each block is set, as far as a page tells without a browser.

HTML Living Standard, section 15.3 (headings, `small`, `big`, `sub`, `sup`, `font`, links), inline styles, and
the rules of `style` elements that `stylesheets.py` reads; later, stronger and nearer declarations win, and
both properties are inherited. Lengths that depend on a window (`vw`, `calc`) or on variables are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from dupgroups.content.blocks import INLINE, UNSEEN, Node, parse
from dupgroups.content.bounds import MAX_NODES
from dupgroups.content.stylesheets import Element, StyleSheets, declared, element

MEDIUM = 16.0  # pixels
_SCALES = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h4": 1.0, "h5": 0.83, "h6": 0.67}
_SCALES |= {"small": 1 / 1.2, "big": 1.2, "sub": 1 / 1.2, "sup": 1 / 1.2}
_FONT_SIZES = (10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0)  # of <font size=1> to 7
_KEYWORDS = dict(
    zip("x-small small medium large x-large xx-large xxx-large".split(), _FONT_SIZES, strict=True)
)
_KEYWORDS |= {"xx-small": 9.0, "initial": MEDIUM}
_LENGTH = re.compile(r"(?<![\w.#-])(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(px|pt|rem|em|%)(?![\w-])")
_PIXELS = {"px": 1.0, "pt": 4 / 3, "rem": MEDIUM}
_NAMED = {
    "black": "#000000",
    "white": "#ffffff",
    "gray": "#808080",
    "grey": "#808080",
    "red": "#ff0000",
    "blue": "#0000ff",
}
_LINK = "#0000ee"


class BlockStyle(NamedTuple):
    """Of the text of a block: characters by font size (pixels, to a tenth) and by colour, blanks left out."""

    sizes: Counter[float]
    colors: Counter[str]


class _Style(NamedTuple):
    size: float
    color: str


def block_styles(html: str) -> list[BlockStyle]:
    """One style for each block of `divide(html)`, in order; `html` is what that has read (`Blocks.html`)."""
    root = parse(html)
    return _StyleWalk(StyleSheets.of(html)).styles_of_blocks(root) if root is not None else []


class _StyleWalk:
    """One walk over the tree, which ends blocks where `blocks.py` ends them."""

    def __init__(self, sheets: StyleSheets) -> None:
        self.sheets = sheets
        self.found: list[BlockStyle] = []
        self.block = BlockStyle(Counter(), Counter())

    def styles_of_blocks(self, root: Node) -> list[BlockStyle]:
        path = [element("html", root.attributes)]
        styles = [self.style(root, path, _Style(MEDIUM, "#000000"))]
        open_nodes: list[Node] = []
        node = root.first_child
        for _ in range(MAX_NODES):
            while node is None and open_nodes:
                closed = open_nodes.pop()
                self.end_block_at(path.pop().tag)
                styles.pop()
                node = closed.next
            if node is None:
                break
            tag = node.tag or "-other"
            if tag == "-text":
                self.add(node.text_content or "", styles[-1])
            elif tag not in UNSEEN:
                self.end_block_at(tag)
                path.append(element(tag, node.attributes))
                styles.append(self.style(node, path, styles[-1]))
                open_nodes.append(node)
                node = node.first_child
                continue
            node = node.next
        self.end_block_at("html")
        return self.found

    def add(self, text: str, style: _Style) -> None:
        characters = len("".join(text.split()))
        if characters:
            self.block.sizes[style.size] += characters
            self.block.colors[style.color] += characters

    def end_block_at(self, tag: str) -> None:
        if tag not in INLINE and self.block.sizes:
            self.found.append(self.block)
            self.block = BlockStyle(Counter(), Counter())

    def style(self, node: Node, path: list[Element], inherited: _Style) -> _Style:
        """What the element looks like: as it inherits, as its tag says, as rules and its own style say."""
        tag, given = path[-1].tag, node.attributes
        rules = self.sheets.matching(path)
        plain, important = declared(given.get("style") or "")
        size, color = _of_tag(tag, given, inherited)
        layers = [rule.plain for rule in rules] + [plain] + [rule.important for rule in rules] + [important]
        for layer in layers:
            for name, value in layer.items():
                if name == "color":
                    color = _color(value) or inherited.color
                else:
                    size = _size(value, inherited.size) or size
        return _Style(round(size, 1), color)


def _of_tag(tag: str, given: Mapping[str, str | None], inherited: _Style) -> _Style:
    if tag == "font":
        return _Style(
            _font_size(given.get("size") or "") or inherited.size,
            _color(given.get("color") or "") or inherited.color,
        )
    color = _LINK if tag == "a" and "href" in given else inherited.color
    return _Style(inherited.size * _SCALES.get(tag, 1.0), color)


def _font_size(told: str) -> float | None:
    """The size of a `font` element, 1 to 7, or relative to 3."""
    match = re.fullmatch(r"\s*([+-]?)(\d{1,2})\D*", told)
    if not match:
        return None
    number = int(match[2]) if not match[1] else 3 + int(match[1] + match[2])
    return _FONT_SIZES[min(max(number, 1), 7) - 1]


def _size(told: str, inherited: float) -> float | None:
    """Pixels of a value of `font-size` or `font`; None when it says nothing that can be known here."""
    for word in told.split():
        if word in _KEYWORDS:
            return _KEYWORDS[word]
        if word in ("smaller", "larger"):
            return inherited * (1.2 if word == "larger" else 1 / 1.2)
    match = None if "(" in told else _LENGTH.search(told)
    if not match:
        return None
    number = float(match[1])
    return number * (_PIXELS.get(match[2]) or inherited / (100 if match[2] == "%" else 1))


def _color(told: str) -> str:
    """A colour in one spelling; "" for one that is inherited or not known here."""
    color = told.strip().lower()
    if not color or "var(" in color or color in ("inherit", "currentcolor", "unset"):
        return ""
    digits = re.fullmatch("#([0-9a-f])([0-9a-f])([0-9a-f])", color)
    if digits:
        return "#" + "".join(2 * each for each in digits.groups())
    amounts = re.fullmatch(r"rgb\(\s*(\d{1,9})\s*,\s*(\d{1,9})\s*,\s*(\d{1,9})\s*\)", color)
    if amounts:
        return "#" + "".join(f"{min(int(each), 255):02x}" for each in amounts.groups())
    return _NAMED.get(color, color)
