"""The texts of an experiment in shingles, with CEDAR's filters: of short blocks and of frequent shingles.

Of the shingles that equally many documents hold, all or none are dropped, so that less than the named share
may go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.sentences import tokens
from dupgroups.text.sets import distinct
from dupgroups_lab.papers.exact import Weighted
from dupgroups_papers.corpus.frequencies import Frequencies
from dupgroups_papers.text.chinese_words import WordCutter

_WORDS = WordCutter()


@dataclass(frozen=True, slots=True)
class Setting:
    """Shingles of `size` tokens of the text that `extractor` keeps, without blocks of fewer than `block`
    tokens and without the most frequent shingles, a share `top` (0 to 1) of the distinct ones; of these, the
    sketch of the shingles whose hash is 0 modulo `modulus`.
    """

    extractor: str
    size: int
    block: int = 1
    top: float = 0.0
    modulus: int = 1

    @property
    def units(self) -> str:
        """The quantity that is compared, in words."""
        return f"{self.extractor}, {self.size}" + f", modulo {self.modulus}" * (self.modulus > 1)

    @property
    def filters(self) -> str:
        """The filters in words: least tokens of a block, and share of the shingles that is dropped."""
        filters = [f"block {self.block}"] * (self.block > 1) + [f"top {self.top:.1%}"] * bool(self.top)
        return ", ".join(filters) or "none"


@dataclass(frozen=True)
class Cut:
    """A text in tokens: their hashes, and the number of tokens of the block of each, both (n,)."""

    hashes: Hashes
    block: NDArray[np.intp]

    @classmethod
    def of(cls, text: str) -> Cut:
        """Cut a text, each line of which is a block."""
        blocks = [tokens(line).hashes for line in text.split("\n")]
        sizes = [len(block) for block in blocks]
        return cls(np.concatenate(blocks), np.repeat(sizes, sizes))

    @classmethod
    def of_words(cls, text: str) -> Cut:
        """Cut a text into words, those of Chinese by a dictionary, as one block."""
        hashes = _WORDS.hashes(text)
        return cls(hashes, np.full(len(hashes), len(hashes)))

    def shingles(self, size: int, block: int = 1) -> Hashes:
        """The distinct shingles of all blocks of at least `block` tokens, ascending."""
        return distinct(windows(self.hashes[self.block >= block], size))


def shingle_sets(
    cut: Mapping[str, Sequence[Cut]], settings: Iterable[Setting]
) -> Iterator[tuple[Setting, list[Weighted], float]]:
    """Each setting with the shingles of every document, each of weight 1, and the share that was dropped.

    Frequencies are those of these documents, counted once for consecutive settings that only differ in `top`.
    """
    for plain, group in groupby(settings, key=lambda setting: replace(setting, top=0.0)):
        alike = list(group)
        sets = [text.shingles(plain.size, plain.block) for text in cut[plain.extractor]]
        known = Frequencies.learn(sets) if any(setting.top for setting in alike) else None
        for setting in alike:
            kept, dropped = sets, 0.0
            if known and known.spectrum and setting.top:
                limit = known.top_frequency(setting.top)
                kept = [shingles[known.of(shingles) < limit] for shingles in sets]
                dropped = known.spectrum.at_least(limit)
            if setting.modulus > 1:
                kept = [shingles[shingles % np.uint64(setting.modulus) == 0] for shingles in kept]
            yield setting, [(shingles, np.ones(len(shingles))) for shingles in kept], dropped
