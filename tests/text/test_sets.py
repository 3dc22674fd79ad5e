"""Sets of hashes against Python's own."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.hashing import Hashes, mix
from dupgroups.text.sets import containment, distinct, resemblance

numbers = st.lists(st.integers(0, 40), max_size=60)


def hashes(values: list[int]) -> Hashes:
    return mix(np.array(values, np.uint64) + np.uint64(1))


@given(numbers)
def test_arrays_agree_with_sets(values: list[int]) -> None:
    assert distinct(hashes(values)).tolist() == sorted(set(hashes(values).tolist()))


def test_of_nothing_nothing_is_common() -> None:
    assert resemblance(0, 0, 0) == containment(0, 0) == 0.0
    assert resemblance(2, 4, 3) == 0.4
    assert containment(2, 4) == 0.5
