"""Maximum scoring subsequence of text segments.

Luo, Fan, Liu, Lin, Xiong, Liu: Web Article Extraction for Web Printing, DocEng 2009, as told in Standke:
Identifying Online News Articles; all maximal subsequences by Ruzzo and Tompa: A Linear Time Algorithm for
Finding All Maximal Scoring Subsequences, ISMB 1999. A segment scores its length in characters, negative when
it looks unlike running text; the article is the run of segments with the greatest sum.

| parameter | default | source |
|---|---|---|
| `c_size` | 0.7 | c1: the share of characters in the page's most common font size that a segment needs |
| `c_link` | 0.5 | c3: the share of characters inside links above which a segment counts against |

A font size is what a browser gives the heading around a text when no style sheet says otherwise; it is one
for all of a segment, so that every `c_size` above 0 does the same. The slides' share of the most common
colour (c2, 0.2) needs style sheets and is left out: without them all text has one colour, and the share is 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dupgroups.content.blocks import Blocks

# of the size of text around them: HTML Living Standard, section 15.3.6
_HEADINGS = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h4": 1.0, "h5": 0.83, "h6": 0.67}


class Run(NamedTuple):
    """Scores `start` to `stop` (exclusive) and their sum."""

    start: int
    stop: int
    score: float


@dataclass(frozen=True)
class MSS:
    """The blocks of the maximum scoring subsequence, without those inside it that score against it."""

    c_size: float = 0.7
    c_link: float = 0.5

    def __post_init__(self) -> None:
        for name in ("c_size", "c_link"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}: {getattr(self, name)} is not between 0 and 1")

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the blocks of the best run."""
        scores = self.scores(page)
        run = maximum(scores)
        return [index for index in range(run.start, run.stop) if scores[index] > 0]

    def scores(self, page: Blocks) -> list[float]:
        """v = F(s) * length of every block: its characters, negative when too many of them stand in links or
        too few in the size that most of the page has."""
        linked = [block.linked > self.c_link * len(block.text) for block in page.blocks]
        sized = [share >= self.c_size for share in _size_shares(page)]
        return [
            len(block.text) if of_size and not in_links else -len(block.text)
            for block, of_size, in_links in zip(page.blocks, sized, linked, strict=True)
        ]


def _size_shares(page: Blocks) -> list[float]:
    """p_size of every block: the share of its characters in the most common size of the page."""
    of_box: list[float] = []
    for box in page.boxes:
        around = of_box[box.parent] if of_box else 1.0
        of_box.append(around * _HEADINGS.get(box.tag, 1.0))
    sizes = [of_box[block.box] for block in page.blocks]
    characters: Counter[float] = Counter()
    for size, block in zip(sizes, page.blocks, strict=True):
        characters[size] += len(block.text)
    common = max(characters, key=characters.__getitem__, default=1.0)
    return [float(size == common) for size in sizes]


def maximum(scores: Sequence[float]) -> Run:
    """The run with the greatest sum, the first of equals; an empty run when no score is positive."""
    return max(maximal(scores), key=lambda run: run.score, default=Run(0, 0, 0.0))


def maximal(scores: Sequence[float]) -> list[Run]:
    """All maximal scoring subsequences in order, in time linear in the number of scores (Ruzzo, Tompa 1999).

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
    return [Run(each.start, each.stop, each.right - each.left) for each in runs]


class _Candidate(NamedTuple):
    """A run with the cumulative totals before (`left`) and after it (`right`).

    `lower` is the index of the nearest candidate before it whose `left` is smaller (-1: there is none): the
    search jumps along these instead of scanning.
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
