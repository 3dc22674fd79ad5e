"""C4.5: decision trees by gain ratio.

Quinlan: C4.5: Programs for Machine Learning, Morgan Kaufmann 1993, chapters 2 to 4; gain as in Standke:
Identifying Online News Articles. A number splits at the midpoint of two neighbours, a word into one branch
per value; a case without a value goes down every branch in fractions; a subtree with no fewer expected errors
than a leaf becomes a leaf (subtree replacement; branches are not raised in place of their parents).

| parameter | default | source |
|---|---|---|
| `confidence` | 0.25 | CF of pessimistic pruning, section 4.2; lower values prune more |
| `min_cases` | 2 | at least two branches must have this many cases, section 3.2 |
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import NamedTuple

from dupgroups_papers.content.decision_tree import ABOVE, BELOW, Node, Row, branch_of


class Case(NamedTuple):
    """A training case; `weight` is below 1 when only a fraction of the case is in the branch."""

    row: Row
    label: str
    weight: float = 1.0


class Candidate(NamedTuple):
    """A test of an attribute at a node, with its gain (bits) and gain ratio."""

    attribute: str
    threshold: float | None
    gain: float
    ratio: float


@dataclass(frozen=True)
class C45:
    """Learns a tree: `C45()(rows, labels)`."""

    confidence: float = 0.25
    min_cases: float = 2.0

    def __call__(self, rows: Sequence[Row], labels: Sequence[str]) -> Node:
        """The pruned tree. Raises ValueError without cases, and when rows and labels differ in number."""
        if not rows:
            raise ValueError("a tree needs at least one case")
        cases = [Case(row, label) for row, label in zip(rows, labels, strict=True)]
        return self._prune(self._grow(cases, sorted({name for row in rows for name in row})))

    def _grow(self, cases: Sequence[Case], attributes: Sequence[str]) -> Node:
        counts = weigh(cases)
        tests = [] if len(counts) == 1 else list(self._tests(cases, attributes))
        if not tests:
            return Node(counts)
        # a tiny split information inflates the ratio, so the gain must be at least average too
        mean = sum(test.gain for test in tests) / len(tests)
        best = max((test for test in tests if test.gain >= mean - 1e-9), key=lambda test: test.ratio)
        parts = distribute(cases, best.attribute, best.threshold)
        branches = {value: self._grow(part, attributes) for value, part in parts.items()}
        return Node(counts, best.attribute, best.threshold, branches)

    def _tests(self, cases: Sequence[Case], attributes: Iterable[str]) -> Iterator[Candidate]:
        """The best test of each attribute, left out where it gains nothing."""
        total = sum(case.weight for case in cases)
        for name in attributes:
            known = [case for case in cases if case.row.get(name) is not None]
            number = any(isinstance(case.row[name], int | float) for case in known)
            threshold = self._threshold(known, name) if number else None
            if not known or (number and threshold is None):
                continue
            parts = [weigh(part) for part in distribute(known, name, threshold).values()]
            sizes = [sum(part.values()) for part in parts]
            if sum(size >= self.min_cases for size in sizes) < 2:
                continue
            gained = gain(parts) * sum(sizes) / total
            if gained > 1e-9:
                yield Candidate(name, threshold, gained, gained / info([*sizes, total - sum(sizes)]))

    def _threshold(self, known: Iterable[Case], name: str) -> float | None:
        """The midpoint with the greatest gain, the lowest on ties; None where a side would be too small."""
        values = ((case.row[name], case.label, case.weight) for case in known)
        ordered = sorted(
            (float(value), label, weight) for value, label, weight in values if value is not None
        )
        below, above = defaultdict[str, float](float), defaultdict[str, float](float)
        for _, label, weight in ordered:
            above[label] += weight
        total = sum(above.values())
        least = max(self.min_cases, min(25.0, 0.1 * total / len(above)))  # section 3.2 and release 8
        best: tuple[float, float] | None = None
        size = 0.0
        for (value, label, weight), (following, _, _) in pairwise(ordered):
            below[label] += weight
            above[label] -= weight
            size += weight
            if value == following or size < least or total - size < least:
                continue
            left = size * info(below.values()) + (total - size) * info(above.values())
            if best is None or left < best[0] - 1e-9:
                best = left, (value + following) / 2
        return best[1] if best else None

    def _prune(self, node: Node) -> Node:
        if not node.attribute:
            return node
        branches = {value: self._prune(branch) for value, branch in node.branches.items()}
        below = sum(self._subtree_errors(branch) for branch in branches.values())
        if self.predict_errors(node.weight, node.errors) <= below + 0.1:  # release 8 prunes on near ties
            return Node(node.cases)
        return Node(node.cases, node.attribute, node.threshold, branches)

    def _subtree_errors(self, node: Node) -> float:
        if not node.attribute:
            return self.predict_errors(node.weight, node.errors)
        return sum(map(self._subtree_errors, node.branches.values()))

    def predict_errors(self, cases: float, errors: float) -> float:
        """Expected errors of a leaf with `errors` of `cases` wrong in training: U_CF(errors, cases) * cases.

        Exact for 0 errors, the normal approximation with continuity correction from 1, linear in between.
        """
        at_zero = cases * (1 - math.pow(self.confidence, 1 / cases))
        if errors < 1:
            return at_zero if errors <= 0 else at_zero + errors * (self.predict_errors(cases, 1) - at_zero)
        if errors + 0.5 >= cases:
            return errors + 0.67 * max(cases - errors, 0)
        square = NormalDist().inv_cdf(1 - self.confidence) ** 2
        share = (errors + 0.5) / cases
        spread = math.sqrt(square * ((errors + 0.5) * (1 - share) + square / 4))
        return cases * (errors + 0.5 + square / 2 + spread) / (cases + square)


def info(weights: Iterable[float]) -> float:
    """Entropy of the class of a case, in bits; 0 for one class or none.

    >>> round(info([3, 2]), 2)
    0.97
    """
    present = [weight for weight in weights if weight > 1e-12]
    total = sum(present)
    return -sum(weight / total * math.log2(weight / total) for weight in present)


def gain(parts: Sequence[Mapping[str, float]]) -> float:
    """Bits gained by dividing cases into `parts`, each the weights of its classes.

    >>> round(gain([{"article": 1, "other": 1}, {"article": 2}, {"other": 1}]), 2)
    0.57
    """
    names = dict.fromkeys(name for part in parts for name in part)
    whole = [sum(part.get(name, 0.0) for part in parts) for name in names]
    total = sum(whole)
    return info(whole) - sum(sum(part.values()) / total * info(part.values()) for part in parts)


def weigh(cases: Iterable[Case]) -> dict[str, float]:
    """Total weight of each class, in alphabetical order."""
    weights: dict[str, float] = defaultdict(float)
    for case in cases:
        weights[case.label] += case.weight
    return dict(sorted(weights.items()))


def distribute(cases: Sequence[Case], name: str, threshold: float | None) -> dict[str, list[Case]]:
    """Cases by branch; a case without a value goes into every branch, weighted by the share of the others."""
    parts: dict[str, list[Case]] = {} if threshold is None else {BELOW: [], ABOVE: []}
    for case in cases:
        if case.row.get(name) is not None:
            parts.setdefault(branch_of(case.row[name], threshold), []).append(case)
    if threshold is None:
        parts = dict(sorted(parts.items()))
    sizes = {value: sum(case.weight for case in part) for value, part in parts.items()}
    total = sum(sizes.values())
    unknown = [case for case in cases if case.row.get(name) is None]
    for value, part in parts.items():
        part += [case._replace(weight=case.weight * sizes[value] / total) for case in unknown]
    return parts
