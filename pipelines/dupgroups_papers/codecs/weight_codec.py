"""Weighted sets as bytes, and what two of them have in common.

A body holds either all *elements* with their weights, eight bytes each, and the shared weight is exact; or
*samples* (`dupgroups_papers.sketches.consistent_sampling`), one byte each, and the weight of the whole set.
Two different samples agree by chance once in 256, which the estimate corrects for.
"""

import struct

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.text.hashing import Hashes

_ELEMENTS, _SAMPLES = b"E", b"W"
_HEAD = struct.Struct(">cd")  # kind, weight of the whole set
_ENTRY = np.dtype([("element", ">u4"), ("weight", ">f4")])
_BYTE_VALUES = 256


def pack_elements(elements: Hashes, weights: NDArray[np.float64]) -> bytes:
    """A whole set: `elements` are distinct hashes, `weights` their weights, of shape (n,), in any order."""
    entries = np.zeros(len(elements), _ENTRY)
    entries["element"], entries["weight"] = elements >> np.uint64(32), weights
    return _HEAD.pack(_ELEMENTS, entries["weight"].sum(dtype=np.float64)) + np.sort(entries).tobytes()


def pack_samples(drawn: Hashes, total: float) -> bytes:
    """Samples of a set whose whole weight is `total`."""
    return _HEAD.pack(_SAMPLES, total) + (drawn & np.uint64(_BYTE_VALUES - 1)).astype(np.uint8).tobytes()


def estimate_shared(a: bytes, b: bytes) -> tuple[float, float, float]:
    """The weight that two packed sets have in common, and the weight of each.

    Exact for whole sets, estimated for samples. Raises ConfigError for anything else.
    """
    (kind_a, total_a, data_a), (kind_b, total_b, data_b) = _parts(a), _parts(b)
    if kind_a != kind_b or (kind_a == _SAMPLES and len(data_a) != len(data_b)):
        raise ConfigError("different samples of phrases cannot be compared: run `dup-groups backfill`")
    if kind_a == _ELEMENTS:
        one, two = np.frombuffer(data_a, _ENTRY), np.frombuffer(data_b, _ENTRY)
        _, in_a, in_b = np.intersect1d(one["element"], two["element"], return_indices=True)
        shared = np.minimum(one["weight"][in_a], two["weight"][in_b]).sum(dtype=np.float64)
        return float(shared), total_a, total_b
    agree = float(np.mean(np.frombuffer(data_a, np.uint8) == np.frombuffer(data_b, np.uint8)))
    alike = max(0.0, (agree - 1 / _BYTE_VALUES) / (1 - 1 / _BYTE_VALUES))
    return min(alike * (total_a + total_b) / (1 + alike), total_a, total_b), total_a, total_b


def _parts(body: bytes) -> tuple[bytes, float, bytes]:
    if len(body) <= _HEAD.size or body[:1] not in (_ELEMENTS, _SAMPLES):
        raise ConfigError("the body of this signature holds no weights: choose a judge that fits its signer")
    return (*_HEAD.unpack_from(body), body[_HEAD.size :])
