"""What a threshold does: precision, recall and MCC on the labelled pairs, and how many groups there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from dupgroups.grouping import Components
from dupgroups_lab.labels.pairs import Pair
from dupgroups_lab.measures.pairwise import Confusion

STEP = 0.01


@dataclass(frozen=True, slots=True)
class Point:
    """A threshold (0 to 1), the labelled pairs counted at it, and the number of groups of all documents."""

    threshold: float
    pairs: Confusion
    groups: int


def thresholds(line: float, least: float, most: float) -> list[float]:
    """The thresholds that are drawn: every hundredth from `least` to `most` (0 to 1), and the line."""
    steps = {round(number * STEP, 2) for number in range(1, round(1 / STEP))}
    return sorted({step for step in steps if least <= step <= most} | {line})


def counted(limits: Mapping[Pair, float], labels: Mapping[Pair, bool], threshold: float) -> Confusion:
    """The labelled pairs that a threshold finds; True labels are the pairs that have to be found.

    A pair without a limit is never compared, hence never found.
    """
    found = {ids for ids in labels if limits.get(ids, 0.0) >= threshold}
    positive = {ids for ids, label in labels.items() if label}
    tp = len(found & positive)
    fp, fn = len(found) - tp, len(positive) - tp
    return Confusion(tp, fp, fn, len(labels) - tp - fp - fn)


def group_counts(
    documents: Set[str], limits: Mapping[Pair, float], wanted: Sequence[float]
) -> dict[float, int]:
    """How many groups the documents form at each wanted threshold, by the closure of the pairs found."""
    ages = {document: (0, document) for document in documents}
    components = Components(ages)
    falling = sorted(limits.items(), key=lambda entry: -entry[1])
    counts, groups, place = {}, len(ages), 0
    for threshold in sorted(wanted, reverse=True):
        while place < len(falling) and falling[place][1] >= threshold:
            a, b = falling[place][0]
            groups -= components.root(a) != components.root(b)
            components.join(a, b)
            place += 1
        counts[threshold] = groups
    return counts


def curve(
    documents: Set[str],
    limits: Mapping[Pair, float],
    labels: Mapping[Pair, bool],
    drawn: Sequence[float],
) -> list[Point]:
    """A point for each of these thresholds, in their order."""
    groups = group_counts(documents, limits, drawn)
    return [Point(at, counted(limits, labels, at), groups[at]) for at in drawn]


def around(limits: Mapping[Pair, float], labels: Mapping[Pair, bool], line: float, count: int) -> list[Pair]:
    """The labelled pairs nearest to a threshold, at most `count` on each side of it, by falling limit."""
    falling = sorted(labels, key=lambda ids: (-limits.get(ids, 0.0), ids))
    found = sum(limits.get(ids, 0.0) >= line for ids in falling)
    return falling[max(found - count, 0) : found + count]
