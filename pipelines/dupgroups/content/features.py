"""Numbers about the blocks of a page, the same for every language: what the trained extractor sees.

Groups of columns, one function each; sizes are logarithms of 1 + words, shares run from 0 to 1. Words are
counted by blanks, and as 0.6 for a character of scripts that have none. "Good" words stand in blocks with few
links and some punctuation: a first guess at running text that places and boxes are measured against.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

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
_NEIGHBOURS = (-2, -1, 1, 2)


@dataclass(frozen=True, slots=True)
class Measures:
    """One page as arrays; of n blocks: `counts` (n, 11) of characters by class, `words`, `link_share`, `good`
    and `box` (n,); of m boxes: `parent`, `ends`, `tag`, `inside` (a bit for each tag of interest around it),
    `depth`, `hidden`, `kind` (same tag and name) (m,), and `sums` (m, 5) over all below it: words, words in
    links, good words, blocks, ends of sentences."""

    counts: Floats
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
    depth: Ints
    hidden: NDArray[np.bool_]
    kind: Ints
    sums: NDArray[np.float64]


def measure(page: Blocks) -> Measures:
    """The arrays of a page that has blocks."""
    texts, linked, links, strong, box = zip(*page.blocks, strict=True)
    size = np.array(list(map(len, texts)))
    classes = _classes("".join(texts))
    owner = np.repeat(np.arange(0, 11 * len(texts), 11), size)
    counts = np.bincount(owner + classes, minlength=11 * len(texts)).reshape(-1, 11).astype(np.float32)
    words = counts[:, SPACE] + 1 + 0.6 * counts[:, EAST]
    share = np.minimum(np.array(linked, np.float32) / size, 1)
    prose = (share < 0.4) & (counts[:, END] + counts[:, COMMA] > 0)
    good = np.where(prose, np.maximum(words - 3, 0) * (1 - share), 0).astype(np.float32)
    own = np.stack((words, share * words, good, np.ones(len(texts), np.float32), counts[:, END]), 1)
    ends = np.array(page.ends)
    return Measures(
        counts=counts,
        size=size,
        links=np.array(links, np.float32),
        strong=np.minimum(np.array(strong, np.float32) / size, 1),
        words=words,
        link_share=share,
        good=good,
        box=np.array(box),
        ends=ends,
        sums=_within(own, np.array(box), ends),
        **_boxes(page)._asdict(),
    )


class _Boxes(NamedTuple):
    """Columns of `Measures` that are about boxes."""

    parent: Ints
    tag: Ints
    inside: Ints
    depth: Ints
    hidden: NDArray[np.bool_]
    kind: Ints


def _boxes(page: Blocks) -> _Boxes:
    parents, tags, names, hidden = zip(*page.boxes, strict=True)
    inside, depth = [0], [0]
    for parent, tag in zip(parents[1:], tags[1:], strict=True):
        inside.append(inside[parent] | _BIT_OF.get(tag, 0))
        depth.append(depth[parent] + 1)
    kinds: dict[tuple[str, str], int] = {}
    return _Boxes(
        parent=np.array(parents),
        tag=np.array([_TAG_OF.get(tag, -1) for tag in tags]),
        inside=np.array(inside),
        depth=np.array(depth),
        hidden=np.array(hidden),
        kind=np.array([kinds.setdefault(each, len(kinds)) for each in zip(tags, names, strict=True)]),
    )


def _within(values: Floats, box: Ints, ends: Ints) -> NDArray[np.float64]:
    """Sums of block values over each box and everything below it: (n, k) to (m, k)."""
    wide = values.shape[1]
    total = np.zeros((len(ends) + 1, wide))
    places = (box * wide)[:, None] + np.arange(wide)
    own = np.bincount(places.ravel(), values.ravel(), len(ends) * wide).reshape(-1, wide)
    own.cumsum(0, out=total[1:])
    return np.asarray(total[ends] - total[:-1])


def features(page: Blocks, title: str = "") -> Floats:
    """The feature matrix, (blocks, 175), of a page that has blocks; `title` is its headline."""
    m = measure(page)
    groups = (
        _text(m),
        _place(page, m),
        _headline(page, title, m.size),
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
    )


def _place(page: Blocks, m: Measures) -> Floats:
    """Where the block stands, in the tree and in the text, and what page it stands on."""
    n, box = len(m.words), m.box
    order, total, good = np.arange(n), m.words.sum(), max(float(m.good.sum()), 1.0)
    seen: dict[str, int] = {}
    same = np.array([seen.setdefault(block.text, len(seen)) for block in page.blocks])
    joins = box[1:] == box[:-1]
    return _columns(
        m.tag[box][:, None] == np.arange(len(_TAGS)),
        (m.inside[box][:, None] >> np.arange(len(_INSIDE))) & 1,
        m.hidden[box],
        np.log1p(m.depth[box]),
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


def _headline(page: Blocks, title: str, size: Ints) -> Floats:
    """The block relative to the one that repeats the headline."""
    wanted, order = fold(title), np.arange(len(size))
    alike = (size >= max(len(title) * 3 // 4, 4)) & (size <= len(title) * 4 // 3 + 1)
    where = [at for at in np.flatnonzero(alike).tolist() if fold(page.blocks[at].text) == wanted]
    if not where:
        return np.zeros((len(order), 4), np.float32)
    headings = [at for at in where if page.boxes[page.blocks[at].box].tag in ("h1", "h2")]
    away = order - (headings or where)[0]
    is_title = np.zeros(len(order))
    is_title[where] = 1
    return _columns(is_title, np.ones(len(order)), away > 0, np.sign(away) * np.log1p(np.abs(away)))


def _around(m: Measures) -> Floats:
    """The boxes around the block: how much text, how good, how linked, how finely divided."""
    words, linked, good, blocks, ends = np.maximum(m.sums, 1e-9).T
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
    levels = [m.box]
    while len(levels) < _LEVELS:
        levels.append(m.parent[levels[-1]])
    return of_box[np.stack(levels, 1)].reshape(len(m.box), -1)


def _best(m: Measures) -> Floats:
    """The block relative to the box with most good words: its own, its children's, half of theirs."""
    own = np.bincount(m.box, m.good, len(m.parent))
    score = own + np.bincount(m.parent, own, len(own)) + 0.5 * np.bincount(m.parent[m.parent], own, len(own))
    score *= 1 - m.sums[:, 1] / np.maximum(m.sums[:, 0], 1)
    best = [int(score.argmax())]
    while len(best) < 4:
        best.append(int(m.parent[best[-1]]))
    good, order = max(float(m.good.sum()), 1.0), np.arange(len(m.words))
    inside = (m.box[:, None] >= best) & (m.box[:, None] < m.ends[best])
    within = np.flatnonzero(inside[:, 0])
    first, last = (int(within[0]), int(within[-1])) if len(within) else (0, len(order) - 1)
    ahead = order - first
    away = np.stack((-ahead, order - last, ahead, last - order), 1)
    away[:, 2:] *= ((ahead >= 0) & (order <= last))[:, None]
    of_page = np.append(m.sums[best, 2] / good, np.log1p(score[best[0]]))
    return _columns(inside, np.log1p(np.maximum(away, 0)), _constant(len(order), of_page))


