"""A decision tree: the tests of a case and its class, as `dupgroups_lab.training.c45` learns them.

Quinlan: C4.5: Programs for Machine Learning, Morgan Kaufmann 1993. A case without the value that is tested
goes down every branch in fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Value = float | str | None
Row = Mapping[str, Value]
"""A case: numbers and words by attribute; None, or no entry, is a missing value."""

BELOW, ABOVE = "<=", ">"  # the branches of a number


@dataclass(frozen=True)
class Node:
    """A leaf when it has no `attribute`, else a test of it.

    `cases` is the weight of the training cases of each class that came here; `branches` has "<=" and ">" when
    there is a `threshold`, else the values of the attribute.
    """

    cases: Mapping[str, float]
    attribute: str = ""
    threshold: float | None = None
    branches: Mapping[str, Node] = field(default_factory=dict)

    @property
    def weight(self) -> float:
        """Of all training cases that came here; fractions of cases count as such."""
        return sum(self.cases.values())

    @property
    def majority(self) -> str:
        """The class with the most cases, the first of equals in the alphabet."""
        return max(sorted(self.cases), key=lambda each: self.cases[each])

    @property
    def errors(self) -> float:
        """Weight of the cases of other classes than `majority`."""
        return self.weight - self.cases[self.majority]

    def leaves(self, row: Row, weight: float = 1.0) -> Iterator[tuple[Node, float]]:
        """The leaves that a case comes to, with the fraction of it: several when it lacks what is tested."""
        if not self.attribute:
            yield self, weight
            return
        branch = self.branches.get(branch_of(row.get(self.attribute), self.threshold))
        if branch is not None:
            yield from branch.leaves(row, weight)
            return
        total = sum(each.weight for each in self.branches.values())
        for each in self.branches.values():
            yield from each.leaves(row, weight * each.weight / total)

    def shares(self, row: Row) -> dict[str, float]:
        """How probable each class is for a case: the shares of the training cases in its leaves, 0 to 1."""
        found: dict[str, float] = defaultdict(float)
        for leaf, fraction in self.leaves(row):
            for name, weight in leaf.cases.items():
                found[name] += fraction * weight / leaf.weight
        return dict(found)

    def classify(self, row: Row) -> str:
        """The most probable class of a case, the first of equals in the alphabet."""
        shares = self.shares(row)
        return max(sorted(shares), key=lambda name: shares[name])

    def __str__(self) -> str:
        """One line a test, as C4.5 prints trees; (cases/errors) behind a leaf."""
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
        """For `json.dumps`; `from_json` reads it."""
        told: dict[str, Any] = {"cases": dict(self.cases)}
        if self.attribute:
            told |= {"attribute": self.attribute, "threshold": self.threshold}
            told["branches"] = {value: branch.to_json() for value, branch in self.branches.items()}
        return told

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Node:
        """What `to_json` gave."""
        branches = {value: cls.from_json(branch) for value, branch in told.get("branches", {}).items()}
        return cls(told["cases"], told.get("attribute", ""), told.get("threshold"), branches)


def branch_of(value: Value, threshold: float | None) -> str:
    """The branch of a value; "" is none, for a missing one."""
    if value is None:
        return ""
    if threshold is None:
        return str(value)
    return BELOW if float(value) <= threshold else ABOVE
