"""Weighted Jaccard similarity of weighted phrases: sum(min(a, b)) / sum(max(a, b)).

Alonso, Fetterly, Manasse: Near Duplicate News Story Detection Revisited. The result is exact when signatures
hold all phrases with their weights, and otherwise an estimate from consistent weighted samples (Ioffe 2010);
the signer chooses. Containment is the share of the weight of the lighter text that the other text holds.

| field       | default | meaning |
|-------------|---------|---|
| threshold   | 0.4     | similarity from which two texts are the same story |
| containment | 0.7     | share of the weight of the lighter text for containment |
| near        | 0.15    | similarity from which two texts are reported as similar |

With `samples=0` all phrases are stored, and the result is exact:

>>> from dupgroups import compare
>>> from dupgroups.model.config import Config, Method, Step
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> method = Method(None, Step.parse("weighted_phrases samples=0 least=1"), Step("weighted_jaccard"))
>>> verdict = compare(text, text.replace("people ", ""), Config(methods={"en": method}))
>>> verdict.relation, verdict.reason
('duplicate', "47% of the weight of their phrases is common to both, 66% of the lighter's.")
"""

from dataclasses import dataclass
from typing import ClassVar

from dupgroups_papers.codecs import weight_codec
from dupgroups_papers.verdicts.share import ShareJudge


@dataclass(frozen=True)
class WeightedJaccard(ShareJudge):
    """Judges by the weight that two texts share; the table above explains the fields."""

    threshold: float = 0.4
    containment: float = 0.7
    near: float = 0.15
    reason: ClassVar[str] = (
        "{alike:.0%} of the weight of their phrases is common to both, {covered:.0%} of the lighter's."
    )

    def measure_shared(self, a: bytes, b: bytes) -> tuple[float, float, float]:
        """See ShareJudge."""
        return weight_codec.estimate_shared(a, b)
