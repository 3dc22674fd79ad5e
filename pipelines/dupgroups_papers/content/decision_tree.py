"""A decision tree, as `dupgroups_lab.training.c45` learns it.

Quinlan: C4.5: Programs for Machine Learning, Morgan Kaufmann 1993. A case without a value for a test goes
down every branch in fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Value = float | str | None
Row = Mapping[str, Value]
"""A case: numbers and words by attribute; None or a missing entry is a missing value."""

BELOW, ABOVE = "<=", ">"  # the branches of a numeric test


@dataclass(frozen=True)
class Node:
    """A test of `attribute`, or a leaf when that is "".

    `cases` is the weight, by class, of the training cases that reached the node. The keys of `branches` are
    "<=" and ">" when there is a `threshold`, else the values of the attribute.
    """

    cases: Mapping[str, float]
    attribute: str = ""
    threshold: float | None = None
    branches: Mapping[str, Node] = field(default_factory=dict)

    @property
    def weight(self) -> float:
        """Total weight of the training cases that reached the node; fractions of cases count as fractions."""
        return sum(self.cases.values())

    @property
    def majority(self) -> str:
        """The class with the most cases; among equals the first in alphabetical order."""
        return max(sorted(self.cases), key=lambda name: self.cases[name])

    @property
    def errors(self) -> float:
        """Weight of the cases of all classes but `majority`."""
        return self.weight - self.cases[self.majority]

    def leaves(self, row: Row, weight: float = 1.0) -> Iterator[tuple[Node, float]]:
        """The leaves that a case reaches, with its fraction in each: several leaves if it lacks a value."""
        if not self.attribute:
            yield self, weight
            return
        branch = self.branches.get(branch_of(row.get(self.attribute), self.threshold))
        if branch is not None:
            yield from branch.leaves(row, weight)
            return
        total = sum(branch.weight for branch in self.branches.values())
        for branch in self.branches.values():
            yield from branch.leaves(row, weight * branch.weight / total)

    def shares(self, row: Row) -> dict[str, float]:
        """The probability of each class, 0 to 1: its share of the training cases in the case's leaves."""
        shares: dict[str, float] = defaultdict(float)
        for leaf, fraction in self.leaves(row):
            for name, weight in leaf.cases.items():
                shares[name] += fraction * weight / leaf.weight
        return dict(shares)

    def classify(self, row: Row) -> str:
        """The most probable class of a case; among equals the first in alphabetical order."""
        shares = self.shares(row)
        return max(sorted(shares), key=lambda name: shares[name])

    def __str__(self) -> str:
        """One line per test, as C4.5 prints trees; (cases/errors) after a leaf."""
        return "\n".join(self._lines()) if self.attribute else self._verdict()

    def _lines(self) -> Iterator[str]:
        for value, branch in self.branches.items():
            test = f"{value} {self.threshold:g}" if self.threshold is not None else f"= {value}"
            end = "" if branch.attribute else f": {branch._verdict()}"
            yield f"{self.attribute} {test}{end}"
            yield from (f"|   {line}" for line in branch._lines())

    def _verdict(self) -> str:
        return f"{self.majority} ({self.weight:g}{f'/{self.errors:g}' if self.errors > 1e-9 else ''})"

    def to_json(self) -> dict[str, Any]:
        """The tree as an object for `json.dumps`; `from_json` reads it."""
        tree: dict[str, Any] = {"cases": dict(self.cases)}
        if self.attribute:
            tree |= {"attribute": self.attribute, "threshold": self.threshold}
            tree["branches"] = {value: branch.to_json() for value, branch in self.branches.items()}
        return tree

    @classmethod
    def from_json(cls, tree: Mapping[str, Any]) -> Node:
        """The inverse of `to_json`."""
        branches = {value: cls.from_json(branch) for value, branch in tree.get("branches", {}).items()}
        return cls(tree["cases"], tree.get("attribute", ""), tree.get("threshold"), branches)


def branch_of(value: Value, threshold: float | None) -> str:
    """The branch of a value; "", which is not a branch, for a missing value."""
    if value is None:
        return ""
    if threshold is None:
        return str(value)
    return BELOW if float(value) <= threshold else ABOVE
