"""Pairs of documents that share a phrase, drawn in bounded time from any number of documents.

Alonso, Fetterly, Manasse ("Generating labeled data"): documents belong together if they share at least one
phrase of 7 words whose inverse document frequency is within a window; such groups overlap, and pairs are
drawn from them in proportion to their size. The frequency is normalised here: 0 for a phrase of all
documents, 1 for one that no document has (`Frequencies.rarity`).

| setting | value | meaning |
|---|---|---|
| size   | 7          | words of a phrase |
| window | 0.2 to 0.85 | normalised inverse document frequency |
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.sentences import tokens
from dupgroups.text.sets import distinct
from dupgroups_lab.labels.labelled_pairs import Pair, pair
from dupgroups_papers.corpus.frequencies import Frequencies

PHRASE_WORDS = 7
WINDOW = (0.2, 0.85)
_DRAWN_PAIRS = 1 << 16  # pairs that are drawn at a time
_MAX_ROUNDS = 20

Ints = NDArray[np.intp]


def phrases(text: str) -> Hashes:
    """The distinct phrases of a text, in ascending order; none in a text of fewer than 7 words."""
    return distinct(windows(tokens(text).hashes, PHRASE_WORDS))


def jaccard(one: Hashes, other: Hashes) -> float:
    """The share of all phrases of two texts that both have, 0 to 1; 0 if both are empty."""
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / max(len(one) + len(other) - shared, 1)


def sharing_pairs(
    ids: Sequence[str], texts: Sequence[Hashes], most: int, seed: int, window: tuple[float, float] = WINDOW
) -> dict[Pair, float]:
    """At most `most` pairs that share a phrase of the window, each with its Jaccard coefficient.

    `texts` are the phrases of each document. A pair is as likely as the phrases that it shares are frequent.
    """
    holders, starts, ends = _groups(texts, window)
    random = np.random.default_rng(seed)
    places: dict[tuple[int, int], None] = {}
    for _ in range(_MAX_ROUNDS if len(holders) else 0):
        row = random.integers(len(holders), size=_DRAWN_PAIRS)  # a group of n documents has n rows
        other = random.integers(starts[row], ends[row])
        first, second = np.minimum(holders[row], holders[other]), np.maximum(holders[row], holders[other])
        drawn = zip(first[row != other].tolist(), second[row != other].tolist(), strict=True)
        places.update(dict.fromkeys(drawn))
        if len(places) >= most:
            break
    kept = list(places)[:most]
    return {pair(ids[a], ids[b]): jaccard(texts[a], texts[b]) for a, b in kept}


def _groups(texts: Sequence[Hashes], window: tuple[float, float]) -> tuple[Ints, Ints, Ints]:
    """The documents of all groups in a row; for each of these rows, where its group begins and ends."""
    frequencies = Frequencies.learn(texts, least=2)
    rarity = frequencies.rarity(frequencies.features)
    wanted = frequencies.features[(window[0] <= rarity) & (rarity <= window[1])]
    found = [np.intersect1d(wanted, text, assume_unique=True, return_indices=True)[1] for text in texts]
    groups = np.concatenate([np.zeros(0, np.intp), *found])
    holders = np.repeat(np.arange(len(texts)), [len(places) for places in found])
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    return (
        holders[order],
        np.searchsorted(ordered, ordered, "left"),
        np.searchsorted(ordered, ordered, "right"),
    )
