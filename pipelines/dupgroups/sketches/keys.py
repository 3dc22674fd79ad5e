"""Hashes as short strings, which serve as keys in an index, and keys as numbers, which are sorted fast."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dupgroups.sketches.hashing import Hashes, mix, span_hashes

LENGTH = 6  # characters of 6 bits: 24 keys match one of a million documents by chance once in 2,900 look-ups
_ALPHABET = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
_SHIFTS = np.arange(0, 60, 6, dtype=np.uint64)


def key_strings(hashes: Hashes, length: int = LENGTH) -> tuple[str, ...]:
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
