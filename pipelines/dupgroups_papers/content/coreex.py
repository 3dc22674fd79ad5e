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

Nodes are all elements and texts of the tree (`walk.py`). The blocks of S are those with text below one of its
nodes. If two nodes have the same score, the higher one wins; of two siblings (either is right in the paper),
the first wins.

The example of the slides has twelve words. The main node is `body`, and S the section with its six words:

>>> from dupgroups.content.blocks import divide
>>> from dupgroups_papers.content.coreex import CoreEx
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
from dataclasses import dataclass, field
from typing import NamedTuple

from dupgroups.content.blocks import Blocks
from dupgroups.content.letters import block_words
from dupgroups_papers.content.walk import END, START, walk

TEXT = "#text"  # stands for the tag of a text
LINK = "a"


class Node(NamedTuple):
    """A node with its counts: the index of its parent (the root is its own), its tag, the words and links in
    and below it, the same for its S, and its score."""

    parent: int
    tag: str
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
        tree = _read(page.html)
        nodes = self._count_nodes(tree)
        main = _find_best(nodes)
        if main is None:
            return Core("", 0.0, "", [])
        chosen = [
            index
            for index, node in enumerate(nodes)
            if index and node.parent == main and self._belongs(node.text, node.links)
        ]
        tags = Counter(nodes[index].tag for index in chosen)
        blocks = tree.blocks_below(chosen)
        return Core(nodes[main].tag, nodes[main].score, tags.most_common(1)[0][0], blocks)

    def nodes(self, page: Blocks) -> list[Node]:
        """All nodes in document order, the root first, with their counts; none for a page without html."""
        return self._count_nodes(_read(page.html))

    def _count_nodes(self, tree: _Tree) -> list[Node]:
        """The nodes of the tree. Children come after their parents, so one backward pass sums them up."""
        text, links = list(tree.words), [int(tag == LINK) for tag in tree.tags]
        set_text, set_links = [0] * len(text), [0] * len(text)
        for index in range(len(text) - 1, 0, -1):
            parent = tree.parents[index]
            text[parent] += text[index]
            links[parent] += links[index]
            if self._belongs(text[index], links[index]):
                set_text[parent] += text[index]
                set_links[parent] += links[index]
        scores = [self._score(*sums, text[0]) for sums in zip(set_text, set_links, strict=True)]
        columns = (tree.parents, tree.tags, text, links, set_text, set_links, scores)
        return [Node(*values) for values in zip(*columns, strict=True)]

    def _belongs(self, text: int, links: int) -> bool:
        return text - links > self.threshold * text

    def _score(self, set_text: int, set_links: int, page_text: int) -> float:
        if not set_text:
            return 0.0
        return self.weight_ratio * (set_text - set_links) / set_text + self.weight_text * set_text / page_text


@dataclass(slots=True)
class _Tree:
    """The parents, tags and words of the nodes in document order, without what is inside links.

    `texts` has the node (for a text inside a link, the link) and the block of every text.
    """

    parents: list[int] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    texts: list[tuple[int, int]] = field(default_factory=list)

    def add(self, parent: int, tag: str, words: int) -> int:
        """Add a node and return its index."""
        self.parents.append(parent)
        self.tags.append(tag)
        self.words.append(words)
        return len(self.tags) - 1

    def blocks_below(self, chosen: Sequence[int]) -> list[int]:
        """The blocks with text in or below the chosen nodes, ascending."""
        inside = [False] * len(self.tags)
        for index in chosen:
            inside[index] = True
        for index, parent in enumerate(self.parents):
            inside[index] |= inside[parent]
        return sorted({block for node, block in self.texts if inside[node]})


def _read(html: str) -> _Tree:
    tree = _Tree()
    path = [0]  # the open elements; inside a link, the link again for each
    for event in walk(html):
        in_link = bool(tree.tags) and tree.tags[path[-1]] == LINK
        if event.kind == END:
            path.pop()
        elif event.kind == START:
            node = path[-1] if in_link else tree.add(path[-1], event.tag, int(event.tag == LINK))
            path.append(node)
        else:
            text = event.node.text_content or ""
            node = path[-1] if in_link else tree.add(path[-1], TEXT, len(block_words(text)))
            tree.texts.append((node, event.block))
    return tree


def _find_best(nodes: Sequence[Node]) -> int | None:
    """The node with the best score; among equals the one nearest to the root, then the first. None when no S
    has words."""
    depth = [0] * len(nodes)
    for index, node in enumerate(nodes[1:], 1):
        depth[index] = depth[node.parent] + 1
    with_set = [index for index, node in enumerate(nodes) if node.set_text]
    return max(with_set, key=lambda index: (nodes[index].score, -depth[index], -index), default=None)