def _kin(m: Measures) -> Floats:
    """Blocks of the same make: same parent and tag; same tag and name; the parent's too."""
    n, kind, parent = len(m.box), m.kind[m.box], m.parent[m.box]
    many = int(m.kind.max()) + 1
    # three numbers of each block that never meet
    keys = np.concatenate((~(parent * 64 + m.tag[m.box] + 1), kind, (kind + 1) * many + m.kind[parent]))
    same = np.unique(keys, return_inverse=True)[1]
    number = np.bincount(same)
    words, links, good = (np.bincount(same, np.tile(each, 3)) for each in (m.words, m.link_share, m.good))
    share = good / max(float(m.good.sum()), 1.0)
    of_kin = _columns(share, np.log1p(words / number), links / number, np.log1p(number))[same]
    return of_kin.reshape(3, n, 4).transpose(1, 0, 2).reshape(n, 12)


def _neighbours(m: Measures) -> Floats:
    """The blocks before and after."""
    tag = m.tag[m.box]
    heading = (tag >= _TAG_OF["h1"]) & (tag <= _TAG_OF["h6"])
    letters = np.maximum(m.counts[:, LOWER] + m.counts[:, UPPER], 1)
    logs = np.log1p(np.stack((m.words, m.counts[:, END], m.good), 1))
    one = _columns(logs, m.link_share, m.counts[:, UPPER] / letters, tag == 0, heading)
    n, reach = len(one), max(_NEIGHBOURS)
    padded = np.zeros((n + 2 * reach, one.shape[1]), np.float32)
    padded[reach:-reach] = one
    return np.concatenate([padded[reach + by : reach + by + n] for by in _NEIGHBOURS], 1)


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
