"""The keys of a corpus, sorted once: for each document the earlier ones that share keys.

The candidates are those that `KeyIndex` finds when the documents come one by one. Sorting takes much less
time than the dictionary of `KeyIndex`, and its memory does not grow with the corpus, but nothing can be added
afterwards.

Two passes over what is written to `Scratch`. First the postings, in parts by key: of every key that several
documents hold, its holders are noted in an array (the first ones, a crowd), and for each holder where in the
array those before it stand. Then these notes, in parts by document: all holders before it are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.bulk.offline.scratch import DiskArray, Parts, Scratch
from dupgroups.grouping.key_index import crowd

MAX_MEETINGS = 2_000_000  # of documents on a key that are counted at a time (some 100 MB)
MAX_WAITING_KEYS = 1 << 20  # keys that are put into parts at a time
PART_SHIFT_BITS = 56  # a key is in the part that its highest 8 bits name

# a note is one number: the document within its part, where its key begins in the array, how many are before
DOCUMENT_BITS, START_BITS, BEFORE_BITS = 20, 32, 12

Numbers = NDArray[np.int64]
Names = Callable[[Numbers], list[str]]


class SortedKeys:
    """Collects the keys of documents, which are numbered as they come, and finds what shares keys."""

    def __init__(self, scratch: Scratch) -> None:
        self.size = 0
        self._scratch = scratch
        self._postings = Parts(scratch, "postings", np.uint64, np.uint32)
        self._waiting: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []
        self._count = 0

    def add(self, keys: NDArray[np.uint64], counts: Numbers) -> None:
        """Add documents: their keys, one document after another, and how many each has.

        Keys are 64-bit hashes; each document's keys have to differ only for speed. Up to 2^32 documents.
        """
        self._waiting.append((keys, np.repeat(np.arange(self.size, self.size + len(counts)), counts)))
        self.size += len(counts)
        self._count += len(keys)
        if self._count >= MAX_WAITING_KEYS:
            self._sort_out()

    def pairs(
        self, limit: int, places: Numbers | None, names: Names, needed: Callable[[Numbers], Numbers]
    ) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
        """Pairs of places (document, earlier one, how many keys they share), in order, many at a time.

        `places` says where in the order of age each document stands, -1 for one that is left out; None if
        they came in that order. A document gets at most `limit` candidates, those that share most keys, then
        by name; `names` gives the names of places, and `needed` how many keys each must share. Can be called
        once.
        """
        self._sort_out()
        holders = DiskArray(self._scratch, "holders", np.uint32)
        notes = self._notes(holders, crowd(limit), places)
        for part in notes.numbers:
            (codes,) = notes.pop(part)
            codes.sort()
            for some in _slices(codes):
                documents, others, shared = _count_shared(some, part << DOCUMENT_BITS, holders.values)
                enough = shared >= needed(documents)
                if enough.any():
                    documents, others, shared = documents[enough], others[enough], shared[enough]
                    kept = choose_nearest(documents, others, shared, limit, names)
                    yield documents[kept], others[kept], shared[kept]
            holders.release()

    def _sort_out(self) -> None:
        if self._waiting:
            keys, documents = (np.concatenate(arrays) for arrays in zip(*self._waiting, strict=True))
            self._postings.add((keys >> np.uint64(PART_SHIFT_BITS)).astype(np.uint16), keys, documents)
            self._waiting, self._count = [], 0

    def _notes(self, holders: DiskArray, most: int, places: Numbers | None) -> Parts:
        notes, length = Parts(self._scratch, "notes", np.uint64), 0
        for part in self._postings.numbers:
            keys, documents = self._postings.pop(part)
            place, rank = _rank_holders(keys, documents if places is None else places[documents])
            noted = rank < most
            starts = length + np.cumsum(noted) - noted
            starts = np.repeat(starts[rank == 0], np.diff(np.flatnonzero(rank == 0), append=len(rank)))
            holders.append(place[noted])
            length += int(noted.sum())
            later = rank > 0
            packed = _pack_notes(place[later], starts[later], np.minimum(rank[later], most))
            notes.add((place[later] >> DOCUMENT_BITS).astype(np.uint16), packed)
        return notes


def _rank_holders(keys: NDArray[np.uint64], places: NDArray[np.integer]) -> tuple[Numbers, Numbers]:
    """The holders of each key that several hold, the oldest first, and how many hold it before each."""
    order = _order(keys)
    ordered = keys[order]
    begins = np.ones(len(keys) + 1, np.bool_)
    begins[1:-1] = ordered[1:] != ordered[:-1]
    several = ~(begins[:-1] & begins[1:])
    runs, place = np.cumsum(begins[:-1])[several], places[order][several].astype(np.int64)
    codes = np.sort((runs << 32 | place)[place >= 0])
    codes = codes[np.diff(codes, prepend=-1) != 0]  # a document that holds a key twice holds it
    runs, place = codes >> 32, codes & 0xFFFFFFFF
    first = np.flatnonzero(np.diff(runs, prepend=-1))
    return place, np.arange(len(codes)) - np.repeat(first, np.diff(first, append=len(codes)))


def _order(keys: NDArray[np.uint64]) -> Numbers:
    """Sort keys. Sorting numbers is much faster than sorting their places, so a place stands in
    the low bits of its key; what these bits would decide is left to a sort of what is nearly in order.
    """
    bits = np.uint64(len(keys).bit_length())
    packed = keys >> bits << bits | np.arange(len(keys), dtype=np.uint64)
    packed.sort()
    order = (packed & ((np.uint64(1) << bits) - np.uint64(1))).view(np.int64)
    ordered = keys[order]
    return order if (ordered[1:] >= ordered[:-1]).all() else order[np.argsort(ordered, kind="stable")]


def _pack_notes(places: Numbers, starts: Numbers, before: Numbers) -> NDArray[np.uint64]:
    """Notes as single numbers, in the order of places. Raises ValueError for more than they can hold."""
    if len(starts) and starts[-1] >> START_BITS:
        raise ValueError(f"more than {1 << START_BITS:,} keys are shared: group fewer documents at once")
    local = places & ((1 << DOCUMENT_BITS) - 1)
    return (local << START_BITS | starts).view(np.uint64) << np.uint64(BEFORE_BITS) | before.view(np.uint64)


def _slices(codes: NDArray[np.uint64]) -> Iterator[NDArray[np.uint64]]:
    """The sorted notes in slices of about `MAX_MEETINGS` to count, each with all notes of its documents."""
    documents = codes >> np.uint64(START_BITS + BEFORE_BITS)
    met = np.cumsum(codes & np.uint64((1 << BEFORE_BITS) - 1))
    first = np.flatnonzero(np.diff(documents, prepend=documents[:1] + 1))
    turns = np.flatnonzero(np.diff(met[first] // np.uint64(MAX_MEETINGS), prepend=np.uint64(0)))
    for start, end in pairwise([0, *first[turns].tolist(), len(codes)]):
        if start < end:
            yield codes[start:end]


def _count_shared(
    codes: NDArray[np.uint64], offset: int, holders: NDArray[np.uint32]
) -> tuple[Numbers, Numbers, Numbers]:
    """Document, earlier holder of one of its keys, and of how many, for each pair, in order."""
    notes = codes.view(np.int64)
    before = notes & ((1 << BEFORE_BITS) - 1)
    starts = notes >> BEFORE_BITS & ((1 << START_BITS) - 1)
    documents = (codes >> np.uint64(START_BITS + BEFORE_BITS)).view(np.int64) + offset
    step = np.arange(before.sum()) - np.repeat(np.cumsum(before) - before, before)
    met = np.repeat(documents << 32, before) | holders[np.repeat(starts, before) + step]
    met.sort()
    first = np.flatnonzero(np.diff(met, prepend=-1))
    return met[first] >> 32, met[first] & 0xFFFFFFFF, np.diff(first, append=len(met))


def choose_nearest(
    documents: Numbers, others: Numbers, common: NDArray[Any], limit: int, names: Names
) -> NDArray[np.bool_]:
    """Which pairs, ordered by document, are within the `limit` of one: those with most in `common`, of equal
    ones the first by name.
    """
    first = np.flatnonzero(np.diff(documents, prepend=-1))
    sizes = np.diff(first, append=len(documents))
    kept = np.ones(len(documents), np.bool_)
    if (sizes > limit).any():
        crowded = np.flatnonzero(np.repeat(sizes > limit, sizes))
        order = crowded[nearest_first(documents[crowded], others[crowded], common[crowded], names)]
        ranks = np.arange(len(documents)) - np.repeat(first, sizes)
        kept[order] = ranks[crowded] < limit
    return kept


def nearest_first(documents: Numbers, others: Numbers, common: NDArray[Any], names: Names) -> Numbers:
    """The order of pairs by document, then those with most in common first, then by name."""
    known, which = np.unique(others, return_inverse=True)
    listed = names(known)
    ranks = np.empty(len(known), np.int64)
    ranks[sorted(range(len(known)), key=listed.__getitem__)] = np.arange(len(known))
    return np.lexsort((ranks[which], -common, documents))
