"""An and Cheng's recall and precision on labelled documents, with every pair of feature strings compared.

An, Cheng: The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance, section VI. The paper
tells one recall and precision, of pages, at alpha 0.8 and epsilon 0.2; of beta it says only that it is at
most alpha. Here each of the three is varied while the others stay as `OverlapFactors` has them.

A page is a duplicate when a pair of it is positive, and identified when a pair of it is found; it is
identified correctly when one such pair is both.

| setting | values | the paper |
|---|---|---|
| ALPHAS   | 0.5 to 1   | 0.8 |
| BETAS    | 0 to 0.8   | no value given |
| EPSILONS | 0 to 0.2   | 0.2 |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from dupgroups.signatures.period_string import PeriodString, feature_string
from dupgroups.verdicts.overlap_factors import OverlapFactors
from dupgroups_lab.labels.pairs import Truth, pair
from dupgroups_lab.measures.curves import Floats
from dupgroups_lab.measures.pairwise import Confusion, confusion, ratio
from dupgroups_lab.papers.extracted import Texts

ALPHAS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
BETAS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
EPSILONS = (0.0, 0.1, 0.2)
PUBLISHED = (0.978, 0.967)
"""Precision and recall of pages that the paper reports."""


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Of definition 4: least overlap with the shorter and the longer string, and more of the former for pages
    of one host.
    """

    alpha: float = OverlapFactors.alpha
    beta: float = OverlapFactors.beta
    epsilon: float = OverlapFactors.epsilon


@dataclass(frozen=True, slots=True)
class Pages:
    """Numbers of pages: `duplicate` ones, `identified` ones, and those `correct` in both."""

    duplicate: int
    identified: int
    correct: int

    @property
    def precision(self) -> float:
        """correct / identified, 0 to 1; 0 when none is identified."""
        return ratio(self.correct, self.identified)

    @property
    def recall(self) -> float:
        """correct / duplicate, 0 to 1; 0 when none is a duplicate."""
        return ratio(self.correct, self.duplicate)


@dataclass(frozen=True, slots=True)
class Reached:
    """What the coefficients reach, counted in pairs and in pages."""

    pairs: Confusion
    pages: Pages


@dataclass(frozen=True)
class Overlaps:
    """All pairs (places `first` < `second`) whose strings have something in common, each array (p,).

    `shorter` and `longer` are LCC divided by the length of the shorter and of the longer string, 0 to 1;
    `same_host` says whether both pages are on one host. `strings` is how many documents have a string.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    shorter: Floats
    longer: Floats
    same_host: NDArray[np.bool_]
    strings: int

    def reached(self, truth: Truth, given: Coefficients) -> Reached:
        """Pairs and pages of the documents of `truth` that these coefficients find."""
        alpha = np.minimum(1.0, given.alpha + given.epsilon * self.same_host)
        found = (self.shorter >= alpha) & (self.longer >= given.beta)
        ids = truth.documents
        places = zip(self.first[found].tolist(), self.second[found].tolist(), strict=True)
        pairs = {pair(ids[a], ids[b]) for a, b in places} - truth.ignored
        return Reached(
            confusion(pairs, truth),
            Pages(*map(_documents, (truth.positive, pairs, pairs & truth.positive))),
        )


def overlaps(texts: Texts, hosts: Texts, truth: Truth) -> Overlaps:
    """The overlaps of the documents of `truth`: their texts and hosts ("" unknown), by id.

    Strings are cut, and passed over, as `PeriodString` does with its defaults. Every pair is compared.
    """
    signer = PeriodString()
    every = [feature_string(texts[own])[: signer.longest] for own in truth.documents]
    places = np.array([at for at, string in enumerate(every) if len(string) >= signer.least], np.int64)
    strings = [every[at] for at in places]
    sizes = np.array([len(each) for each in strings], np.int64)
    host = np.array([hosts[truth.documents[at]] for at in places], np.str_)
    none = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, np.bool_)
    rows = [none]
    for own, string in enumerate(strings):
        long, short = np.maximum(sizes[own], sizes[:own]), np.minimum(sizes[own], sizes[:own])
        shared = long - cdist([string], strings[:own], scorer=Levenshtein.distance)[0]
        met = np.flatnonzero(shared)
        same = (host[met] == host[own]) & (host[met] != "")
        second = np.full(len(met), places[own])
        rows.append((places[met], second, shared[met] / short[met], shared[met] / long[met], same))
    first, second, shorter, longer, same_host = map(np.concatenate, zip(*rows, strict=True))
    return Overlaps(first, second, shorter, longer, same_host.astype(np.bool_), len(strings))


Row = tuple[Coefficients, Reached]


@dataclass(frozen=True, slots=True)
class Ablation:
    """What each coefficient does, value by value, and the best combination of all values by F1 of pairs.

    `strings` is how many documents have a feature string.
    """

    strings: int
    varied: Mapping[str, Sequence[Row]]
    best: Row


def ablation(texts: Texts, hosts: Texts, truth: Truth) -> Ablation:
    """Measure on the documents of `truth`: their texts and hosts ("" unknown), by id."""
    found = overlaps(texts, hosts, truth)

    def row(given: Coefficients) -> Row:
        return given, found.reached(truth, given)

    grid = (Coefficients(*each) for each in product(ALPHAS, BETAS, EPSILONS) if each[1] <= each[0])
    return Ablation(
        found.strings,
        {
            "alpha": [row(Coefficients(alpha=each)) for each in ALPHAS],
            "beta": [row(Coefficients(beta=each)) for each in BETAS],
            "epsilon": [row(Coefficients(epsilon=each)) for each in EPSILONS],
        },
        max(map(row, grid), key=lambda each: each[1].pairs.f1),
    )


def _documents(pairs: Iterable[tuple[str, str]]) -> int:
    return len({own for each in pairs for own in each})
