"""The number of fingerprints in which two signatures agree, compared place by place.

Kolcz, Chowdhury, Alspector (KDD 2004): two texts are duplicates when one of their I-Match signatures by
several lexicons agrees. One exact fingerprint is the simplest case.

| field | default | meaning |
|-------|---------|---|
| least | 1       | fingerprints that must agree |

I-Match with the whole lexicon and four random ones; the texts differ in one word of the window:

>>> from dupgroups import compare
>>> from dupgroups.model.config import Config, Method, Step
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> method = Method(None, Step.parse("imatch lexicons=4 least=2"), Step("fingerprints"))
>>> verdict = compare(text, text.replace("missing", "safe"), Config(methods={"en": method}))
>>> verdict.relation, verdict.reason
('duplicate', '3 of 5 fingerprints agree (a copy needs 1).')
"""

from dataclasses import dataclass

import numpy as np

from dupgroups.errors import ConfigError
from dupgroups.methods.signals import Signal
from dupgroups.methods.verdicts.base import grade
from dupgroups.model import Record, Verdict
from dupgroups_papers.verdicts.share import MeasuringJudge

# bytes of a fingerprint; all zeros mean that it is missing, and a missing one never agrees
_FINGERPRINT_BYTES = 8


@dataclass(frozen=True)
class Fingerprints(MeasuringJudge):
    """Judges by the number of fingerprints that agree; the table above explains the field."""

    least: int = 1

    def __post_init__(self) -> None:
        if self.least < 1:
            raise ConfigError("least must be at least 1")

    def judge_measured(self, a: Record, b: Record) -> tuple[Verdict, tuple[Signal, ...]]:
        """How `a` relates to `b`. The score is 0.5 when `least` agree and 1 when all present ones agree."""
        agree, present = _agreement(a, b)
        score = grade(agree / present, min(1.0, self.least / present))
        reason = f"{agree} of {present} fingerprints agree (a copy needs {self.least})."
        signal = Signal("fingerprints that agree", agree, min(self.least, present), "least")
        return Verdict("duplicate" if score >= 0.5 else "different", score, reason), (signal,)


def _agreement(a: Record, b: Record) -> tuple[int, int]:
    """How many fingerprints agree, and how many are present in at least one of the records."""
    one, two = _fingerprints(a), _fingerprints(b)
    if len(one) != len(two):
        raise ConfigError(
            "these signatures have different numbers of fingerprints: run `dup-groups backfill`"
        )
    return int(np.count_nonzero((one == two) & (one != 0))), int(np.count_nonzero(one | two))


def _fingerprints(record: Record) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    body = record.signature.body
    if not body or len(body) % _FINGERPRINT_BYTES:
        raise ConfigError(
            f"the judge 'fingerprints' reads signatures of imatch or fingerprint, not of "
            f"{record.signature.scheme!r}"
        )
    return np.frombuffer(body, ">u8").astype(np.uint64)
