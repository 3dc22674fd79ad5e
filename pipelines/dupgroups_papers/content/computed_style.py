"""Font sizes and colours of the text of each block, as far as they can be computed without a browser.

Sources are the HTML Living Standard, section 15.3 (headings, `small`, `big`, `sub`, `sup`, `font`, links),
inline styles, and the rules of `style` elements that `stylesheets.py` reads. Later, more specific and nearer
declarations win, and both properties are inherited. Lengths that depend on the window (`vw`, `calc`) or on
variables are ignored.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dupgroups.content.blocks import Blocks
from dupgroups_papers.content.stylesheets import Element, StyleSheets, element, parse_declarations
from dupgroups_papers.content.walk import END, START, walk

MEDIUM_PIXELS = 16.0  # pixels
_SCALES = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h4": 1.0, "h5": 0.83, "h6": 0.67}
_SCALES |= {"small": 1 / 1.2, "big": 1.2, "sub": 1 / 1.2, "sup": 1 / 1.2}
_FONT_SIZES = (10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0)  # <font size=1> to 7
_KEYWORDS = dict(
    zip("x-small small medium large x-large xx-large xxx-large".split(), _FONT_SIZES, strict=True)
)
_KEYWORDS |= {"xx-small": 9.0, "initial": MEDIUM_PIXELS}
_LENGTH = re.compile(r"(?<![\w.#-])(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(px|pt|rem|em|%)(?![\w-])")
_PIXELS = {"px": 1.0, "pt": 4 / 3, "rem": MEDIUM_PIXELS}
_NAMED_SIZES = {
    "black": "#000000",
    "white": "#ffffff",
    "gray": "#808080",
    "grey": "#808080",
    "red": "#ff0000",
    "blue": "#0000ff",
}
_LINK = "#0000ee"


class BlockStyle(NamedTuple):
    """Number of characters of a block by font size (pixels, to a tenth) and by colour, without blanks."""

    sizes: Counter[float]
    colors: Counter[str]


class _Style(NamedTuple):
    size: float
    color: str


def block_styles(page: Blocks) -> list[BlockStyle]:
    """One style per block, in order."""
    sheets = StyleSheets.of(page)
    finished: list[BlockStyle] = []
    path: list[Element] = []  # the open elements, outermost first
    styles = [_Style(MEDIUM_PIXELS, "#000000")]  # of these, below that of the page
    for event in walk(page.html):
        if event.kind == START:
            attributes = event.node.attributes
            path.append(element(event.tag, attributes))
            styles.append(_style_of(attributes, sheets, path, styles[-1]))
        elif event.kind == END:
            path.pop()
            styles.pop()
        else:
            if event.block == len(finished):
                finished.append(BlockStyle(Counter(), Counter()))
            characters = len("".join((event.node.text_content or "").split()))
            finished[-1].sizes[styles[-1].size] += characters
            finished[-1].colors[styles[-1].color] += characters
    return finished


def _style_of(
    attributes: Mapping[str, str | None], sheets: StyleSheets, path: Sequence[Element], inherited: _Style
) -> _Style:
    """The style of the last element: inherited values, then its tag, then rules and its inline style."""
    rules = sheets.matching(path)
    plain, important = parse_declarations(attributes.get("style") or "")
    size, color = _of_tag(path[-1].tag, attributes, inherited)
    layers = [rule.plain for rule in rules] + [plain] + [rule.important for rule in rules] + [important]
    for layer in layers:
        for name, value in layer.items():
            if name == "color":
                color = _color(value) or inherited.color
            else:
                size = _size(value, inherited.size) or size
    return _Style(round(size, 1), color)


def _of_tag(tag: str, attributes: Mapping[str, str | None], inherited: _Style) -> _Style:
    if tag == "font":
        return _Style(
            _font_size(attributes.get("size") or "") or inherited.size,
            _color(attributes.get("color") or "") or inherited.color,
        )
    color = _LINK if tag == "a" and "href" in attributes else inherited.color
    return _Style(inherited.size * _SCALES.get(tag, 1.0), color)


def _font_size(value: str) -> float | None:
    """Pixels for the size of a `font` element, which is 1 to 7 or relative to 3; None for another value."""
    match = re.fullmatch(r"\s*([+-]?)(\d{1,2})\D*", value)
    if not match:
        return None
    number = int(match[2]) if not match[1] else 3 + int(match[1] + match[2])
    return _FONT_SIZES[min(max(number, 1), 7) - 1]


def _size(value: str, inherited: float) -> float | None:
    """Pixels of a value of `font-size` or `font`; None when they cannot be computed here."""
    for word in value.split():
        if word in _KEYWORDS:
            return _KEYWORDS[word]
        if word in ("smaller", "larger"):
            return inherited * (1.2 if word == "larger" else 1 / 1.2)
    match = None if "(" in value else _LENGTH.search(value)
    if not match:
        return None
    number = float(match[1])
    return number * (_PIXELS.get(match[2]) or inherited / (100 if match[2] == "%" else 1))


def _color(value: str) -> str:
    """The normalised colour; "" for one that is inherited or cannot be computed here."""
    color = value.strip().lower()
    if not color or "var(" in color or color in ("inherit", "currentcolor", "unset"):
        return ""
    digits = re.fullmatch("#([0-9a-f])([0-9a-f])([0-9a-f])", color)
    if digits:
        return "#" + "".join(2 * digit for digit in digits.groups())
    amounts = re.fullmatch(r"rgb\(\s*(\d{1,9})\s*,\s*(\d{1,9})\s*,\s*(\d{1,9})\s*\)", color)
    if amounts:
        return "#" + "".join(f"{min(int(amount), 255):02x}" for amount in amounts.groups())
    return _NAMED_SIZES.get(color, color)
