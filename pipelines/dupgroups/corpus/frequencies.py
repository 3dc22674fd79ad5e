"""Document frequencies: in how many documents of a corpus each feature occurs, for weights and filters.

One immutable value, learned from the features of many documents and stored as a file of NumPy arrays. It can
hold both words and phrases, because their hashes differ. Its version is a digest of its contents and is part
of the scheme of the signatures made with it, so signatures with different frequencies are never compared.

Almost every phrase of a corpus occurs in one document only. Learning in bounded memory therefore forgets the
rarest features whenever there are too many, as in Manku and Motwani: Approximate Frequency Counts over Data
Streams (VLDB 2002); the maximum error of the counts is known.

`news_words` are the frequencies of English and Chinese news pages (`dupgroups.text.news_words`), for use
without a corpus.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.codecs import npz
from dupgroups.sketches.hashing import Hashes, windows
from dupgroups.sketches.sets import distinct
from dupgroups.text.news_words import pages_and_words
from dupgroups.text.sentences import tokens

_BATCH = 1 << 22  # features that are gathered before they are counted: 32 MB


@dataclass(frozen=True, eq=False)
class Frequencies:
    """A corpus of `documents` documents, of which `counts[i]` hold `features[i]`.

    `features` (uint64, ascending, distinct) and `counts` (uint32) have the same length. Counts are too low by
    at most `error`. A missing feature occurs in at most `error` documents or in fewer than were required.
    """

    documents: int
    features: Hashes
    counts: NDArray[np.uint32]
    error: int = 0

    @classmethod
    def learn(cls, documents: Iterable[Hashes], least: int = 1, most: int | None = None) -> Frequencies:
        """Count in how many documents each feature occurs; features in fewer than `least` are left out.

        `most` bounds how many features are held, apart from those gathered between two counts; None holds
        all.
        """
        total, gathered, size, error = 0, [cls._empty()], 0, 0
        for hashes in documents:
            total += 1
            features = distinct(hashes)
            gathered.append((features, np.ones(len(features), np.uint32)))
            size += len(features)
            if size > _BATCH:
                kept, forgotten = _without_rarest(*_counted(gathered), most)
                gathered, size, error = [kept], 0, error + forgotten
        features, counts = _counted(gathered)
        return cls(total, features[counts >= least], counts[counts >= least], error)

    @classmethod
    def open(cls, value: Frequencies | str | Path) -> Frequencies:
        """The frequencies of a file, or the value itself. Raises ConfigError for an unreadable file."""
        if isinstance(value, Frequencies):
            return value
        return npz.read(value, "frequencies", cls._of)

    @classmethod
    def _of(cls, arrays: dict[str, NDArray[Any]]) -> Frequencies:
        features = npz.column(arrays["features"], np.uint64)
        counts = npz.column(arrays["counts"], np.uint32)
        if len(features) != len(counts) or (features[1:] <= features[:-1]).any():
            raise ValueError("its features are not in ascending order, or some have no count")
        return cls(int(arrays["documents"]), features, counts, int(arrays["error"]))

    def save(self, path: Path) -> None:
        """Write a file of any name that `open` can read; an existing file is replaced atomically."""
        numbers = {"documents": np.int64(self.documents), "error": np.int64(self.error)}
        npz.save(path, numbers | {"features": self.features, "counts": self.counts})

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

    def top(self, share: float) -> int:
        """The lowest document frequency that at most this share (0 to 1) of the distinct features reaches."""
        falling = np.sort(self.counts)[::-1]
        allowed = int(share * len(falling))
        return int(falling[allowed]) + 1 if allowed < len(falling) else 1

    @cached_property
    def version(self) -> str:
        """Twelve hex digits: equal for equal frequencies, everywhere."""
        parts = np.int64(self.documents).astype("<i8"), self.features.astype("<u8"), self.counts.astype("<u4")
        return blake2b(b"".join(part.tobytes() for part in parts), digest_size=6).hexdigest()

    def __str__(self) -> str:
        return self.version

    @staticmethod
    def _empty() -> tuple[Hashes, NDArray[np.uint32]]:
        return np.zeros(0, np.uint64), np.zeros(0, np.uint32)


def terms(text: str) -> Hashes:
    """The hashes of the words of a text in order, with repetitions: the features of `news_words`."""
    return windows(tokens(text).hashes, 1)


def terms_and_phrases(text: str, size: int) -> Hashes:
    """The words of a text and its runs of `size` words, as `shingling` and `weighted_phrases` use them."""
    words = tokens(text).hashes
    return np.concatenate([windows(words, 1), windows(words, size)])


@cache
def news_words() -> Frequencies:
    """The document frequencies of words in news pages, which come with the package."""
    pages, counted = pages_and_words()
    counts = [np.full(words.count(" ") + 1, count, np.uint32) for count, words in counted]
    hashes = terms(" ".join(words for _, words in counted))
    order = np.argsort(hashes)
    return Frequencies(pages, hashes[order], np.concatenate(counts)[order])


def _counted(parts: list[tuple[Hashes, NDArray[np.uint32]]]) -> tuple[Hashes, NDArray[np.uint32]]:
    features, counts = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    known, places = np.unique(features, return_inverse=True)
    return known, np.bincount(places, counts, len(known)).astype(np.uint32)


def _without_rarest(
    features: Hashes, counts: NDArray[np.uint32], most: int | None
) -> tuple[tuple[Hashes, NDArray[np.uint32]], int]:
    """The most frequent features, at most `most`, and the highest count that was forgotten."""
    if most is None or len(features) <= most:
        return (features, counts), 0
    place = len(counts) - most - 1
    highest = int(np.partition(counts, place)[place])
    kept = counts > highest
    return (features[kept], counts[kept]), highest
