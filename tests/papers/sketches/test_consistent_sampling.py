"""Consistent weighted sampling: samples agree as often as Ioffe proves, and are the same for equal sets."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupgroups_papers.sketches.consistent_sampling import samples

COUNT = 256
weight = st.floats(1e-12, 1e30)
weighted_sets = st.dictionaries(st.integers(0, 2**64 - 1), weight, min_size=1, max_size=40)


def drawn(weights: dict[int, float], count: int = COUNT) -> NDArray[np.uint64]:
    return samples(np.array(list(weights), np.uint64), np.array(list(weights.values())), count)


def exact(a: dict[int, float], b: dict[int, float]) -> float:
    both = a.keys() | b.keys()
    low, high = (
        sum(pick(a.get(element, 0.0), b.get(element, 0.0)) for element in both) for pick in (min, max)
    )
    return low / high


def made(rng: np.random.Generator) -> tuple[dict[int, float], dict[int, float]]:
    """Two sets that share some elements, with weights that span many orders, equal or not."""
    size = int(rng.integers(30, 700))
    elements = rng.integers(0, 2**64, size, np.uint64).tolist()
    one, other = rng.lognormal(0, 2, (2, size))
    same = rng.random(size) < rng.random()
    sets = [
        np.where(rng.random(size) < rng.random(), weights, 0) for weights in (one, np.where(same, one, other))
    ]
    a, b = ({key: value for key, value in zip(elements, weights, strict=True) if value} for weights in sets)
    return a or {1: 1.0}, b or {2: 1.0}


def test_samples_agree_as_often_as_the_sets_are_alike() -> None:
    """Over many pairs the error is that of a binomial draw: no bias, a standard error of 1 in its units."""
    rng = np.random.default_rng(7)
    off, errors = [], []
    for _ in range(250):
        a, b = made(rng)
        alike, found = exact(a, b), float(np.mean(drawn(a) == drawn(b)))
        errors.append(found - alike)
        if 0.02 < alike < 0.98:
            off.append((found - alike) / sqrt(alike * (1 - alike) / COUNT))
    assert len(off) > 150
    assert abs(np.mean(errors)) < 0.005
    assert np.std(off) == pytest.approx(1, abs=0.15)
    assert max(map(abs, off)) < 4.5


@given(weighted_sets, st.randoms())
def test_order_changes_nothing(weights: dict[int, float], random: object) -> None:
    shuffled = list(weights.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert drawn(weights).tolist() == drawn(dict(shuffled)).tolist()
