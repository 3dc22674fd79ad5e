"""Phrases weighted by the frequency of their first word, without those that many documents share.

Alonso, Fetterly, Manasse: Near Duplicate News Story Detection Revisited. SpotSigs assumes that phrases which
begin with a frequent word are running text rather than navigation. Here every phrase of seven words counts,
with a weight that is a function of the document frequency of its first word. Phrases in more than n % of the
documents are boilerplate and have weight 0. The similarity of two texts is the share of weight that they have
in common (`dupgroups_papers.verdicts.weighted_jaccard`), which consistent weighted sampling estimates; the
samples also serve as keys. In scripts without blanks a word is a character.

| field       | default | meaning |
|-------------|---------|---|
| size        | 7       | words of a phrase |
| weighting   | "df2"   | function of the document frequency, of `WEIGHTINGS` (paper's best: DF squared) |
| common      | 50      | phrases in more than this percentage of documents have weight 0 (paper's best) |
| low, high   | 0, 1    | window of the inverse document frequency (`rarity`) in which a phrase has a weight |
| scaled      | false   | multiply by the inverse document frequency of the phrase |
| samples     | 256     | samples stored, one byte each; 0 stores all phrases and weights, which is exact |
| similarity  | 0.15    | weighted Jaccard similarity at which a pair must be found |
| recall      | 0.99    | probability that such a pair is found |
| least       | 20      | phrases of weight above 0 that a text needs: a shorter one is not compared |
| frequencies | none    | document frequencies of words and phrases, or a file; default: `news_words` |

`news_words` holds no phrases, so no phrase is dropped by default: make your own frequencies with
`dup-groups frequencies`.

Of the eleven phrases, the three that begin with "the", "in" and "a" have nearly all the weight:

>>> from dupgroups.model import Content
>>> from dupgroups_papers.signatures.weighted_phrases import WeightedPhrases
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> phrases, weights = WeightedPhrases().weigh_phrases(Content(text))
>>> len(phrases), [round(float(weight), 2) for weight in weights / weights.sum()]
(11, [0.0, 0.3, 0.0, 0.0, 0.04, 0.0, 0.05, 0.29, 0.0, 0.32, 0.0])
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.base import SchemeOfFields, keys_needed
from dupgroups.methods.sketches.keys import key_strings
from dupgroups.model import Content, Signature
from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.sentences import tokens
from dupgroups_papers.codecs.weight_codec import pack_elements, pack_samples
from dupgroups_papers.corpus.frequencies import Frequencies, news_words
from dupgroups_papers.sketches.consistent_sampling import samples
from dupgroups_papers.sketches.set_sketches import numbered_supershingles

Weights = NDArray[np.float64]
Weighting = Callable[[Weights, float], Weights]
"""Maps document frequencies (at least 1) and the number of documents to weights of at least 0."""

WEIGHTINGS: Mapping[str, Weighting] = {
    "uniform": lambda df, documents: np.ones_like(df),
    "df": lambda df, documents: df,
    "log_df": lambda df, documents: np.log(df),
    "log_idf": lambda df, documents: np.log(documents / df),
    "df2": lambda df, documents: df**2,
    "df3": lambda df, documents: df**3,
    "df4": lambda df, documents: df**4,
    "log2_df": lambda df, documents: np.log(df) ** 2,
    "log3_df": lambda df, documents: np.log(df) ** 3,
    "log4_df": lambda df, documents: np.log(df) ** 4,
    "log10_df": lambda df, documents: np.log(df) ** 10,
}


@dataclass(frozen=True)
class WeightedPhrases(SchemeOfFields):
    """Signs with samples of weighted phrases; the table above explains the fields."""

    NAME = "weighted_phrases"
    VERSION = 2
    judges: ClassVar[tuple[str, ...]] = ("weighted_jaccard",)

    size: int = 7
    weighting: str = "df2"
    common: float = 50
    low: float = 0
    high: float = 1
    scaled: bool = False
    samples: int = 256
    similarity: float = 0.15
    recall: float = 0.99
    least: int = 20
    frequencies: Frequencies | str | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 32:
            raise ConfigError("size must be between 1 and 32 words")
        if self.weighting not in WEIGHTINGS:
            raise ConfigError(f"weighting must be one of {', '.join(WEIGHTINGS)}, not {self.weighting!r}")
        if not 0 < self.common <= 100:
            raise ConfigError("common must be a percentage above 0 and at most 100")
        if not 0 <= self.low < self.high <= 1:
            raise ConfigError("low must be at least 0, and high above low and at most 1")
        if not 0 < self.similarity < 1 or not 0 < self.recall < 1:
            raise ConfigError("similarity and recall must be between 0 and 1")
        keys_needed(self.similarity, self.recall)  # raises ConfigError when too many keys are needed
        if not 0 <= self.samples <= 4096:
            raise ConfigError("samples must be between 0 and 4096")
        if self.least < 1:
            raise ConfigError("least must be at least 1")
        if self.frequencies is not None:
            object.__setattr__(self, "frequencies", Frequencies.open(self.frequencies, self.size))

    @cached_property
    def keys(self) -> int:
        """The number of keys of a document."""
        return keys_needed(self.similarity, self.recall)

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` phrases with a weight above 0 give an empty signature."""
        phrases, weights = self.weigh_phrases(content)
        if len(phrases) < self.least:
            return Signature(self.scheme)
        drawn = samples(phrases, weights, max(self.samples, self.keys))
        keys = key_strings(numbered_supershingles(drawn[: self.keys], 1))
        if not self.samples:
            return Signature(self.scheme, keys, pack_elements(phrases, weights))
        return Signature(self.scheme, keys, pack_samples(drawn[: self.samples], float(weights.sum())))

    def weigh_phrases(self, content: Content) -> tuple[Hashes, Weights]:
        """The distinct phrases of a text, ascending, and their weights, all above 0; both of shape (n,)."""
        phrases, first_words = self.phrases(content)
        weights = self.weights(phrases, first_words)
        kept = weights > 0
        return phrases[kept], weights[kept]

    def phrases(self, content: Content) -> tuple[Hashes, Hashes]:
        """The distinct phrases of a text, ascending, and the first word of each; both of shape (n,)."""
        words = tokens(content.text).hashes
        phrases, firsts = np.unique(windows(words, self.size), return_index=True)
        return phrases, windows(words, 1)[firsts]

    def weights(self, phrases: Hashes, first_words: Hashes) -> Weights:
        """The weight of each of these phrases, at least 0, shape (n,)."""
        frequencies = self._frequencies
        df = np.maximum(frequencies.of(first_words), 1).astype(np.float64)
        return WEIGHTINGS[self.weighting](df, max(frequencies.documents, 1)) * self._factors(phrases)

    def _factors(self, phrases: Hashes) -> Weights:
        """The factor by which the weight of each phrase is multiplied: 0 for the common ones."""
        frequencies = self._frequencies
        rarity = frequencies.rarity(phrases)
        kept = (frequencies.of(phrases) <= self.common / 100 * frequencies.documents) & (rarity >= self.low)
        kept &= rarity <= self.high
        return kept * frequencies.idf(phrases) if self.scaled else kept.astype(np.float64)

    @property
    def _frequencies(self) -> Frequencies:
        return self.frequencies if isinstance(self.frequencies, Frequencies) else news_words()
