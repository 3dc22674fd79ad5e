"""Which of the candidate pairs are labelled. Equal seeds draw equal pairs from equal candidates.

Most pairs of documents have hardly a phrase in common, so pairs drawn at random would teach nothing about
the threshold. Alonso, Fetterly, Manasse ("Generating labeled data") draw evenly over the values of Jaccard.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import TypeVar

from dupgroups_lab.labels.pairs import Pair

BINS = 10

T = TypeVar("T", bound=Hashable)


def even_over_bins(values: Mapping[Pair, float], count: int, seed: int, bins: int = BINS) -> list[Pair]:
    """At most `count` pairs, as many from each bin of their values (0 to 1) as there are.

    What a bin lacks comes from the others, again evenly.
    """
    binned: defaultdict[int, list[Pair]] = defaultdict(list)
    for ids in sorted(values):
        binned[bin_of(values[ids], bins)].append(ids)
    return _in_turn([binned[number] for number in sorted(binned)], count, seed)


def bin_of(value: float, bins: int = BINS) -> int:
    """The bin of a value from 0 to 1; the last one includes 1.

    >>> bin_of(0.0), bin_of(0.55), bin_of(1.0)
    (0, 5, 9)
    """
    return min(bins - 1, int(value * bins))


def _in_turn(lists: Sequence[Sequence[T]], count: int, seed: int) -> list[T]:
    """One of each list in turn, each list in random order, until there are enough."""
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    shuffled = [random.sample(listed, len(listed)) for listed in random.sample(lists, len(lists))]
    return list(islice(_round_robin(shuffled), count))


def _round_robin(lists: Iterable[Sequence[T]]) -> Iterator[T]:
    left = [iter(listed) for listed in lists]
    while left:
        for items in list(left):
            try:
                yield next(items)
            except StopIteration:
                left.remove(items)
