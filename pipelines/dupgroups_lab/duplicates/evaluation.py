"""How well found duplicates agree with labelled ones: every figure, with its interval, and the errors.

Two answers are measured. *Pairs* is what the judge says of two documents that the keys brought
together; *groups* is what a reader sees: every two documents of a group, joined by the configured relations
and their closure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from dupgroups.model import Verdict
from dupgroups_lab.labels.pairs import LABELS, Pair, Truth, closure, pair
from dupgroups_lab.measures.bcubed import BCubed, bcubed_by_document
from dupgroups_lab.measures.bootstrap import intervals
from dupgroups_lab.measures.curves import Scores, area_under_roc, best_threshold, hanley_mcneil
from dupgroups_lab.measures.pairwise import Confusion, confusion, pairs_of, ratio
from dupgroups_lab.measures.rand_index import adjusted

NAMES = {
    # each figure as it is shown
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "mcc": "MCC",
    "b3_precision": "B³ precision",
    "b3_recall": "B³ recall",
    "b3_f1": "B³ F1",
    "ari": "ARI",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """How one answer agrees with the truth: `figures` has each of `NAMES`."""

    confusion: Confusion
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class Area:
    """The area under the ROC curve of some scores, with the interval of Hanley and McNeil."""

    scores: Scores
    figure: Figure | None

    @classmethod
    def of(cls, scores: Scores) -> Area:
        """None as figure when there is nothing to tell apart."""
        area = area_under_roc(scores)
        if area is None:
            return cls(scores, None)
        return cls(scores, Figure(area, *hanley_mcneil(area, len(scores.positive), scores.negatives)))


@dataclass(frozen=True, slots=True)
class Mistake:
    """A pair that was found wrongly, or was missed. `verdict` None: the judge never saw it.

    `judged` is the pair in the order in which the verdict is meant.
    """

    judged: Pair
    verdict: Verdict | None

    @property
    def score(self) -> float:
        """What the judge gave; 0 when it never saw the pair."""
        return self.verdict.score if self.verdict else 0.0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that is measured of one run.

    `every` ranks all pairs, `hard` only the listed ones. `best` is the threshold of the best F1 on these very
    documents, with that F1. `looked_up` is the share of positive pairs that the keys brought to the judge,
    `candidates` the mean number of pairs judged for a document. `wrong` and `missed` are the mistakes of the
    groups, worst first: by falling and by rising score.
    """

    truth: Truth
    pairs: Agreement
    groups: Agreement
    every: Area
    hard: Area
    best: tuple[float, float] | None
    looked_up: float
    candidates: float
    wrong: Sequence[Mistake]
    missed: Sequence[Mistake]


def evaluate(
    groups: Mapping[str, str],
    judged: Iterable[tuple[str, str, Verdict]],
    truth: Truth,
    positive: Sequence[str] = ("duplicate",),
) -> Evaluation:
    """Measure the `groups` of all documents of `truth` and the pairs that were `judged` for them."""
    verdicts = {pair(a, b): (a, b, verdict) for a, b, verdict in judged}
    relations = frozenset(chain.from_iterable(LABELS[each] for each in positive))
    found = {own for own, (_, _, verdict) in verdicts.items() if verdict.relation in relations}
    every, hard = _scores(verdicts, truth)
    best = best_threshold(every.curve)
    grouped = set(_pairs_within(groups))

    def mistakes(pairs: Iterable[Pair]) -> Iterator[Mistake]:
        for a, b, verdict in (verdicts.get(own, (*own, None)) for own in sorted(pairs)):
            yield Mistake((a, b), verdict)

    return Evaluation(
        truth=truth,
        pairs=agreement(found, closure(truth.documents, found), truth),
        groups=agreement(grouped, groups, truth),
        every=Area.of(every),
        hard=Area.of(hard),
        best=None if best is None else (best, float(every.curve.f1.max())),
        looked_up=ratio(len(truth.positive & verdicts.keys()), len(truth.positive)),
        candidates=ratio(len(verdicts), len(truth.documents)),
        wrong=sorted(mistakes(grouped - truth.positive - truth.ignored), key=lambda each: -each.score),
        missed=sorted(mistakes(truth.positive - grouped), key=lambda each: each.score),
    )


