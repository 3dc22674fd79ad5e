"""Sketches against the sets that they stand for."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.sketches.b_bit_minwise import (
    Sketch,
    bounded_minima,
    overlap,
    permuted_sketches,
    resemblance,
    sketch,
    sketches,
)
from dupgroups.sketches.hashing import Hashes, mix
from dupgroups.sketches.keys import key_strings

BINS = 384


def numbers(first: int, last: int) -> Hashes:
    return mix(np.arange(first, last, dtype=np.uint64))


def permuted(hashes: Hashes, bins: int) -> Sketch:
    sizes, rows = permuted_sketches(hashes, np.array([0, len(hashes)]), bins)
    return Sketch(int(sizes[0]), rows[0])


@pytest.mark.parametrize("size", [40, 1500])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("sketch", [sketch, permuted])
def test_resemblance_is_estimated_without_bias_and_within_its_error(
    size: int, share: float, sketch: Callable[[Hashes, int], Sketch]
) -> None:
    common = round(size * 2 * share / (1 + share))
    errors = []
    for start in range(1, 40_000_000, 1_000_000):
        one, two = numbers(start, start + size), numbers(start + size - common, start + 2 * size - common)
        exact = common / (2 * size - common)
        errors.append(resemblance(sketch(one, BINS), sketch(two, BINS)) - exact)
    error = 0.5 / (0.8 * BINS) ** 0.5
    assert abs(np.mean(errors)) < 3 * error / len(errors) ** 0.5 + 0.002
    assert np.std(errors) < 1.3 * error


def test_overlap_of_an_excerpt_is_about_all_of_it() -> None:
    whole, part = sketch(numbers(0, 1000), BINS), sketch(numbers(300, 600), BINS)
    assert overlap(whole, part, resemblance(whole, part)) == pytest.approx(300, rel=0.15)


def test_empty_sets_resemble_nothing() -> None:
    empty = sketch(np.zeros(0, np.uint64), BINS)
    assert resemblance(empty, empty) == resemblance(empty, sketch(numbers(0, 9), BINS)) == 0.0


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


def test_sketches_of_several_sets_are_those_of_each() -> None:
    sets = [numbers(0, 50), numbers(0, 0), numbers(20, 400)]
    for make in (sketches, permuted_sketches):
        sizes, rows = make(np.concatenate(sets), np.array([0, 50, 50, 430]), 64)
        alone = [make(members, np.array([0, len(members)]), 64)[1][0] for members in sets]
        assert sizes.tolist() == [50, 0, 380]
        assert np.array_equal(rows, alone)


@given(st.lists(st.integers(0, 2**64 - 1), max_size=80))
def test_packing_keeps_every_bin(values: list[int]) -> None:
    made = sketch(np.array(values, np.uint64), 64)
    again = Sketch.unpack(made.size, made.pack())
    assert again.bins.tolist() == made.bins.tolist()
    assert len(made.pack()) == 32


@given(st.lists(st.integers(0, 2**64 - 1), max_size=20))
def test_keys_are_short_plain_and_one_for_each_hash(values: list[int]) -> None:
    keys = key_strings(np.array(values, np.uint64))
    assert len(keys) == len(values)
    assert all(re.fullmatch(r"[\w-]{6}", key, re.ASCII) for key in keys)
    assert len(set(keys)) == len({value & (1 << 36) - 1 for value in values})
