"""Packed bodies hold what was packed; bytes of another kind are refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dupgroups.errors import ConfigError
from dupgroups.text.hashing import Hashes, mix
from dupgroups_papers.codecs import set_codec, vector_codec, weight_codec
from dupgroups_papers.codecs.set_codec import pack_minima, pack_sample


def hashes(values: list[int]) -> Hashes:
    return mix(np.array(values, np.uint64) + np.uint64(1))


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
