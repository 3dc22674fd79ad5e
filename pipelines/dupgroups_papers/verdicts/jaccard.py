"""Resemblance and containment of the sets that signatures hold: shingles, spots, words.

Broder: On the Resemblance and Containment of Documents (1997). Gibson, Wellner, Lubar: Identification of
Duplicate News Stories in Web Pages (CEDAR): two stories are duplicates at a resemblance of 0.4 (section 5.3,
table 3) on shingles of two words (section 5.2, figure 5).

The result is exact when the signer stores all members. Otherwise it is an estimate from the samples or the
min-values that are stored.

| field       | default | meaning |
|-------------|---------|---|
| threshold   | 0.4     | resemblance from which two texts are the same story (CEDAR, table 3) |
| containment | 0.85    | share of the smaller set that the larger one must hold for containment |
| near        | 0.2     | resemblance from which two texts are reported as similar |

With all shingles of two words, the result is exact: 14 of 17 different ones are in both texts.

>>> from dupgroups import compare
>>> from dupgroups.model.config import Config, Method, Step
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> method = Method(None, Step.parse("shingling modulus=1 least=1"), Step("jaccard"))
>>> verdict = compare(text, text.replace("people ", ""), Config(methods={"en": method}))
>>> verdict.relation, verdict.reason
('duplicate', '82% of what they hold is common to both, 93% of what the shorter holds.')
"""

from dataclasses import dataclass
from typing import ClassVar

from dupgroups_papers.codecs import set_codec
from dupgroups_papers.verdicts.share import ShareJudge


@dataclass(frozen=True)
class Jaccard(ShareJudge):
    """Judges by what two sets share; the table above explains the fields."""

    threshold: float = 0.4
    containment: float = 0.85
    near: float = 0.2
    reason: ClassVar[str] = (
        "{alike:.0%} of what they hold is common to both, {covered:.0%} of what the shorter holds."
    )

    def measure_shared(self, a: bytes, b: bytes) -> tuple[float, float, float]:
        """See ShareJudge."""
        return set_codec.estimate_shared(a, b)
