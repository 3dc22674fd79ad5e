"""Packed samples of sets hold what the sets hold; other bytes are refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.sketches.hashing import Hashes, mix
from dupgroups_papers.codecs.set_codec import members, pack_minima, pack_sample, shared

numbers = st.lists(st.integers(0, 40), max_size=60)


def hashes(values: list[int]) -> Hashes:
    return mix(np.array(values, np.uint64) + np.uint64(1))


@given(numbers, numbers)
def test_samples_share_what_the_sets_share(a: list[int], b: list[int]) -> None:
    one, two = pack_sample(hashes(a)), pack_sample(hashes(b))
    assert shared(one, two) == (len(set(a) & set(b)), len(set(a)), len(set(b)))
    assert len(members(one)) == len(set(a))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (b"", b""),
        (b"X\0\0\0\0", b"X\0\0\0\0"),
        (b"S\0\0\0\0\0", b"S\0\0\0\0\0"),
        (pack_sample(hashes([1])), pack_minima(hashes([1]), 1)),
    ],
)
def test_what_is_not_a_pair_of_sets_is_a_wrong_configuration(a: bytes, b: bytes) -> None:
    with pytest.raises(ConfigError):
        shared(a, b)
