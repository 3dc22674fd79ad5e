"""SpotSigs: a text as the bag of word chains that begin at frequent words.

Theobald, Siddharth, Paepcke: SpotSigs: Robust and Efficient Near Duplicate Detection in Large Web Collections
(SIGIR 2008). An antecedent a(d, c) is followed by its chain of c words, each d words after the previous one;
stop words are skipped. "at a rally to kick off a weeklong campaign" gives, with a(1, 2), the spots
"a:rally:kick" and "a:weeklong:campaign". Navigation and advertisements have few antecedents, so the article
of a page stands out without any analysis of the layout. Bags are compared by their Jaccard similarity. The
paper looks no keys up: its join (`dupgroups_papers.sketches.similarity_join`) finds all similar pairs of a
pile.

Alonso, Fetterly, Manasse: Near Duplicate News Story Detection Revisited (AIRS 2013) compare antecedents;
`ANTECEDENTS` holds their lists with the F1 that they reached. The Chinese antecedents, single characters, are
our addition.

| field         | default | meaning |
|---------------|---------|---|
| antecedents   | below   | words at which spots begin, separated by blanks, or "stopwords" |
| spot_distance | 1       | d: 1 takes the very next word that is not a stop word |
| chain_length  | 2       | c: words in a chain (2 as in the example of the paper) |
| skipped       | "stopwords" | words that chains skip, in addition to the antecedents; "" skips no others |
| minima        | 60      | min-values of the bag from which the keys are made, two per key |
| least         | 5       | spots that a text needs: a shorter one is not compared |

The example of the paper:

>>> from dupgroups_papers.signatures.spotsigs import SpotSigs
>>> SpotSigs().spots("at a rally to kick off a weeklong campaign".split())
['a:rally:kick', 'a:weeklong:campaign']
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.base import MOST_KEYS, SchemeOfFields
from dupgroups.methods.sketches.keys import key_strings
from dupgroups.model import Content, Signature
from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.sentences import tokens
from dupgroups.text.sets import distinct, is_among
from dupgroups_papers.codecs.set_codec import members, pack_sample
from dupgroups_papers.sketches.set_sketches import min_values, number_hashes, numbered_supershingles
from dupgroups_papers.sketches.similarity_join import Set

ANTECEDENTS: Mapping[str, float] = {
    "is": 0.6720,
    "the": 0.7868,
    "is the": 0.7851,
    "is the said": 0.7901,
    "is the said was": 0.7896,
    "is the said was there": 0.7886,
    "is the said was there a": 0.7918,
    "is the said was there a it": 0.7967,
    "the a can be will have do": 0.7734,
}
"""Lists of antecedents and the best F1 that Alonso et al. report for each, apart from SMART's stop list."""

BEST = "is the said was there a it"
STOPWORDS = (files("dupgroups_papers.text") / "function_words.csv").read_text("utf-8")
CHINESE = "的 了 是 在 和 有 不 这 为 与 对 将 一"


@dataclass(frozen=True)
class SpotSigs(SchemeOfFields):
    """Signs with the bag of spots; the table above explains the fields."""

    NAME = "spotsigs"
    judges: ClassVar[tuple[str, ...]] = ("jaccard",)

    antecedents: str = f"{BEST} {CHINESE}"
    spot_distance: int = 1
    chain_length: int = 2
    skipped: str = "stopwords"
    minima: int = 60
    least: int = 5

    def __post_init__(self) -> None:
        if not isinstance(self.antecedents, str) or not self.antecedents.strip():
            raise ConfigError("antecedents must be words separated by blanks, or stopwords")
        if not 1 <= self.spot_distance <= 32 or not 1 <= self.chain_length <= 32:
            raise ConfigError("spot_distance and chain_length must be between 1 and 32 words")
        if not 2 <= self.minima <= 2 * MOST_KEYS:
            raise ConfigError(f"minima must be between 2 and {2 * MOST_KEYS}")
        if self.least < 1:
            raise ConfigError("least must be at least 1")

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` spots give an empty signature."""
        hashes = tokens(content.text).hashes
        places = self._places(hashes)
        if len(places) < self.least:
            return Signature(self.scheme)
        width = self.chain_length + 1
        spots = number_hashes(windows(hashes[places].ravel(), width)[::width])
        keys = key_strings(numbered_supershingles(min_values(spots, self.minima), 2))
        return Signature(self.scheme, keys, pack_sample(spots))

    def spots(self, words: Sequence[str]) -> list[str]:
        """The spots of these words (one token each), in order, as the paper writes them."""
        hashes = np.array([tokens(word).hashes[0] for word in words], np.uint64)
        return [":".join(words[place] for place in row) for row in self._places(hashes)]

    def sets(self, bodies: Sequence[bytes]) -> list[Set]:
        """The bags of spots in these bodies, with repeated spots numbered; an empty body holds none."""
        return [members(body) if body else np.zeros(0, np.uint32) for body in bodies]

    def _places(self, hashes: Hashes) -> NDArray[np.intp]:
        """Positions of the antecedent and the words of each chain, shape (spots, chain_length + 1)."""
        starts = np.flatnonzero(is_among(hashes, self._antecedent_hashes))
        words = np.flatnonzero(~is_among(hashes, self._skipped_hashes))
        reach = np.arange(1, self.chain_length + 1) * self.spot_distance - 1
        following = np.searchsorted(words, starts)[:, None] + reach
        complete = following[:, -1] < len(words)  # a chain that the end of the text cuts off is not a spot
        return np.column_stack([starts[complete], words[following[complete]]])

    @cached_property
    def _antecedent_hashes(self) -> Hashes:
        return _hashes_of(self.antecedents)

    @cached_property
    def _skipped_hashes(self) -> Hashes:
        return distinct(np.concatenate([self._antecedent_hashes, _hashes_of(self.skipped)]))


@lru_cache(maxsize=64)
def _hashes_of(words: str) -> Hashes:
    """The hashes of words separated by blanks, or of the stop words, ascending."""
    return distinct(tokens(STOPWORDS if words == "stopwords" else words).hashes)
