"""Signed documents as columns: what grouping reads of them, small to send from process to process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from dupgroups.methods.sketches.keys import key_hashes
from dupgroups.model import Record
from dupgroups.text.hashing import Hashes, mix

UNDATED = np.iinfo(np.int64).min
AT_ONCE = 4096  # records whose keys are hashed together


@dataclass(frozen=True, slots=True)
class Columns:
    """Some documents, n of them: one value each, in their order.

    `ages`: microseconds since 1970; of equal ones the smaller id is older. `published`: minutes since 1970,
    or UNDATED. `ranks`: the member of a group with the lowest is its head, of equal ones the oldest. `keys`:
    their hashes, one document after another, `counts` of each; equal keys of equal schemes are equal numbers,
    in any process. `bodies`: likewise, of `sizes` bytes each; so the `texts`, in UTF-8, of documents with
    keys, of `lengths` bytes ("" if unknown).
    """

    ids: list[str]
    hosts: list[str]
    schemes: list[str]
    ages: NDArray[np.int64]
    published: NDArray[np.int64]
    ranks: NDArray[np.int64]
    keys: Hashes
    counts: NDArray[np.int64]
    bodies: bytes
    sizes: NDArray[np.int64]
    texts: bytes
    lengths: NDArray[np.int64]

    @classmethod
    def of(
        cls, records: Sequence[Record], ranks: Sequence[int] | None = None, texts: Sequence[str] = ()
    ) -> Columns:
        """The columns of records; nothing else of them is kept. Without `ranks` all are equal."""
        encoded = [
            text.encode("utf-8", "surrogatepass") if record.signature else b""
            for record, text in zip(records, texts or [""] * len(records), strict=True)
        ]
        signatures = [record.signature for record in records]
        minutes = (UNDATED if record.published is None else record.published for record in records)
        return cls(
            [record.id for record in records],
            [record.host for record in records],
            [signature.scheme for signature in signatures],
            np.array([record.first_seen for record in records], np.int64),
            np.fromiter(minutes, np.int64, len(records)),
            np.zeros(len(records), np.int64) if ranks is None else np.array(ranks, np.int64),
            _hashed(records),
            np.array([len(signature.keys) for signature in signatures], np.int64),
            b"".join(signature.body for signature in signatures),
            np.array([len(signature.body) for signature in signatures], np.int64),
            b"".join(encoded),
            np.array([len(text) for text in encoded], np.int64),
        )

    def __len__(self) -> int:
        return len(self.ids)


def _hashed(records: Sequence[Record]) -> Hashes:
    """The keys of these records as numbers."""
    hashes = [np.empty(0, np.uint64)]
    for start in range(0, len(records), AT_ONCE):
        signatures = (record.signature for record in records[start : start + AT_ONCE])
        for scheme, some in groupby(signatures, key=lambda signature: signature.scheme):
            keys = [key for signature in some for key in signature.keys]
            hashes.append(mix(key_hashes(keys) ^ _salt(scheme)))
    return np.concatenate(hashes)


def _salt(scheme: str) -> np.uint64:
    digest = blake2b(scheme.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "big"))
