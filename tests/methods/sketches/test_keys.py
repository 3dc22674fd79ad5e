"""Minima of sets, and the keys that are made of them."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.methods.sketches.keys import bounded_minima, key_strings


@given(st.lists(st.integers(0, 2**64 - 1), max_size=80), st.integers(1, 40))
def test_minima_are_the_smallest_of_each_bin(values: list[int], bins: int) -> None:
    expected: dict[int, int] = {}
    for value in values:
        place = (value >> 32) * bins >> 32
        expected[place] = min(value, expected.get(place, value))
    (distinct,), places, lowest = bounded_minima(
        np.array(values, np.uint64), np.array([0, len(values)]), bins
    )
    assert distinct == len(set(values))
    assert dict(zip(places.tolist(), lowest.tolist(), strict=True)) == expected


@given(st.lists(st.integers(0, 2**64 - 1), max_size=20))
def test_keys_are_short_plain_and_one_for_each_hash(values: list[int]) -> None:
    keys = key_strings(np.array(values, np.uint64))
    assert len(keys) == len(values)
    assert all(re.fullmatch(r"[\w-]{6}", key, re.ASCII) for key in keys)
    assert len(set(keys)) == len({value & (1 << 36) - 1 for value in values})
