"""Sets and bags of hashes against Python's own."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.sketches.hashing import Hashes, mix
from dupgroups.sketches.sets import common, containment, distinct, numbered, resemblance

numbers = st.lists(st.integers(0, 40), max_size=60)


def hashes(values: list[int]) -> Hashes:
    return mix(np.array(values, np.uint64) + np.uint64(1))


@given(numbers, numbers)
def test_arrays_agree_with_sets(a: list[int], b: list[int]) -> None:
    one, two = distinct(hashes(a)), distinct(hashes(b))
    assert sorted(set(hashes(a).tolist())) == one.tolist()
    assert common(one, two) == len(set(a) & set(b))


@given(numbers, numbers)
def test_numbered_bags_agree_with_counters(a: list[int], b: list[int]) -> None:
    one, two = numbered(hashes(a)), numbered(hashes(b))
    assert len(one) == len(a)
    assert one.tolist() == sorted(one.tolist())
    assert common(one, two) == (Counter(a) & Counter(b)).total()


def test_of_nothing_nothing_is_common() -> None:
    assert resemblance(0, 0, 0) == containment(0, 0) == 0.0
    assert resemblance(2, 4, 3) == 0.4
    assert containment(2, 4) == 0.5
