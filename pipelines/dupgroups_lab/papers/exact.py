"""Exact similarities of all pairs of documents, and their scores over all thresholds.

The experiments of the papers compare features and filters, not keys and sketches, so nothing is estimated and
no pair is missed: an inverted index leads to all pairs that share a feature; the others have similarity 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.sets import firsts
from dupgroups_lab.labels.labelled_pairs import Pair, Truth, pair
from dupgroups_lab.measures.bootstrap import Samples
from dupgroups_lab.measures.curves import NORMAL_QUANTILE, Floats, Scores, area_under_roc, hanley_mcneil
from dupgroups_lab.measures.pairwise import pairs_of

Features = NDArray[np.unsignedinteger]
Weighted = tuple[Features, Floats]  # distinct features and their weights, both (n,)
Places = NDArray[np.int64]
Progress = Callable[[int, int], None]  # called with the number of variants measured, and of all


@dataclass(frozen=True)
class Similar:
    """The similarity `alike` (0 to 1) of the sets at indices `first` < `second`, each of shape (p,).

    In the order of `second`, then `first`. Pairs that are missing share no feature.
    """

    first: Places
    second: Places
    alike: Floats

    def pairs_above(self, documents: Sequence[str], threshold: float) -> set[Pair]:
        """The pairs of at least this similarity, as ids; `documents` gives the id at each index."""
        return self.pairs_at(documents, np.flatnonzero(self.alike >= threshold))

    def pairs_at(self, documents: Sequence[str], chosen: Places) -> set[Pair]:
        """These pairs, as ids."""
        indices = zip(self.first[chosen].tolist(), self.second[chosen].tolist(), strict=True)
        return {pair(documents[a], documents[b]) for a, b in indices}


def similarities(sets: Sequence[Weighted]) -> Similar:
    """Weighted Jaccard similarities of all sets that share a feature.

    Weights are above 0; weights of 1 give the plain Jaccard measure. No sets give no pairs.
    """
    if not sets:
        return _concatenate([])
    sizes = [len(features) for features, _ in sets]
    totals = np.array([weights.sum() for _, weights in sets])
    features = np.concatenate([set_features.astype(np.uint64) for set_features, _ in sets])
    order = np.argsort(features, kind="stable")
    starts = np.maximum.accumulate(np.where(firsts(features[order]), np.arange(len(order)), 0))
    owners = np.repeat(np.arange(len(sets)), sizes)[order]
    weights = np.concatenate([set_weights for _, set_weights in sets])[order]
    positions = np.empty(len(order), np.int64)
    positions[order] = np.arange(len(order))
    parts = []
    for number, position in enumerate(np.split(positions, np.cumsum(sizes)[:-1])):
        before = position - starts[position]  # how many earlier sets hold the feature
        first = np.repeat(starts[position] - np.cumsum(before) + before, before)
        others = first + np.arange(len(first))
        shared = np.minimum(weights[others], np.repeat(weights[position], before))
        both = np.bincount(owners[others], shared, number)
        sharing = np.flatnonzero(both)
        alike = both[sharing] / (totals[sharing] + totals[number] - both[sharing])
        parts.append((sharing, np.full(len(sharing), number), np.minimum(alike, 1.0)))
    return _concatenate(parts)


def _concatenate(parts: Sequence[tuple[Places, Places, Floats]]) -> Similar:
    no_pairs = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    return Similar(*map(np.concatenate, zip(no_pairs, *parts, strict=True)))


def scores(similar: Similar, truth: Truth) -> tuple[Scores, Scores]:
    """Scores of all pairs of the documents of `truth`, in the order of its documents, and of listed pairs."""
    size = len(truth.documents)
    index_of = {document: index for index, document in enumerate(truth.documents)}
    codes = similar.second * size + similar.first  # ascending

    def coded(pairs: Set[Pair]) -> Places:
        ordered = (sorted((index_of[a], index_of[b])) for a, b in pairs)
        return np.array([second * size + first for first, second in ordered], np.int64)

    def alike(pairs: Set[Pair]) -> Floats:
        wanted = coded(pairs)
        index = np.searchsorted(codes, wanted)
        known = np.append(codes, -1)[index] == wanted
        return np.where(known, np.append(similar.alike, 0.0)[index], 0.0)

    positive = alike(truth.positive)
    negative = similar.alike[~np.isin(codes, coded(truth.positive | truth.ignored))]
    more = pairs_of(size) - len(truth.ignored) - len(positive) - len(negative)
    return Scores(positive, negative, more), Scores(positive, alike(truth.hard))


@dataclass(frozen=True, slots=True)
class Measured:
    """The scores of a variant over all pairs.

    `f1` has the best F1 (0 to 1) of all thresholds on all documents, then, with the same threshold, that of
    each sample of stories. `mcc` is the best MCC (-1 to 1), `area` the AU-ROC (0 to 1) with its standard
    error `spread` (Hanley and McNeil). `listed` and `drawn` are the best F1 of the listed pairs, and of those
    that were drawn. `silent` documents have no feature.
    """

    f1: Floats
    threshold: float
    mcc: float
    area: float
    spread: float
    listed: float
    drawn: float
    silent: int

    @property
    def best(self) -> float:
        """The best F1 on all documents."""
        return float(self.f1[0])

    @classmethod
    def of(
        cls, sets: Sequence[Weighted], truth: Truth, samples: Samples, drawn: Truth | None = None
    ) -> Measured:
        """Measure the features of each document of `truth`, in the order of its documents.

        `drawn` is the same truth with only the pairs that were drawn as positive and hard ones.
        """
        similar = similarities(sets)
        every, listed = scores(similar, truth)
        of_drawn = scores(similar, drawn)[1] if drawn else listed
        area = area_under_roc(every) or 0.0
        low = hanley_mcneil(area, len(every.positive), every.negatives)[0] if area else 0.0
        best, threshold, mcc = _best(every)
        found = similar.pairs_above(truth.documents, threshold) if best else set()
        return cls(
            *(samples.f1(found), threshold, mcc, area, (area - low) / NORMAL_QUANTILE),
            *(_best(listed)[0], _best(of_drawn)[0]),
            silent=sum(not len(features) for features, _ in sets),
        )


def _best(scores: Scores) -> tuple[float, float, float]:
    """The best F1 over all thresholds, its threshold, and the best MCC; all 0 when no pair has a score."""
    curve = scores.curve
    if not len(curve.thresholds):
        return 0.0, 0.0, 0.0
    index = int(np.argmax(curve.f1))
    return float(curve.f1[index]), float(curve.thresholds[index]), float(curve.mcc.max())
