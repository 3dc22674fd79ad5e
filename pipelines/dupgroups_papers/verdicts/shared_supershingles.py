"""The number of supershingles that two sketches of shingles have in common.

Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web (1997). Gibson, Wellner, Lubar:
Identification of Duplicate News Stories in Web Pages (CEDAR), section 2.2: the shingles that a sketch keeps
are shingled again, and two documents with a single supershingle in common are near duplicates. How similar
they are is not measured.

| field | default | meaning |
|-------|---------|---|
| size  | 2       | kept values in a supershingle: as many as the `supershingle` of `shingling` |
| least | 1       | supershingles that must be common to both |

The texts differ by a word, and share 11 of the 14 supershingles of the shorter one:

>>> from dupgroups import compare
>>> from dupgroups.model.config import Config, Method, Step
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> method = Method(None, Step.parse("shingling modulus=1 least=1"), Step("supershingles"))
>>> verdict = compare(text, text.replace("people ", ""), Config(methods={"en": method}))
>>> verdict.relation, verdict.reason
('duplicate', '11 of 14 supershingles are common to both (a copy needs 1).')
"""

from dataclasses import dataclass

from dupgroups.errors import ConfigError
from dupgroups.methods.signals import Signal
from dupgroups.methods.verdicts.base import grade
from dupgroups.model import Record, Verdict
from dupgroups_papers.codecs import set_codec
from dupgroups_papers.sketches.set_sketches import common
from dupgroups_papers.verdicts.share import MeasuringJudge


@dataclass(frozen=True)
class Supershingles(MeasuringJudge):
    """Judges by the supershingles that are common to both; the table above explains the fields."""

    size: int = 2
    least: int = 1

    def __post_init__(self) -> None:
        if self.size < 1 or self.least < 1:
            raise ConfigError("size and least must be at least 1")

    def judge_measured(self, a: Record, b: Record) -> tuple[Verdict, tuple[Signal, ...]]:
        """How `a` relates to `b`. The score is 0.5 when `least` are common, 1 when all are."""
        one, two = (set_codec.supershingles(record.signature.body, self.size) for record in (a, b))
        both, fewer = common(one, two), max(1, min(len(one), len(two)))
        score = grade(both / fewer, min(1.0, self.least / fewer))
        reason = f"{both} of {fewer} supershingles are common to both (a copy needs {self.least})."
        signal = Signal("supershingles common to both", both, min(self.least, fewer), "least")
        return Verdict("duplicate" if score >= 0.5 else "different", score, reason), (signal,)
