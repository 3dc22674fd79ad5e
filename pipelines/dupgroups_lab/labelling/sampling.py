"""Which of the candidate pairs are labelled. Equal seeds draw equal pairs from equal candidates.

Most pairs of documents have hardly a phrase in common, so pairs drawn at random would teach nothing about
the threshold. Alonso, Fetterly, Manasse ("Generating labeled data") draw evenly over the values of Jaccard.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import zip_longest
from random import Random

from dupgroups_lab.labels.pairs import Pair

BINS = 10


def even_over_bins(values: Mapping[Pair, float], count: int, seed: int) -> list[Pair]:
    """At most `count` pairs, as many from each bin of their values (0 to 1) as there are.

    What a bin lacks comes from the others, again evenly.
    """
    binned: defaultdict[int, list[Pair]] = defaultdict(list)
    for ids in sorted(values):
        binned[bin_of(values[ids])].append(ids)
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    bins = random.sample([binned[number] for number in sorted(binned)], len(binned))
    rounds = zip_longest(*(random.sample(listed, len(listed)) for listed in bins))
    return [ids for of_round in rounds for ids in of_round if ids][:count]


def bin_of(value: float) -> int:
    """The bin of a value from 0 to 1; the last one includes 1.

    >>> bin_of(0.0), bin_of(0.55), bin_of(1.0)
    (0, 5, 9)
    """
    return min(BINS - 1, int(value * BINS))
