"""Whether a page is an article at all, rather than a front page, a list, a gallery or a form.

A logistic rule on what the default extractor finds and on the page's URL; its weights were fitted to the page
types of eight sets of labelled pages (docs/extraction.md).

| number | weight | meaning |
|---|---|---|
| words | 1.0 | logarithm of 1 + tokens kept |
| certainty | 11.7 | mean probability of the blocks kept, 0 to 1 |
| gaps | -2.0 | share of tokens not kept between the first and the last block kept: teasers have gaps |
| together | 3.3 | largest share of the tokens kept that one element holds: each teaser has a box of its own |
| declared | 2.1 | 1 when og:type or JSON-LD calls the page an article |
| date, slash, reserved | 1, -1, -2 | of the URL, where there is one (`links.py`) |
| front | -3 | the URL has no path |
| level | -18.3 | |
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

from dupgroups.content.blocks import Blocks, block_words, unspaced
from dupgroups.content.features import Floats
from dupgroups.links import link_target
from dupgroups.text.urls import canonical

_WORDS, _CERTAINTY, _GAPS, _TOGETHER, _DECLARED, _LEVEL = 1.0, 11.7, -2.0, 3.3, 2.1, -18.3


def article_probability(
    page: Blocks, kept: Sequence[int], probabilities: Floats, declared: bool, url: str | None
) -> float:
    """0 to 1. `kept` are the default extractor's blocks, ascending; without any the page is no article: 0."""
    if not kept:
        return 0.0
    sizes = [_size(block.text) for block in page.blocks[kept[0] : kept[-1] + 1]]
    spanned, words, held = sum(sizes), 0, Counter[int]()
    for index in kept:
        size = sizes[index - kept[0]]
        words += size
        held[page.boxes[page.blocks[index].box].parent] += size
    odds = (
        _WORDS * math.log1p(words)
        + _CERTAINTY * float(probabilities[list(kept)].mean())
        + _GAPS * (spanned - words) / (spanned + 1)
        + _TOGETHER * max(held.values()) / (words + 1)
        + _DECLARED * declared
        + _shape(url)
        + _LEVEL
    )
    return 1 / (1 + math.exp(-odds))


def _size(text: str) -> int:
    """Tokens, counted by blanks where those set words apart."""
    return len(block_words(text)) if unspaced(text) else text.count(" ") + 1


def _shape(url: str | None) -> float:
    """What the URL adds to the logarithm of the odds; 0 for none."""
    plain = canonical(url)
    if not plain:
        return 0.0
    target, parts = link_target(plain), urlsplit(plain)
    front = parts.path in ("", "/") and not parts.query
    return 1.0 * target.date - 1.0 * target.slash - 2.0 * target.reserved - 3.0 * front
