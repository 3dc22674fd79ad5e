"""Min-values are the minima of the whole set."""

from __future__ import annotations

import numpy as np
import pytest

from dupgroups.text.hashing import mix
from dupgroups_papers.sketches.min_values import min_values


@pytest.mark.parametrize("size", [1, 300, 2048, 7000])
def test_each_hash_counts_wherever_it_stands(size: int) -> None:
    hashes = mix(np.arange(1, size + 1, dtype=np.uint64))
    values = min_values(hashes, 84)
    assert values.tolist() == min_values(hashes[::-1], 84).tolist()
    halves = np.minimum(min_values(hashes[: size // 2 + 1], 84), min_values(hashes[size // 2 :], 84))
    assert values.tolist() == halves.tolist()
    assert len(np.unique(values)) == 84
    assert not len(min_values(hashes[:0], 84))
