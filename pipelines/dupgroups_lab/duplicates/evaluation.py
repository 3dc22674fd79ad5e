"""How well the duplicates found agree with labelled ones: every score with its interval, and the errors.

Two results are measured. *Pairs* are the verdicts of the judge on documents that share a key; *groups* are
what a reader sees: every two documents of a group, joined by the configured relations and their closure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from dupgroups.model import Verdict
from dupgroups_lab.labels.labelled_pairs import LABELS, Pair, Truth, closure, pair, pairs_within
from dupgroups_lab.measures.bcubed import BCubed, bcubed_by_document
from dupgroups_lab.measures.bootstrap import Estimate, intervals
from dupgroups_lab.measures.curves import Scores, area_under_roc, best_threshold, hanley_mcneil
from dupgroups_lab.measures.pairwise import Confusion, adjusted_rand_index, confusion, pairs_of, ratio
from dupgroups_lab.measures.tabulated import Tabulated

NAMES = {
    # the scores with the names that are shown
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
class Agreement:
    """How one result agrees with the truth: `estimates` has one for each of `NAMES`."""

    confusion: Confusion
    estimates: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Area:
    """The area under the ROC curve of some scores, with the interval of Hanley and McNeil."""

    scores: Scores
    estimate: Estimate | None

    @classmethod
    def of(cls, scores: Scores) -> Area:
        """The estimate is None without positive or without negative pairs."""
        area = area_under_roc(scores)
        if area is None:
            return cls(scores, None)
        return cls(scores, Estimate(area, *hanley_mcneil(area, len(scores.positive), scores.negatives)))


@dataclass(frozen=True, slots=True)
class Mistake:
    """A pair that was found wrongly or was missed; `verdict` is None when the judge never saw it.

    `judged` is the pair in the order of the verdict.
    """

    judged: Pair
    verdict: Verdict | None

    @property
    def score(self) -> float:
        """The score of the verdict; 0 when the judge never saw the pair."""
        return self.verdict.score if self.verdict else 0.0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Everything that is measured of one run.

    `every` ranks all pairs, `hard` only the listed ones. `best` is the threshold of the best F1 on these
    documents, with that F1. `looked_up` is the share of positive pairs that share a key and so were judged,
    `candidates` the mean number of pairs judged for a document, `texts` of those whose texts were compared.
    `wrong` and `missed` are the mistakes of the groups, worst first: by descending and by ascending score.
    """

    truth: Truth
    pairs: Agreement
    groups: Agreement
    every: Area
    hard: Area
    best: tuple[float, float] | None
    looked_up: float
    candidates: float
    texts: float
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
    relations = frozenset(chain.from_iterable(LABELS[label] for label in positive))
    found_pairs = {ids for ids, (_, _, verdict) in verdicts.items() if verdict.relation in relations}
    every, hard = _scores(verdicts, truth)
    best = best_threshold(every.curve)
    grouped = set(pairs_within(groups))

    def mistakes(pairs: Iterable[Pair]) -> Iterator[Mistake]:
        for a, b, verdict in (verdicts.get(ids, (*ids, None)) for ids in sorted(pairs)):
            yield Mistake((a, b), verdict)

    return Evaluation(
        truth=truth,
        pairs=agreement(found_pairs, closure(truth.documents, found_pairs), truth),
        groups=agreement(grouped, groups, truth),
        every=Area.of(every),
        hard=Area.of(hard),
        best=None if best is None else (best, float(every.curve.f1.max())),
        looked_up=ratio(len(truth.positive & verdicts.keys()), len(truth.positive)),
        candidates=ratio(len(verdicts), len(truth.documents)),
        texts=ratio(sum(one.doubtful for _, _, one in verdicts.values()), len(truth.documents)),
        wrong=sorted(mistakes(grouped - truth.positive - truth.ignored), key=lambda mistake: -mistake.score),
        missed=sorted(mistakes(truth.positive - grouped), key=lambda mistake: mistake.score),
    )


def agreement(found_pairs: Set[Pair], groups: Mapping[str, str], truth: Truth) -> Agreement:
    """Scores of the pairs found and of the groups (of every document) that belong to them."""
    stories = _counts(found_pairs, groups, truth)
    values, bounds = _statistic(stories.sum(0)), intervals(stories, _statistic)
    estimates = {
        name: Estimate(float(value), float(low), float(high))
        for name, value, (low, high) in zip(NAMES, values, bounds, strict=True)
    }
    return Agreement(confusion(found_pairs, truth), estimates)


def _scores(verdicts: Mapping[Pair, tuple[str, str, Verdict]], truth: Truth) -> tuple[Scores, Scores]:
    """Scores over all pairs and over the listed ones; a pair that was not judged has score 0."""

    def score(ids: Pair) -> float:
        return verdicts[ids][2].score if ids in verdicts else 0.0

    positive = [score(ids) for ids in truth.positive]
    negative = [score(ids) for ids in verdicts if ids not in truth.positive and ids not in truth.ignored]
    pairs = pairs_of(len(truth.documents)) - len(truth.ignored)
    every = Scores.of(positive, negative, pairs - len(positive) - len(negative))
    return every, Scores.of(positive, map(score, truth.hard))


