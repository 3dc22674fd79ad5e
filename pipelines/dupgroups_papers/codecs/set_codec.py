"""Sketches of sets as bytes, and what two of them have in common.

A *sample* holds the members that a rule picks in any set (all of them, or those divisible by 25), so two
samples share the same part of their members as the sets do. *Min-values* hold the smallest member under each
of many hash functions, and the size of the set; the share that agrees estimates the resemblance.
"""

import struct

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.text.hashing import Hashes
from dupgroups.text.sets import distinct
from dupgroups_papers.sketches import set_sketches
from dupgroups_papers.sketches.set_sketches import common

_SAMPLE, _MINIMA = b"S", b"M"
_HEAD = struct.Struct(">cI")  # kind, size of the set that was sketched
_HIGH = np.uint64(32)


def pack_sample(members: Hashes) -> bytes:
    """The distinct members, four bytes each."""
    kept = distinct(members >> _HIGH)
    return _HEAD.pack(_SAMPLE, len(kept)) + kept.astype(">u4").tobytes()


def pack_minima(values: Hashes, size: int) -> bytes:
    """The min-values of a set of `size` distinct members, four bytes each."""
    return _HEAD.pack(_MINIMA, size) + (values >> _HIGH).astype(">u4").tobytes()


def estimate_shared(a: bytes, b: bytes) -> tuple[float, int, int]:
    """How many members two packed sketches have in common, and the size of each.

    Exact for samples, estimated for min-values. Raises ConfigError for anything else.
    """
    (kind_a, size_a, values_a), (kind_b, size_b, values_b) = _unpack(a), _unpack(b)
    if kind_a != kind_b:
        raise ConfigError("a sample and min-values cannot be compared: run `dup-groups backfill`")
    if kind_a == _SAMPLE:
        return common(values_a, values_b), size_a, size_b
    alike = float(np.mean(values_a == values_b))
    return min(alike * (size_a + size_b) / (1 + alike), size_a, size_b), size_a, size_b


def members(body: bytes) -> NDArray[np.uint32]:
    """The values of a packed sketch; those of a sample are its members, ascending."""
    return _unpack(body)[2]


def supershingles(body: bytes, size: int) -> Hashes:
    """The runs of `size` values of a packed sketch, as hashes, ascending; none of a smaller one.

    Those of a sample are all its runs, those of min-values the successive, disjoint ones with their places.
    """
    kind, _, values = _unpack(body)
    runs = set_sketches.supershingles if kind == _SAMPLE else set_sketches.numbered_supershingles
    return distinct(runs(values.astype(np.uint64), size))


def _unpack(body: bytes) -> tuple[bytes, int, NDArray[np.uint32]]:
    if len(body) < _HEAD.size or (len(body) - _HEAD.size) % 4 or body[:1] not in (_SAMPLE, _MINIMA):
        raise ConfigError("the body of this signature is not a set: choose a judge that fits its signer")
    kind, size = _HEAD.unpack_from(body)
    return kind, size, np.frombuffer(body, ">u4", offset=_HEAD.size).astype(np.uint32)
