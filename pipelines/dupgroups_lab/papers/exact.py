"""Exact similarities of all pairs of documents, and what they can do over all thresholds.

The ablations of the papers compare features and filters, not keys and sketches, so nothing is estimated and
no pair is missed: an inverted index leads to all pairs that share a feature; the others have similarity 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupgroups.sketches.sets import firsts
from dupgroups_lab.labels.pairs import Pair, Truth, pair
from dupgroups_lab.measures.curves import Curve, Floats, Scores, Z, area_under_roc, hanley_mcneil
from dupgroups_lab.measures.pairwise import pairs_of

Features = NDArray[np.unsignedinteger]
Weighted = tuple[Features, Floats]  # distinct features and their weights, both (n,)
Places = NDArray[np.int64]
Told = Callable[[int, int], None]  # how many of how many variants are measured


@dataclass(frozen=True)
class Similar:
    """The similarity `alike` (0 to 1) of the sets at places `first` < `second`, each of shape (p,).

    In the order of `second`, then `first`. Pairs that are not there share nothing.
    """

    first: Places
    second: Places
    alike: Floats

    def found(self, documents: Sequence[str], threshold: float) -> set[Pair]:
        """The pairs of at least this similarity, by the ids of the documents at these places."""
        chosen = self.alike >= threshold
        places = zip(self.first[chosen].tolist(), self.second[chosen].tolist(), strict=True)
        return {pair(documents[a], documents[b]) for a, b in places}


def similarities(sets: Sequence[Weighted]) -> Similar:
    """Weighted Jaccard similarities of all sets that share a feature.

    Weights are above 0: with weights of 1 it is Jaccard's own measure. No sets give no pairs.
    """
    if not sets:
        return _joined([])
    sizes = [len(features) for features, _ in sets]
    totals = np.array([weights.sum() for _, weights in sets])
    features = np.concatenate([each.astype(np.uint64) for each, _ in sets])
    order = np.argsort(features, kind="stable")
    starts = np.maximum.accumulate(np.where(firsts(features[order]), np.arange(len(order)), 0))
    owners = np.repeat(np.arange(len(sets)), sizes)[order]
    weights = np.concatenate([each for _, each in sets])[order]
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    found = []
    for own, place in enumerate(np.split(places, np.cumsum(sizes)[:-1])):
        before = place - starts[place]  # how many earlier sets hold the feature
        first = np.repeat(starts[place] - np.cumsum(before) + before, before)
        others = first + np.arange(len(first))
        shared = np.minimum(weights[others], np.repeat(weights[place], before))
        both = np.bincount(owners[others], shared, own)
        met = np.flatnonzero(both)
        alike = both[met] / (totals[met] + totals[own] - both[met])
        found.append((met, np.full(len(met), own), np.minimum(alike, 1.0)))
    return _joined(found)


def _joined(parts: Sequence[tuple[Places, Places, Floats]]) -> Similar:
    none = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    return Similar(*map(np.concatenate, zip(none, *parts, strict=True)))


def scores(similar: Similar, truth: Truth) -> tuple[Scores, Scores]:
    """Of all pairs of the documents of `truth`, at the places where these stand, and of the listed pairs."""
    size = len(truth.documents)
    at = {own: place for place, own in enumerate(truth.documents)}
    codes = similar.second * size + similar.first  # ascending

    def coded(pairs: Set[Pair]) -> Places:
        ordered = (sorted((at[a], at[b])) for a, b in pairs)
        return np.array([second * size + first for first, second in ordered], np.int64)

    def alike(pairs: Set[Pair]) -> Floats:
        wanted = coded(pairs)
        place = np.searchsorted(codes, wanted)
        met = np.append(codes, -1)[place] == wanted
        return np.where(met, np.append(similar.alike, 0.0)[place], 0.0)

    positive = alike(truth.positive)
    negative = similar.alike[~np.isin(codes, coded(truth.positive | truth.ignored))]
    more = pairs_of(size) - len(truth.ignored) - len(positive) - len(negative)
    return Scores(positive, negative, more), Scores(positive, alike(truth.hard))


@dataclass(frozen=True, slots=True)
class Best:
    """The best F1 (0 to 1) and the best MCC (-1 to 1) over all thresholds, and the threshold of that F1."""

    f1: float
    threshold: float
    mcc: float

    @classmethod
    def of(cls, told: Scores) -> Best:
        """All 0 when no pair has a score."""
        curve = told.curve
        if not len(curve.thresholds):
            return cls(0.0, 0.0, 0.0)
        place = int(np.argmax(curve.f1))
        return cls(float(curve.f1[place]), float(curve.thresholds[place]), float(_mcc(curve).max()))


@dataclass(frozen=True, slots=True)
class Reached:
    """What one variant reaches over all pairs and over the listed ones; `area` is the AU-ROC of all pairs,
    0 to 1, and `spread` its standard error (Hanley and McNeil).
    """

    every: Best
    listed: Best
    area: float
    spread: float

    @classmethod
    def of(cls, sets: Sequence[Weighted], truth: Truth) -> Reached:
        """Of the features of each document of `truth`, in the order of its documents."""
        every, listed = scores(similarities(sets), truth)
        area = area_under_roc(every)
        low, _ = hanley_mcneil(area, len(every.positive), every.negatives) if area else (0.0, 0.0)
        return cls(Best.of(every), Best.of(listed), area or 0.0, ((area or 0.0) - low) / Z)


def _mcc(curve: Curve) -> Floats:
    """Matthews correlation at each threshold, shape (t,), -1 to 1; 0 where a sum is 0."""
    tp, fp = curve.tp.astype(np.float64), curve.fp.astype(np.float64)
    fn, tn = curve.positives - tp, curve.negatives - fp
    norm = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return np.asarray((tp * tn - fp * fn) / np.where(norm > 0, norm, np.inf))