# -- counts by story, which can be added up, so that samples of stories can be measured

_DOCUMENTS, _TP, _FP, _FN, _IGNORED, _P, _R, _BOTH, _FOUND, _TRUE = range(10)


def _counts(found_pairs: Set[Pair], groups: Mapping[str, str], truth: Truth) -> NDArray[np.float64]:
    """The counts of every story, shape (stories, 10)."""
    documents = truth.documents
    story_of = _stories(found_pairs, groups, truth)
    counts = np.zeros((len(set(story_of.values())), 10))
    for document, score in bcubed_by_document(groups, truth).items():
        counts[story_of[document], [_DOCUMENTS, _P, _R]] += 1, score.precision, score.recall
    counted = found_pairs - truth.ignored
    for column, pairs in (
        (_TP, counted & truth.positive),
        (_FP, counted - truth.positive),
        (_FN, truth.positive - counted),
        (_IGNORED, truth.ignored),
    ):
        for a, _ in pairs:
            counts[story_of[a], column] += 1
    parts: tuple[tuple[int, Callable[[str], Hashable]], ...] = (
        (_BOTH, lambda document: (groups[document], truth.clusters[document])),
        (_FOUND, lambda document: groups[document]),
        (_TRUE, lambda document: truth.clusters[document]),
    )
    for column, part in parts:
        for (story, _), size in Counter(
            (story_of[document], part(document)) for document in documents
        ).items():
            counts[story, column] += pairs_of(size)
    return counts


def _stories(found_pairs: Set[Pair], groups: Mapping[str, str], truth: Truth) -> dict[str, int]:
    """The number of each document's story: documents linked by any pair, group or cluster."""
    same = chain.from_iterable(_neighbours(truth.documents, part) for part in (groups, truth.clusters))
    names = closure(truth.documents, chain(found_pairs, truth.positive, truth.ignored, same))
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names.values()))}
    return {document: numbers[name] for document, name in names.items()}


def _neighbours(documents: Sequence[str], part: Mapping[str, str]) -> Iterator[Pair]:
    """Enough pairs to link the documents of every part."""
    for a, b in pairwise(sorted(documents, key=part.__getitem__)):
        if part[a] == part[b]:
            yield a, b


def _statistic(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores of `NAMES`, shape (8,), from counts, shape (10,)."""
    documents, tp, fp, fn, ignored, precision, recall, both, found, true = counts.tolist()
    pairs = documents * (documents - 1) / 2
    measured = Confusion(tp, fp, fn, pairs - ignored - tp - fp - fn)
    cubed = BCubed(ratio(precision, documents), ratio(recall, documents))
    return np.array(
        [
            *(measured.precision, measured.recall, measured.f1, measured.mcc),
            *(cubed.precision, cubed.recall, cubed.f1),
            adjusted_rand_index(both, found, true, int(documents)),
        ]
    )


# -- the table that `evaluate duplicates` prints


def extent(evaluation: Evaluation) -> str:
    """How much was measured, and the best threshold on it."""
    if not evaluation.best:
        return evaluation.truth.extent
    threshold, f1 = evaluation.best
    return f"{evaluation.truth.extent} Best F1 of the pairs: {f1:.4f} at a score of {threshold:.3f}."


def tabulate(evaluation: Evaluation) -> Tabulated:
    """All scores, of pairs and of groups."""
    both = (evaluation.pairs, evaluation.groups)
    counted = [f"{one.confusion.tp:,}, {one.confusion.fp:,}, {one.confusion.fn:,}" for one in both]
    rows = [(shown, *(cell(one.estimates[name]) for one in both)) for name, shown in NAMES.items()]
    rows.append(("AU-ROC, all pairs", cell(evaluation.every.estimate), ""))
    rows.append(("AU-ROC, listed pairs", cell(evaluation.hard.estimate), ""))
    rows.append(("share a key, of those to be found", f"{evaluation.looked_up:.2%}", ""))
    shared = ratio(len(evaluation.every.scores.negative), evaluation.every.scores.negatives)
    rows.append(("share a key, of all others", f"{shared:.3%}", ""))
    rows.append(("judged per document", f"{evaluation.candidates:.1f}", ""))
    rows.append(("by their texts, per document", f"{evaluation.texts:.2f}", ""))
    return Tabulated(("", "pairs", "groups"), [*rows, ("right, wrong, missed", *counted)])


def cell(estimate: Estimate | None) -> str:
    """An estimate with its interval."""
    return f"{estimate.value:.4f} [{estimate.low:.3f}, {estimate.high:.3f}]" if estimate else "-"
