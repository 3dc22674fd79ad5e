"""Minima of sets, and the keys that are made of them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.sketches.hashing import mix
from dupgroups.sketches.keys import key_strings
from dupgroups.sketches.min_values import bounded_minima, min_values


@pytest.mark.parametrize("size", [1, 300, 2048, 7000])
def test_each_hash_counts_wherever_it_stands(size: int) -> None:
    hashes = mix(np.arange(1, size + 1, dtype=np.uint64))
    values = min_values(hashes, 84)
    assert values.tolist() == min_values(hashes[::-1], 84).tolist()
    halves = np.minimum(min_values(hashes[: size // 2 + 1], 84), min_values(hashes[size // 2 :], 84))
    assert values.tolist() == halves.tolist()
    assert len(np.unique(values)) == 84
    assert not len(min_values(hashes[:0], 84))


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
