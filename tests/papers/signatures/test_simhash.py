"""SimHash: keys that find every value within the distance."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from dupgroups_papers.signatures.simhash import BITS, block_keys, block_masks


@pytest.mark.parametrize(("within", "blocks"), [(1, 2), (2, 4), (3, 4), (3, 5), (3, 6)])
def test_every_value_within_the_distance_shares_a_key(within: int, blocks: int) -> None:
    """Brute force: all ways to turn up to two bits, and 5,000 ways to turn `within`."""
    masks = block_masks(blocks, within)
    rng = random.Random(blocks)
    value = rng.getrandbits(BITS)
    keys = set(block_keys(value, masks))
    turns = [*combinations(range(BITS), min(2, within))]
    turns += [tuple(rng.sample(range(BITS), within)) for _ in range(5000)]
    for turn in turns:
        other = value ^ sum(1 << bit for bit in turn)
        assert keys & set(block_keys(other, masks)), turn
