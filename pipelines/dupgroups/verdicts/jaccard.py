"""Resemblance and containment of the sets that signatures hold: shingles, spots, words.

Broder: On the Resemblance and Containment of Documents (1997). Gibson, Wellner, Lubar: Identification of
Duplicate News Stories in Web Pages (CEDAR), section 4: two stories are duplicates at a resemblance of 0.4 on
shingles of two words.

Exact on the members that are stored: on all of them if the signer keeps all, else an estimate from the
sample that both keep, or from min-values.

| field       | default | meaning |
|-------------|---------|---|
| threshold   | 0.4     | resemblance from which two texts are the same story (CEDAR) |
| containment | 0.85    | share of the smaller set that has to stand in the larger one for containment |
| near        | 0.2     | resemblance from which two texts are worth telling about |
"""

from __future__ import annotations

from dataclasses import dataclass

from dupgroups.errors import ConfigError
from dupgroups.model import Record, Relation, Verdict
from dupgroups.text.sets import containment, resemblance
from dupgroups.text.stored_sets import shared
from dupgroups.verdicts.base import graded, too_short


@dataclass(frozen=True)
class Jaccard:
    """Judges by what two sets share; the table above explains the fields."""

    threshold: float = 0.4
    containment: float = 0.85
    near: float = 0.2

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
        both, size_a, size_b = shared(a.signature.body, b.signature.body)
        alike = resemblance(both, size_a, size_b)
        covered = containment(both, min(size_a, size_b))
        relation = self._relation(alike, covered, size_a, size_b)
        score = graded(alike, self.threshold)
        if relation in ("contains", "contained"):
            score = max(score, 0.5 * covered)
        reason = f"{alike:.0%} of what they hold is common to both, {covered:.0%} of what the shorter holds."
        return Verdict(relation, score, reason)

    def _relation(self, alike: float, covered: float, size_a: int, size_b: int) -> Relation:
        if alike >= self.threshold:
            return "duplicate"
        if covered >= self.containment:  # alike is below threshold, so that the sizes differ
            return "contains" if size_a > size_b else "contained"
        return "near" if alike >= self.near else "different"
