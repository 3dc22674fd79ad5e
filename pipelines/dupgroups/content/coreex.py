"""CoreEx: the node of the page with much text and few links.

Prasad, Paepcke: CoreEx: Content Extraction from Online News Articles, CIKM 2008, as described in Standke:
Identifying Online News Articles. Every node counts its words and its links (a link is one word and one link).
S(N) is the set of children of N whose share of words outside links is above the threshold. The main node
has the greatest

    score(N) = weight_ratio * (setTextCnt - setLinkCnt) / setTextCnt + weight_text * setTextCnt / pageText

| parameter | default | source |
|---|---|---|
| `threshold` | 0.9 | share of words outside links above which a child belongs to S; found by experiment |
| `weight_ratio` | 0.99 | found by experiment |
| `weight_text` | 0.01 | found by experiment |

Nodes are the elements that break lines; an inline element is part of the one around it. If two nodes have the
same score, the higher one wins; of two siblings (either is right in the paper), the first wins.

The example of the slides has twelve words. The main node is `body`, and S the section with its six words:

>>> from dupgroups.content.blocks import divide
>>> from dupgroups.content.coreex import CoreEx
>>> page = divide(
...     "<body><a href=n>Note:</a><p>A paragraph, <a href=l>with a link,</a> in it</p><section><article>"
...     "some <div>emphatic words</div> here</article> <aside>More words</aside></section></body>"
... )
>>> core = CoreEx().core(page)
>>> core.tag, round(core.score, 3), [page.blocks[index].text for index in core.blocks]
('body', 0.995, ['some', 'emphatic words', 'here', 'More words'])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dupgroups.content.blocks import Block, Blocks, block_words

TEXT = "#text"  # stands for the tag of text directly in a node


class Count(NamedTuple):
    """The counts of a node: words and links in and below it, the same for its S, and its score."""

    text: int
    links: int
    set_text: int
    set_links: int
    score: float


class Core(NamedTuple):
    """The main node: its tag, its score (0 to 1), the most frequent tag in S, and the blocks of S.

    A page without words has the tags "" and no blocks.
    """

    tag: str
    score: float
    set_tag: str
    blocks: list[int]


@dataclass(frozen=True)
class CoreEx:
    """Selects the blocks of the set S of the main node."""

    threshold: float = 0.9
    weight_ratio: float = 0.99
    weight_text: float = 0.01

    def __post_init__(self) -> None:
        for name in ("threshold", "weight_ratio", "weight_text"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be between 0 and 1, not {getattr(self, name)}")

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the blocks in S."""
        return self.core(page).blocks

    def core(self, page: Blocks) -> Core:
        """The main node and its set."""
        counts = self.counts(page)
        main = _highest(page, counts)
        if not counts[main].set_text:
            return Core("", 0.0, "", [])
        chosen = {
            index
            for index, box in enumerate(page.boxes)
            if box.parent == main and index != main and self._belongs(counts[index].text, counts[index].links)
        }
        blocks = _below(page, main, chosen)
        tags = Counter(page.boxes[index].tag for index in sorted(chosen))
        tags[TEXT] += sum(page.blocks[index].box == main for index in blocks)
        return Core(page.boxes[main].tag, counts[main].score, tags.most_common(1)[0][0], blocks)

    def counts(self, page: Blocks) -> list[Count]:
        """The counts of every box. Children come after their parents, so one backward pass sums them up."""
        size = len(page.boxes)
        text, links, set_text, set_links = ([0] * size for _ in range(4))
        for block in page.blocks:
            words = _words(block)
            text[block.box] += words + block.links
            links[block.box] += block.links
            set_text[block.box] += words
        for index in range(size - 1, 0, -1):
            parent = page.boxes[index].parent
            text[parent] += text[index]
            links[parent] += links[index]
            if self._belongs(text[index], links[index]):
                set_text[parent] += text[index]
                set_links[parent] += links[index]
        scores = (self._score(*sums, text[0]) for sums in zip(set_text, set_links, strict=True))
        return [Count(*values) for values in zip(text, links, set_text, set_links, scores, strict=True)]

    def _belongs(self, text: int, links: int) -> bool:
        return text - links > self.threshold * text

    def _score(self, set_text: int, set_links: int, page_text: int) -> float:
        if not set_text:
            return 0.0
        return self.weight_ratio * (set_text - set_links) / set_text + self.weight_text * set_text / page_text


def _words(block: Block) -> int:
    """The number of words outside links, estimated by their share of the characters."""
    if block.linked >= len(block.text):
        return 0
    return round(len(block_words(block.text)) * (1 - block.linked / len(block.text)))


def _highest(page: Blocks, counts: Sequence[Count]) -> int:
    """The box with the best score; among equals the one nearest to the root, then the first."""
    depth = [0] * len(page.boxes)
    for index, box in enumerate(page.boxes[1:], 1):
        depth[index] = depth[box.parent] + 1
    return max(range(len(counts)), key=lambda index: (counts[index].score, -depth[index], -index))


def _below(page: Blocks, main: int, chosen: set[int]) -> list[int]:
    """Blocks in the chosen boxes, and blocks directly in the main box that have words outside links."""
    inside = [index in chosen for index in range(len(page.boxes))]
    for index, box in enumerate(page.boxes):
        inside[index] |= inside[box.parent]
    return [
        index
        for index, block in enumerate(page.blocks)
        if inside[block.box] or (block.box == main and _words(block))
    ]
