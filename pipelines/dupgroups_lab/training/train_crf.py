"""Training of CE-BEST: the conditional random field of greatest likelihood.

Sha, Pereira: Shallow Parsing with Conditional Random Fields, HLT-NAACL 2003: L-BFGS on the likelihood with a
Gaussian prior, expectations by the forward-backward algorithm, computed for all pages at once.

| setting | value | why |
|---|---|---|
| `PRIOR` | 10 | inverse variance of the weights |
| `_EDGE_COUNT` | 5 | numbers are cut at this many quantiles: sixths of the training blocks |
| `SITES` | 4 | a word of fewer sites is typical of those sites, not of articles |

Where the sites are known, less of the first and the last is better: `evaluate cedar` chooses.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupgroups_lab.training.lbfgs import Vector, minimise
from dupgroups_lab.training.network import Example
from dupgroups_lab.training.training_bags import join_bags, on_many_sites
from dupgroups_papers.content.crf import Chain, Ints, compare_edges
from dupgroups_papers.content.crf_feature_sets import OWN_SET, feature_set
from dupgroups_papers.content.crf_features import Numbers
from dupgroups_papers.content.hashed_bag_of_words import HASH_BUCKETS, Bags

PRIOR, SITES = 10.0, 4
_EDGE_COUNT = 5


class Sequences(NamedTuple):
    """Chains laid end to end, longest first: the start and length of each, both (chains,)."""

    start: Ints
    length: Ints

    def at(self, step: int) -> Ints:
        """Indices of the `step`-th element of all chains that have one."""
        return self.start[: np.searchsorted(-self.length, -step)] + step


class Expected(NamedTuple):
    """`log_z`: log of the sum over all labellings, of all chains; `content` (n,): probability that an element
    is content; `turns` (2, 2): expected number of transitions from label to label."""

    log_z: float
    content: Vector
    turns: NDArray[np.float64]


def train_crf(
    examples: Sequence[Example], features: str = OWN_SET, prior: float = PRIOR, least_sites: int = SITES
) -> Chain:
    """The weights learned from these pages, at least one, with a feature set of `crf_feature_sets`.

    The same pages give the same weights.
    """
    ordered = sorted(examples, key=lambda example: -len(example.blocks.blocks))
    found = [feature_set(features)(example.blocks, example.title) for example in ordered]
    given = np.concatenate([page.numbers for page in found])
    column, edge = _edges(given)
    true = compare_edges(given, column, edge)
    sites = [example.page.site for example in ordered]
    words = join_bags(on_many_sites([page.bags for page in found], sites, least_sites))
    lengths = np.array([len(example.blocks.blocks) for example in ordered])
    chains = Sequences(lengths.cumsum() - lengths, lengths)
    content = np.concatenate([example.labels.share >= 0.5 for example in ordered])
    edge_weight, of_words, turns, level = _fit_weights(true, words, content, chains, prior)
    return Chain(
        column=column,
        edge=edge,
        edge_weight=edge_weight.astype(np.float32),
        words=of_words.astype(np.float32),
        turns=turns.reshape(2, 2).astype(np.float32),
        level=float(level[0]),
        features=features,
    )


def _fit_weights(
    true: Numbers, words: Bags, content: NDArray[np.bool_], chains: Sequences, prior: float
) -> list[Vector]:
    """Weights of the edges (k,), of words (HASH_BUCKETS,), of transitions (4,) and the bias (1,)."""
    turned = _turns(content, chains)
    ends = np.cumsum([true.shape[1], HASH_BUCKETS, 4])

    def loss(point: Vector) -> tuple[float, Vector]:
        edges, of_words, turns, level = np.split(point, ends)
        odds = true @ edges.astype(np.float32) + words.sums(of_words) + level[0]
        expectation = run_forward_backward(odds, turns.reshape(2, 2), chains)
        error = expectation.content - content
        value = expectation.log_z - float(odds @ content) - float(turns @ turned.ravel())
        slopes = (
            error.astype(np.float32) @ true,
            words.spread(error),
            (expectation.turns - turned).ravel(),
            [error.sum()],
        )
        pull = np.append(point[:-1], 0) * prior
        return value + float(pull @ point) / 2, np.concatenate(slopes) + pull

    return np.split(minimise(loss, np.zeros(ends[-1] + 1), rounds=150), ends)


def _edges(given: Numbers) -> tuple[Ints, Numbers]:
    """Columns and the edges at which they are cut: the lowest number and quantiles, in half precision."""
    lowest, highest = given.min(0), given.max(0)
    cuts = np.quantile(given, np.arange(_EDGE_COUNT + 1) / (_EDGE_COUNT + 1), axis=0).astype(np.float16)
    pairs = [
        (column, edge)
        for column in range(given.shape[1])
        for edge in sorted(set(cuts[:, column].tolist()))
        if lowest[column] <= edge < highest[column]
    ]
    return np.array([column for column, _ in pairs]), np.array([edge for _, edge in pairs], np.float32)


def _turns(content: NDArray[np.bool_], chains: Sequences) -> NDArray[np.float64]:
    """Transitions from label to label, (2, 2), in labelled chains."""
    inside = np.ones(len(content), bool)
    inside[chains.start] = False
    pairs = 2 * content[:-1][inside[1:]] + content[1:][inside[1:]]
    return np.bincount(pairs, minlength=4).reshape(2, 2).astype(np.float64)


def run_forward_backward(odds: Vector, turns: NDArray[np.float64], chains: Sequences) -> Expected:
    """Forward and backward over all chains at once, each step scaled to a sum of 1."""
    share = 1 / (1 + np.exp(-odds))
    emission, move = np.stack((1 - share, share), 1), np.exp(turns)
    forward, backward = np.empty_like(emission), np.ones_like(emission)
    scale = np.empty(len(odds))
    for step in range(int(chains.length.max())):
        places = chains.at(step)
        now = emission[places] if step == 0 else (forward[places - 1] @ move) * emission[places]
        scale[places] = now.sum(1)
        forward[places] = now / scale[places, None]
    steps = np.zeros((2, 2))
    for step in range(int(chains.length.max()) - 1, 0, -1):
        places = chains.at(step)
        later = emission[places] * backward[places] / scale[places, None]
        backward[places - 1] = later @ move.T
        steps += forward[places - 1].T @ later
    log_z = float(np.log(scale).sum() + np.logaddexp(0, odds).sum())
    return Expected(log_z, (forward * backward)[:, 1], steps * move)
