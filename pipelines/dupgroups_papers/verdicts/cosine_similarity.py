"""The cosine of the angle between two vectors of weighted words.

Salton, Wong, Yang: A Vector Space Model for Automatic Indexing (CACM 1975); CEDAR, section 2.1.

| field     | default | meaning |
|-----------|---------|---|
| threshold | 0.87    | cosine from which two texts are the same story |
| near      | 0.7     | cosine from which two texts are reported as similar |

One of the texts has a word more, which is rare and therefore heavy:

>>> from dupgroups import compare
>>> from dupgroups.model.config import Config, Method, Step
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> method = Method(None, Step.parse("cosine least=1"), Step("cosine"))
>>> verdict = compare(text, "KESSEL: " + text, Config(methods={"en": method}))
>>> verdict.relation, verdict.reason
('duplicate', 'The cosine of their weighted words is 0.91 (a copy needs 0.87).')
"""

from dataclasses import dataclass

from dupgroups.errors import ConfigError
from dupgroups.methods.signals import Signal
from dupgroups.methods.verdicts.base import grade
from dupgroups.model import Record, Relation, Verdict
from dupgroups_papers.codecs.vector_codec import cosine
from dupgroups_papers.verdicts.share import MeasuringJudge


@dataclass(frozen=True)
class CosineSimilarity(MeasuringJudge):
    """Judges by the cosine of TF-IDF vectors; the table above explains the fields."""

    threshold: float = 0.87
    near: float = 0.7

    def __post_init__(self) -> None:
        if not 0 < self.near <= self.threshold <= 1:
            raise ConfigError("near must be above 0, and threshold at least near and at most 1")

    def judge_measured(self, a: Record, b: Record) -> tuple[Verdict, tuple[Signal, ...]]:
        """How `a` relates to `b`."""
        alike = cosine(a.signature.body, b.signature.body)
        reason = f"The cosine of their weighted words is {alike:.2f} (a copy needs {self.threshold:.2f})."
        relation: Relation = "near" if alike >= self.near else "different"
        copied = alike >= self.threshold
        return Verdict("duplicate" if copied else relation, grade(alike, self.threshold), reason), (
            Signal("cosine", alike, self.threshold, "threshold"),
            Signal("cosine, to be similar", alike, self.near, "near"),
        )
