"""Keys of an index: minima of sets as short strings, and keys as numbers, which are sorted fast.

Li, Owen, Zhang: One Permutation Hashing (NIPS 2012): hashes fall into bins, and the smallest hash of each bin
is kept. Two sets agree in one of them with the probability of their resemblance.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, mix, span_hashes
from dupgroups.text.sets import firsts, sorted_within

# characters of 6 bits: 24 keys match one of a million documents by chance once in 2,900 look-ups
KEY_CHARS = 6
_ALPHABET = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
_SHIFTS = np.arange(0, 60, 6, dtype=np.uint64)
_HALF = np.uint64(32)


def bounded_minima(hashes: Hashes, bounds: NDArray[np.intp], bins: int) -> tuple[Hashes, NDArray[np.intp]]:
    """The minima of the bins of several sets that are not empty, in the order of sets and bins; new bounds.

    Set i is `hashes[bounds[i]:bounds[i + 1]]`.
    """
    ordered = sorted_within(hashes, bounds)
    # the bin is the high part of the hash, so the first hash of a bin is its minimum
    places = ((ordered >> _HALF) * np.uint64(bins) >> _HALF).view(np.int64)
    places += np.arange(0, bins * (len(bounds) - 1), bins).repeat(bounds[1:] - bounds[:-1])
    first = firsts(places)
    return ordered[first], first.nonzero()[0].searchsorted(bounds)


def key_strings(hashes: Hashes, length: int = KEY_CHARS) -> tuple[str, ...]:
    """The low `6 length` bits of each hash as `length` letters, digits, "-" and "_"; () without hashes.

    `length` is between 1 and 10.
    """
    letters = _ALPHABET[(hashes[:, None] >> _SHIFTS[:length] & np.uint64(63)).view(np.int64)]
    return tuple(letters.view(f"U{length}")[:, 0].tolist())


def key_hashes(keys: Sequence[str]) -> Hashes:
    """A number of 64 bits for each key, the same in every process; shape (n,).

    >>> one, two, again = key_hashes(["ab", "ba", "ab"])
    >>> bool(one == again), bool(one == two)
    (True, False)
    """
    codes = np.frombuffer("".join(keys).encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)
    ends = np.fromiter(map(len, keys), np.intp, len(keys)).cumsum()
    return mix(span_hashes(codes, np.concatenate(([0], ends))[:-1], ends))
