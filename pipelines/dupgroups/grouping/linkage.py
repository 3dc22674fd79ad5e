"""Which ties hold: all of them (closure), or those within clusters of average linkage.

R. R. Sokal and C. D. Michener: A statistical method for evaluating systematic relationships. University of
Kansas Science Bulletin 38 (1958), 1409-1438. Two clusters merge while the mean similarity of the pairs across
them is high enough; the similarity of a pair is 1 when its relation joins, else 0. The strongest tie comes
first. So a chain in which every text differs a little from the one before breaks where its ends have nothing
in common, while a pair or a triple that is tied at all stays whole.

Where people keep documents apart or together (`constraints`), closure is made in the same order: documents
kept together count as one, with the ties of all of them, and a tie that would unite two clusters that hold a
pair kept apart is passed over. So what is made does not depend on the order in which documents came.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from dupgroups.grouping.components import Components

# of the pairs across two clusters, for them to merge: above one third, so that 1 of 3 is too few
MIN_LINKAGE_SHARE = 0.34

Node = TypeVar("Node", bound=Hashable)


class Partition(Generic[Node]):
    """Nodes divided into clusters; each is alone at first.

    `most`: how many others a document is compared with at most; no more ties than that are wanted of one.
    `sizes`: of nodes that stand for several documents; a tie to one of these comes once for each document.
    `share`: of the pairs across two clusters, for them to merge (0: closure). `together`: pairs of nodes that
    count as one. `apart`: pairs of nodes that never come into one cluster.

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
        together: Iterable[tuple[Node, Node]] = (),
        apart: Iterable[tuple[Node, Node]] = (),
    ) -> None:
        self._most = most
        self._share = share
        self._apart: defaultdict[Node, set[Node]] = defaultdict(set)
        self._sizes = dict(sizes or {})
        self._cluster: dict[Node, Node] = {}
        self._members: dict[Node, list[Node]] = {}
        self._across: dict[Node, defaultdict[Node, int]] = {}
        ordered = sorted(ties, key=lambda tie: (-tie[0], *sorted(map(str, tie[1:]))))
        self._one = _contract(together)
        for node, one in self._one.items():
            self._sizes[one] = max(self._sizes.get(one, 1), self._sizes.get(node, 1))
        wholes = ((self._representative(a), self._representative(b)) for _, a, b in ordered)
        strongest_first = [(a, b) for a, b in wholes if a != b]
        for a, b in strongest_first:
            self._note(a, b)
        for a, b in ((self._representative(a), self._representative(b)) for a, b in apart):
            self._apart[a].add(b)
            self._apart[b].add(a)
        for a, b in strongest_first:
            self._merge(self._cluster[a], self._cluster[b])

    def are_together(self, a: Node, b: Node) -> bool:
        """Whether two nodes are in one cluster; a node without ties is alone."""
        a, b = self._representative(a), self._representative(b)
        return self._cluster.get(a, a) == self._cluster.get(b, b)

    def _representative(self, node: Node) -> Node:
        """The node that represents this one: itself, or the first of those that it is kept together with."""
        return self._one.get(node, node)

    def _note(self, a: Node, b: Node) -> None:
        for node, other in ((a, b), (b, a)):
            self._cluster.setdefault(node, node)
            self._members.setdefault(node, [node])
            self._sizes.setdefault(node, 1)
            self._across.setdefault(node, defaultdict(int))[other] += 1

    def _merge(self, a: Node, b: Node) -> None:
        """Merge two clusters when enough pairs across them are tied; the smaller one is renamed."""
        if a == b or b in self._apart[a] or self._across[a][b] < self._share * self._pairs(a, b):
            return
        small, large = sorted((a, b), key=lambda node: len(self._members[node]))
        for member in self._members[small]:
            self._cluster[member] = large
        self._members[large] += self._members.pop(small)
        self._sizes[large] += self._sizes.pop(small)
        for other in self._apart.pop(small, ()):
            self._apart[other].remove(small)
            self._apart[other].add(large)
            self._apart[large].add(other)
        for other, ties in self._across.pop(small).items():
            del self._across[other][small]
            if other != large:
                self._across[large][other] += ties
                self._across[other][large] += ties

    def _pairs(self, a: Node, b: Node) -> int:
        """How many pairs across two clusters could be tied."""
        fewer, more = sorted((self._sizes[a], self._sizes[b]))
        return fewer * min(more, self._most)


def _contract(pairs: Iterable[tuple[Node, Node]]) -> dict[Node, Node]:
    """For each node of the pairs the first of those that it is joined with, by name."""
    pairs = list(pairs)
    nodes = dict.fromkeys(node for pair in pairs for node in pair)
    components = Components({node: (0, str(node)) for node in nodes})
    for a, b in pairs:
        components.join(a, b)
    return {node: components.root(node) for node in nodes}
