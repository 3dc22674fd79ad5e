"""Numbers about the blocks of a page, the same for every language: what the trained extractor sees.

Groups of columns, one function each; sizes are logarithms of 1 + words, shares run from 0 to 1. Words are
counted by blanks, and as 0.6 for a character of scripts that have none. "Good" words stand in blocks with few
links and some punctuation: a first guess at running text that places and boxes are measured against.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.blocks import Blocks

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

OTHER, LOWER, UPPER, DIGIT, SPACE, EAST, END, COMMA, MARK, QUOTE, SIGN = range(11)
_SIGNS = {
    END: ".!?。！？…｡।॥؟۔",
    COMMA: ",，、;；:：،",
    MARK: "|»›•·>/_＞<=«‹→▶►◆■●★｜\\-–—",
    QUOTE: "\"“”'‘’()（）「」『』《》【】[]",
    SIGN: "©@#®™+*%&$€£¥",
}
_TAGS = tuple(
    """p div li td h1 h2 h3 h4 h5 h6 figcaption blockquote pre dd dt section article button address span
    header footer body""".split()
)
_INSIDE = tuple(
    """article main nav aside footer header form figure table ul ol li blockquote dl section h1 h2 h3
    h4""".split()
)
_TAG_OF = {tag: index for index, tag in enumerate(_TAGS)}
_BIT_OF = {tag: 1 << index for index, tag in enumerate(_INSIDE)}
_NO_LETTER = re.compile(r"[\W_]+")
_LEVELS = 5  # boxes around a block that are measured: its own, the parent's and so on
_NEIGHBOURS = (-3, -2, -1, 1, 2, 3)
_WINDOWS = (4, 10, 25)


@dataclass(frozen=True, slots=True)
class Measures:
    """One page as arrays; of n blocks: `counts` (n, 11) of characters by class, `words`, `link_share`, `good`
    and `box` (n,); of m boxes: `parent`, `ends`, `tag`,
    `inside` (a bit for each tag of interest), `hidden` and `kind` (same tag and name) (m,)."""

    counts: Floats
    first: NDArray[np.uint8]
    last: NDArray[np.uint8]
    size: Ints
    links: Floats
    strong: Floats
    words: Floats
    link_share: Floats
    good: Floats
    box: Ints
    parent: Ints
    ends: Ints
    tag: Ints
    inside: Ints
    hidden: NDArray[np.bool_]
    kind: Ints

    def within(self, values: Floats) -> NDArray[np.float64]:
        """Sums of block values over each box and everything below it: (n, k) to (m, k)."""
        own = np.zeros((len(self.parent) + 1, values.shape[1]))
        np.add.at(own[1:], self.box, values)
        total = own.cumsum(0)
        return np.asarray(total[self.ends] - total[:-1])


def measure(page: Blocks) -> Measures:
    """The arrays of a page that has blocks."""
    texts, linked, links, strong, box = zip(*page.blocks, strict=True)
    parent, tags, names, hidden = zip(*page.boxes, strict=True)
    size = np.array([len(text) for text in texts])
    classes = _classes("".join(texts))
    start = size.cumsum() - size
    owner = np.repeat(np.arange(0, 11 * len(texts), 11), size)
    counts = np.bincount(owner + classes, minlength=11 * len(texts)).reshape(-1, 11).astype(np.float32)
    words = counts[:, SPACE] + 1 + 0.6 * counts[:, EAST]
    share = np.minimum(np.array(linked, np.float32) / size, 1)
    prose = (share < 0.4) & (counts[:, END] + counts[:, COMMA] > 0)
    kinds: dict[tuple[str, str], int] = {}
    return Measures(
        counts=counts,
        first=classes[start],
        last=classes[start + size - 1],
        size=size,
        links=np.array(links, np.float32),
        strong=np.minimum(np.array(strong, np.float32) / size, 1),
        words=words,
        link_share=share,
        good=np.where(prose, np.maximum(words - 3, 0) * (1 - share), 0).astype(np.float32),
        box=np.array(box),
        parent=np.array(parent),
        ends=np.array(page.ends),
        tag=np.array([_TAG_OF.get(tag, -1) for tag in tags]),
        inside=np.array([_BIT_OF.get(tag, 0) for tag in tags]),
        hidden=np.array(hidden),
        kind=np.array([kinds.setdefault(kind, len(kinds)) for kind in zip(tags, names, strict=True)]),
    )


def features(page: Blocks, title: str = "") -> Floats:
    """The feature matrix, (blocks, 215), of a page that has blocks; `title` is its headline."""
    m = measure(page)
    groups = (
        _text(m),
        _place(page, m),
        _headline(page, title),
        _around(m),
        _best(m),
        _kin(m),
        _neighbours(m),
    )
    return np.concatenate(groups, 1)


def _text(m: Measures) -> Floats:
    """What the block's own characters say."""
    counts, words = m.counts, m.words[:, None]
    letters = counts[:, LOWER] + counts[:, UPPER]
    return _columns(
        np.log1p(m.words),
        np.log((letters + 1) / (counts[:, SPACE] + 1)),
        m.link_share,
        np.log1p(m.links),
        m.strong,
        counts[:, [DIGIT, EAST]] / m.size[:, None],
        counts[:, UPPER] / np.maximum(letters, 1),
        np.log1p(counts[:, [END, COMMA, QUOTE]]),
        np.minimum(counts[:, [END, COMMA, MARK, SIGN, UPPER]] / words, 1),
        m.first[:, None] == np.arange(1, 11),
        m.last[:, None] == np.arange(1, 11),
    )


