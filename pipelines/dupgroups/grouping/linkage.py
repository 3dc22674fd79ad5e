"""Which ties hold: all of them (closure), or those within clusters of average linkage.

R. R. Sokal and C. D. Michener: A statistical method for evaluating systematic relationships. University of
Kansas Science Bulletin 38 (1958), 1409-1438. Two clusters merge while the mean similarity of the pairs across
them is high enough; the similarity of a pair is 1 when its relation joins, else 0. The strongest tie comes
first. So a chain in which every text differs a little from the one before breaks where its ends have nothing
in common, while a pair or a triple that is tied at all stays whole.

Where people keep documents apart or together (`constraints`), clusters are parts of stories. Those that
people keep together are of one story, whole as they are; a tie that would unite two stories that hold a pair
kept apart is passed over. So what is made does not depend on the order in which documents came.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from itertools import product
from typing import Generic, TypeVar

# of the pairs across two clusters, for them to merge: more than 1 of 3; at .3 two of 15 packs lost .005 of F1
MIN_LINKAGE_SHARE = 0.34

Node = TypeVar("Node", bound=Hashable)
Said = tuple[bool, Collection[Node], Collection[Node]]
"""Whether people keep the ones and the others together; or else apart."""


class Partition(Generic[Node]):
    """Nodes divided into clusters; each is alone at first.

    `most`: how many others a document is compared with at most; no more ties than that are wanted of one.
    `sizes`: of nodes that stand for several documents; a tie to one of these comes once for each document.
    `share`: of the pairs across two clusters, for them to merge (0: closure). `said`: what people keep apart
    or together; of what contradicts something before it, nothing counts.

    >>> clusters = Partition([(1.0, "a", "b"), (0.9, "c", "d"), (0.8, "b", "c")], most=50)
    >>> clusters.are_together("a", "b"), clusters.are_together("b", "c")  # 1 of the 4 pairs across
    (True, False)
    """

    def __init__(
        self,
        ties: Iterable[tuple[float, Node, Node]],
        *,
        most: int,
        sizes: Mapping[Node, int] | None = None,
        share: float = MIN_LINKAGE_SHARE,
        said: Iterable[Said[Node]] = (),
    ) -> None:
        self._most = most
        self._share = share
        self._apart: defaultdict[Node, set[Node]] = defaultdict(set)  # stories, by one of their nodes
        self._above: dict[Node, Node] = {}  # another node of the story
        self._sizes = dict(sizes or {})
        self._cluster: dict[Node, Node] = {}
        self._members: dict[Node, list[Node]] = {}
        self._across: dict[Node, defaultdict[Node, int]] = {}
        ordered = sorted(ties, key=lambda tie: (-tie[0], *sorted(map(str, tie[1:]))))
        for _, a, b in ordered:
            self._note(a, b)
        for together, some, others in said:
            stories = (dict.fromkeys(map(self._story, nodes)) for nodes in (some, others))
            for a, b in product(*stories):
                self._unite(a, b) if together else self._part(a, b)
        for _, a, b in ordered:
            self._merge(self._cluster[a], self._cluster[b])

    def are_together(self, a: Node, b: Node) -> bool:
        """Whether two nodes are of one story; a node without ties is alone."""
        return self._story(a) == self._story(b)

    def _story(self, node: Node) -> Node:
        """The node that stands for the story."""
        while (above := self._above.get(node, node)) != node:
            self._above[node] = node = self._above.get(above, above)  # halve the path
        return node

    def _part(self, a: Node, b: Node) -> None:
        a, b = self._story(a), self._story(b)
        if a != b:
            self._apart[a].add(b)
            self._apart[b].add(a)

    def _unite(self, a: Node, b: Node) -> bool:
        """Make one story of two, unless they are kept apart; whether it is one."""
        a, b = self._story(a), self._story(b)
        if a == b or b in self._apart[a]:
            return a == b
        self._above[b] = a
        for other in self._apart.pop(b, ()):
            self._apart[other].remove(b)
            self._apart[other].add(a)
            self._apart[a].add(other)
        return True

    def _note(self, a: Node, b: Node) -> None:
        for node, other in ((a, b), (b, a)):
            self._cluster.setdefault(node, node)
            self._members.setdefault(node, [node])
            self._sizes.setdefault(node, 1)
            self._across.setdefault(node, defaultdict(int))[other] += 1

    def _merge(self, a: Node, b: Node) -> None:
        """Merge two clusters when enough pairs across them are tied; the smaller one is renamed."""
        if a == b or self._across[a][b] < self._share * self._pairs(a, b) or not self._unite(a, b):
            return
        small, large = sorted((a, b), key=lambda node: len(self._members[node]))
        for member in self._members[small]:
            self._cluster[member] = large
        self._members[large] += self._members.pop(small)
        self._sizes[large] += self._sizes.pop(small)
        for other, ties in self._across.pop(small).items():
            del self._across[other][small]
            if other != large:
                self._across[large][other] += ties
                self._across[other][large] += ties

    def _pairs(self, a: Node, b: Node) -> int:
        """How many pairs across two clusters could be tied."""
        fewer, more = sorted((self._sizes[a], self._sizes[b]))
        return fewer * min(more, self._most)