def agreement(found: Set[Pair], groups: Mapping[str, str], truth: Truth) -> Agreement:
    """Figures of the found pairs and of the groups (of every document) that go with them."""
    stories = _counts(found, groups, truth)
    values, bounds = _statistic(stories.sum(0)), intervals(stories, _statistic)
    figures = {
        name: Figure(float(value), float(low), float(high))
        for name, value, (low, high) in zip(NAMES, values, bounds, strict=True)
    }
    return Agreement(confusion(found, truth), figures)


def _scores(verdicts: Mapping[Pair, tuple[str, str, Verdict]], truth: Truth) -> tuple[Scores, Scores]:
    """Scores over all pairs, and over the listed ones; a pair that was not judged has 0."""

    def score(own: Pair) -> float:
        return verdicts[own][2].score if own in verdicts else 0.0

    positive = [score(own) for own in truth.positive]
    negative = [score(own) for own in verdicts if own not in truth.positive and own not in truth.ignored]
    pairs = pairs_of(len(truth.documents)) - len(truth.ignored)
    every = Scores.of(positive, negative, pairs - len(positive) - len(negative))
    return every, Scores.of(positive, map(score, truth.hard))


def _pairs_within(groups: Mapping[str, str]) -> Iterator[Pair]:
    members: defaultdict[str, list[str]] = defaultdict(list)
    for own, group in groups.items():
        members[group].append(own)
    for each in members.values():
        yield from combinations(sorted(each), 2)


# -- counts of each story, which add up, so that samples of stories can be measured

_DOCUMENTS, _TP, _FP, _FN, _IGNORED, _P, _R, _BOTH, _FOUND, _TRUE = range(10)


def _counts(found: Set[Pair], groups: Mapping[str, str], truth: Truth) -> NDArray[np.float64]:
    """Counts of each story, shape (stories, 10)."""
    documents = truth.documents
    of = _stories(found, groups, truth)
    counts = np.zeros((len(set(of.values())), 10))
    for own, each in bcubed_by_document(groups, truth).items():
        counts[of[own], [_DOCUMENTS, _P, _R]] += 1, each.precision, each.recall
    counted = found - truth.ignored
    for column, pairs in (
        (_TP, counted & truth.positive),
        (_FP, counted - truth.positive),
        (_FN, truth.positive - counted),
        (_IGNORED, truth.ignored),
    ):
        for a, _ in pairs:
            counts[of[a], column] += 1
    parts: tuple[tuple[int, Callable[[str], Hashable]], ...] = (
        (_BOTH, lambda own: (groups[own], truth.clusters[own])),
        (_FOUND, lambda own: groups[own]),
        (_TRUE, lambda own: truth.clusters[own]),
    )
    for column, part in parts:
        for (story, _), size in Counter((of[own], part(own)) for own in documents).items():
            counts[story, column] += pairs_of(size)
    return counts


def _stories(found: Set[Pair], groups: Mapping[str, str], truth: Truth) -> dict[str, int]:
    """The number of each document's story: what any pair, group or cluster ties together."""
    same = chain.from_iterable(_neighbours(truth.documents, part) for part in (groups, truth.clusters))
    names = closure(truth.documents, chain(found, truth.positive, truth.ignored, same))
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names.values()))}
    return {own: numbers[name] for own, name in names.items()}


def _neighbours(documents: Sequence[str], part: Mapping[str, str]) -> Iterator[Pair]:
    """Pairs enough to tie every part together."""
    for a, b in pairwise(sorted(documents, key=part.__getitem__)):
        if part[a] == part[b]:
            yield a, b


def _statistic(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The figures of `NAMES` from counts, shape (10,)."""
    documents, tp, fp, fn, ignored, precision, recall, both, found, true = counts.tolist()
    pairs = documents * (documents - 1) / 2
    told = Confusion(tp, fp, fn, pairs - ignored - tp - fp - fn)
    cubed = BCubed(ratio(precision, documents), ratio(recall, documents))
    return np.array(
        [
            *(told.precision, told.recall, told.f1, told.mcc),
            *(cubed.precision, cubed.recall, cubed.f1),
            adjusted(both, found, true, int(documents)),
        ]
    )
