"""Document frequencies: in how many documents of a corpus each feature occurs, for weights and filters.

One immutable value, learned from many documents and stored as a file of NumPy arrays. It can hold both words
and phrases, because their hashes differ. A phrase is a run of words of the text, whatever sentences they are
in: the signers that leave out sentences use some of these phrases, and no others. Its version is a digest of
its contents and is part of the scheme of the signatures made with it, so signatures with different
frequencies are never compared.

How many distinct phrases have each document frequency is kept as well, with the phrases that are too rare to
be in the file: a share of the phrases is a share of all of them.

Almost every phrase of a corpus occurs in one document only. Learning in bounded memory therefore forgets the
rarest features whenever there are too many, as in Manku and Motwani: Approximate Frequency Counts over Data
Streams (VLDB 2002); the maximum error of the counts is known.

`news_words` are the frequencies of English and Chinese news pages (`dupgroups.text.news_words`), for use
without a corpus.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.methods import npz
from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.news_words import pages_and_words
from dupgroups.text.sentences import tokens
from dupgroups.text.sets import distinct

_BATCH_FEATURES = 1 << 22  # features that are gathered before they are counted: 32 MB


@dataclass(frozen=True, eq=False)
class Spectrum:
    """How many distinct phrases there are: `phrases[i]` (int64, at least 1) of them in `counts[i]` documents.

    `counts` (uint32) is ascending and distinct. A phrase has `size` words, 0 when this is not known.
    """

    counts: NDArray[np.uint32]
    phrases: NDArray[np.int64]
    size: int = 0

    @classmethod
    def of(cls, phrases: Mapping[int, int], size: int = 0) -> Spectrum:
        """The spectrum of these numbers of phrases by document frequency."""
        ordered = sorted(phrases)
        numbers = [phrases[count] for count in ordered]
        return cls(np.array(ordered, np.uint32), np.array(numbers, np.int64), size)

    def at_least(self, limit: int) -> float:
        """The share (0 to 1) of the distinct phrases that are in at least `limit` documents."""
        return int(self.phrases[self.counts >= limit].sum()) / max(int(self.phrases.sum()), 1)


@dataclass(frozen=True, eq=False)
class Frequencies:
    """A corpus of `documents` documents, of which `counts[i]` hold `features[i]`.

    `features` (uint64, ascending, distinct) and `counts` (uint32) have the same length. Counts are too low by
    at most `error`. A missing feature occurs in at most `error` documents or in fewer than were required.
    `spectrum` is that of the phrases, None when it was not counted. A phrase that was forgotten and came back
    is in it twice.
    """

    documents: int
    features: Hashes
    counts: NDArray[np.uint32]
    error: int = 0
    spectrum: Spectrum | None = None

    @classmethod
    def learn(cls, documents: Iterable[Hashes], least: int = 1, most: int | None = None) -> Frequencies:
        """Count in how many documents each feature occurs; features in fewer than `least` are left out.

        `most` bounds how many features are held, apart from those gathered between two counts; None holds
        all. The features are phrases of one size, as `shingling` makes them.
        """
        tally = _Tally(most)
        for hashes in documents:
            tally.add(hashes)
        return cls(tally.documents, *tally.of_at_least(least), tally.error, tally.spectrum())

    @classmethod
    def of_texts(
        cls, texts: Iterable[str], size: int, least: int = 1, most: int | None = None
    ) -> Frequencies:
        """Count the words of these texts and their phrases of `size` words; see `learn`.

        `most` bounds the words and the phrases that are held, each.
        """
        words, phrases = _Tally(most), _Tally(most)
        for text in texts:
            hashes = tokens(text).hashes
            phrases.add(windows(hashes, size))
            if size > 1:  # otherwise the words are the phrases
                words.add(windows(hashes, 1))
        kept, more = phrases.of_at_least(least), words.of_at_least(least)
        features, counts = np.concatenate([kept[0], more[0]]), np.concatenate([kept[1], more[1]])
        order = np.argsort(features)
        error = max(words.error, phrases.error)
        return cls(phrases.documents, features[order], counts[order], error, phrases.spectrum(size))

    @classmethod
    def open(cls, value: Frequencies | str | Path, size: int = 0) -> Frequencies:
        """The frequencies of a file, or the value itself.

        Raises ConfigError for an unreadable file, and for phrases that are known not to have `size` words.
        """
        known = value if isinstance(value, Frequencies) else npz.read(value, "frequencies", cls._of)
        counted = known.spectrum.size if known.spectrum else 0
        if size and counted and counted != size:
            raise ConfigError(
                f"frequencies: the phrases have {counted} words, not {size}: "
                f"count them with `dup-groups frequencies --phrase {size}`"
            )
        return known

    @classmethod
    def _of(cls, arrays: dict[str, NDArray[Any]]) -> Frequencies:
        features = npz.column(arrays["features"], np.uint64)
        counts = npz.column(arrays["counts"], np.uint32)
        if len(features) != len(counts) or (features[1:] <= features[:-1]).any():
            raise ValueError("its features are not in ascending order, or some have no count")
        return cls(int(arrays["documents"]), features, counts, int(arrays["error"]), _spectrum(arrays))

    def save(self, path: Path) -> None:
        """Write a file of any name that `open` can read; an existing file is replaced atomically."""
        numbers = {"documents": np.int64(self.documents), "error": np.int64(self.error)}
        arrays = {**numbers, "features": self.features, "counts": self.counts}
        if self.spectrum:
            arrays["phrase_size"] = np.int64(self.spectrum.size)
            arrays["phrase_counts"] = self.spectrum.counts
            arrays["phrases"] = self.spectrum.phrases
        npz.save(path, arrays)

    def of(self, hashes: Hashes) -> NDArray[np.int64]:
        """In how many documents each of these features occurs, shape (n,); 0 for unknown features."""
        if not len(self.features):
            return np.zeros(len(hashes), np.int64)
        places = np.minimum(np.searchsorted(self.features, hashes), len(self.features) - 1)
        return np.where(self.features[places] == hashes, self.counts[places], 0).astype(np.int64)

    def idf(self, hashes: Hashes) -> NDArray[np.float64]:
        """log((documents + 1) / (document frequency + 1)): 0 for features of all documents."""
        return np.log((self.documents + 1) / (self.of(hashes) + 1.0))

    def rarity(self, hashes: Hashes) -> NDArray[np.float64]:
        """The inverse document frequency, normalised: 0 for features of all documents, 1 for unknown ones."""
        return self.idf(hashes) / np.log(self.documents + 1) if self.documents else np.ones(len(hashes))

    def top_frequency(self, share: float) -> int:
        """The lowest document frequency that at most this share (0 to 1) of the distinct phrases reaches.

        `spectrum.at_least` tells the share that does, which ties make smaller. Raises ConfigError when the
        distinct phrases were not counted.
        """
        if not self.spectrum:
            raise ConfigError(
                "frequencies: the distinct phrases were not counted, and `top` is a share of them: "
                "count them with `dup-groups frequencies`"
            )
        counts, phrases = self.spectrum.counts[::-1], self.spectrum.phrases[::-1]
        enough = np.flatnonzero(phrases.cumsum() > share * phrases.sum())
        return int(counts[enough[0]]) + 1 if len(enough) else 1

    @cached_property
    def version(self) -> str:
        """Twelve hex digits: equal for equal frequencies, everywhere."""
        parts = [
            np.int64(self.documents).astype("<i8"),
            *(self.features.astype("<u8"), self.counts.astype("<u4")),
        ]
        if self.spectrum:  # `top_frequency` depends on it
            parts += [self.spectrum.counts.astype("<u4"), self.spectrum.phrases.astype("<i8")]
        return blake2b(b"".join(part.tobytes() for part in parts), digest_size=6).hexdigest()

    def __str__(self) -> str:
        return self.version


def terms(text: str) -> Hashes:
    """The hashes of the words of a text in order, with repetitions: the features of `news_words`."""
    return windows(tokens(text).hashes, 1)


@cache
def news_words() -> Frequencies:
    """The document frequencies of words in news pages, which come with the package."""
    pages, counted = pages_and_words()
    counts = [np.full(words.count(" ") + 1, count, np.uint32) for count, words in counted]
    hashes = terms(" ".join(words for _, words in counted))
    order = np.argsort(hashes)
    return Frequencies(pages, hashes[order], np.concatenate(counts)[order])


Counted = tuple[Hashes, NDArray[np.uint32]]  # distinct features, ascending, and the count of each


class _Tally:
    """Counts in how many documents each feature occurs, and forgets the rarest when there are too many."""

    def __init__(self, most: int | None) -> None:
        self.documents = self.error = 0
        self._most = most
        self._gathered: list[Counted] = [(np.zeros(0, np.uint64), np.zeros(0, np.uint32))]
        self._size = 0
        self._forgotten = Counter[int]()

    def add(self, hashes: Hashes) -> None:
        """Count the features of one document."""
        self.documents += 1
        features = distinct(hashes)
        self._gathered.append((features, np.ones(len(features), np.uint32)))
        self._size += len(features)
        if self._size > _BATCH_FEATURES:
            self._forget()

    def of_at_least(self, least: int) -> Counted:
        """The features of at least `least` documents."""
        features, counts = self._count_gathered()
        return features[counts >= least], counts[counts >= least]

    def spectrum(self, size: int = 0) -> Spectrum:
        """The spectrum of all features, those that were forgotten with the count that they had then."""
        return Spectrum.of(self._forgotten + _histogram(self._count_gathered()[1]), size)

    def _count_gathered(self) -> Counted:
        if len(self._gathered) > 1:
            features = np.concatenate([part for part, _ in self._gathered])
            counts = np.concatenate([part for _, part in self._gathered])
            known, places = np.unique(features, return_inverse=True)
            self._gathered = [(known, np.bincount(places, counts, len(known)).astype(np.uint32))]
        return self._gathered[0]

    def _forget(self) -> None:
        """Keep the most frequent features, at most `most`."""
        features, counts = self._count_gathered()
        self._size = 0
        if self._most is None or len(features) <= self._most:
            return
        place = len(counts) - self._most - 1
        highest = int(np.partition(counts, place)[place])
        kept = counts > highest
        self._gathered = [(features[kept], counts[kept])]
        self._forgotten += _histogram(counts[~kept])
        self.error += highest


def _histogram(counts: NDArray[np.uint32]) -> Counter[int]:
    """How often each count occurs."""
    values, numbers = np.unique(counts, return_counts=True)
    return Counter(dict(zip(values.tolist(), numbers.tolist(), strict=True)))


def _spectrum(arrays: dict[str, NDArray[Any]]) -> Spectrum | None:
    """The spectrum in the arrays of a file; None if there is none. Raises ValueError for a wrong one."""
    if "phrases" not in arrays:
        return None
    counts = npz.column(arrays["phrase_counts"], np.uint32)
    phrases = npz.column(arrays["phrases"], np.int64)
    if len(counts) != len(phrases) or (counts[1:] <= counts[:-1]).any():
        raise ValueError("its document frequencies are not in ascending order, or some have no phrases")
    return Spectrum(counts, phrases, int(arrays["phrase_size"]))
