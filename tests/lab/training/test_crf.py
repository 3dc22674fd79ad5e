"""Training of chains: likelihoods against the sum over all labellings."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from dupgroups_lab.training.train_crf import Sequences, run_forward_backward


@pytest.mark.parametrize("seed", range(5))
def test_expectations_are_those_over_all_labellings(seed: int) -> None:
    random = np.random.default_rng(seed)
    lengths = np.array([6, 4, 4, 1])
    chains = Sequences(lengths.cumsum() - lengths, lengths)
    odds, turns = random.normal(size=15) * 3, random.normal(size=(2, 2)) * 2
    expectation = run_forward_backward(odds, turns, chains)
    log_z, content, steps = 0.0, np.zeros(15), np.zeros((2, 2))
    for start, length in zip(chains.start, lengths, strict=True):
        odds_of_chain = odds[start : start + length]
        labellings = list(product((0, 1), repeat=int(length)))
        scores = [
            odds_of_chain @ labelling + sum(turns[pair] for pair in pairwise(labelling))
            for labelling in labellings
        ]
        log_z += float(np.log(np.exp(scores).sum()))
        for labelling, chance in zip(labellings, np.exp(scores) / np.exp(scores).sum(), strict=True):
            content[start : start + length] += chance * np.array(labelling)
            for pair in pairwise(labelling):
                steps[pair] += chance
    assert np.isclose(expectation.log_z, log_z)
    assert np.allclose(expectation.content, content)
    assert np.allclose(expectation.turns, steps)
