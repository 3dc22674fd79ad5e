"""CE-BEST: a conditional random field over the sequence of blocks, with rich features.

Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), LREC 2008, sections 4.2
and 5.2; the linear chain of Lafferty, McCallum, Pereira: Conditional Random Fields, ICML 2001. Every block of
a page is content or not; the best labelling has the greatest

    sum of odds(block) over the content + sum of turns(label, next label) over neighbours

where the odds of a block are the sum of the weights of its features: numbers above an edge (tokens, share of
links, enclosing tags, end marks, place, neighbours), words of a short block, enclosing class names.
`dup-groups train extraction --method crf` made the weights in `crf.npz`.

These are our features. Those that the paper names can be trained too (`crf_feature_sets`): all words of a
block with their frequency, its tokens, their share in links, tags in and around it, and named entities, for
which the user has to choose a recogniser, because none covers every language.

| parameter | default | meaning |
|---|---|---|
| `weights` | none | a file of other weights, which `dup-groups train extraction --out` wrote |

The second block alone would not be content, but it stands between blocks that are:

>>> from dupgroups_papers.content.crf import viterbi
>>> viterbi([2.0, -0.5, 2.0, -3.0], [[0.0, -0.5], [-0.5, 0.0]])
[True, True, True, False]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.blocks import Blocks
from dupgroups.content.metadata import metadata
from dupgroups.methods import npz
from dupgroups_papers.content.crf_feature_sets import OWN_SET, feature_set
from dupgroups_papers.content.crf_features import Numbers

Ints = NDArray[np.int64]
_HALF = ("edge", "edge_weight", "words")


@dataclass(frozen=True)
class Chain:
    """The weights of the field.

    `edge_weight[i]` is the weight of number `column[i]` being above `edge[i]`, all of shape (k,); `words`
    (BUCKETS,) are the weights of words; `turns` (2, 2) those of a label (row) followed by another (column);
    `level` is the odds of a block without any of these features. `features` is the name of the feature set.
    """

    column: Ints
    edge: Numbers
    edge_weight: Numbers
    words: Numbers
    turns: Numbers
    level: float
    features: str = OWN_SET

    def odds(self, page: Blocks, title: str) -> NDArray[np.float64]:
        """The score of labelling each block as content, (blocks,)."""
        if not page.blocks:
            return np.zeros(0)
        numbers, bags = feature_set(self.features)(page, title)
        by_numbers = compare_edges(numbers, self.column, self.edge) @ self.edge_weight
        return np.asarray(by_numbers + bags.sums(self.words) + self.level, np.float64)

    def arrays(self) -> npz.Arrays:
        """The arrays of an .npz file; the large ones in half precision."""
        arrays = {key: getattr(self, key).astype(np.float16) for key in _HALF}
        arrays |= {"column": self.column.astype(np.int16), "turns": self.turns, "level": np.array(self.level)}
        return arrays | {"features": np.array(self.features)}

    @classmethod
    def of(cls, stored: npz.Arrays) -> Chain:
        """The inverse of `arrays`.

        Raises ConfigError for a feature set that is not known, MissingExtraError if it needs spaCy.
        """
        arrays = {key: stored[key].astype(np.float32) for key in (*_HALF, "turns")}
        column, level, features = stored["column"].astype(np.int64), stored["level"], str(stored["features"])
        feature_set(features)
        return cls(**arrays, column=column, level=float(level), features=features)


def compare_edges(given: Numbers, column: Ints, edge: Numbers) -> Numbers:
    """Which numbers of each block lie above which edges: maps (n, f) to (n, k) with values 0 and 1."""
    return (given[:, column] > edge).astype(np.float32)


def viterbi(odds: Sequence[float], turns: Sequence[Sequence[float]]) -> list[bool]:
    """The best labelling of a chain: whether each place is content; ties go to less content."""
    if not odds:
        return []
    no, yes = 0.0, odds[0]
    steps: list[tuple[bool, bool]] = []  # whether the best path to either label comes from content
    (stay_out, turn_in), (turn_out, stay_in) = turns
    for block_odds in odds[1:]:
        out, within = yes + turn_out > no + stay_out, yes + stay_in > no + turn_in
        steps.append((out, within))
        no, yes = (
            (yes + turn_out if out else no + stay_out),
            block_odds + (yes + stay_in if within else no + turn_in),
        )
    labels = [yes > no]
    for step in reversed(steps):
        labels.append(step[labels[-1]])
    return labels[::-1]


@dataclass(frozen=True)
class CRF:
    """Selects the blocks that are content in the best labelling of the page."""

    weights: str | None = None
    _chain: Chain = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_chain", npz.weights(__package__, "crf", self.weights, Chain.of))

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the content."""
        return self.select(page, metadata(page).title, self._chain)

    def select(self, page: Blocks, title: str, chain: Chain) -> list[int]:
        """Indices of the content of a page with the headline `title`, by the weights of `chain`."""
        labels = viterbi(chain.odds(page, title).tolist(), chain.turns.tolist())
        return [index for index, label in enumerate(labels) if label]
