"""Maximum scoring subsequence of text segments.

Luo, Fan, Liu, Lin, Xiong, Liu: Web Article Extraction for Web Printing, DocEng 2009, as described in Standke:
Identifying Online News Articles; all maximal subsequences by Ruzzo and Tompa: A Linear Time Algorithm for
Finding All Maximal Scoring Subsequences, ISMB 1999. The score of a segment is its length in characters,
negative when it does not look like running text; the article is the run of segments with the greatest sum.

| parameter | default | source |
|---|---|---|
| `c_size` | 0.7 | c1: the share of characters in the page's most common font size that a segment needs |
| `c_color` | 0.2 | c2: the share of characters in the page's most common colour that a segment needs |
| `c_link` | 0.5 | c3: the share of characters inside links above which a segment counts against |

Sizes and colours come from tags, attributes, inline styles and the simple rules of `style` elements
(`computed_style.py`), while the authors used a browser. The most common ones are taken from segments that are
not mostly links; the slides do not specify this, and menus can have most of the text. With 0 for both, they
are not computed, which saves a second parse.

Segments of links have negative scores. The run of the two paragraphs has the greatest sum:

>>> from dupgroups.content.blocks import divide
>>> from dupgroups.content.mss import MSS
>>> page = divide(
...     "<ul><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul>"
...     "<p>The ferry struck a moored barge in thick fog on Wednesday, and two people are missing."
...     "<p>Divers searched the harbour until dark, <a href=/guard>the coast guard</a> said on Thursday."
...     "<p><a href=/more>Read more about ships</a><p>Advertisement"
... )
>>> MSS().scores(page), [page.blocks[index].text[:20] for index in MSS()(page)]
([-4, -5, 86, 73, -21, 13], ['The ferry struck a m', 'Divers searched the '])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, NamedTuple

from dupgroups.content.blocks import Block, Blocks
from dupgroups.content.computed_style import block_styles


class Run(NamedTuple):
    """The scores from `start` to `stop` (exclusive), and their sum."""

    start: int
    stop: int
    score: float


@dataclass(frozen=True)
class MSS:
    """Selects the blocks of the maximum scoring subsequence, except those with negative scores."""

    c_size: float = 0.7
    c_color: float = 0.2
    c_link: float = 0.5

    def __post_init__(self) -> None:
        for name in ("c_size", "c_color", "c_link"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be between 0 and 1, not {getattr(self, name)}")

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the blocks of the best run."""
        scores = self.scores(page)
        run = maximum(scores)
        return [index for index in range(run.start, run.stop) if scores[index] > 0]

    def scores(self, page: Blocks) -> list[float]:
        """v = F(s) * length of every block: the number of its characters, negative when too many of them are
        in links, or too few have the most common size or colour of the page."""
        styled = self._has_common_style(page)
        return [
            len(block.text) if common and not self._linked(block) else -len(block.text)
            for block, common in zip(page.blocks, styled, strict=True)
        ]

    def _linked(self, block: Block) -> bool:
        """Whether p_link > c3."""
        return block.linked > self.c_link * len(block.text)

    def _has_common_style(self, page: Blocks) -> list[bool]:
        """Whether enough of each block has the common style of the page: p_size >= c1 and p_color >= c2."""
        if not self.c_size and not self.c_color:
            return [True] * len(page.blocks)
        styles = block_styles(page.html)
        counted = [not self._linked(block) for block in page.blocks]
        sizes = _shares([style.sizes for style in styles], counted)
        colors = _shares([style.colors for style in styles], counted)
        return [
            size >= self.c_size and color >= self.c_color for size, color in zip(sizes, colors, strict=True)
        ]


def _shares(counts: Sequence[Counter[Any]], counted: Sequence[bool]) -> list[float]:
    """The share of each block's characters with the value that is most common in the `counted` blocks."""
    page: Counter[Any] = Counter()
    for count in compress(counts, counted):
        page.update(count)
    common = max(page, key=page.__getitem__, default=None)
    return [count[common] / count.total() for count in counts]


def maximum(scores: Sequence[float]) -> Run:
    """The run with the greatest sum, the first among equals; an empty run when no score is positive."""
    return max(maximal(scores), key=lambda run: run.score, default=Run(0, 0, 0.0))


def maximal(scores: Sequence[float]) -> list[Run]:
    """All maximal scoring subsequences in order, in linear time (Ruzzo, Tompa 1999).

    They are disjoint, every positive score is in one of them, and none can be extended or cut without loss.

    >>> maximal([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5])
    [Run(start=0, stop=1, score=4.0), Run(start=2, stop=3, score=3.0), Run(start=4, stop=11, score=7.0)]
    """
    runs: list[_Candidate] = []
    total = 0.0
    for index, score in enumerate(scores):
        if score > 0:
            _add(runs, _Candidate(index, index + 1, total, total + score, -1))
        total += score
    return [Run(run.start, run.stop, run.right - run.left) for run in runs]


class _Candidate(NamedTuple):
    """A run with the cumulative totals before (`left`) and after it (`right`).

    `lower` is the index of the nearest earlier candidate whose `left` is smaller (-1 if there is none); the
    search follows these links instead of scanning.
    """

    start: int
    stop: int
    left: float
    right: float
    lower: int


def _add(runs: list[_Candidate], new: _Candidate) -> None:
    while True:
        lower = len(runs) - 1
        while lower >= 0 and runs[lower].left >= new.left:
            lower = runs[lower].lower
        if lower < 0 or runs[lower].right >= new.right:
            runs.append(new._replace(lower=lower))
            return
        new = new._replace(start=runs[lower].start, left=runs[lower].left)
        del runs[lower:]
