"""The ablations of Alonso, Fetterly and Manasse on labelled documents, by exact similarities.

Near Duplicate News Story Detection Revisited compares lists of antecedents for SpotSigs, eleven weightings of
phrases, and the percentage of documents above which a phrase is dropped, each by its best F1 over all
thresholds. The document frequencies are those of the documents themselves, as in the paper, whose labelled
pairs were drawn evenly over all similarities: `listed` is nearest to that, `every` counts all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dupgroups.evaluation.curves import Curve, Floats, Scores
from dupgroups.evaluation.labelled import Pair, Truth, pair
from dupgroups.evaluation.pairwise import pairs_of
from dupgroups.model import Content
from dupgroups.signatures.spotsigs import ANTECEDENTS, CHINESE, SpotSigs
from dupgroups.signatures.weighted_phrases import WeightedPhrases
from dupgroups.text.frequencies import Frequencies, terms_and_phrases
from dupgroups.text.hashing import Hashes
from dupgroups.text.sets import firsts
from dupgroups.text.stored_sets import members

WEIGHTINGS: Mapping[str, float] = MappingProxyType(
    {
        "uniform": 0.8352,
        "df": 0.8275,
        "log_df": 0.8429,
        "log_idf": 0.8093,
        "df2": 0.8505,
        "df3": 0.8449,
        "df4": 0.8470,
        "log2_df": 0.8352,
        "log3_df": 0.8288,
        "log4_df": 0.8257,
        "log10_df": 0.8307,
    }
)
"""Weightings and the best F1 that the paper reports for each."""

COMMON = (1, 5, 25, 50, 75, 95, 99)
"""Per cent of the documents above which a phrase is dropped; the paper finds 50 best."""

Weighted = tuple[Hashes | NDArray[np.uint32], Floats]  # distinct features and their weights, both (n,)
Told = Callable[[int, int], None]  # how many of how many variants are measured


@dataclass(frozen=True, slots=True)
class Best:
    """The best F1 (0 to 1) and the best MCC (-1 to 1) over all thresholds, and the threshold of that F1."""

    f1: float
    threshold: float
    mcc: float

    @classmethod
    def of(cls, scores: Scores) -> Best:
        """All 0 when no pair has a score."""
        curve = scores.curve
        if not len(curve.thresholds):
            return cls(0.0, 0.0, 0.0)
        place = int(np.argmax(curve.f1))
        return cls(float(curve.f1[place]), float(curve.thresholds[place]), float(_mcc(curve).max()))


@dataclass(frozen=True, slots=True)
class Row:
    """What one variant reaches over all pairs and over the listed ones; `published` is the paper's F1."""

    name: str
    published: float | None
    every: Best
    listed: Best


@dataclass(frozen=True, slots=True)
class Ablation:
    """The three tables."""

    antecedents: Sequence[Row]
    weightings: Sequence[Row]
    common: Sequence[Row]


def ablation(
    contents: Mapping[str, Content], truth: Truth, size: int = 7, told: Told = lambda done, total: None
) -> Ablation:
    """Measure all variants on the articles of `truth`, by id, with phrases of `size` words."""
    texts = [contents[own] for own in truth.documents]
    known = Frequencies.learn(terms_and_phrases(each.text, size) for each in texts)
    total, done = len(ANTECEDENTS) + 1 + len(WEIGHTINGS) + len(COMMON), 0

    def row(name: str, published: float | None, features: Callable[[Content], Weighted]) -> Row:
        nonlocal done
        every, listed = _scores(list(map(features, texts)), truth)
        done += 1
        told(done, total)
        return Row(name, published, Best.of(every), Best.of(listed))

    def phrases(weighting: str = "df2", common: float = 50) -> Callable[[Content], Weighted]:
        return WeightedPhrases(size, weighting, common, frequencies=known).weighted

    lists = {**ANTECEDENTS, CHINESE: None}
    return Ablation(
        [row(name, published, _spots(name)) for name, published in lists.items()],
        [row(name, published, phrases(name)) for name, published in WEIGHTINGS.items()],
        [row(f"{percent} %", None, phrases(common=percent)) for percent in COMMON],
    )


def similarities(sets: Sequence[Weighted]) -> Iterator[tuple[int, int, float]]:
    """Pairs (i, j, weighted Jaccard similarity), i < j, of all sets that share a feature. Exact.

    Weights are above 0; no sets give no pairs.
    """
    if not sets:
        return
    offsets = np.cumsum([0, *(len(features) for features, _ in sets)])
    features = np.concatenate([each.astype(np.uint64) for each, _ in sets])
    order = np.argsort(features, kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    ordered = features[order]
    starts = np.maximum.accumulate(np.where(firsts(ordered), np.arange(len(order)), 0))
    owners = np.repeat(np.arange(len(sets)), np.diff(offsets))[order]
    weights = np.concatenate([each for _, each in sets])[order]
    totals = np.array([each.sum() for _, each in sets])
    for own in range(len(sets)):
        place = places[offsets[own] : offsets[own + 1]]
        before = place - starts[place]  # how many earlier sets hold the feature
        first = np.repeat(starts[place] - np.cumsum(before) + before, before)
        others = first + np.arange(len(first))
        shared = np.minimum(weights[others], np.repeat(weights[place], before))
        both = np.bincount(owners[others], shared, own)
        for other in np.flatnonzero(both).tolist():
            yield other, own, min(1.0, float(both[other] / (totals[other] + totals[own] - both[other])))


def _scores(sets: Sequence[Weighted], truth: Truth) -> tuple[Scores, Scores]:
    """Over all pairs, and over the listed ones; a pair that shares nothing has score 0."""
    ids = truth.documents
    found: dict[Pair, float] = {pair(ids[a], ids[b]): alike for a, b, alike in similarities(sets)}
    positive = [found.get(own, 0.0) for own in truth.positive]
    negative = [
        alike for own, alike in found.items() if own not in truth.positive and own not in truth.ignored
    ]
    more = pairs_of(len(ids)) - len(truth.ignored) - len(positive) - len(negative)
    listed = Scores.of(positive, (found.get(own, 0.0) for own in truth.hard))
    return Scores.of(positive, negative, more), listed


def _spots(antecedents: str) -> Callable[[Content], Weighted]:
    signer = SpotSigs(antecedents, least=1)

    def spots(content: Content) -> Weighted:
        signed = signer(content)
        found = members(signed.body) if signed else np.zeros(0, np.uint32)
        return found, np.ones(len(found))

    return spots


def _mcc(curve: Curve) -> Floats:
    """Matthews correlation at each threshold, shape (t,), -1 to 1; 0 where a sum is 0."""
    tp, fp = curve.tp.astype(np.float64), curve.fp.astype(np.float64)
    fn, tn = curve.positives - tp, curve.negatives - fp
    norm = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return np.asarray((tp * tn - fp * fn) / np.where(norm > 0, norm, np.inf))
