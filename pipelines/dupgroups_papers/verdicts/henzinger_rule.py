"""Henzinger's rule: enough supershingles in common, then enough bits of the projection.

Henzinger: Finding Near-Duplicate Web Pages: A Large-Scale Evaluation of Algorithms (SIGIR 2006), section 5:
the supershingles give the recall; the bits, which depend on every word of the text, remove most wrong pairs.
The bits are only counted when one of the equal pieces into which they are cut is the same in both (CEDAR,
section 2.5): that way the paper finds the pairs to count without comparing all, and loses some of them.

| field         | default | meaning |
|---------------|---------|---|
| supershingles | 2       | supershingles that must agree |
| bits          | 355     | bits of 384 that must agree; the same share of a longer or shorter projection |
| pieces        | 12      | pieces of the bits, one of which must be the same; 0 asks for none |

Enough supershingles agree, but too few bits, because the texts are short:

>>> from dupgroups import compare
>>> from dupgroups.model.config import Config, Method, Step
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> steps = Step.parse("henzinger supershingle=3 least=1"), Step.parse("henzinger pieces=0")
>>> method = Method(None, *steps)
>>> verdict = compare(text, "KESSEL: " + text, Config(methods={"en": method}))
>>> verdict.relation, verdict.reason
('near', '18 of 28 supershingles agree (a copy needs 2), and 90.4% of the bits (a copy needs 92.4%).')
"""

from dataclasses import dataclass

import numpy as np

from dupgroups.errors import ConfigError
from dupgroups.methods.signals import Signal
from dupgroups.methods.verdicts.base import grade
from dupgroups.model import Record, Relation, Verdict
from dupgroups_papers.sketches.projections import distance, same_pieces
from dupgroups_papers.verdicts.share import MeasuringJudge

_PAPER_LENGTH = 384  # the length of the projection that the threshold refers to


@dataclass(frozen=True)
class HenzingerRule(MeasuringJudge):
    """Judges by supershingles and bits; the table above explains the fields."""

    supershingles: int = 2
    bits: int = 355
    pieces: int = 12

    def __post_init__(self) -> None:
        if not 1 <= self.supershingles <= 255:
            raise ConfigError("supershingles must be between 1 and 255")
        if not _PAPER_LENGTH // 2 <= self.bits <= _PAPER_LENGTH:
            raise ConfigError(
                f"bits must be between {_PAPER_LENGTH // 2}, which agree by chance, and {_PAPER_LENGTH}"
            )
        if not 0 <= self.pieces <= 64:
            raise ConfigError("pieces must be between 0 and 64")

    def judge_measured(self, a: Record, b: Record) -> tuple[Verdict, tuple[Signal, ...]]:
        """How `a` relates to `b`. The score is the lower one of both tests; `near` passes one of them.

        The second test, that of the bits, is not passed without a piece in common.
        """
        common, count, agree, same = _agreement(a, b, self.pieces)
        counted = grade(agree, self.bits / _PAPER_LENGTH)
        scores = (
            grade(common / count, min(1.0, self.supershingles / count)),
            counted if same or not self.pieces else 0.5 * counted,  # less than 0.5: some bit differs
        )
        pieces = f", with {same} of {self.pieces} pieces the same (a copy needs 1)" if self.pieces else ""
        reason = (
            f"{common} of {count} supershingles agree (a copy needs {self.supershingles}), and {agree:.1%} "
            f"of the bits (a copy needs {self.bits / _PAPER_LENGTH:.1%}){pieces}."
        )
        needed = min(self.supershingles, count)
        return Verdict(_relation(scores), min(scores), reason), (
            Signal("supershingles that agree", common, needed, "supershingles"),
            Signal("bits that agree", agree, self.bits / _PAPER_LENGTH, f"bits / {_PAPER_LENGTH}"),
            Signal("pieces of the bits that are the same", same, min(1, self.pieces), "pieces"),
        )


def _agreement(a: Record, b: Record, pieces: int) -> tuple[int, int, float, int]:
    """The supershingles that agree, all of them, the share of the bits that agree, and the same pieces."""
    (supers_a, bits_a), (supers_b, bits_b) = _parts(a), _parts(b)
    agree = 1 - distance(bits_a, bits_b) / (8 * len(bits_a))
    same = same_pieces(bits_a, bits_b, pieces)
    return int(np.count_nonzero(supers_a == supers_b)), len(supers_a), agree, same


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
