"""The default extractor: a small network over the features of each block, trained on labelled news pages.

It follows the idea of CE-BEST (Gibson, Wellner, Lubar: CEDAR, LREC 2008, sections 4.2 and 5.2: classify
blocks by rich features of their markup, words and neighbours) with features that work in every language. It
has one hidden layer; `dup-groups train extraction` made the weights in `auto.npz` and `auto-recall.npz` (see
docs/extraction.md).

| parameter | default | meaning |
|---|---|---|
| `threshold` | 0.5 | probability above which a block belongs to the article; a lower one keeps more |
| `favor` | articles | `recall`: weights learned from forums, lists, shops and documentation too |
| `weights` | none | a file of other weights, which `dup-groups train extraction --out` wrote |

It keeps the paragraphs, and leaves out the menu, the link and the advertisement:

>>> from dupgroups.content.blocks import divide
>>> from dupgroups.content.auto import Auto
>>> page = divide(
...     "<ul><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul>"
...     "<p>The ferry struck a moored barge in thick fog on Wednesday, and two people are missing."
...     "<p>Divers searched the harbour until dark, <a href=/guard>the coast guard</a> said on Thursday."
...     "<p><a href=/more>Read more about ships</a><p>Advertisement"
... )
>>> [page.blocks[index].text[:20] for index in Auto()(page)]
['The ferry struck a m', 'Divers searched the ']
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.asides import keep_own, with_fellows, with_siblings
from dupgroups.content.blocks import Blocks
from dupgroups.content.features import WIDTH, Floats, Measures, fill
from dupgroups.content.insets import without_insets
from dupgroups.content.interruptions import without_interruptions
from dupgroups.content.lexicon import Lexicons
from dupgroups.content.metadata import metadata
from dupgroups.content.references import without_references
from dupgroups.methods import npz

_HALF, _LEXICONS = ("hidden", "bias", "out"), ("names", "words")
_MAX_DEVIATIONS = 5  # standard deviations at which features are clipped
_SINGLE_THREAD_PRODUCTS = 1 << 18  # most multiplications that OpenBLAS does in one thread
_MIN_POSSIBLE_SCORE = 0.3  # probability from which a block belongs to others of its kind
_MIN_REPEATED_CHARS = 40  # characters from which a block with the same text counts as a repetition


@dataclass(frozen=True)
class Network:
    """Weights: `centre` and `scale` (f,) of the features, `hidden` (f, h), `bias` (h,), `out` (h,), `level`.

    `names` and `words` are the two lexicons.
    """

    centre: Floats
    scale: Floats
    hidden: Floats
    bias: Floats
    out: Floats
    level: float
    names: dict[str, float]
    words: dict[str, float]

    @cached_property
    def lexicons(self) -> Lexicons:
        """Both, numbered by their weights."""
        return Lexicons(self.names, self.words)

    @cached_property
    def _scaled(self) -> tuple[Floats, Floats, Floats]:
        """Bounds (f + 1, 1) of the features, and weights (h, f + 1) for unscaled features. The last one is 1,
        by its bounds, and its weights are the bias."""
        bounds = (self.centre + deviations / self.scale for deviations in (-_MAX_DEVIATIONS, _MAX_DEVIATIONS))
        lowest, highest = (np.append(bound, 1)[:, None].astype(np.float32) for bound in bounds)
        hidden = (self.scale[:, None] * self.hidden).T
        bias = self.bias - hidden @ self.centre
        return lowest, highest, np.column_stack((hidden, bias)).astype(np.float32)

    def probabilities(self, page: Blocks, title: str) -> Floats:
        """The probability that each block, (blocks,), belongs to the article with the headline `title`."""
        if not page.texts:
            return np.zeros(0, np.float32)
        lowest, highest, hidden = self._scaled
        # in slices: for larger products BLAS starts threads, which cost more than the product
        count, width = len(page.texts), max(_SINGLE_THREAD_PRODUCTS // hidden.size & -8, 1)
        rows = np.zeros((hidden.shape[1], count + -count % width), np.float32)
        measures = Measures(page, title)
        fill(rows[:WIDTH, :count], measures)
        self.lexicons.fill(measures, rows[WIDTH:-1, :count])
        np.maximum(rows, lowest, out=rows)
        np.minimum(rows, highest, out=rows)
        active = hidden @ rows.reshape(len(rows), -1, width).transpose(1, 0, 2)
        np.maximum(active, 0, out=active)
        odds = (self.out @ active).ravel()[:count] + self.level
        return np.asarray(1 / (1 + np.exp(-odds)))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of an .npz file, in half precision, which is more exact than the training."""
        arrays = {key: getattr(self, key).astype(np.float16) for key in _HALF}
        arrays |= {key: np.asarray(getattr(self, key)) for key in ("centre", "scale", "level")}
        arrays |= {
            key: np.array(json.dumps(getattr(self, key), ensure_ascii=False).encode()) for key in _LEXICONS
        }
        return arrays

    @classmethod
    def of(cls, stored: Mapping[str, NDArray[Any]]) -> Network:
        """The inverse of `arrays`."""
        arrays = {key: stored[key].astype(np.float32) for key in ("centre", "scale", *_HALF)}
        names, words = (json.loads(bytes(stored[key]).decode()) for key in _LEXICONS)
        return cls(**arrays, level=float(stored["level"]), names=names, words=words)


