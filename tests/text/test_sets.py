"""Sets and bags of hashes against Python's own, and their packed sketches."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.text.hashing import Hashes, mix
from dupgroups.text.sets import common, containment, distinct, numbered, resemblance
from dupgroups.text.stored_sets import pack_minima, pack_sample, shared

numbers = st.lists(st.integers(0, 40), max_size=60)


def hashes(values: list[int]) -> Hashes:
    return mix(np.array(values, np.uint64) + np.uint64(1))


@given(numbers, numbers)
def test_arrays_agree_with_sets(a: list[int], b: list[int]) -> None:
    one, two = distinct(hashes(a)), distinct(hashes(b))
    assert sorted(set(hashes(a).tolist())) == one.tolist()
    assert common(one, two) == len(set(a) & set(b))
    assert shared(pack_sample(one), pack_sample(two)) == (len(set(a) & set(b)), len(set(a)), len(set(b)))


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


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (b"", b""),
        (b"X\0\0\0\0", b"X\0\0\0\0"),
        (b"S\0\0\0\0\0", b"S\0\0\0\0\0"),
        (pack_sample(hashes([1])), pack_minima(hashes([1]), 1)),
    ],
)
def test_what_is_no_pair_of_sets_is_a_wrong_configuration(a: bytes, b: bytes) -> None:
    with pytest.raises(ConfigError):
        shared(a, b)
