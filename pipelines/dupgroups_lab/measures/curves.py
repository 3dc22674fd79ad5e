"""Scores over all thresholds: precision and recall, the ROC curve and the area under it.

Area and interval: Hanley, McNeil: The meaning and use of the area under a receiver operating characteristic
(ROC) curve, Radiology 143 (1982), as CEDAR uses them (sections 5.1.1 and 5.2).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NORMAL_QUANTILE = 1.959964  # quantile of the normal distribution for 95 % intervals


@dataclass(frozen=True)
class Scores:
    """Scores (0 to 1) of the positive pairs, shape (p,), and of the negative ones, shape (n,).

    There are `more` negative pairs that are not listed; their score is 0. A pair of score 0 is never found.
    """

    positive: Floats
    negative: Floats
    more: int = 0

    @classmethod
    def of(cls, positive: Iterable[float], negative: Iterable[float], more: int = 0) -> Scores:
        """Scores from any iterables of numbers."""
        return cls(np.array(list(positive), np.float64), np.array(list(negative), np.float64), more)

    @property
    def negatives(self) -> int:
        """How many negative pairs there are."""
        return len(self.negative) + self.more

    @cached_property
    def curve(self) -> Curve:
        """The true and false positives at every distinct score above 0."""
        thresholds = np.unique(np.concatenate((self.positive, self.negative)))
        thresholds = thresholds[thresholds > 0][::-1]
        return Curve(
            thresholds,
            _at_least(self.positive, thresholds),
            _at_least(self.negative, thresholds),
            len(self.positive),
            self.negatives,
        )


@dataclass(frozen=True)
class Curve:
    """The pairs with at least the score of each threshold, thresholds from the highest down, shape (t,).

    `tp` of the `positives` positive pairs and `fp` of the `negatives` negative ones, both (t,).
    """

    thresholds: Floats
    tp: NDArray[np.int64]
    fp: NDArray[np.int64]
    positives: int
    negatives: int

    @property
    def precision(self) -> Floats:
        """TP / (TP + FP), shape (t,), 0 to 1."""
        return np.asarray(self.tp / np.maximum(self.tp + self.fp, 1))

    @property
    def f1(self) -> Floats:
        """2 TP / (TP + FP + positives), shape (t,), 0 to 1."""
        return np.asarray(2 * self.tp / np.maximum(self.tp + self.fp + self.positives, 1))

    @property
    def mcc(self) -> Floats:
        """Matthews correlation, shape (t,), -1 to 1; 0 where a sum is 0."""
        tp, fp = self.tp.astype(np.float64), self.fp.astype(np.float64)
        fn, tn = self.positives - tp, self.negatives - fp
        norm = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        return np.asarray((tp * tn - fp * fn) / np.where(norm > 0, norm, np.inf))


def best_threshold(curve: Curve) -> float | None:
    """The threshold of the best F1, the highest on ties; None when no positive pair has a score above 0."""
    if not curve.tp.any():
        return None
    return _midpoint(curve, int(np.argmax(curve.f1)))


def threshold_for(curve: Curve, precision: float) -> float | None:
    """The lowest threshold with at least that precision, hence the best recall; None if there is none."""
    enough = np.flatnonzero((curve.precision >= precision) & (curve.tp > 0))
    return _midpoint(curve, int(enough[-1])) if len(enough) else None


def area_under_roc(scores: Scores) -> float | None:
    """AU-ROC: the probability that a positive pair scores above a negative one, equal scores counting half.

    0 to 1; None without positive or without negative pairs.
    """
    if not len(scores.positive) or not scores.negatives:
        return None
    ordered = np.sort(scores.negative)
    below = np.searchsorted(ordered, scores.positive, "left") + scores.more * (scores.positive > 0)
    upto = np.searchsorted(ordered, scores.positive, "right") + scores.more * (scores.positive >= 0)
    return float((below + upto).sum() / (2 * len(scores.positive) * scores.negatives))


def hanley_mcneil(area: float, positives: int, negatives: int) -> tuple[float, float]:
    """The 95 % interval of an area A from p positive and n negative pairs (each >= 1), within 0 to 1.

    SE^2 = (A (1 - A) + (p - 1) (Q1 - A^2) + (n - 1) (Q2 - A^2)) / (p n), Q1 = A / (2 - A),
    Q2 = 2 A^2 / (1 + A).
    """
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    spread = (positives - 1) * (first - area**2) + (negatives - 1) * (second - area**2)
    error = math.sqrt(max(0.0, area * (1 - area) + spread) / (positives * negatives))
    return max(0.0, area - NORMAL_QUANTILE * error), min(1.0, area + NORMAL_QUANTILE * error)


def _at_least(scores: Floats, thresholds: Floats) -> NDArray[np.int64]:
    return np.asarray(len(scores) - np.searchsorted(np.sort(scores), thresholds, "left"))


def _midpoint(curve: Curve, index: int) -> float:
    """Halfway to the next lower score, so that unseen pairs of similar scores fall on the same side."""
    lower = curve.thresholds[index + 1] if index + 1 < len(curve.thresholds) else curve.thresholds[index]
    return float(curve.thresholds[index] + lower) / 2
