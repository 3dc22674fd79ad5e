"""Sparse vectors as bytes, and the cosine of the angle between two of them."""

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.text.hashing import Hashes

_ENTRY = np.dtype([("word", ">u4"), ("weight", ">f2")])


def pack(words: Hashes, weights: NDArray[np.float64]) -> bytes:
    """Six bytes per entry, ascending by word; weights (above 0) are stored relative to the heaviest."""
    entries = np.zeros(len(words), _ENTRY)
    entries["word"] = words >> np.uint64(32)
    entries["weight"] = weights / weights.max() if len(weights) else weights
    return entries[np.argsort(entries["word"], kind="stable")].tobytes()


def cosine(a: bytes, b: bytes) -> float:
    """Cosine of two packed vectors: 0 to 1, symmetric, 1 for equal ones; 0 when one is empty.

    Raises ConfigError for bytes that are not a packed vector.
    """
    (words_a, weights_a), (words_b, weights_b) = _unpack(a), _unpack(b)
    _, in_a, in_b = np.intersect1d(words_a, words_b, return_indices=True)
    norms = float(weights_a @ weights_a) * float(weights_b @ weights_b)
    return min(1.0, float(weights_a[in_a] @ weights_b[in_b]) / norms**0.5) if norms else 0.0


def _unpack(body: bytes) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    if len(body) % _ENTRY.itemsize:
        raise ConfigError("the body of this signature is not a vector: choose a judge that fits its signer")
    entries = np.frombuffer(body, _ENTRY)
    return entries["word"].astype(np.uint32), entries["weight"].astype(np.float64)
