"""Bags of hashes against Python's own."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.hashing import mix
from dupgroups_papers.sketches.bags import common, numbered

numbers = st.lists(st.integers(0, 40), max_size=60)


@given(numbers, numbers)
def test_numbered_bags_agree_with_counters(a: list[int], b: list[int]) -> None:
    one, two = (numbered(mix(np.array(bag, np.uint64) + np.uint64(1))) for bag in (a, b))
    assert len(one) == len(a)
    assert one.tolist() == sorted(one.tolist())
    assert common(one, two) == (Counter(a) & Counter(b)).total()
