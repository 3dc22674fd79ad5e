"""Pair-wise precision, recall, F1 and Matthews correlation, and the adjusted Rand index of groups.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), section 5.1.1; MCC as
in Alonso, Fetterly, Manasse: Near Duplicate News Story Detection Revisited.

TP: found and positive; FP: found and negative; FN: positive and not found; TN: neither. Ignored pairs are not
counted.

Hubert, Arabie: Comparing partitions (1985). With a, g and c the numbers of pairs that are together in both
partitions, in the groups, and in the clusters, and n the number of all pairs:

    ARI = (a - g c / n) / ((g + c) / 2 - g c / n)

1 for equal partitions, about 0 for random groups, below 0 for worse. Ignored pairs count like others here.
"""

import math
from collections.abc import Set
from dataclasses import dataclass

from dupgroups_lab.labels.labelled_pairs import Pair, Truth


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


def adjusted_rand_index(in_both: int, in_groups: int, in_clusters: int, documents: int) -> float:
    """The adjusted Rand index, -1 to 1, from numbers of pairs together; 1 for equal trivial partitions."""
    chance = in_groups * in_clusters / (pairs_of(documents) or 1)
    mean = (in_groups + in_clusters) / 2
    return 1.0 if mean == chance else (in_both - chance) / (mean - chance)


def pairs_of(documents: int) -> int:
    """The number of pairs of n documents: n (n - 1) / 2."""
    return documents * (documents - 1) // 2


def ratio(part: float, whole: float) -> float:
    """part / whole; 0 when `whole` is 0."""
    return part / whole if whole else 0.0
