"""Shingling: a text as the set of its runs of words, and samples of that set.

Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web (1997). Gibson, Wellner, Lubar:
Identification of Duplicate News Stories in Web Pages (CEDAR), sections 2.2, 2.5 and 5.2. The body is the set
or a sketch of it; the keys are supershingles.

- `sketch = "modulo"` keeps the shingles whose hash is divisible by `modulus` (1 keeps all, which is exact and
  takes four bytes each). The supershingles are runs of the kept shingles, in the order of their hashes.
- `sketch = "minima"` keeps the smallest shingle under each of `minima` hash functions. The supershingles are
  disjoint runs of these.

In a script without blanks a token is one character, so such texts need longer shingles, for example of 4;
or, with `tokens = "words"`, a word of Chinese, as jieba cuts it.

| field            | default  | meaning |
|------------------|----------|---|
| size             | 2        | tokens of a shingle (CEDAR, figure 5) |
| sketch           | "modulo" | which shingles are kept: "modulo" or "minima" |
| modulus          | 8        | one shingle in this many is kept (Broder et al.: 25, too few for news) |
| minima           | 84       | hash functions (Fetterly et al.: 84) |
| supershingle     | 2        | kept values in a supershingle: more make stricter keys (Fetterly et al.: 14) |
| block_min_tokens | 0        | paragraphs of fewer tokens are left out (CEDAR, figure 3: 10 on raw pages) |
| least            | 8        | kept shingles that a text needs: a shorter one is not compared |
| frequencies      | none     | document frequencies of shingles, or a file of them |
| most_documents   | 1000     | a shingle in this many documents or more is dropped (Broder et al.: 1000) |
| top              | 0        | share of the distinct shingles to drop as too frequent (CEDAR, figure 4) |
| tokens           | "characters" | of Chinese: "characters" or "words" |
| dictionary       | none     | words, in a file of more words for jieba, one to a line |

`most_documents` and `top` need `frequencies` of shingles of this size. Of the shingles that equally many
documents hold, `top` drops all or none, so that less than this share may go: `dup-groups frequencies` prints
how much.

Seventeen words have sixteen shingles of two words. A dateline in front adds one:

>>> from dupgroups.model import Content
>>> from dupgroups_papers.signatures.shingling import Shingling
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> signer = Shingling(modulus=1, least=1)
>>> story, copy = signer(Content(text)), signer(Content("KESSEL - " + text))
>>> len(signer.features(Content(text))), len(signer.features(Content("KESSEL - " + text)))
(16, 17)
>>> len(story.keys), len(set(story.keys) & set(copy.keys))
(15, 14)
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.base import MOST_KEYS, SchemeOfFields
from dupgroups.methods.sketches.keys import key_strings
from dupgroups.model import Content, Signature
from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.sentences import tokens
from dupgroups.text.sets import distinct
from dupgroups_papers.codecs.set_codec import pack_minima, pack_sample
from dupgroups_papers.corpus.frequencies import Frequencies
from dupgroups_papers.sketches.set_sketches import min_values, numbered_supershingles, supershingles
from dupgroups_papers.text.chinese_words import WordCutter


@dataclass(frozen=True)
class Shingling(SchemeOfFields):
    """Signs with a sketch of the set of shingles; the table above explains the fields."""

    NAME = "shingling"
    judges: ClassVar[tuple[str, ...]] = ("jaccard", "supershingles")

    size: int = 2
    sketch: Literal["modulo", "minima"] = "modulo"
    modulus: int = 8
    minima: int = 84
    supershingle: int = 2
    block_min_tokens: int = 0
    least: int = 8
    frequencies: Frequencies | str | None = None
    most_documents: int = 1000
    top: float = 0.0
    tokens: Literal["characters", "words"] = "characters"
    dictionary: WordCutter | str | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 32:
            raise ConfigError("size must be between 1 and 32 tokens")
        if self.sketch not in ("modulo", "minima"):
            raise ConfigError(f"sketch must be modulo or minima, not {self.sketch!r}")
        if self.modulus < 1 or self.supershingle < 1 or self.least < 1:
            raise ConfigError("modulus, supershingle and least must be at least 1")
        if not self.supershingle <= self.minima <= 1000:
            raise ConfigError("minima must be at least supershingle and at most 1000")
        if self.block_min_tokens < 0 or self.most_documents < 1 or not 0 <= self.top < 1:
            raise ConfigError(
                "block_min_tokens must be at least 0, most_documents at least 1, and top from 0 to below 1"
            )
        self._read_files()
        if self.frequencies is not None and self._cutter:
            raise ConfigError("frequencies count shingles of characters: leave them out, or tokens=words")

    def _read_files(self) -> None:
        if isinstance(self.dictionary, str):
            object.__setattr__(self, "dictionary", WordCutter.open(self.dictionary))
        if self.frequencies is not None:
            object.__setattr__(self, "frequencies", Frequencies.open(self.frequencies, self.size))
        if self.top and isinstance(self.frequencies, Frequencies):
            self.frequencies.top_frequency(self.top)  # raises ConfigError when these frequencies cannot tell

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` distinct shingles to keep give an empty signature."""
        shingles = self._without_frequent(distinct(self.features(content)))
        if self.sketch == "modulo":
            shingles = shingles[shingles % np.uint64(self.modulus) == 0]
        if len(shingles) < max(self.least, self.supershingle):
            return Signature(self.scheme)
        if self.sketch == "modulo":
            keys = np.sort(supershingles(shingles, self.supershingle))
            return Signature(self.scheme, key_strings(keys[:MOST_KEYS]), pack_sample(shingles))
        values = min_values(shingles, self.minima)
        keys = numbered_supershingles(values, self.supershingle)
        return Signature(self.scheme, key_strings(keys[:MOST_KEYS]), pack_minima(values, len(shingles)))

    def features(self, content: Content) -> Hashes:
        """The shingles of a text in order, with repetitions: `frequencies` are learned from these."""
        text = self._long_blocks(content.text)
        return windows(self._cutter.hashes(text) if self._cutter else tokens(text).hashes, self.size)

    @cached_property
    def _cutter(self) -> WordCutter | None:
        if isinstance(self.dictionary, WordCutter):
            return self.dictionary
        return WordCutter() if self.tokens == "words" else None

    def _long_blocks(self, text: str) -> str:
        if not self.block_min_tokens:
            return text
        blocks = (block for block in text.split("\n") if len(tokens(block)) >= self.block_min_tokens)
        return "\n".join(blocks)

    def _without_frequent(self, hashes: Hashes) -> Hashes:
        if not isinstance(self.frequencies, Frequencies):
            return hashes
        return hashes[self.frequencies.of(hashes) < self._limit]

    @cached_property
    def _limit(self) -> int:
        """The document frequency from which shingles are dropped."""
        assert isinstance(self.frequencies, Frequencies)
        return (
            min(self.most_documents, self.frequencies.top_frequency(self.top))
            if self.top
            else self.most_documents
        )
