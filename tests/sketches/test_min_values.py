"""Min-values are the minima of the whole set, and supershingles know their place."""

from __future__ import annotations

import numpy as np
import pytest

from dupgroups.sketches.hashing import mix
from dupgroups.sketches.min_values import min_values, numbered_supershingles


@pytest.mark.parametrize("size", [1, 300, 2048, 7000])
def test_each_hash_counts_wherever_it_stands(size: int) -> None:
    hashes = mix(np.arange(1, size + 1, dtype=np.uint64))
    values = min_values(hashes, 84)
    assert values.tolist() == min_values(hashes[::-1], 84).tolist()
    halves = np.minimum(min_values(hashes[: size // 2 + 1], 84), min_values(hashes[size // 2 :], 84))
    assert values.tolist() == halves.tolist()
    assert len(np.unique(values)) == 84
    assert not len(min_values(hashes[:0], 84))


def test_equal_runs_at_other_places_are_other_supershingles() -> None:
    values = np.full(84, 7, np.uint64)
    assert len(np.unique(numbered_supershingles(values, 14))) == 6
