"""Weighted Jaccard similarity of weighted phrases: sum(min(a, b)) / sum(max(a, b)).

Alonso, Fetterly, Manasse: Near Duplicate News Story Detection Revisited. Exact where signatures hold all
phrases with their weights, else estimated from consistent weighted samples (Ioffe 2010): the signer chooses.
Containment is the share of the weight of the lighter text that stands in the other one.

| field       | default | meaning |
|-------------|---------|---|
| threshold   | 0.4     | similarity from which two texts are the same story |
| containment | 0.7     | share of the weight of the lighter text for containment |
| near        | 0.15    | similarity from which two texts are worth telling about |
"""

from __future__ import annotations

from dataclasses import dataclass

from dupgroups.errors import ConfigError
from dupgroups.model import Record, Relation, Verdict
from dupgroups.text.sets import containment, resemblance
from dupgroups.text.stored_weights import shared
from dupgroups.verdicts.base import graded, too_short


@dataclass(frozen=True)
class WeightedJaccard:
    """Judges by the weight that two texts share; the table above explains the fields."""

    threshold: float = 0.4
    containment: float = 0.7
    near: float = 0.15

    def __post_init__(self) -> None:
        if not 0 < self.near <= self.threshold <= 1:
            raise ConfigError("near is above 0, threshold at least near and at most 1")
        if not 0 < self.containment <= 1:
            raise ConfigError("containment is above 0 and at most 1")

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`. Score: copies 0.5 to 1, excerpts 0.5 at most, all else below."""
        short = too_short(a, b)
        if short:
            return short
        both, total_a, total_b = shared(a.signature.body, b.signature.body)
        alike = resemblance(both, total_a, total_b)
        covered = containment(both, min(total_a, total_b))
        relation = self._relation(alike, covered, total_a, total_b)
        score = graded(alike, self.threshold)
        if relation in ("contains", "contained"):
            score = max(score, 0.5 * covered)
        reason = (
            f"{alike:.0%} of the weight of their phrases is common to both, {covered:.0%} of the lighter's."
        )
        return Verdict(relation, score, reason)

    def _relation(self, alike: float, covered: float, total_a: float, total_b: float) -> Relation:
        if alike >= self.threshold:
            return "duplicate"
        if covered >= self.containment and total_a != total_b:
            return "contains" if total_a > total_b else "contained"
        return "near" if alike >= self.near else "different"
