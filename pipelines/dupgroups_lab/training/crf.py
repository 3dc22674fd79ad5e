"""Training of CE-BEST: the conditional random field of greatest likelihood.

Sha, Pereira: Shallow Parsing with Conditional Random Fields, HLT-NAACL 2003: L-BFGS on the likelihood with a
Gaussian prior, expectations by the forward-backward algorithm, here for all pages side by side.

| setting | value | why |
|---|---|---|
| `_PRIOR` | 10 | inverse variance of the weights |
| `_EDGES` | 5 | a number is cut at these quantiles: sixths of the training blocks |
| `_MIN_SITES` | 4 | a word of fewer sites is one of theirs, not one of articles |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.crf import Chain, Ints, above
from dupgroups.content.crf_features import Numbers, bag, numbers
from dupgroups.content.hashed_bag_of_words import BUCKETS, Bags
from dupgroups_lab.training.bags import joined, on_many_sites
from dupgroups_lab.training.lbfgs import Vector, minimise
from dupgroups_lab.training.network import Example

_PRIOR, _EDGES, _MIN_SITES = 10.0, 5, 4


class Sequences(NamedTuple):
    """Chains laid end to end, longest first: where each starts and how long it is, both (chains,)."""

    start: Ints
    length: Ints

    def at(self, step: int) -> Ints:
        """Places of the `step`-th element of all chains that have one."""
        return self.start[: np.searchsorted(-self.length, -step)] + step


class Expected(NamedTuple):
    """`log_z`: logarithm of the sum over all labellings, of all chains; `content` (n,): probability of each
    place to be content; `turns` (2, 2): expected number of steps from label to label."""

    log_z: float
    content: Vector
    turns: NDArray[np.float64]


def train_crf(examples: Sequence[Example]) -> Chain:
    """The weights of these pages, which must be at least one. The same pages give the same."""
    ordered = sorted(examples, key=lambda each: -len(each.blocks.blocks))
    given = np.concatenate([numbers(each.blocks, each.title) for each in ordered])
    column, edge = _edges(given)
    true = above(given, column, edge)
    sites = [each.page.site for each in ordered]
    words = joined(on_many_sites([bag(each.blocks) for each in ordered], sites, _MIN_SITES))
    lengths = np.array([len(each.blocks.blocks) for each in ordered])
    chains = Sequences(lengths.cumsum() - lengths, lengths)
    content = np.concatenate([each.labels.share >= 0.5 for each in ordered])
    edge_weight, of_words, turns, level = _fit(true, words, content, chains)
    return Chain(
        column=column,
        edge=edge,
        edge_weight=edge_weight.astype(np.float32),
        words=of_words.astype(np.float32),
        turns=turns.reshape(2, 2).astype(np.float32),
        level=float(level[0]),
    )


def _fit(true: Numbers, words: Bags, content: NDArray[np.bool_], chains: Sequences) -> list[Vector]:
    """Weights of the edges (k,), of words (BUCKETS,), of turns (4,) and the level (1,)."""
    turned = _turns(content, chains)
    ends = np.cumsum([true.shape[1], BUCKETS, 4])

    def loss(point: Vector) -> tuple[float, Vector]:
        edges, of_words, turns, level = np.split(point, ends)
        odds = true @ edges.astype(np.float32) + words.sums(of_words) + level[0]
        told = expected(odds, turns.reshape(2, 2), chains)
        error = told.content - content
        value = told.log_z - float(odds @ content) - float(turns @ turned.ravel())
        slopes = (
            error.astype(np.float32) @ true,
            words.spread(error),
            (told.turns - turned).ravel(),
            [error.sum()],
        )
        prior = np.append(point[:-1], 0) * _PRIOR
        return value + float(prior @ point) / 2, np.concatenate(slopes) + prior

    return np.split(minimise(loss, np.zeros(ends[-1] + 1), rounds=150, tolerance=1e-4), ends)


def _edges(given: Numbers) -> tuple[Ints, Numbers]:
    """Columns and the edges they are cut at: the lowest number and quantiles, in half precision."""
    lowest, highest = given.min(0), given.max(0)
    cuts = np.quantile(given, np.arange(_EDGES + 1) / (_EDGES + 1), axis=0).astype(np.float16)
    pairs = [
        (column, edge)
        for column in range(given.shape[1])
        for edge in sorted(set(cuts[:, column].tolist()))
        if lowest[column] <= edge < highest[column]
    ]
    return np.array([column for column, _ in pairs]), np.array([edge for _, edge in pairs], np.float32)


def _turns(content: NDArray[np.bool_], chains: Sequences) -> NDArray[np.float64]:
    """Steps from label to label, (2, 2), of labelled chains."""
    inside = np.ones(len(content), bool)
    inside[chains.start] = False
    pairs = 2 * content[:-1][inside[1:]] + content[1:][inside[1:]]
    return np.bincount(pairs, minlength=4).reshape(2, 2).astype(np.float64)


def expected(odds: Vector, turns: NDArray[np.float64], chains: Sequences) -> Expected:
    """Forward and backward over all chains at once, each step scaled to a sum of 1."""
    share = 1 / (1 + np.exp(-odds))
    own, move = np.stack((1 - share, share), 1), np.exp(turns)
    forward, backward = np.empty_like(own), np.ones_like(own)
    scale = np.empty(len(odds))
    for step in range(int(chains.length.max())):
        at = chains.at(step)
        now = own[at] if step == 0 else (forward[at - 1] @ move) * own[at]
        scale[at] = now.sum(1)
        forward[at] = now / scale[at, None]
    steps = np.zeros((2, 2))
    for step in range(int(chains.length.max()) - 1, 0, -1):
        at = chains.at(step)
        later = own[at] * backward[at] / scale[at, None]
        backward[at - 1] = later @ move.T
        steps += forward[at - 1].T @ later
    log_z = float(np.log(scale).sum() + np.logaddexp(0, odds).sum())
    return Expected(log_z, (forward * backward)[:, 1], steps * move)
