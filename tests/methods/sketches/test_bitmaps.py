"""Bitmaps against the sets that they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from dupgroups.methods.sketches.bitmaps import Bitmap, Bitmaps, bitmaps
from dupgroups.text.hashing import Hashes, mix

BITS = 1512


def numbers(first: int, last: int) -> Hashes:
    return mix(np.arange(first, last, dtype=np.uint64))


def bitmap(hashes: Hashes) -> Bitmap:
    sizes, rows = bitmaps(hashes, np.array([0, len(hashes)]), BITS)
    return Bitmap(int(sizes[0]), rows[0].tobytes())


@pytest.mark.parametrize(
    ("small", "large", "common"),
    [
        (60, 60, 30),
        (800, 800, 510),
        (3000, 3000, 1900),  # a quarter of the elements is kept
        (1700, 1800, 1100),  # of the larger set only
        (250, 1000, 190),
        (3000, 9000, 2200),
        (2300, 6000, 0),
    ],
)
def test_what_is_shared_is_estimated_without_bias(small: int, large: int, common: int) -> None:
    errors = []
    for start in range(0, 40_000_000, 1_000_000):
        middle = start + small - common
        one, two = bitmap(numbers(start, start + small)), bitmap(numbers(middle, middle + large))
        assert one.estimate_shared(two) == two.estimate_shared(one)
        errors.append((one.estimate_shared(two) - common) / small)
    assert abs(np.mean(errors)) < 0.02
    assert np.sqrt(np.mean(np.square(errors))) < 0.06


@pytest.mark.parametrize(("small", "large"), [(1700, 1700), (1700, 1900), (1500, 4000), (6000, 7500)])
def test_the_nearest_of_any_level_has_most_bits_in_common(small: int, large: int) -> None:
    """A copy that is longer is kept at another level: it comes before an unrelated text of one level."""
    copy, other = numbers(0, large), numbers(10**6, 10**6 + small)
    both = bitmaps(np.concatenate([copy, other]), np.array([0, large, large + small]), BITS)
    one = bitmaps(np.concatenate([numbers(0, small)] * 2), np.array([0, small, 2 * small]), BITS)
    of_copy, of_other = Bitmaps(*one).common_bits(Bitmaps(*both)).tolist()
    assert Bitmaps(*both).common_bits(Bitmaps(*one)).tolist() == [of_copy, of_other]
    assert of_copy >= small / large
    assert of_copy > of_other


def test_sets_that_are_two_levels_apart_have_no_bits_in_common() -> None:
    few, many = (Bitmaps(*bitmaps(numbers(0, size), np.array([0, size]), BITS)) for size in (90, 9000))
    assert few.common_bits(many).tolist() == many.common_bits(few).tolist() == [0.0]