def _place(page: Blocks, m: Measures) -> Floats:
    """Where the block stands, in the tree and in the text, and what page it stands on."""
    n, box = len(m.words), m.box
    inside = m.inside
    depth = np.ones(len(inside), np.int64)
    depth[0] = 0
    jump = m.parent
    while jump.any():  # each round doubles the way up that is covered
        inside = inside | inside[jump]
        depth = depth + depth[jump]
        jump = jump[jump]
    order, total, good = np.arange(n), m.words.sum(), max(float(m.good.sum()), 1.0)
    seen: dict[str, int] = {}
    same = np.array([seen.setdefault(block.text, len(seen)) for block in page.blocks])
    joins = box[1:] == box[:-1]
    return _columns(
        m.tag[box][:, None] == np.arange(len(_TAGS)),
        (inside[box][:, None] >> np.arange(len(_INSIDE))) & 1,
        m.hidden[box],
        np.log1p(depth[box]),
        order / max(n - 1, 1),
        np.log1p(order),
        (m.words.cumsum() - m.words) / total,
        (m.good.cumsum() - m.good) / good,
        np.append(False, joins),
        np.append(joins, False),
        np.minimum(np.bincount(same)[same] - 1, 3),
        _constant(n, np.log1p([n, total, good, m.words.max()])),
        _constant(n, np.array([good / total, (m.link_share * m.words).sum() / total])),
    )


