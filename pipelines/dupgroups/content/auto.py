"""The default extractor: a small network over the features of each block, trained on labelled news pages.

It stands on CE-BEST's idea (Gibson, Wellner, Lubar: CEDAR, LREC 2008, section 5.2: classify blocks by rich
features of their markup, words and neighbours) with features that hold in every language. One hidden layer;
the weights in `auto.npz` are made by `dup-groups train extraction`, which docs/extraction.md describes.

| parameter | default | meaning |
|---|---|---|
| `threshold` | 0.5 | probability above which a block belongs to the article; a lower one keeps more |
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path

import numpy as np

from dupgroups.codecs import npz
from dupgroups.content.blocks import Blocks
from dupgroups.content.features import WIDTH, Floats, fill, measure
from dupgroups.content.lexicon import Lexicons
from dupgroups.content.metadata import headline

_HALF, _LEXICONS = ("hidden", "bias", "out"), ("names", "words")
_FAR = 5  # standard deviations beyond which features are cut
_ALONE = 1 << 18  # multiplications that OpenBLAS does in one thread
_REPEATED = 40  # characters of a block that is the same one when it comes again


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
    def _lexicons(self) -> Lexicons:
        return Lexicons(self.names.get, self.words.get)

    @cached_property
    def _scaled(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Bounds of the features (f, 1), and weights (h, f) and bias (h, 1) that take them unscaled."""
        bounds = (self.centre + by / self.scale for by in (-_FAR, _FAR))
        lowest, highest = (each[:, None].astype(np.float32) for each in bounds)
        hidden = np.ascontiguousarray((self.scale[:, None] * self.hidden).T)
        bias = (self.bias - hidden @ self.centre).astype(np.float32)[:, None]
        return lowest, highest, hidden.astype(np.float32), bias

    def probabilities(self, page: Blocks, title: str) -> Floats:
        """Of each block (blocks,), 0 to 1, how surely it belongs to the article with the headline `title`."""
        if not page.blocks:
            return np.zeros(0, np.float32)
        lowest, highest, hidden, bias = self._scaled
        # in slices: for larger products BLAS wakes threads, which cost more than the product
        count, wide = len(page.blocks), max(_ALONE // hidden.size, 1)
        given = np.zeros((hidden.shape[1], count + -count % wide), np.float32)
        measures = measure(page)
        fill(given[:WIDTH, :count], page, title, measures)
        self._lexicons.fill(given[WIDTH:, :count], page, measures.make)
        np.maximum(given, lowest, out=given)
        np.minimum(given, highest, out=given)
        active = hidden @ given.reshape(len(given), -1, wide).transpose(1, 0, 2)
        active += bias
        np.maximum(active, 0, out=active)
        odds = (self.out @ active).ravel()[:count] + self.level
        return np.asarray(1 / (1 + np.exp(-odds)))

    def save(self, path: Path) -> None:
        """Write to an .npz file: half precision is more than training knows."""
        arrays = {key: getattr(self, key).astype(np.float16) for key in _HALF}
        arrays |= {key: np.asarray(getattr(self, key)) for key in ("centre", "scale", "level")}
        arrays |= {
            key: np.array(json.dumps(getattr(self, key), ensure_ascii=False).encode()) for key in _LEXICONS
        }
        npz.save(path, arrays)

    @classmethod
    def load(cls, path: Path) -> Network:
        """Read what `save` wrote."""
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {key: stored[key].astype(np.float32) for key in ("centre", "scale", *_HALF)}
            names, words = (json.loads(bytes(stored[key]).decode()) for key in _LEXICONS)
            return cls(**arrays, level=float(stored["level"]), names=names, words=words)


@cache
def shipped() -> Network:
    """The network that comes with the package."""
    with resources.as_file(resources.files("dupgroups.content") / "auto.npz") as path:
        return Network.load(path)


@dataclass(frozen=True)
class Auto:
    """Blocks that probably belong to the article; a long one that comes again elsewhere counts once.

    Elsewhere: around another element. A list of recipes may repeat one, a second copy of the page may not.
    """

    threshold: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise ValueError(f"threshold: {self.threshold} is not between 0 and 1")

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the article's blocks."""
        return self.select(page, shipped().probabilities(page, headline(page)))

    def select(self, page: Blocks, probabilities: Floats) -> list[int]:
        """Indices of the blocks above the threshold, without copies that stand elsewhere."""
        kept: list[int] = []
        place: dict[str, int] = {}
        for index in np.flatnonzero(probabilities > self.threshold).tolist():
            text, box = page.blocks[index].text, page.blocks[index].box
            around = page.boxes[box].parent
            if place.get(text, around) == around:
                kept.append(index)
            if len(text) >= _REPEATED:
                place.setdefault(text, around)
        return kept
