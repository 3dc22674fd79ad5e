"""Look-up of candidates in a SQLite file: one statement for all the keys of a batch."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from heapq import nsmallest

from dupgroups.engines.sqlite import schema as sql
from dupgroups.engines.sqlite.row_codec import record_of
from dupgroups.grouping.key_index import crowd
from dupgroups.model import Record, Signature

_SHORT_BYTES = 6  # bytes of a key that is a number as it is; SQLite stores 5 of them in 6 bytes

Holders = dict[tuple[int, int], list[int]]
"""(number of a scheme, number of a key) -> documents."""


def key_number(key: str) -> int:
    """A key as an integer of 64 bits, which compares and stores faster than text.

    Short keys keep their order and never collide; longer ones are hashed into the negative numbers, where two
    of a million collide once in ten million such collections.
    """
    encoded = key.encode("utf-8", "surrogatepass")
    if len(encoded) <= _SHORT_BYTES:
        return int.from_bytes(b"\1" + encoded, "big")
    return int.from_bytes(blake2b(encoded, digest_size=8).digest(), "big") | -(2**63)


def candidates_of(db: sqlite3.Connection, signatures: Sequence[Signature], limit: int) -> list[list[Record]]:
    """For each signature the records that share enough keys of its scheme, most first, then by id; at most
    `limit`. [] for an unknown scheme or no keys.
    """
    schemes = dict(db.execute("SELECT name, number FROM scheme"))
    asked = [
        {(schemes[signature.scheme], key_number(key)) for key in signature.keys}
        if signature.scheme in schemes
        else set()
        for signature in signatures
    ]
    holders = _holders(db, set().union(*asked), crowd(limit))
    shared = []
    for signature, keys in zip(signatures, asked, strict=True):
        counts = Counter(doc for key in keys for doc in holders.get(key, ()))
        if (least := signature.shared_keys) > 1:
            counts = Counter({doc: count for doc, count in counts.items() if count >= least})
        shared.append(counts)
    nearest = _select_nearest(db, shared, limit)
    wanted = json.dumps(sorted({doc for docs in nearest for doc in docs}))
    records = {row[-1]: record_of(row) for row in db.execute(sql.RECORDS, (wanted,))}
    return [
        [records[doc] for doc in sorted(docs, key=lambda doc: (-counts[doc], records[doc].id))]
        for docs, counts in zip(nearest, shared, strict=True)
    ]


def _holders(db: sqlite3.Connection, keys: Iterable[tuple[int, int]], most: int) -> Holders:
    """The documents with each key, in order; of more than `most` the first."""
    numbers: defaultdict[int, list[int]] = defaultdict(list)
    for scheme, key in sorted(keys):  # in the order of the table
        numbers[scheme].append(key)
    holders: Holders = defaultdict(list)
    for scheme, wanted in numbers.items():
        values = {"scheme": scheme, "keys": json.dumps(wanted), "crowd": most}
        for key, doc in db.execute(sql.HOLDERS, values):
            holders[scheme, key].append(doc)
    return holders


def _select_nearest(db: sqlite3.Connection, shared: Sequence[Counter[int]], limit: int) -> list[list[int]]:
    """Of each count the documents with the most keys, in any order. Only ids decide between equals."""
    crowded = {doc for counts in shared if len(counts) > limit for doc in counts}
    ids = dict(db.execute(sql.IDS, (json.dumps(sorted(crowded)),))) if crowded else {}

    def select(counts: Counter[int]) -> list[int]:
        return nsmallest(limit, counts, key=lambda doc: (-counts[doc], ids[doc]))

    return [select(counts) if len(counts) > limit else [*counts] for counts in shared]
