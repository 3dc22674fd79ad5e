"""Henzinger's rule: enough supershingles in common, then enough bits of the projection.

Henzinger: Finding Near-Duplicate Web Pages: A Large-Scale Evaluation of Algorithms (SIGIR 2006), section 5:
the supershingles give the recall; the bits, which depend on every word of the text, remove most wrong pairs.

| field         | default | meaning |
|---------------|---------|---|
| supershingles | 2       | supershingles that must agree |
| bits          | 355     | bits of 384 that must agree; the same share of a longer or shorter projection |

Enough supershingles agree, but too few bits, because the texts are short:

>>> from dupgroups.model import Content, Record
>>> from dupgroups.signatures.henzinger import Henzinger
>>> from dupgroups.verdicts.henzinger import HenzingerRule
>>> signer = Henzinger(supershingle=3, least=1)
>>> texts = (
...     "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said.",
...     "KESSEL: The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said.",
... )
>>> one, two = (Record(text, text, "", signer(Content(text))) for text in texts)
>>> verdict = HenzingerRule()(one, two)
>>> verdict.relation, verdict.reason
('near', '18 of 28 supershingles agree (a copy needs 2), and 90.4% of the bits (a copy needs 92.4%).')
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dupgroups.errors import ConfigError
from dupgroups.model import Record, Relation, Verdict
from dupgroups.sketches.projections import distance
from dupgroups.verdicts.base import Signal, at_least, graded, too_short

_OF = 384  # the length of the projection that the threshold refers to


@dataclass(frozen=True)
class HenzingerRule:
    """Judges by supershingles and bits; the table above explains the fields."""

    supershingles: int = 2
    bits: int = 355

    def __post_init__(self) -> None:
        if not 1 <= self.supershingles <= 255:
            raise ConfigError("supershingles must be between 1 and 255")
        if not _OF // 2 <= self.bits <= _OF:
            raise ConfigError(f"bits must be between {_OF // 2}, which agree by chance, and {_OF}")

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` relates to `b`. The score is the lower one of both tests; `near` passes one of them."""
        short = too_short(a, b)
        if short:
            return short
        common, count, agree = _agreement(a, b)
        scores = (
            graded(common / count, min(1.0, self.supershingles / count)),
            graded(agree, self.bits / _OF),
        )
        reason = (
            f"{common} of {count} supershingles agree (a copy needs {self.supershingles}), and {agree:.1%} "
            f"of the bits (a copy needs {self.bits / _OF:.1%})."
        )
        return Verdict(_relation(scores), min(scores), reason)

    def signals(self, a: Record, b: Record) -> tuple[Signal, ...]:
        """See verdicts.base.Explaining."""
        if too_short(a, b):
            return ()
        common, count, agree = _agreement(a, b)
        needed = min(self.supershingles, count)
        return (
            at_least("supershingles that agree", common, needed, "supershingles"),
            at_least("bits that agree", agree, self.bits / _OF, f"bits / {_OF}"),
        )


def _agreement(a: Record, b: Record) -> tuple[int, int, float]:
    """The supershingles that agree, all of them, and the share of the bits that agree."""
    (supers_a, bits_a), (supers_b, bits_b) = _parts(a), _parts(b)
    agree = 1 - distance(bits_a, bits_b) / (8 * len(bits_a))
    return int(np.count_nonzero(supers_a == supers_b)), len(supers_a), agree


def _relation(scores: tuple[float, float]) -> Relation:
    if min(scores) >= 0.5:
        return "duplicate"
    return "near" if max(scores) >= 0.5 else "different"


def _parts(record: Record) -> tuple[np.ndarray[tuple[int], np.dtype[np.uint64]], bytes]:
    """The supershingles and the bits of a record."""
    body = record.signature.body
    end = 1 + 8 * body[0] if body else 1
    if end == 1 or len(body) <= end:
        raise ConfigError(
            f"the judge 'henzinger' reads signatures of henzinger, not of {record.signature.scheme!r}"
        )
    return np.frombuffer(body[1:end], ">u8").astype(np.uint64), body[end:]
