"""From verdicts to groups: the transitive closure of the pairs that join (CEDAR, section 5.1.2).

A group is named by its oldest member, so that the name of a story never changes because of what comes later.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)
Age = tuple[int, str]  # (first seen, id): smaller is older; the id names the group


class Groups(Generic[Node]):
    """Disjoint sets in which the root of every set is its oldest node.

    >>> groups = Groups({"a": (3, "a"), "b": (1, "b"), "c": (2, "c")})
    >>> groups.join("a", "c"); groups.join("c", "b")
    >>> groups.name("a"), len(groups.roots(["a", "b", "c"]))
    ('b', 1)
    """

    def __init__(self, ages: dict[Node, Age]) -> None:
        self._age = ages
        self._parent = {node: node for node in ages}

    def root(self, node: Node) -> Node:
        """The oldest node that `node` is tied to, itself when alone. Raises KeyError for an unknown node."""
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]  # halve the path, so that later walks are short
            node = parent[node]
        return node

    def roots(self, nodes: Iterable[Node]) -> set[Node]:
        """The sets that these nodes stand in, each by its oldest node."""
        return {self.root(node) for node in nodes}

    def name(self, node: Node) -> str:
        """The id of the oldest member of the node's group."""
        return self._age[self.root(node)][1]

    def join(self, a: Node, b: Node) -> None:
        """Put two sets together; the older root stays root."""
        first, second = self.root(a), self.root(b)
        older, younger = sorted((first, second), key=lambda root: self._age[root])
        self._parent[younger] = older
