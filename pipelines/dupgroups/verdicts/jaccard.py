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
from typing import ClassVar

from dupgroups.codecs import set_codec
from dupgroups.verdicts.base import ShareJudge


@dataclass(frozen=True)
class Jaccard(ShareJudge):
    """Judges by what two sets share; the table above explains the fields."""

    threshold: float = 0.4
    containment: float = 0.85
    near: float = 0.2
    reason: ClassVar[str] = (
        "{alike:.0%} of what they hold is common to both, {covered:.0%} of what the shorter holds."
    )

    def shared(self, a: bytes, b: bytes) -> tuple[float, float, float]:
        """See ShareJudge."""
        return set_codec.shared(a, b)
