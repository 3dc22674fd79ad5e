"""What every judge is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from dupgroups.errors import ConfigError
from dupgroups.model import Record, Relation, Verdict
from dupgroups.sketches.sets import containment, resemblance


class Judge(Protocol):
    """Says how one record stands to another, by their signatures' bodies (and hosts, where the method does).

    Pure. The score is symmetric; `contains` one way is `contained` the other, every other relation is
    symmetric. Two records are only `too_short` when one of them has no keys.
    """

    def __call__(self, a: Record, b: Record) -> Verdict:
        """Relation, score (0 to 1; 0.5 and above joins by default) and reason."""


def too_short(a: Record, b: Record) -> Verdict | None:
    """The verdict when one of the two has no features, which match nothing; None when both have some."""
    if a.signature and b.signature:
        return None
    return Verdict("too_short", 0.0, "At least one of them has too little running text to be compared.")


def graded(value: float, threshold: float) -> float:
    """A value on the scale on which every threshold is 0.5; 0 stays 0, 1 stays 1, straight between.

    >>> graded(0.4, 0.4), graded(0.7, 0.4), graded(0.2, 0.4)
    (0.5, 0.75, 0.25)
    """
    if value >= threshold:
        return 1.0 if threshold >= 1 else 0.5 + 0.5 * (value - threshold) / (1 - threshold)
    return 0.5 * value / threshold


@dataclass(frozen=True)
class ShareJudge:
    """Judges by what two signatures share; a method says what that is and how to put it (`reason`).

    `threshold`: resemblance from which two texts are the same story; `containment`: share of the smaller that
    has to stand in the larger; `near`: resemblance from which two texts are worth telling about.
    """

    threshold: float
    containment: float
    near: float
    reason: ClassVar[str]

    def __post_init__(self) -> None:
        if not 0 < self.near <= self.threshold <= 1:
            raise ConfigError("near is above 0, threshold at least near and at most 1")
        if not 0 < self.containment <= 1:
            raise ConfigError("containment is above 0 and at most 1")

    def shared(self, a: bytes, b: bytes) -> tuple[float, float, float]:
        """How much two bodies share, and the size of each."""
        raise NotImplementedError

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`. Score: copies 0.5 to 1, excerpts 0.5 at most, all else below."""
        short = too_short(a, b)
        if short:
            return short
        both, size_a, size_b = self.shared(a.signature.body, b.signature.body)
        alike = resemblance(both, size_a, size_b)
        covered = containment(both, min(size_a, size_b))
        relation = self._relation(alike, covered, size_a, size_b)
        score = graded(alike, self.threshold)
        if relation in ("contains", "contained"):
            score = max(score, 0.5 * covered)
        return Verdict(relation, score, self.reason.format(alike=alike, covered=covered))

    def _relation(self, alike: float, covered: float, size_a: float, size_b: float) -> Relation:
        if alike >= self.threshold:
            return "duplicate"
        if covered >= self.containment and size_a != size_b:
            return "contains" if size_a > size_b else "contained"
        return "near" if alike >= self.near else "different"
