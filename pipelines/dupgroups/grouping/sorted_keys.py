"""The keys of a pile of documents, sorted once: candidates for a slice of the documents at a time.

The candidates are those that `KeyIndex` finds when the documents come one by one. Sorting takes much less
time and memory than the dictionary of `KeyIndex`, but nothing can be added afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dupgroups.grouping.key_index import crowd
from dupgroups.model import Record

MEETINGS = 5_000_000  # of documents on a key that are counted at a time (some 200 MB)

Candidates = tuple[int, list[int]]
"""The place of a document, and the places of its candidates."""


@dataclass(frozen=True, slots=True)
class SortedKeys:
    """All postings in the order of their keys; a posting says that a document holds a key.

    `owners`: the document of each sorted posting. `starts`: where the bucket of its key begins. `places`:
    where each posting, document by document, stands among the sorted ones. `offsets`: each document's first
    posting. `ranks`: the place of each document's id among all ids.
    """

    owners: NDArray[np.int64]
    starts: NDArray[np.int64]
    places: NDArray[np.int64]
    offsets: NDArray[np.int64]
    ranks: NDArray[np.int64]

    @classmethod
    def of(cls, records: Sequence[Record]) -> SortedKeys:
        """Sort the keys of these records, each of another id, the oldest first."""
        counts = np.array([0, *(len(record.signature.keys) for record in records)], np.int64)
        hashes = (hash((record.signature.scheme, key)) for record in records for key in record.signature.keys)
        keys = np.fromiter(hashes, np.int64, int(counts.sum()))
        documents = np.repeat(np.arange(len(records)), counts[1:])
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        new = np.ones(len(keys), np.bool_)
        new[1:] = ordered[1:] != ordered[:-1]
        starts = np.maximum.accumulate(np.where(new, np.arange(len(keys)), 0))
        places = np.empty(len(keys), np.int64)
        places[order] = np.arange(len(keys))
        ranks = np.empty(len(records), np.int64)
        ranks[sorted(range(len(records)), key=lambda place: records[place].id)] = np.arange(len(records))
        return cls(documents[order], starts, places, np.cumsum(counts), ranks)

    def slices(self, limit: int) -> Iterator[tuple[int, int]]:
        """Runs of documents (first, after the last), each with about `MEETINGS` to count."""
        met = np.cumsum(np.concatenate(([0], self._before(self.places, limit) + 1)))[self.offsets]
        yield from pairwise(np.flatnonzero(np.diff(met[:-1] // MEETINGS, prepend=-1, append=-1)).tolist())

    def candidates(self, first: int, last: int, limit: int) -> Iterator[Candidates]:
        """For each document of the slice that has any: the earlier ones that share keys.

        At most `limit` of them, most shared keys first, then by id.
        """
        place = self.places[self.offsets[first] : self.offsets[last]]
        before = self._before(place, limit)
        documents = np.repeat(self.owners[place], before)
        step = np.arange(before.sum()) - np.repeat(np.cumsum(before) - before, before)
        others = self.owners[np.repeat(self.starts[place], before) + step]
        codes, shared = np.unique(documents * len(self.offsets) + others, return_counts=True)
        documents, others = np.divmod(codes, len(self.offsets))
        order = np.lexsort((self.ranks[others], -shared, documents))
        bounds = np.flatnonzero(np.diff(documents, prepend=-1, append=-1))
        for start, end in pairwise(bounds):
            yield int(documents[start]), others[order[start:end][:limit]].tolist()

    def _before(self, place: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
        """How many holders of the key stand before each of these postings, at most a crowd."""
        before: NDArray[np.int64] = np.minimum(place - self.starts[place], crowd(limit))
        return before
