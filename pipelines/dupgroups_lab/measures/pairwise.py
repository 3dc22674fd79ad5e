"""Pair-wise precision, recall, F1 and Matthews correlation.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), section 5.1.1; MCC as
in Alonso, Fetterly, Manasse: Near Duplicate News Story Detection Revisited.

TP: found and positive; FP: found and negative; FN: positive and not found; TN: neither. Ignored pairs are not
counted.
"""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import dataclass

from dupgroups_lab.labels.pairs import Pair, Truth


@dataclass(frozen=True, slots=True)
class Confusion:
    """Numbers of pairs, each >= 0 (integers, except as means over samples)."""

    tp: float
    fp: float
    fn: float
    tn: float

    @property
    def precision(self) -> float:
        """TP / (TP + FP), 0 to 1; 0 when nothing was found."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """TP / (TP + FN), 0 to 1; 0 when nothing is positive."""
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall, 0 to 1; 0 without TP."""
        return ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def mcc(self) -> float:
        """(TP TN - FP FN) / sqrt((TP+FP)(TP+FN)(TN+FP)(TN+FN)), -1 to 1; 0 when a sum is 0."""
        tp, fp, fn, tn = self.tp, self.fp, self.fn, self.tn
        return ratio(tp * tn - fp * fn, math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


def confusion(found_pairs: Set[Pair], truth: Truth) -> Confusion:
    """The confusion over all pairs of the documents except ignored ones. Nothing found gives TP = FP = 0."""
    counted = found_pairs - truth.ignored
    tp = len(counted & truth.positive)
    fp, fn = len(counted) - tp, len(truth.positive) - tp
    return Confusion(tp, fp, fn, pairs_of(len(truth.documents)) - len(truth.ignored) - tp - fp - fn)


def pairs_of(documents: int) -> int:
    """The number of pairs of n documents: n (n - 1) / 2."""
    return documents * (documents - 1) // 2


def ratio(part: float, whole: float) -> float:
    """part / whole; 0 when `whole` is 0."""
    return part / whole if whole else 0.0
