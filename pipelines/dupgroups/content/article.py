"""Whether a page is an article at all, rather than a front page, a list, a gallery or a form.

A logistic rule on what the default extractor finds; its weights were fitted to the page types of five sets of
labelled pages, cross-validated by site (docs/extraction.md).

| number | weight | meaning |
|---|---|---|
| words | 1.0 | logarithm of 1 + tokens kept |
| certainty | 10.8 | mean probability of the blocks kept, 0 to 1 |
| gaps | -6.0 | share of tokens not kept between the first and the last block kept: teasers have gaps |
| declared | 3.0 | 1 when og:type or JSON-LD calls the page an article |
| level | -15.0 | |
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dupgroups.content.blocks import Blocks, tokens
from dupgroups.content.features import Floats

_WORDS, _CERTAINTY, _GAPS, _DECLARED, _LEVEL = 1.0, 10.8, -6.0, 3.0, -15.0


def article_probability(page: Blocks, kept: Sequence[int], probabilities: Floats, declared: bool) -> float:
    """0 to 1. `kept` are the default extractor's blocks, ascending; without any the page is no article: 0."""
    if not kept:
        return 0.0
    words = sum(len(tokens(page.blocks[index].text)) for index in kept)
    spanned = sum(len(tokens(block.text)) for block in page.blocks[kept[0] : kept[-1] + 1])
    gaps = (spanned - words) / (spanned + 1)
    certainty = float(probabilities[list(kept)].mean())
    odds = _WORDS * math.log1p(words) + _CERTAINTY * certainty + _GAPS * gaps + _DECLARED * declared + _LEVEL
    return 1 / (1 + math.exp(-odds))
