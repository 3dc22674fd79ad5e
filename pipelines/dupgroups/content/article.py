"""The probability that a page is an article, rather than a front page, a list, a gallery or a form.

A logistic model of the default extractor's result and the page's URL. Its weights were fitted to the page
types of eleven sets of labelled pages (docs/extraction.md), others counting twice. Of 1,360 articles and 236
others it misses 29 and takes 40 at .5, and 23 and 49 at .4, from which crawls store pages: losing an article
is worse. With sites left out .954 of the pages are right at .5; without prices, paragraphs and other .951.

| number | weight | meaning |
|---|---|---|
| words | 1.0 | logarithm of 1 + number of kept tokens |
| certainty | 4.5 | mean probability of the kept blocks, 0 to 1 |
| tokens | 4.5 | the same of the kept tokens: of a brief, headline and byline are most blocks |
| gaps | -2.0 | share of tokens in sight, dropped between the first and the last kept block: of teasers |
| together | 3.3 | largest share of the kept tokens in one element: every teaser has its own box |
| prices | -2.5 | ten times the share of the blocks of the page with a sign of a currency, up to 1 |
| paragraphs | 0.6 | share of the kept blocks that are p elements |
| consent | -3 | 1 when the kept text asks whether cookies may be set |
| declared | 2.1 | 1 when og:type or JSON-LD calls the page an article |
| other | -2.9 | 1 when og:type calls it a product, a profile or a video, and JSON-LD no article |
| headline | 3 | 1 when JSON-LD has the headline of this article, which readers see |
| share | 0.5 | share of the characters of the page that are kept |
| dated | 1 | 1 when the page has a date of publication |
| date, slash, reserved | 1, -1, -2 | features of the URL, if there is one (`text/links.py`) |
| front | -3 | 1 when the URL has no path |
| level | -16.1 | the intercept |

The entries of a live blog stand in boxes of their own with times between them: where JSON-LD declares one,
it has no gaps and is together.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import unescape
from typing import NamedTuple
from urllib.parse import urlsplit

from dupgroups.content.asides import asks_consent
from dupgroups.content.blocks import Blocks
from dupgroups.content.declared_dates import without_archive
from dupgroups.content.features import Floats
from dupgroups.content.json_ld import text_of
from dupgroups.content.letters import count_words, has_unspaced, letters_and_digits
from dupgroups.content.metadata import Metadata
from dupgroups.text.links import link_target
from dupgroups.text.urls import canonical

MIN_ARTICLE_SCORE = 0.4  # of an article; low: losing one is worse than keeping a front page
_WORDS, _CERTAINTY, _TOKENS, _GAPS, _TOGETHER, _SHARE = 1.0, 4.5, 4.5, -2.0, 3.3, 0.5
_PRICES, _PARAGRAPHS, _CONSENT = -2.5, 0.6, -3.0
_DECLARED, _OTHER, _HEADLINE, _DATED, _LEVEL = 2.1, -2.9, 3.0, 1.0, -16.1
_PRICE = re.compile("[$€£¥]")
_OTHER_TYPES = ("product", "profile", "video")  # how og:type begins there
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
    words, sure, held = 0, 0.0, dict[int, int]()
    for index in kept:
        size, parent = sizes[index], page.parents[page.box[index]]
        words += size
        sure += size * float(probabilities[index])
        held[parent] = held.get(parent, 0) + size
    of_type = declared.named.get("og:type", "").lower()
    values = (
        ("words", math.log1p(words), _WORDS),
        ("certainty", sum(probabilities.take(kept).tolist()) / len(kept), _CERTAINTY),
        ("tokens", sure / max(words, 1), _TOKENS),
        ("gaps", 0.0 if declared.is_live else max(spanned - words, 0) / (spanned + 1), _GAPS),
        ("together", 1.0 if declared.is_live else max(held.values()) / (words + 1), _TOGETHER),
        ("share", page.count_chars(kept) / sum(map(len, page.texts)), _SHARE),
        ("prices", min(10 * sum(map(bool, map(_PRICE.search, page.texts))) / len(page.texts), 1.0), _PRICES),
        ("paragraphs", sum(page.tags[page.box[index]] == "p" for index in kept) / len(kept), _PARAGRAPHS),
        ("consent", float(any(asks_consent(page.texts[index]) for index in kept)), _CONSENT),
        ("declared", float(declared.is_article), _DECLARED),
        ("other", float(not declared.is_article and of_type.startswith(_OTHER_TYPES)), _OTHER),
        ("headline", float(declared.is_article and _shows_headline(page, declared)), _HEADLINE),
        ("dated", float(bool(declared.date)), _DATED),
        ("url", _shape(url), 1.0),
        ("level", 1.0, _LEVEL),
    )
    return [Evidence(name, value, weight * value) for name, value, weight in values]


def _shows_headline(page: Blocks, declared: Metadata) -> bool:
    """Whether the headline in JSON-LD is a line of the page."""
    headline = letters_and_digits(unescape(text_of(declared.node.get("headline"))))
    sizes = range(len(headline), _MAX_HEADLINE_FACTOR * len(headline))
    return any(len(text) in sizes and letters_and_digits(text) == headline for text in page.texts)


def _size(text: str) -> int:
    """The number of tokens, counted by blanks in scripts that have them."""
    text = text[:_MAX_BLOCK_CHARS]
    return count_words(text) if has_unspaced(text) else text.count(" ") + 1


def _shape(url: str | None) -> float:
    """The contribution of the URL to the log odds; 0 without a URL."""
    plain = canonical(without_archive(url)[0])
    if not plain:
        return 0.0
    target, parts = link_target(plain), urlsplit(plain)
    front = parts.path in ("", "/") and not parts.query
    return 1.0 * target.date - 1.0 * target.slash - 2.0 * target.reserved - 3.0 * front
