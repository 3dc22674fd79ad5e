"""Hashes as short strings, which serve as keys in an index."""

from __future__ import annotations

import numpy as np

from dupgroups.sketches.hashing import Hashes

LENGTH = 6  # characters of 6 bits: 24 keys match one of a million documents by chance once in 2,900 look-ups
_ALPHABET = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
_SHIFTS = np.arange(0, 60, 6, dtype=np.uint64)


def key_strings(hashes: Hashes, length: int = LENGTH) -> tuple[str, ...]:
    """The low `6 length` bits of each hash as `length` letters, digits, "-" and "_"; () without hashes.

    `length` is between 1 and 10.
    """
    letters = _ALPHABET[(hashes[:, None] >> _SHIFTS[:length] & np.uint64(63)).view(np.int64)]
    return tuple(letters.view(f"U{length}")[:, 0].tolist())
