"""From pairs to groups: the transitive closure of the pairs that join (CEDAR, section 5.1.2), by union-find.

A component is named by its oldest node: the name of a story does not change because of what comes later.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Node = TypeVar("Node", bound=Hashable)
Age = tuple[int, str]
"""(first seen, id): the smaller one is older; the id is the name that a group gets from it."""


class Components(Generic[Node]):
    """Disjoint sets in which the root of every set is its oldest node.

    >>> components = Components({"a": (3, "a"), "b": (1, "b"), "c": (2, "c")})
    >>> components.join("a", "c"); components.join("c", "b")
    >>> components.name("a"), len(components.roots(["a", "b", "c"]))
    ('b', 1)
    """

    def __init__(self, ages: Mapping[Node, Age]) -> None:
        self._age = ages
        self._parent = {node: node for node in ages}

    def root(self, node: Node) -> Node:
        """The oldest node of the component, `node` itself when alone. Raises KeyError for an unknown node."""
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]  # halve the path, so that later walks are short
            node = parent[node]
        return node

    def roots(self, nodes: Iterable[Node]) -> set[Node]:
        """The components of these nodes, each by its oldest node."""
        return {self.root(node) for node in nodes}

    def name(self, node: Node) -> str:
        """The id of the oldest node of the component."""
        return self._age[self.root(node)][1]

    def join(self, a: Node, b: Node) -> None:
        """Unite two components; the older root stays root."""
        first, second = self.root(a), self.root(b)
        older, younger = (first, second) if self._age[first] <= self._age[second] else (second, first)
        self._parent[younger] = older


class NumberedComponents:
    """Disjoint sets of many documents, which are numbered from the oldest; pairs come in bulk.

    Hooking and pointer jumping: Y. Shiloach and U. Vishkin, An O(log n) parallel connectivity algorithm,
    Journal of Algorithms 3 (1982), 57-67.

    >>> components = NumberedComponents(5)
    >>> components.join(np.array([4, 3]), np.array([3, 1]))
    >>> components.roots(np.arange(5)).tolist()
    [0, 1, 2, 1, 1]
    """

    def __init__(self, size: int) -> None:
        self._parent = np.arange(size)

    def join(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> None:
        """Unite the components of each pair."""
        while len(a):
            a, b = self.roots(a), self.roots(b)
            np.minimum.at(self._parent, np.maximum(a, b), np.minimum(a, b))
            apart = self._parent[a] != self._parent[b]
            a, b = a[apart], b[apart]

    def roots(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The oldest member of the component of each node."""
        roots = self._parent[nodes]
        while not np.array_equal(higher := self._parent[roots], roots):
            roots = higher
        self._parent[nodes] = roots  # so that later walks are short
        return roots
