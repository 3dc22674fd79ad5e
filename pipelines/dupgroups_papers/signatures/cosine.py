"""TF-IDF vectors: the baseline that compares words by their weights and ignores their order.

Salton, Wong, Yang: A Vector Space Model for Automatic Indexing (CACM 1975); CEDAR, section 2.1. The weight of
a word is its frequency in the text times the logarithm of the inverse document frequency. For a long text,
only the heaviest words are stored.

The keys are our addition: words drawn by weight, three to a key. For each of `draws` hash functions, the word
with the smallest -log(u) / weight is drawn, where u is its hash as a number between 0 and 1. The hash is the
same for all texts, so texts with similar weights draw the same words.

| field       | default | meaning |
|-------------|---------|---|
| terms       | 128     | words that are stored |
| draws       | 90      | words that are drawn for the keys, three per key |
| least       | 16      | distinct words that a text needs: a shorter one is not compared |
| frequencies | none    | document frequencies of words, or a file of them; default: `news_words` |

A dateline in front adds a rare, heavy word to the draws. The order of the words makes no difference:

>>> from dupgroups.model import Content
>>> from dupgroups_papers.signatures.cosine import Cosine
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> signer = Cosine(least=1)
>>> story, copy = signer(Content(text)), signer(Content("KESSEL - " + text))
>>> len(story.keys), len(set(story.keys) & set(copy.keys))
(30, 23)
>>> signer(Content(" ".join(reversed(text.split())))).keys == story.keys
True
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.base import MOST_KEYS, SchemeOfFields
from dupgroups.methods.sketches.keys import key_strings
from dupgroups.model import Content, Signature
from dupgroups.text.hashing import Hashes, mix
from dupgroups.text.sets import firsts
from dupgroups_papers.codecs.vector_codec import pack
from dupgroups_papers.corpus.frequencies import Frequencies, news_words, terms
from dupgroups_papers.sketches.set_sketches import numbered_supershingles

_WORDS_PER_KEY = 3


@dataclass(frozen=True)
class Cosine(SchemeOfFields):
    """Signs with the heaviest words and their weights; the table above explains the fields."""

    NAME = "cosine"
    judges: ClassVar[tuple[str, ...]] = ("cosine",)

    terms: int = 128
    draws: int = 90
    least: int = 16
    frequencies: Frequencies | str | None = None

    def __post_init__(self) -> None:
        if self.terms < 1 or self.least < 1:
            raise ConfigError("terms and least must be at least 1")
        if not _WORDS_PER_KEY <= self.draws <= _WORDS_PER_KEY * MOST_KEYS:
            raise ConfigError(f"draws must be between {_WORDS_PER_KEY} and {_WORDS_PER_KEY * MOST_KEYS}")
        if self.frequencies is not None:
            object.__setattr__(self, "frequencies", Frequencies.open(self.frequencies))

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` distinct words with a weight above 0 give an empty signature."""
        words, weights = self._weigh_words(np.sort(terms(content.text)))
        if len(words) < self.least:
            return Signature(self.scheme)
        keys = numbered_supershingles(_draw_words(words, weights, self.draws), _WORDS_PER_KEY)
        return Signature(self.scheme, key_strings(keys), pack(words, weights))

    def _weigh_words(self, ordered: Hashes) -> tuple[Hashes, NDArray[np.float64]]:
        """The heaviest distinct words and their weights, all above 0."""
        starts = np.flatnonzero(firsts(ordered)) if len(ordered) else np.zeros(0, np.intp)
        words, counts = ordered[starts], np.diff(np.append(starts, len(ordered)))
        frequencies = self.frequencies if isinstance(self.frequencies, Frequencies) else news_words()
        weights = counts * frequencies.idf(words)
        heaviest = np.argsort(-weights, kind="stable")[: self.terms]
        heaviest = heaviest[weights[heaviest] > 0]
        return words[heaviest], weights[heaviest]


def _draw_words(words: Hashes, weights: NDArray[np.float64], draws: int) -> Hashes:
    """One word per hash function, with a probability that grows with its weight; shape (draws,)."""
    seeds = mix(np.arange(1, draws + 1, dtype=np.uint64))[:, None]
    uniform = ((mix(words ^ seeds) >> np.uint64(11)) + 1.0) / (2.0**53 + 1)
    drawn: Hashes = words[np.argmin(-np.log(uniform) / weights, axis=1)]
    return drawn
