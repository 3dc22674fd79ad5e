"""Training of maximum subsequence segmentation: the Naive Bayes classifier of tokens.

The article is a span, as in the paper: from the first to the last word of the blocks of which the gold text
has at least half, with everything in between.

| setting | value | why |
|---|---|---|
| `_MIN_SITES_OF_WORD` | 20 | rarer words are one token: more trigrams are known, and the file is small |
| `_MIN_SITES` | 4 | a trigram or tag of fewer sites is typical of those sites, not of articles |
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.features import Floats
from dupgroups_lab.training.network import Example
from dupgroups_lab.training.training_bags import common_codes
from dupgroups_papers.content.subsequence import (
    UNSEEN,
    Codes,
    TokenClassifier,
    Tokens,
    known_or_unseen,
    tokens,
    trigrams,
)

_MIN_SITES_OF_WORD, _MIN_SITES = 20, 4


def train_subsequence(examples: Sequence[Example]) -> TokenClassifier:
    """The weights learned from these pages, at least one. The same pages give the same weights."""
    pages = [tokens(example.blocks.html) for example in examples]
    sites = [example.page.site for example in examples]
    content = np.concatenate([_in_article(*pair) for pair in zip(pages, examples, strict=True)])
    words = common_codes([page.code[~page.is_tag] for page in pages], sites, _MIN_SITES_OF_WORD)
    trigrams_of_pages = [trigrams(page, words) for page in pages]
    known_trigrams = np.union1d(UNSEEN, common_codes(trigrams_of_pages, sites, _MIN_SITES))
    known_parents = common_codes([page.parent for page in pages], sites, _MIN_SITES)
    return TokenClassifier(
        words=words,
        trigrams=known_trigrams,
        trigram_odds=_odds(
            known_trigrams, known_or_unseen(np.concatenate(trigrams_of_pages), known_trigrams), content
        ),
        parents=known_parents,
        parent_odds=_odds(known_parents, np.concatenate([page.parent for page in pages]), content),
        prior=float(np.log((content.sum() + 1) / ((~content).sum() + 1))),
    )


def _in_article(page: Tokens, example: Example) -> NDArray[np.bool_]:
    """Whether each token is in the article."""
    wanted = np.append(example.labels.share >= 0.5, False)  # the last is that of tags after the last block
    places = np.flatnonzero(wanted[page.block] & ~page.is_tag)
    inside = np.zeros(len(page.block), np.bool_)
    if len(places):
        inside[places[0] : places[-1] + 1] = True
    return inside


def _odds(features: Codes, given: Codes, content: NDArray[np.bool_]) -> Floats:
    """log P(feature | in) / P(feature | out) of each feature, with one token more of each kind."""
    inside, outside = _counts(features, given[content]) + 1, _counts(features, given[~content]) + 1
    size = len(features)
    odds = np.log(inside / (content.sum() + size)) - np.log(outside / ((~content).sum() + size))
    return np.asarray(odds, np.float32)


def _counts(features: Codes, given: Codes) -> NDArray[np.int64]:
    codes, counts = np.unique(given, return_counts=True)
    _, of_features, of_codes = np.intersect1d(features, codes, assume_unique=True, return_indices=True)
    total = np.zeros(len(features), np.int64)
    total[of_features] = counts[of_codes]
    return total