def _headline(page: Blocks, title: str) -> Floats:
    """The block relative to the one that repeats the headline."""
    wanted = fold(title)
    lengths = range(max(len(title) * 3 // 4, 4), len(title) * 4 // 3 + 2)
    is_title = np.array([len(each.text) in lengths and fold(each.text) == wanted for each in page.blocks])
    where = np.flatnonzero(is_title)
    order = np.arange(len(is_title))
    if not len(where):
        return np.zeros((len(order), 4), np.float32)
    headings = [at for at in where if page.boxes[page.blocks[at].box].tag in ("h1", "h2")]
    away = order - (headings or where)[0]
    return _columns(is_title, np.ones(len(order)), away > 0, np.sign(away) * np.log1p(np.abs(away)))


def _around(m: Measures) -> Floats:
    """The boxes around the block: how much text, how good, how linked, how finely divided."""
    of_block = _columns(m.words, m.link_share * m.words, m.good, np.ones(len(m.words)), m.counts[:, END])
    sums = m.within(of_block)
    words, linked, good, blocks, ends = np.maximum(sums, 1e-9).T
    of_box = _columns(
        np.log1p(words),
        words / m.words.sum(),
        linked / words,
        good / words,
        good / max(float(m.good.sum()), 1.0),
        np.log1p(words / np.maximum(blocks, 1)),
        np.log1p(blocks),
        np.minimum(ends / words, 0.3),
        np.log1p(m.ends - np.arange(len(m.ends)) - 1),
    )
    levels, at = [], m.box
    for _ in range(_LEVELS):
        levels.append(of_box[at])
        at = m.parent[at]
    return np.concatenate(levels, 1)


def _best(m: Measures) -> Floats:
    """The block relative to the box with most good words: its own, its children's, half of theirs."""
    own = np.bincount(m.box, m.good, len(m.parent))
    score = own + np.bincount(m.parent, own, len(own)) + 0.5 * np.bincount(m.parent[m.parent], own, len(own))
    sums = m.within(_columns(m.words, m.link_share * m.words, m.good))
    score *= 1 - sums[:, 1] / np.maximum(sums[:, 0], 1)
    best = top = int(score.argmax())
    good, order = max(float(m.good.sum()), 1.0), np.arange(len(m.words))
    columns: list[Any] = []
    for _ in range(4):
        inside = (m.box >= best) & (m.box < m.ends[best])
        columns += [inside, _constant(len(order), sums[best, 2:] / good)]
        best = int(m.parent[best])
    within = np.flatnonzero((m.box >= top) & (m.box < m.ends[top]))
    first, last = (int(within[0]), int(within[-1])) if len(within) else (0, len(order) - 1)
    between = (order >= first) & (order <= last)
    return _columns(
        *columns,
        np.log1p(np.maximum(first - order, 0)),
        np.log1p(np.maximum(order - last, 0)),
        np.where(between, np.log1p(np.maximum(order - first, 0)), 0),
        np.where(between, np.log1p(np.maximum(last - order, 0)), 0),
        _constant(len(order), np.log1p(score.max(keepdims=True))),
    )


def _kin(m: Measures) -> Floats:
    """Blocks of the same make: same parent and tag; same tag and name; the parent's too."""
    kind = m.kind[m.box]
    keys = (
        m.parent[m.box] * 64 + m.tag[m.box] + 1,
        kind,
        kind * (m.kind.max() + 1) + m.kind[m.parent[m.box]],
    )
    good = max(float(m.good.sum()), 1.0)
    columns: list[Any] = []
    for key in keys:
        same = np.unique(key, return_inverse=True)[1]
        number = np.bincount(same)
        means = [(np.bincount(same, values) / number)[same] for values in (m.words, m.link_share)]
        columns += [
            (np.bincount(same, m.good) / good)[same],
            np.log1p(means[0]),
            means[1],
            np.log1p(number[same]),
        ]
    return _columns(*columns)


def _neighbours(m: Measures) -> Floats:
    """The blocks before and after, and the text within some blocks' distance."""
    tag = m.tag[m.box]
    heading = (tag >= _TAG_OF["h1"]) & (tag <= _TAG_OF["h6"])
    letters = np.maximum(m.counts[:, LOWER] + m.counts[:, UPPER], 1)
    logs = np.log1p(_columns(m.words, m.counts[:, END], m.good))
    one = _columns(logs, m.link_share, m.counts[:, UPPER] / letters, tag == 0, heading)
    columns: list[Any] = [_shifted(one, by) for by in _NEIGHBOURS]
    for width in _WINDOWS:
        means = _window(_columns(m.good, m.link_share), width)
        columns += [np.log1p(means[:, 0]), means[:, 1]]
    return _columns(*columns)


def _shifted(values: Floats, by: int) -> Floats:
    """Row i is row i + by of `values`, zeros beyond the page."""
    moved = np.zeros_like(values)
    if by < 0:
        moved[-by:] = values[:by]
    else:
        moved[:-by] = values[by:]
    return moved


def _window(values: Floats, width: int) -> Floats:
    """Means over `width` rows to both sides; beyond the page stands nothing."""
    total = np.zeros((len(values) + 1, values.shape[1]))
    values.cumsum(0, out=total[1:])
    at = np.arange(len(values))
    sums = total[np.minimum(at + width + 1, len(values))] - total[np.maximum(at - width, 0)]
    return np.asarray(sums / (2 * width + 1))


def _constant(rows: int, values: NDArray[Any]) -> NDArray[Any]:
    return np.broadcast_to(values, (rows, len(values)))


def _columns(*parts: NDArray[Any]) -> Floats:
    """Vectors and matrices of the same number of rows side by side."""
    wide = [part[:, None] if part.ndim == 1 else part for part in parts]
    return np.concatenate(wide, 1, dtype=np.float32, casting="unsafe")


def _classes(text: str) -> NDArray[np.uint8]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return _table()[np.minimum(codes, 0xFFFF)]


@cache
def _table() -> NDArray[np.uint8]:
    """Class of every character of the basic plane; U+FFFF stands for all beyond it."""
    table = np.zeros(0x10000, np.uint8)
    for code in range(0xFFFF):
        char = chr(code)
        for kind, holds in ((UPPER, char.isupper), (LOWER, char.isalpha), (DIGIT, char.isdigit)):
            if holds():
                table[code] = kind
                break
    table[[32, 0xA0, 0x3000]] = SPACE
    for first, last in ((0x3040, 0x30FF), (0x3400, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF)):
        table[first : last + 1] = EAST
    for kind, chars in _SIGNS.items():
        table[[ord(char) for char in chars]] = kind
    return table


def fold(text: str) -> str:
    """Letters and digits only, in lower case: two texts that read alike fold to the same.

    >>> fold("“It's over” – 3:0")
    'itsover30'
    """
    return _NO_LETTER.sub("", text.lower())
