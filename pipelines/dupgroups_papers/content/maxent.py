"""CE-SIMPLE: a maximum entropy classifier of blocks by their words alone.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), LREC 2008, sections 4.2
and 5.2. With two classes, maximum entropy is logistic regression: the log odds that a block is content are
the sum of the weights of its distinct words. `dup-groups train extraction --method maxent` made the weights
in `maxent.npz`.

| parameter | default | meaning |
|---|---|---|
| `threshold` | 0.5 | probability above which a block is content (not given in the paper); a lower one keeps
more |
| `weights` | none | a file of other weights, which `dup-groups train extraction --out` wrote |

Only the paragraphs have words that are typical of articles:

>>> from dupgroups import extract_text
>>> page = (
...     "<ul><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul>"
...     "<p>The ferry struck a moored barge in thick fog on Wednesday, and two people are missing."
...     "<p><a href=/more>Read more about ships</a><p>Advertisement"
... )
>>> extract_text(page, extractor="maxent")
'The ferry struck a moored barge in thick fog on Wednesday, and two people are missing.'
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dupgroups.content.blocks import Blocks
from dupgroups.content.features import Floats
from dupgroups.content.letters import block_words
from dupgroups.methods import npz
from dupgroups_papers.content.hashed_bag_of_words import Bags, bags


@dataclass(frozen=True)
class Words:
    """Weights of words, (BUCKETS,), and `level`, the log odds of a block without known words."""

    weights: Floats
    level: float

    def odds(self, page: Blocks) -> Floats:
        """The log odds that each block is content, (blocks,)."""
        return np.asarray(words(page).sums(self.weights) + self.level, np.float32)

    def arrays(self) -> npz.Arrays:
        """The arrays of an .npz file, in half precision."""
        return {"weights": self.weights.astype(np.float16), "level": np.array(self.level)}

    @classmethod
    def of(cls, stored: npz.Arrays) -> Words:
        """The inverse of `arrays`."""
        return cls(stored["weights"].astype(np.float32), float(stored["level"]))


def words(page: Blocks) -> Bags:
    """The words of each block, in lower case, each once."""
    return bags([dict.fromkeys(block_words(block.text.lower())) for block in page.blocks])


@dataclass(frozen=True)
class MaxEnt:
    """Selects blocks whose words are typical of articles."""

    threshold: float = 0.5
    weights: str | None = None
    _words: Words = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise ValueError(f"threshold must be between 0 and 1, not {self.threshold}")
        object.__setattr__(self, "_words", npz.weights(__package__, "maxent", self.weights, Words.of))

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the blocks above the threshold."""
        return self.select(self._words.odds(page))

    def select(self, odds: Floats) -> list[int]:
        """Indices of the blocks whose odds are above the threshold."""
        level = math.log(self.threshold / (1 - self.threshold))
        return [int(index) for index in np.flatnonzero(odds > level)]
