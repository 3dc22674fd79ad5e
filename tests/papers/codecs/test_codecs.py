"""Packed bodies hold what was packed; bytes of another kind are refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.text.hashing import Hashes, mix
from dupgroups_papers.codecs import set_codec, vector_codec, weight_codec
from dupgroups_papers.codecs.set_codec import members, pack_minima, pack_sample

numbers = st.lists(st.integers(0, 40), max_size=60)


def hashes(values: list[int]) -> Hashes:
    return mix(np.array(values, np.uint64) + np.uint64(1))


@given(numbers, numbers)
def test_samples_share_what_the_sets_share(a: list[int], b: list[int]) -> None:
    one, two = pack_sample(hashes(a)), pack_sample(hashes(b))
    assert set_codec.estimate_shared(one, two) == (len(set(a) & set(b)), len(set(a)), len(set(b)))
    assert len(members(one)) == len(set(a))


ONE = hashes([1])
ELEMENTS = weight_codec.pack_elements(ONE, np.array([1.0]))
FEW = weight_codec.pack_samples(hashes(list(range(8))), 1.0)


@pytest.mark.parametrize(
    ("measure", "a", "b"),
    [
        (set_codec.estimate_shared, pack_sample(ONE), pack_minima(ONE, 1)),
        (vector_codec.cosine, b"1234567", b"1234567"),
        (weight_codec.estimate_shared, b"no", b"no"),
        (weight_codec.estimate_shared, ELEMENTS, FEW),
    ],
)
def test_bodies_of_another_kind_are_a_wrong_configuration(
    measure: Callable[[bytes, bytes], object], a: bytes, b: bytes
) -> None:
    with pytest.raises(ConfigError):
        measure(a, b)
