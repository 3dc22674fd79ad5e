"""CE-BEST: a conditional random field over the sequence of blocks, with rich features.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), LREC 2008, sections 4.2
and 5.2; the linear chain of Lafferty, McCallum, Pereira: Conditional Random Fields, ICML 2001. A page's
blocks are content or not; the best labelling has the greatest

    sum of odds(block) over the content + sum of turns(label, next label) over neighbours

where the odds of a block add up the weights of what is true of it: numbers above an edge (tokens, share of
links, tags around, end marks, place, neighbours), words of a short block, class names around. The paper's
named entities are not among them (no recogniser is at home in every language); shares of capitals, digits
and quotation marks stand for them. The weights in `crf.npz` are made by
`dup-groups train extraction --method crf`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupgroups.codecs import npz
from dupgroups.content.blocks import Blocks
from dupgroups.content.crf_features import Numbers, bag, numbers
from dupgroups.content.metadata import headline

Ints = NDArray[np.int64]
_HALF = ("edge", "edge_weight", "words")


@dataclass(frozen=True)
class Chain:
    """The weights: number `column[i]` above `edge[i]` weighs `edge_weight[i]`, all (k,); `words` (BUCKETS,);
    `turns` (2, 2) from a label (row) to the next one's; `level` is the odds of a block without all these.
    """

    column: Ints
    edge: Numbers
    edge_weight: Numbers
    words: Numbers
    turns: Numbers
    level: float

    def odds(self, page: Blocks, title: str) -> NDArray[np.float64]:
        """Of each block, (blocks,), what it adds to a labelling to call it content."""
        if not page.blocks:
            return np.zeros(0)
        told = above(numbers(page, title), self.column, self.edge) @ self.edge_weight
        return np.asarray(told + bag(page).sums(self.words) + self.level, np.float64)

    def save(self, path: Path) -> None:
        """Write to an .npz file, in half precision but for the few."""
        arrays = {key: getattr(self, key).astype(np.float16) for key in _HALF}
        arrays |= {"column": self.column.astype(np.int16), "turns": self.turns, "level": np.array(self.level)}
        npz.save(path, arrays)

    @classmethod
    def load(cls, path: Path) -> Chain:
        """Read what `save` wrote."""
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {key: stored[key].astype(np.float32) for key in (*_HALF, "turns")}
            return cls(**arrays, column=stored["column"].astype(np.int64), level=float(stored["level"]))


def above(given: Numbers, column: Ints, edge: Numbers) -> Numbers:
    """Which numbers of each block lie above which edges: (n, f) to (n, k) of 0 and 1."""
    return (given[:, column] > edge).astype(np.float32)


def viterbi(odds: Sequence[float], turns: Sequence[Sequence[float]]) -> list[bool]:
    """The best labelling of a chain: whether each place is content. Of equals the one with less content.

    >>> viterbi([2.0, -0.5, 2.0, -3.0], [[0.0, -0.5], [-0.5, 0.0]])
    [True, True, True, False]
    """
    if not odds:
        return []
    no, yes = 0.0, odds[0]
    came: list[tuple[bool, bool]] = []  # whether the best way to either label comes from content
    (stay_out, turn_in), (turn_out, stay_in) = turns
    for own in odds[1:]:
        out, within = yes + turn_out > no + stay_out, yes + stay_in > no + turn_in
        came.append((out, within))
        no, yes = (
            (yes + turn_out if out else no + stay_out),
            own + (yes + stay_in if within else no + turn_in),
        )
    labels = [yes > no]
    for step in reversed(came):
        labels.append(step[labels[-1]])
    return labels[::-1]


@cache
def shipped() -> Chain:
    """The weights that come with the package."""
    with resources.as_file(resources.files("dupgroups.content") / "crf.npz") as path:
        return Chain.load(path)


@dataclass(frozen=True)
class CRF:
    """The blocks that the best labelling of the page calls content."""

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the content."""
        return self.select(page, headline(page), shipped())

    def select(self, page: Blocks, title: str, chain: Chain) -> list[int]:
        """Indices of the content as `chain` sees a page with the headline `title`."""
        labels = viterbi(chain.odds(page, title).tolist(), chain.turns.tolist())
        return [index for index, label in enumerate(labels) if label]
