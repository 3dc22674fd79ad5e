"""MinHash over shingles of the running text: keys for look-up, bitmaps for comparison.

Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web (1997): the resemblance of two texts is the
share of shingles that they have in common. It equals the probability that the smallest hash of both sets is
the same. Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), section 2.2.

Three choices are ours; docs/signatures.md has the measurements. Shingles are taken from anchored sentences
only (see `dupgroups.text.sentences`), which leaves out the menus and links that an extractor missed. Numerals
are stored with the words around them (see `dupgroups.text.numerals`), because the daily reports of a series
differ in little else. Where most words are words of the news, most of the long shingles' keys give way to
keys of two telling words (see `dupgroups.text.news_words`): these survive where a scanner misread most runs
of words. The share of the other words is stored as well; it shows the damage.

| field      | default | meaning |
|------------|---------|---|
| size       | 3       | tokens of a shingle for comparison; for Chinese (a token is a character), use 4 |
| key_size   | 6       | tokens of a shingle for look-up: long, so that a shared one means shared text |
| similarity | 0.15    | resemblance of the long shingles at which a pair must be found |
| recall     | 0.99    | probability that such a pair is found |
| bits       | 1512    | size of the bitmap: more bits give better estimates |
| figures    | 44      | numerals that are stored, three bytes each |
| least      | 20      | distinct shingles that a text needs: a short notice is not compared |
| word_pairs | 0       | keys of two words; those of long shingles give way to them beyond MOST |

A missing word changes the shingles that hold it, and the keys that come from them:

>>> from dupgroups.model import Content
>>> from dupgroups.methods.signatures.minhash import MinHash
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> signer = MinHash(least=1)
>>> story, copy = signer(Content(text)), signer(Content(text.replace("people ", "")))
>>> len(story.keys), len(set(story.keys) & set(copy.keys))
(6, 5)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.base import SchemeOfFields, keys_needed
from dupgroups.methods.sketches.bitmaps import MULTIPLE, pack
from dupgroups.methods.sketches.keys import bounded_minima, key_strings
from dupgroups.model import Content, Signature
from dupgroups.text.hashing import Hashes
from dupgroups.text.news_words import UNKNOWN, pages_of, strange_shares, telling_pairs
from dupgroups.text.numerals import bounded_numerals
from dupgroups.text.sentences import Tokens, tokens
from dupgroups.text.sets import sorted_within
from dupgroups.text.shingles import bounded_shingles, running

KEY_LENGTH = 5  # characters of 6 bits: of a million documents, less than one is a candidate by chance
MOST = 26  # keys of a text that has keys of pairs of words: those of its long shingles give way
STRANGE = 0.6  # share of words that the news do not have, above which the text is in another language
Sets = tuple[Hashes, NDArray[np.intp]]  # set i is hashes[bounds[i]:bounds[i + 1]]
AT_ONCE = 1 << 17  # characters signed together: much larger or smaller batches are slower


@dataclass(frozen=True)
class MinHash(SchemeOfFields):
    """Signs with MinHash keys, a bitmap of the words and numerals; the table above explains the fields."""

    NAME = "minhash"
    VERSION = 3

    judges: ClassVar[tuple[str, ...]] = ("resemblance",)

    size: int = 3
    key_size: int = 6
    similarity: float = 0.15
    recall: float = 0.99
    bits: int = 1512
    figures: int = 44
    least: int = 20
    word_pairs: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 32 or not 1 <= self.key_size <= 32:
            raise ConfigError("size and key_size must be between 1 and 32 tokens")
        if not 0 < self.similarity < 1 or not 0 < self.recall < 1:
            raise ConfigError("similarity and recall must be between 0 and 1")
        if self.bits % MULTIPLE or not MULTIPLE <= self.bits <= 2040:
            raise ConfigError(f"bits must be a multiple of {MULTIPLE} between {MULTIPLE} and 2040")
        if not 0 <= self.figures <= 255:
            raise ConfigError("figures must be between 0 and 255")
        if self.least < 1:
            raise ConfigError("least must be at least 1")
        if not 0 <= self.word_pairs <= MOST:
            raise ConfigError(f"word_pairs must be between 0 and {MOST}")
        keys_needed(self.similarity, self.recall)  # raises ConfigError when too many keys are needed

    @cached_property
    def keys(self) -> int:
        """The number of keys of a document."""
        return keys_needed(self.similarity, self.recall)

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` distinct shingles give an empty signature."""
        return self._signed([content.text])[0]

    def many(self, contents: Sequence[Content]) -> list[Signature]:
        """The signatures of several texts: equal to signing them one by one, but faster."""
        return [signature for batch in _batches(contents) for signature in self._signed(batch)]

    def _signed(self, texts: Sequence[str]) -> list[Signature]:
        words = running(tokens(*texts))
        short = bounded_shingles(words, self.size)
        sizes, sketches = pack(*short, self.bits)
        long = _filled(bounded_shingles(words, self.key_size), short)
        pages = pages_of(words.hashes)
        strange = strange_shares(words, pages)
        foreign = strange > STRANGE
        if foreign.any():
            pages[foreign.repeat(np.diff(words.bounds))] = UNKNOWN
            strange[foreign] = 0
        parts = zip(
            sizes,
            self._keys(long, words, pages),
            sketches,
            (strange * 255).astype(np.uint8)[:, None],
            bounded_numerals(words, self.figures),
            strict=True,
        )
        return [
            Signature(self.scheme, keys, sketch + share.tobytes() + numerals)
            if size >= self.least
            else Signature(self.scheme)
            for size, keys, sketch, share, numerals in parts
        ]

    def _keys(self, long: Sets, words: Tokens, pages: Hashes) -> list[tuple[str, ...]]:
        """Keys of long shingles, of which some give way to keys of pairs of words where there are any."""
        minima, bounds = bounded_minima(*long, self.keys)
        lowest: list[Hashes] = []
        if self.word_pairs:
            pairs, of_text = telling_pairs(words, pages)
            lowest = [part[: self.word_pairs] for part in _by_text(sorted_within(pairs, of_text), of_text)]
        keys = iter(key_strings(np.concatenate([minima, *lowest]), KEY_LENGTH))
        shingles = [tuple(islice(keys, end - start)) for start, end in pairwise(bounds.tolist())]
        if not self.word_pairs:
            return shingles
        more = [dict.fromkeys(islice(keys, len(part))) for part in lowest]
        return [(*some[: MOST - len(others)], *others) for some, others in zip(shingles, more, strict=True)]


def _batches(contents: Iterable[Content]) -> Iterator[list[str]]:
    """The texts in batches of about `AT_ONCE` characters."""
    batch: list[str] = []
    size = 0
    for content in contents:
        if batch and size + len(content.text) > AT_ONCE:
            yield batch
            batch, size = [], 0
        batch.append(content.text)
        size += len(content.text)
    if batch:
        yield batch


def _filled(long: Sets, short: Sets) -> Sets:
    """The long shingles of each text, or the short ones where no sentence is long enough for a long one."""
    if (long[1][1:] > long[1][:-1]).all():
        return long
    parts = [one if len(one) else two for one, two in zip(_by_text(*long), _by_text(*short), strict=True)]
    return np.concatenate(parts), np.cumsum([0, *map(len, parts)])


def _by_text(hashes: Hashes, bounds: NDArray[np.intp]) -> list[Hashes]:
    return [hashes[start:end] for start, end in pairwise(bounds.tolist())]
