"""Our features for CE-BEST, after Gibson, Wellner, Lubar: CEDAR, LREC 2008, section 4.2: words, counts, tags
around a block, and the same of its neighbours. `crf_feature_sets` has those that the paper names.

Sizes are logarithms of 1 + tokens; shares are between 0 and 1. "Prose" means the tokens of blocks with few
links and some punctuation: a first estimate of the running text, relative to which places and boxes are
measured.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.blocks import Block, Blocks, Box
from dupgroups.content.letters import block_words, letters_and_digits
from dupgroups.content.lexicon import name_parts, short_words
from dupgroups_papers.content.hashed_bag_of_words import Bags, bags

Numbers = NDArray[np.float32]
_Vector = NDArray[np.float64]

_ENDS = re.compile(r"[.!?。！？…।؟۔]")
_COMMAS = re.compile(r"[,，、;；:：،]")
_NAMED_BOXES = 6  # enclosing boxes of a block whose names and tags are features
_MEASURED_LEVELS = 4  # enclosing boxes of a block that are measured
_NEIGHBOURS = (-2, -1, 1, 2)
_WINDOWS = (5, 20)  # blocks to both sides
_MAX_LINKED_SHARE = 0.4  # share of links from which a block is not prose


class Features(NamedTuple):
    """The features of the blocks of a page: numbers (blocks, f), and a bag of words for each block."""

    numbers: Numbers
    bags: Bags


class _Counts(NamedTuple):
    """Counts and shares of every block, all of shape (blocks,)."""

    tokens: _Vector
    link_share: _Vector
    ends: _Vector
    commas: _Vector
    upper: _Vector
    digits: _Vector
    strong: _Vector
    links: _Vector
    closed: _Vector
    prose: _Vector


def bag(page: Blocks) -> Bags:
    """The words of each block: those of its beginning if it is short, its first and last sign, and the
    enclosing names and tags, each once."""
    names = words_around(page, lambda box: (f"<{box.tag}>", *(f".{part}" for part in name_parts(box.name))))
    return bags(
        [
            (*short_words(block), *_signs(block.text), f"<<{page.boxes[block.box].tag}", *names[block.box])
            for block in page.blocks
        ]
    )


def words_around(page: Blocks, words: Callable[[Box], Iterable[str]]) -> list[dict[str, None]]:
    """The words of each box and of the nearest ones around it, six in all, the outermost first, each once."""
    levels: list[tuple[tuple[str, ...], ...]] = []
    for box in page.boxes:
        levels.append((*(levels[box.parent] if levels else ()), tuple(words(box)))[-_NAMED_BOXES:])
    return [dict.fromkeys(word for level in of_box for word in level) for of_box in levels]


def _signs(text: str) -> list[str]:
    """The first and the last character of the text, unless they are letters or digits."""
    ends = ((f"^{text[0]}", text[0]), (f"{text[-1]}$", text[-1]))
    return [name for name, sign in ends if not sign.isalnum()]


def numbers(page: Blocks, title: str) -> Numbers:
    """The matrix (blocks, 79) of a page that has blocks; `title` is its headline."""
    c = _Counts(*np.array([_counts(block) for block in page.blocks]).T)
    basic = np.stack((np.log1p(c.tokens), c.link_share, np.log1p(c.ends), np.log1p(c.prose), c.closed), 1)
    parts = (
        basic,
        np.stack((np.log1p(c.commas), c.upper, c.digits, c.strong, np.log1p(c.links)), 1),
        *(_shift(basic, by) for by in _NEIGHBOURS),
        *(_window(np.stack((c.prose, c.link_share), 1), width) for width in _WINDOWS),
        *(measured(page, c) for measured in (_place, _measure_enclosing, _main, _kin)),
        _headline(page, title),
    )
    return np.concatenate(parts, 1, dtype=np.float32, casting="unsafe")


def _counts(block: Block) -> tuple[float, ...]:
    text = block.text
    size, words = len(text), len(block_words(text))
    linked, ends, commas = min(block.linked / size, 1.0), len(_ENDS.findall(text)), len(_COMMAS.findall(text))
    return (
        *(words, linked, ends, commas),
        *(sum(map(is_kind, text)) / size for is_kind in (str.isupper, str.isdigit)),
        min(block.strong / size, 1.0),
        block.links,
        bool(_ENDS.search(text, size - 2)),
        max(words - 3, 0) * (1 - linked) if linked < _MAX_LINKED_SHARE and ends + commas else 0.0,
    )


def _place(page: Blocks, c: _Counts) -> _Vector:
    """The position of the block in the text, and properties of the page."""
    n, total, prose = len(c.tokens), max(c.tokens.sum(), 1.0), max(c.prose.sum(), 1.0)
    order = np.arange(n)
    seen: dict[str, int] = {}
    same = np.array([seen.setdefault(block.text, len(seen)) for block in page.blocks])
    box = np.array([block.box for block in page.blocks])
    joins = (box[1:] == box[:-1]).astype(float)
    before = c.prose.cumsum() - c.prose
    page_values = (np.log1p(n), np.log1p(total), np.log1p(prose), prose / total)
    page_wide = [np.full(n, value) for value in page_values]
    hidden = np.array([page.boxes[index].hidden for index in box], float)
    return np.stack(
        (
            *(order / n, np.log1p(order), np.log1p(n - 1 - order), before / prose, np.log1p(before)),
            *(np.minimum(np.bincount(same)[same], 4), np.append(0, joins), np.append(joins, 0), hidden),
            *page_wide,
        ),
        1,
    )


def _sum_boxes(page: Blocks, values: _Vector) -> _Vector:
    """Sums of block values (blocks, k) over each box and all its descendants, (boxes, k)."""
    direct = np.zeros((len(page.boxes) + 1, values.shape[1]))
    np.add.at(direct[1:], [block.box for block in page.blocks], values)
    total = direct.cumsum(0)
    return np.asarray(total[page.ends] - total[:-1])


def _measure_enclosing(page: Blocks, c: _Counts) -> _Vector:
    """The enclosing boxes: amount of text, share of links, share of prose, and mean size of blocks."""
    sums = _sum_boxes(page, np.stack((c.tokens, c.link_share * c.tokens, c.prose, np.ones_like(c.prose)), 1))
    words, linked, prose, blocks = np.maximum(sums, 1e-9).T
    of_box = np.stack(
        (
            np.log1p(words),
            linked / words,
            prose / words,
            prose / max(c.prose.sum(), 1.0),
            np.log1p(words / np.maximum(blocks, 1)),
        ),
        1,
    )
    parent = np.array([box.parent for box in page.boxes])
    box, levels = np.array([block.box for block in page.blocks]), []
    for _ in range(_MEASURED_LEVELS):
        levels.append(of_box[box])
        box = parent[box]
    return np.concatenate(levels, 1)


def _main(page: Blocks, c: _Counts) -> _Vector:
    """The block relative to the box with most prose directly in it and its children, and to its parent."""
    box = np.array([block.box for block in page.blocks])
    parent = np.array([around.parent for around in page.boxes])
    direct = np.bincount(box, c.prose, len(parent))
    score = direct + np.bincount(parent, direct, len(direct))
    main, order = int(score.argmax()), np.arange(len(box))
    inside = [(box >= index) & (box < page.ends[index]) for index in (main, int(parent[main]))]
    where = np.flatnonzero(inside[0])
    first, last = (int(where[0]), int(where[-1])) if len(where) else (0, len(box) - 1)
    return np.stack(
        (*inside, np.log1p(np.maximum(first - order, 0)), np.log1p(np.maximum(order - last, 0))), 1
    )


def _kin(page: Blocks, c: _Counts) -> _Vector:
    """Blocks whose boxes have the same tag and name: their number, tokens, links and prose."""
    kinds: dict[tuple[str, str], int] = {}
    boxes = [page.boxes[block.box] for block in page.blocks]
    kind = np.array([kinds.setdefault((box.tag, box.name), len(kinds)) for box in boxes])
    number = np.bincount(kind)
    means = [(np.bincount(kind, values) / number)[kind] for values in (c.tokens, c.link_share)]
    prose = np.bincount(kind, c.prose)[kind] / max(c.prose.sum(), 1.0)
    return np.stack((np.log1p(number[kind]), np.log1p(means[0]), means[1], prose), 1)


def _headline(page: Blocks, title: str) -> _Vector:
    """The block relative to the first one that repeats the headline: whether it is one, and its distance."""
    wanted = letters_and_digits(title)
    is_title = np.array(
        [bool(wanted) and letters_and_digits(block.text[:400]) == wanted for block in page.blocks]
    )
    order = np.arange(len(is_title))
    if not is_title.any():
        return np.zeros((len(order), 4))
    offset = order - is_title.argmax()
    return np.stack(
        (is_title, np.ones(len(order)), offset > 0, np.sign(offset) * np.log1p(np.abs(offset))), 1
    )


def _shift(values: _Vector, by: int) -> _Vector:
    """Row i is row i + by of `values`; rows beyond the page are zeros."""
    rows = np.arange(len(values)) + by
    inside = (rows >= 0) & (rows < len(values))
    return np.asarray(np.where(inside[:, None], values[np.clip(rows, 0, len(values) - 1)], 0.0))


def _window(values: _Vector, width: int) -> _Vector:
    """Means over `width` rows to both sides (in the first column their logarithm); zeros beyond the page."""
    total = np.concatenate((np.zeros((1, values.shape[1])), values.cumsum(0)))
    rows = np.arange(len(values))
    sums = total[np.minimum(rows + width + 1, len(rows))] - total[np.maximum(rows - width, 0)]
    means: _Vector = sums / (2 * width + 1)
    means[:, 0] = np.log1p(means[:, 0])
    return means
