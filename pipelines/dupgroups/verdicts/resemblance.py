"""Resemblance and containment of shingle sets, estimated from sketches; and the figures in them.

Broder: On the resemblance and containment of documents (SEQUENCES 1997). The check of figures is ours: in a
daily report (case counts, closing prices) words stay and figures change, in a copy of a story both stay.

| field | default | |
|---|---|---|
| threshold | 0.4 | resemblance from which two texts are duplicates |
| containment | 0.8 | share of the smaller text that lies in the larger, from which the one contains the other |
| near | 0.2 | resemblance from which two texts are near |
| figures | 4 | figures in the same words that must be there before they can speak against a pair |
| agreement | 0.5 | share of these figures that must be equal |
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from dupgroups.model import Record, Relation, Verdict
from dupgroups.text import sketches
from dupgroups.text.sketches import Sketch


@dataclass(frozen=True)
class Resemblance:
    """Score: duplicates 0.5 to 1, containment 0.25 to 0.5, all else below, so that it ranks any mixture."""

    threshold: float = 0.4
    containment: float = 0.8
    near: float = 0.2
    figures: int = 4
    agreement: float = 0.5

    def __post_init__(self) -> None:
        for each in fields(self):
            if each.name != "figures" and not 0 <= getattr(self, each.name) <= 1:
                raise ValueError(f"{each.name} lies between 0 and 1")
        if self.near > self.threshold:
            raise ValueError("near is at most the threshold")

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`."""
        if not (a.signature and b.signature):
            return Verdict("too_short", 0.0, "At least one of the two has too little text to compare.")
        one, two = sketches.unpack(a.signature.body), sketches.unpack(b.signature.body)
        alike, inside = sketches.resemblance(one, two), sketches.containment(one, two)
        shared = f"They share {alike:.0%} of their phrases"
        if alike < self.threshold and inside < self.containment:
            relation: Relation = "near" if alike >= self.near else "different"
            return Verdict(relation, self._low(alike), f"{shared}, too few for a copy.")
        told = sketches.agreement(one, two)
        if told.common >= self.figures and told.equal < self.agreement * told.common:
            reason = (
                f"{shared}, but {told.common - told.equal} of {told.common} figures in the same words differ."
            )
            return Verdict("near", self._low(alike), reason)
        if alike >= self.threshold or one.size == two.size:
            score = 0.5 + 0.5 * max(alike - self.threshold, 0) / (1 - self.threshold or 1)
            return Verdict("duplicate", score, f"{shared}.")
        return self._contained(one, two, inside)

    def _low(self, alike: float) -> float:
        return 0.25 * alike

    def _contained(self, one: Sketch, two: Sketch, inside: float) -> Verdict:
        larger, smaller = ("first", "second") if one.size >= two.size else ("second", "first")
        relation: Relation = "contains" if larger == "first" else "contained"
        return Verdict(
            relation, 0.25 + 0.249 * inside, f"The {larger} has {inside:.0%} of the {smaller}, and much more."
        )