def load_network(file: str = "auto.npz") -> Network:
    """The network that is shipped with the package, in this file."""
    network: Network = npz.load_shipped("dupgroups.content", file, Network.of)
    return network


@dataclass(frozen=True)
class Auto:
    """Selects the blocks that probably belong to the article, and a long text only in one place.

    A long block is dropped when its text was already selected under a different parent element: a list of
    recipes may repeat an entry, but a second copy of the article is not kept. With `favor="recall"` the posts
    of a forum, the entries of a list and the details of a product count as the text of the page, and links to
    other pages are kept with them.
    """

    threshold: float = 0.5
    favor: Literal["articles", "recall"] = "articles"
    weights: str | None = None
    _network: Network | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise ValueError(f"threshold must be between 0 and 1, not {self.threshold}")
        if self.favor not in ("articles", "recall"):
            raise ValueError(f"favor must be one of articles, recall, not {self.favor!r}")
        if self.weights is not None:
            method = "auto favor=recall" if self.favor == "recall" else "auto"
            network = npz.weights("dupgroups.content", method, self.weights, Network.of)
            object.__setattr__(self, "_network", network)

    @property
    def is_usual(self) -> bool:
        """Whether it selects with the network that is shipped for articles."""
        return self.favor == "articles" and self.weights is None

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the article's blocks."""
        declared = metadata(page)
        network = self._network or load_network("auto-recall.npz" if self.favor == "recall" else "auto.npz")
        probabilities = network.probabilities(page, declared.title)
        if self.favor == "recall":
            return self.select_above(page, probabilities)
        return self.article(page, probabilities, declared.headline)[1]

    def select_above(self, page: Blocks, probabilities: Floats) -> list[int]:
        """Indices of the blocks above the threshold, without copies under another parent."""
        kept: list[int] = []
        parent_of: dict[str, int] = {}
        for index in np.flatnonzero(probabilities > self.threshold).tolist():
            text, parent = page.texts[index], page.parents[page.box[index]]
            if parent_of.get(text, parent) == parent:
                kept.append(index)
            if len(text) >= _MIN_REPEATED_CHARS:
                parent_of.setdefault(text, parent)
        return kept

    def article(self, page: Blocks, probabilities: Floats, title: str) -> tuple[list[int], list[int]]:
        """The blocks that the network keeps, without what stands beside the article and copies of all of it;
        and those of the article, with what belongs to them, without what leads to other stories."""
        kept = self.select_above(page, probabilities)
        whole = with_fellows(page, kept, np.flatnonzero(probabilities > _MIN_POSSIBLE_SCORE).tolist())
        whole = with_siblings(page, whole)
        surest = keep_own(page, without_insets(page, kept, title))
        own = surest if len(whole) == len(kept) else keep_own(page, without_insets(page, whole, title))
        return surest, without_interruptions(page, without_references(page, own, title))
