"""What CE-BEST sees of a block (Gibson, Wellner, Lubar: CEDAR, LREC 2008, section 4.2): words, counts, tags
in and around it, and the same of its neighbours.

Sizes are logarithms of 1 + tokens, shares run from 0 to 1. "Prose" are tokens of blocks with few links and
some punctuation, a first guess at running text against which places and boxes are measured.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.blocks import Block, Blocks, block_words, letters_and_digits
from dupgroups.content.hashed_bag_of_words import Bags, bags
from dupgroups.content.lexicon import name_parts, short_words

Numbers = NDArray[np.float32]
_Vector = NDArray[np.float64]

_ENDS = re.compile(r"[.!?。！？…।؟۔]")
_COMMAS = re.compile(r"[,，、;；:：،]")
_NAMED = 6  # boxes around a block whose names and tags are its features
_LEVELS = 4  # boxes around a block that are measured
_NEIGHBOURS = (-2, -1, 1, 2)
_WINDOWS = (5, 20)  # blocks to both sides
_LINKED = 0.4  # share of links from which a block is no prose


class _Counts(NamedTuple):
    """Of every block, all (blocks,)."""

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
    """Of each block the words of its beginning, if it is short, its first and last sign, and the names and
    tags around it, each once."""
    around: list[tuple[tuple[str, ...], ...]] = []
    for box in page.boxes:
        own = (f"<{box.tag}>", *(f".{part}" for part in name_parts(box.name)))
        around.append((*(around[box.parent] if around else ()), own)[-_NAMED:])
    names = [dict.fromkeys(part for own in each for part in own) for each in around]
    return bags(
        [
            (*short_words(block), *_signs(block.text), f"<<{page.boxes[block.box].tag}", *names[block.box])
            for block in page.blocks
        ]
    )


def _signs(text: str) -> list[str]:
    """What the text begins and ends with, where that is no letter or digit."""
    found = ((f"^{text[0]}", text[0]), (f"{text[-1]}$", text[-1]))
    return [name for name, sign in found if not sign.isalnum()]


def numbers(page: Blocks, title: str) -> Numbers:
    """The matrix (blocks, 79) of a page that has blocks; `title` is its headline."""
    c = _Counts(*np.array([_counts(block) for block in page.blocks]).T)
    own = np.stack((np.log1p(c.tokens), c.link_share, np.log1p(c.ends), np.log1p(c.prose), c.closed), 1)
    parts = (
        own,
        np.stack((np.log1p(c.commas), c.upper, c.digits, c.strong, np.log1p(c.links)), 1),
        *(_shifted(own, by) for by in _NEIGHBOURS),
        *(_window(np.stack((c.prose, c.link_share), 1), width) for width in _WINDOWS),
        _place(page, c),
        _around(page, c),
        _main(page, c),
        _kin(page, c),
        _headline(page, title),
    )
    return np.concatenate(parts, 1, dtype=np.float32, casting="unsafe")


def _counts(block: Block) -> tuple[float, ...]:
    text = block.text
    size, words = len(text), len(block_words(text))
    linked, ends, commas = min(block.linked / size, 1.0), len(_ENDS.findall(text)), len(_COMMAS.findall(text))
    return (
        words,
        linked,
        ends,
        commas,
        sum(map(str.isupper, text)) / size,
        sum(map(str.isdigit, text)) / size,
        min(block.strong / size, 1.0),
        block.links,
        bool(_ENDS.search(text, size - 2)),
        max(words - 3, 0) * (1 - linked) if linked < _LINKED and ends + commas else 0.0,
    )


def _place(page: Blocks, c: _Counts) -> _Vector:
    """Where the block stands in the text, and what page it stands on."""
    n, total, prose = len(c.tokens), max(c.tokens.sum(), 1.0), max(c.prose.sum(), 1.0)
    order = np.arange(n)
    seen: dict[str, int] = {}
    same = np.array([seen.setdefault(block.text, len(seen)) for block in page.blocks])
    box = np.array([block.box for block in page.blocks])
    joins = (box[1:] == box[:-1]).astype(float)
    before = c.prose.cumsum() - c.prose
    page_wide = [np.full(n, each) for each in (np.log1p(n), np.log1p(total), np.log1p(prose), prose / total)]
    hidden = np.array([page.boxes[at].hidden for at in box], float)
    return np.stack(
        (
            order / n,
            np.log1p(order),
            np.log1p(n - 1 - order),
            before / prose,
            np.log1p(before),
            np.minimum(np.bincount(same)[same], 4),
            np.append(0, joins),
            np.append(joins, 0),
            hidden,
            *page_wide,
        ),
        1,
    )


def _within(page: Blocks, values: _Vector) -> _Vector:
    """Sums of block values (blocks, k) over each box and all below it, (boxes, k)."""
    own = np.zeros((len(page.boxes) + 1, values.shape[1]))
    np.add.at(own[1:], [block.box for block in page.blocks], values)
    total = own.cumsum(0)
    return np.asarray(total[page.ends] - total[:-1])


def _around(page: Blocks, c: _Counts) -> _Vector:
    """The boxes around the block: how much text, how linked, how much of it prose, how finely divided."""
    sums = _within(page, np.stack((c.tokens, c.link_share * c.tokens, c.prose, np.ones_like(c.prose)), 1))
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
    at, levels = np.array([block.box for block in page.blocks]), []
    for _ in range(_LEVELS):
        levels.append(of_box[at])
        at = parent[at]
    return np.concatenate(levels, 1)


def _main(page: Blocks, c: _Counts) -> _Vector:
    """The block relative to the box with most prose in and right below it, and to the box around that."""
    box = np.array([block.box for block in page.blocks])
    parent = np.array([each.parent for each in page.boxes])
    own = np.bincount(box, c.prose, len(parent))
    score = own + np.bincount(parent, own, len(own))
    main, order = int(score.argmax()), np.arange(len(box))
    inside = [(box >= at) & (box < page.ends[at]) for at in (main, int(parent[main]))]
    where = np.flatnonzero(inside[0])
    first, last = (int(where[0]), int(where[-1])) if len(where) else (0, len(box) - 1)
    return np.stack(
        (*inside, np.log1p(np.maximum(first - order, 0)), np.log1p(np.maximum(order - last, 0))), 1
    )


def _kin(page: Blocks, c: _Counts) -> _Vector:
    """Blocks of the same make, tag and name of their boxes: their number, tokens, links and prose."""
    kinds: dict[tuple[str, str], int] = {}
    boxes = [page.boxes[block.box] for block in page.blocks]
    kind = np.array([kinds.setdefault((box.tag, box.name), len(kinds)) for box in boxes])
    number = np.bincount(kind)
    means = [(np.bincount(kind, each) / number)[kind] for each in (c.tokens, c.link_share)]
    prose = np.bincount(kind, c.prose)[kind] / max(c.prose.sum(), 1.0)
    return np.stack((np.log1p(number[kind]), np.log1p(means[0]), means[1], prose), 1)


def _headline(page: Blocks, title: str) -> _Vector:
    """The block relative to the first that repeats the headline: whether it is one, is after it, how far."""
    wanted = letters_and_digits(title)
    is_title = np.array(
        [bool(wanted) and letters_and_digits(block.text[:400]) == wanted for block in page.blocks]
    )
    order = np.arange(len(is_title))
    if not is_title.any():
        return np.zeros((len(order), 4))
    away = order - is_title.argmax()
    return np.stack((is_title, np.ones(len(order)), away > 0, np.sign(away) * np.log1p(np.abs(away))), 1)


def _shifted(values: _Vector, by: int) -> _Vector:
    """Row i is row i + by of `values`, zeros beyond the page."""
    at = np.arange(len(values)) + by
    inside = (at >= 0) & (at < len(values))
    return np.asarray(np.where(inside[:, None], values[np.clip(at, 0, len(values) - 1)], 0.0))


def _window(values: _Vector, width: int) -> _Vector:
    """Means over `width` rows to both sides, of the first column their logarithm; zeros beyond the page."""
    total = np.concatenate((np.zeros((1, values.shape[1])), values.cumsum(0)))
    at = np.arange(len(values))
    sums = total[np.minimum(at + width + 1, len(at))] - total[np.maximum(at - width, 0)]
    means: _Vector = sums / (2 * width + 1)
    means[:, 0] = np.log1p(means[:, 0])
    return means
