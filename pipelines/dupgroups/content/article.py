"""The probability that a page is an article, rather than a front page, a list, a gallery or a form.

A logistic model of the default extractor's result and the page's URL. Its weights were fitted to 1,596
labelled pages of eleven sets (docs/extraction.md); the 236 that are no articles count one and a half times.
On sites left out (five times ten folds) .954 are right: 32 articles are missed, 40 others taken, and at .2,
below which pages are not stored, 16 and 72. With weights set by hand it was .942, 63 and 30, 23 and 59.

| number | weight | meaning |
|---|---|---|
| words | 0.97 | logarithm of 1 + number of kept tokens |
| certainty | 8.07 | mean probability of the kept blocks, 0 to 1 |
| gaps | -1.22 | share of tokens in sight, dropped between the first and the last kept block: of teasers |
| together | 3.69 | largest share of the kept tokens in one element: every teaser has its own box |
| blocks | -0.28 | logarithm of 1 + number of all blocks of the page |
| declared | 1.04 | 1 when og:type or JSON-LD calls the page an article |
| headline | 3.12 | 1 when JSON-LD has the headline of this article, which readers see |
| other | -3.96 | 1 when og:type or JSON-LD calls it something else: a product, a list, a job |
| asking | -4 | share of the kept tokens in a question about cookies; by hand, as no labelled page is one |
| dated | 1.71 | 1 when the page has a date of publication |
| signed | 0.55 | 1 when the page has an author |
| url | 1.39 | its features (`text/links.py`), if there is one: date 1, slash -1, reserved -2; no path -3 |
| level | -13.78 | the intercept |

The entries of a live blog stand in boxes of their own with times between them: where JSON-LD declares one,
it has no gaps and is together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from html import unescape
from typing import NamedTuple
from urllib.parse import urlsplit

from dupgroups.content.asides import asks_consent
from dupgroups.content.blocks import Blocks
from dupgroups.content.declared_dates import without_archive
from dupgroups.content.features import Floats
from dupgroups.content.json_ld import text_of, types_of
from dupgroups.content.letters import count_words, has_unspaced, letters_and_digits
from dupgroups.content.metadata import Metadata
from dupgroups.text.links import link_target
from dupgroups.text.urls import canonical

_WORDS, _CERTAINTY, _GAPS, _TOGETHER, _BLOCKS, _URL, _LEVEL = 0.97, 8.07, -1.22, 3.69, -0.28, 1.39, -13.78
_DECLARED, _HEADLINE, _OTHER, _ASKING, _DATED, _SIGNED = 1.04, 3.12, -3.96, -4.0, 1.71, 0.55
_OTHER_TYPES = frozenset(  # of pages, in JSON-LD
    """CollectionPage Course DiscussionForumPosting FAQPage ItemList JobPosting Offer Product
    ProductCollection ProductGroup ProfilePage QAPage Service SoftwareApplication Store TechArticle""".split()
)
_OTHER_OG_TYPES = ("product", "profile", "video")  # how they begin
_MAX_HEADLINE_FACTOR = 3  # times as many characters as letters and digits a headline has
_MAX_BLOCK_CHARS = 100_000  # characters of a block whose tokens are counted


def article_probability(
    page: Blocks, kept: Sequence[int], probabilities: Floats, declared: Metadata, url: str | None
) -> float:
    """The probability, 0 to 1. `kept`: the default extractor's blocks, ascending; 0 when there are none."""
    odds = math.fsum(part.contribution for part in article_evidence(page, kept, probabilities, declared, url))
    return 1 / (1 + math.exp(-odds)) if kept else 0.0


class Evidence(NamedTuple):
    """One number of the model (see the table above), and what it adds to the log odds."""

    name: str
    value: float
    contribution: float


def article_evidence(
    page: Blocks, kept: Sequence[int], probabilities: Floats, declared: Metadata, url: str | None
) -> list[Evidence]:
    """The parts of the probability; [] for a page of which nothing is kept, as nothing decides then."""
    if not kept:
        return []
    sizes = {index: _size(page.texts[index]) for index in range(kept[0], kept[-1] + 1)}
    spanned = sum(size for index, size in sizes.items() if not page.hidden[page.box[index]])
    held = Counter[int]()
    for index in kept:
        held[page.parents[page.box[index]]] += sizes[index]
    words = held.total()
    asking = sum(sizes[index] for index in kept if asks_consent(page.texts[index]))
    values = (
        ("words", math.log1p(words), _WORDS),
        ("certainty", sum(probabilities.take(kept).tolist()) / len(kept), _CERTAINTY),
        ("gaps", 0.0 if declared.is_live else max(spanned - words, 0) / (spanned + 1), _GAPS),
        ("together", 1.0 if declared.is_live else max(held.values()) / (words + 1), _TOGETHER),
        ("blocks", math.log1p(len(page.texts)), _BLOCKS),
        ("declared", float(declared.is_article), _DECLARED),
        ("headline", float(declared.is_article and _shows_headline(page, declared)), _HEADLINE),
        ("other", float(_is_declared_other(page, declared)), _OTHER),
        ("asking", asking / (words + 1), _ASKING),
        ("dated", float(bool(declared.date)), _DATED),
        ("signed", float(bool(declared.author)), _SIGNED),
        ("url", _shape(url), _URL),
        ("level", 1.0, _LEVEL),
    )
    return [Evidence(name, value, weight * value) for name, value, weight in values]


def _shows_headline(page: Blocks, declared: Metadata) -> bool:
    """Whether the headline in JSON-LD is a line of the page."""
    headline = letters_and_digits(unescape(text_of(declared.node.get("headline"))))
    sizes = range(len(headline), _MAX_HEADLINE_FACTOR * len(headline))
    return any(len(text) in sizes and letters_and_digits(text) == headline for text in page.texts)


def _is_declared_other(page: Blocks, declared: Metadata) -> bool:
    """Whether the page says that it is about something else than an article."""
    types = (kind for found in page.objects if found.outer for kind in types_of(found.node))
    og_type = declared.named.get("og:type", "").lower()
    return og_type.startswith(_OTHER_OG_TYPES) or not _OTHER_TYPES.isdisjoint(types)


def _size(text: str) -> int:
    """The number of tokens, counted by blanks in scripts that have them."""
    text = text[:_MAX_BLOCK_CHARS]
    return count_words(text) if has_unspaced(text) else text.count(" ") + 1


def _shape(url: str | None) -> float:
    """The sum of the features of the URL; 0 without a URL."""
    plain = canonical(without_archive(url)[0])
    if not plain:
        return 0.0
    target, parts = link_target(plain), urlsplit(plain)
    front = parts.path in ("", "/") and not parts.query
    return 1.0 * target.date - 1.0 * target.slash - 2.0 * target.reserved - 3.0 * front
