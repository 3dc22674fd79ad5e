"""Hamming distance of two bit strings, such as SimHash values.

Manku, Jain, Das Sarma: Detecting Near-Duplicates for Web Crawling (WWW 2007), section 5.1: on 8 billion
pages, a distance of at most 3 in 64 bits gave a precision and a recall of 0.75.

| field    | default | meaning |
|----------|---------|---|
| distance | 3       | bits in which two copies may differ |
| near     | 8       | differing bits up to which two texts are reported as similar |

Three bits are few enough for a copy, five are not:

>>> from dupgroups.model import Record, Signature
>>> from dupgroups_papers.verdicts.hamming import Hamming
>>> one, two, three = (
...     Record("x", "x", "", Signature("simhash", ("key",), value.to_bytes(8, "big")))
...     for value in (0b0, 0b111, 0b11111)
... )
>>> Hamming()(one, two).relation
'duplicate'
>>> verdict = Hamming()(one, three)
>>> verdict.relation, verdict.reason
('near', '5 of 64 bits differ (a copy may differ in 3).')
"""

from dataclasses import dataclass

from dupgroups.errors import ConfigError
from dupgroups.methods.signals import Signal
from dupgroups.methods.verdicts.base import grade
from dupgroups.model import Record, Relation, Verdict
from dupgroups_papers.sketches.projections import distance
from dupgroups_papers.verdicts.share import MeasuringJudge


@dataclass(frozen=True)
class Hamming(MeasuringJudge):
    """Judges by the number of differing bits; the table above explains the fields."""

    distance: int = 3
    near: int = 8

    def __post_init__(self) -> None:
        if not 0 <= self.distance <= self.near:
            raise ConfigError("distance must be at least 0, and near at least distance")

    def judge_measured(self, a: Record, b: Record) -> tuple[Verdict, tuple[Signal, ...]]:
        """How `a` relates to `b`. The score is 1 for equal bits, 0.5 at `distance`, 0 when all differ."""
        bits, differ = 8 * len(a.signature.body), _differing(a, b)
        score = grade(1 - differ / bits, max(0.0, 1 - self.distance / bits))
        reason = f"{differ} of {bits} bits differ (a copy may differ in {self.distance})."
        relation: Relation = "near" if differ <= self.near else "different"
        return Verdict("duplicate" if differ <= self.distance else relation, score, reason), (
            Signal("differing bits", differ, self.distance, "distance", is_most=True),
            Signal("differing bits, to be similar", differ, self.near, "near", is_most=True),
        )


def _differing(a: Record, b: Record) -> int:
    if len(a.signature.body) != len(b.signature.body):
        raise ConfigError(f"the judge 'hamming' reads signatures of simhash, not of {a.signature.scheme!r}")
    return distance(a.signature.body, b.signature.body)
