"""Maximum scoring subsequence of text segments.

Luo, Fan, Liu, Lin, Xiong, Liu: Web Article Extraction for Web Printing, DocEng 2009, as described in Standke:
Identifying Online News Articles. The score of a segment is its length in characters,
negative when it does not look like running text; the article is the run of segments with the greatest sum.
A segment is all text in succession with the same nearest element that breaks lines: single tags such as `br`
do not divide it, so it may have several blocks.

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
>>> from dupgroups_papers.content.mss import MSS
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
from itertools import groupby
from typing import Any, NamedTuple

from dupgroups.content.blocks import Blocks
from dupgroups_papers.content.computed_style import block_styles
from dupgroups_papers.content.maximum_run import maximum_run


@dataclass(frozen=True)
class MSS:
    """Selects the blocks of the maximum scoring subsequence, except segments with negative scores."""

    c_size: float = 0.7
    c_color: float = 0.2
    c_link: float = 0.5

    def __post_init__(self) -> None:
        for name in ("c_size", "c_color", "c_link"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be between 0 and 1, not {getattr(self, name)}")

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the blocks of the best run."""
        divided = segments(page)
        scores = self._scores(page, divided)
        run = slice(*maximum_run(scores))
        kept = zip(scores[run], divided[run], strict=True)
        return [index for score, segment in kept if score > 0 for index in segment.blocks]

    def scores(self, page: Blocks) -> list[float]:
        """v = F(s) * length of every segment: the number of its characters, negative when too many of them
        are in links, or too few have the most common size or colour of the page."""
        return self._scores(page, segments(page))

    def _scores(self, page: Blocks, divided: Sequence[Segment]) -> list[float]:
        linked = [segment.linked > self.c_link * segment.length for segment in divided]  # p_link > c3
        styled = self._has_common_style(page, divided, linked)
        return [
            segment.length if common and not too_linked else -segment.length
            for segment, common, too_linked in zip(divided, styled, linked, strict=True)
        ]

    def _has_common_style(
        self, page: Blocks, divided: Sequence[Segment], linked: Sequence[bool]
    ) -> list[bool]:
        """Whether enough of each segment has the common style of the page: p_size >= c1 and p_color >= c2."""
        if not self.c_size and not self.c_color:
            return [True] * len(divided)
        styles = block_styles(page)
        sizes = [sum((styles[index].sizes for index in segment.blocks), Counter()) for segment in divided]
        colors = [sum((styles[index].colors for index in segment.blocks), Counter()) for segment in divided]
        shares = zip(_shares(sizes, linked), _shares(colors, linked), strict=True)
        return [size >= self.c_size and color >= self.c_color for size, color in shares]


class Segment(NamedTuple):
    """A text segment: the indices of its blocks, its number of characters, and how many are in links."""

    blocks: Sequence[int]
    length: int
    linked: int


def segments(page: Blocks) -> list[Segment]:
    """The blocks in succession with the same nearest element that breaks lines, joined; none for no blocks.

    >>> from dupgroups.content.blocks import divide
    >>> segments(divide("<p>A paragraph,<br>with a break<p>And another"))
    [Segment(blocks=[0, 1], length=24, linked=0), Segment(blocks=[2], length=11, linked=0)]
    """
    boxes = groupby(range(len(page.blocks)), key=lambda index: page.blocks[index].box)
    return [
        Segment(run, sum(len(page.texts[index]) for index in run), sum(page.linked[index] for index in run))
        for run in (list(indices) for _, indices in boxes)
    ]


def _shares(counts: Sequence[Counter[Any]], linked: Sequence[bool]) -> list[float]:
    """The share of each segment's characters with the value most common in segments that are not `linked`."""
    wanted = (count for count, too_linked in zip(counts, linked, strict=True) if not too_linked)
    page = sum(wanted, Counter[Any]())
    common = max(page, key=page.__getitem__, default=None)
    return [count[common] / count.total() for count in counts]
