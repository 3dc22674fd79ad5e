"""64-bit hashes that are equal in every process, Python version and machine: no salt, no platform integers.

The hash of a token is a polynomial of its code points modulo 2^64, which prefix sums compute for all tokens
of a text at once; the hash of a shingle is a polynomial of its token hashes. Polynomials alone are too
regular for sampling, so such hashes go through a finaliser first (Steele, Lea and Flood: Fast Splittable
Pseudorandom Number Generators, OOPSLA 2014; variant 13 of Stafford's constants).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Codes = NDArray[np.unsignedinteger]  # code points

_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that its powers have inverses modulo 2^64
_INVERSE = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))
_SHINGLE = np.uint64(0xD6E8FEB86659FD93)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)  # to make one takes as long as to use it
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def mix(values: Hashes) -> Hashes:
    """Spread values over all 64 bits: one-to-one, any input bit changes half of the output bits.

    >>> [hex(value) for value in mix(np.array([0, 1], np.uint64)).tolist()]
    ['0x0', '0x5692161d100b05e5']
    """
    mixed = values ^ (values >> _30)
    mixed *= _FIRST
    mixed ^= mixed >> _27
    mixed *= _SECOND
    mixed ^= mixed >> _31
    return mixed


def span_hashes(codes: Codes, starts: NDArray[np.intp], ends: NDArray[np.intp]) -> Hashes:
    """Hash of `codes[start:end]` for each span: equal spans have equal hashes at any position.

    `codes` have the shape (n,), `starts` and `ends` of shape (m,) with 0 <= start <= end <= n.
    """
    power, inverse = _powers(1 << max(12, len(codes).bit_length()))  # few lengths, as they are cached
    prefix = np.zeros(len(codes) + 1, np.uint64)
    np.multiply(codes, power[: len(codes)], out=prefix[1:]).cumsum(out=prefix[1:])
    spans: Hashes = (prefix.take(ends) - prefix.take(starts)) * inverse.take(starts)
    return spans


def windows(hashes: Hashes, size: int) -> Hashes:
    """Hash of each run of `size` hashes, in order, mixed; shape (max(0, n - size + 1),)."""
    return mix(_polynomials(hashes, size))


def _polynomials(hashes: Hashes, size: int) -> Hashes:
    """Each run of `size` hashes as a polynomial of degree size - 1, composed of its two halves."""
    if size == 1 or len(hashes) < size:
        return hashes[: max(0, len(hashes) - size + 1)]
    half = size // 2
    first = _polynomials(hashes, half)
    second = first if size == 2 * half else _polynomials(hashes, size - half)
    count = len(hashes) - size + 1
    combined: Hashes = first[:count] * _SHINGLE ** np.uint64(size - half)
    combined += second[half : half + count]
    return combined


@lru_cache(maxsize=16)
def _powers(length: int) -> tuple[Hashes, Hashes]:
    """Powers of the base and of its inverse, from the zeroth."""
    factors = np.array([[_BASE], [_INVERSE]]).repeat(length, axis=1)
    factors[:, 0] = 1
    base, inverse = factors.cumprod(axis=1, dtype=np.uint64)
    return base, inverse
