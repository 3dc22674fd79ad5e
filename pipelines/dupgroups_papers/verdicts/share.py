"""Base classes of judges that measure two bodies, and what those by shared features do."""

from dataclasses import dataclass
from typing import ClassVar

from dupgroups.errors import ConfigError
from dupgroups.methods.signals import Signal
from dupgroups.methods.verdicts.base import grade, too_short
from dupgroups.model import Record, Relation, Verdict
from dupgroups.text.sets import containment, resemblance


class MeasuringJudge:
    """Measures two bodies once, for the verdict and for its signals; a subclass defines `judge_measured`."""

    def judge_measured(self, a: Record, b: Record) -> tuple[Verdict, tuple[Signal, ...]]:
        """The verdict on records that both have keys, and what was compared with thresholds."""
        raise NotImplementedError

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` relates to `b`; `judge_measured` says what the score means."""
        return too_short(a, b) or self.judge_measured(a, b)[0]

    def signals(self, a: Record, b: Record) -> tuple[Signal, ...]:
        """See verdicts.base.Explaining."""
        return () if too_short(a, b) else self.judge_measured(a, b)[1]


@dataclass(frozen=True)
class ShareJudge(MeasuringJudge):
    """Judges by what two signatures share; a subclass defines `measure_shared` and the wording of the
    `reason`.

    `threshold`: resemblance from which two texts are the same story; `containment`: share of the smaller set
    that the larger one must hold; `near`: resemblance from which two texts are reported as similar.
    """

    threshold: float
    containment: float
    near: float
    reason: ClassVar[str]

    def __post_init__(self) -> None:
        if not 0 < self.near <= self.threshold <= 1:
            raise ConfigError("near must be above 0, and threshold at least near and at most 1")
        if not 0 < self.containment <= 1:
            raise ConfigError("containment must be above 0 and at most 1")

    def measure_shared(self, a: bytes, b: bytes) -> tuple[float, float, float]:
        """How much two bodies share, and the sizes of both."""
        raise NotImplementedError

    def judge_measured(self, a: Record, b: Record) -> tuple[Verdict, tuple[Signal, ...]]:
        """How `a` relates to `b`. Scores: copies 0.5 to 1, excerpts at most 0.5, all others below."""
        both, size_a, size_b = self.measure_shared(a.signature.body, b.signature.body)
        alike = resemblance(both, size_a, size_b)
        covered = containment(both, min(size_a, size_b))
        relation = self._relation(alike, covered, size_a, size_b)
        score = grade(alike, self.threshold)
        if relation in ("contains", "contained"):
            score = max(score, 0.5 * covered)
        return Verdict(relation, score, self.reason.format(alike=alike, covered=covered)), (
            Signal("common to both", alike, self.threshold, "threshold"),
            Signal("of the smaller in the larger", covered, self.containment, "containment"),
            Signal("common to both, to be similar", alike, self.near, "near"),
        )

    def _relation(self, alike: float, covered: float, size_a: float, size_b: float) -> Relation:
        if alike >= self.threshold:
            return "duplicate"
        if covered >= self.containment and size_a != size_b:
            return "contains" if size_a > size_b else "contained"
        return "near" if alike >= self.near else "different"
