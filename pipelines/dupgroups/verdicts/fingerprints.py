"""How many fingerprints two signatures have in common, each in its own place.

Kolcz, Chowdhury, Alspector (KDD 2004): of I-Match signatures by several lexicons, one in common makes two
texts duplicates. One exact fingerprint is the simplest case.

| field | default | meaning |
|-------|---------|---|
| least | 1       | fingerprints that have to agree |
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dupgroups.errors import ConfigError
from dupgroups.model import Record, Verdict
from dupgroups.verdicts.base import graded, too_short

_SIZE = 8  # bytes of a fingerprint; one of zeros stands for none, which agrees with nothing


@dataclass(frozen=True)
class Fingerprints:
    """Judges by the number of fingerprints that agree; the table above explains the field."""

    least: int = 1

    def __post_init__(self) -> None:
        if self.least < 1:
            raise ConfigError("least is at least 1")

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`: the score is 0.5 where `least` agree and 1 where all do that either has."""
        short = too_short(a, b)
        if short:
            return short
        one, two = _fingerprints(a), _fingerprints(b)
        if len(one) != len(two):
            raise ConfigError(
                "these signatures have unlike numbers of fingerprints: run `dup-groups backfill`"
            )
        agree = int(np.count_nonzero((one == two) & (one != 0)))
        of = int(np.count_nonzero(one | two))
        score = graded(agree / of, min(1.0, self.least / of))
        reason = f"{agree} of {of} fingerprints agree (a copy needs {self.least})."
        return Verdict("duplicate" if score >= 0.5 else "different", score, reason)


def _fingerprints(record: Record) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    body = record.signature.body
    if not body or len(body) % _SIZE:
        raise ConfigError(
            f"the judge 'fingerprints' reads signatures of imatch or fingerprint, not of "
            f"{record.signature.scheme!r}"
        )
    return np.frombuffer(body, ">u8").astype(np.uint64)
