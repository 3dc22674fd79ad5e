"""How well an extracted text agrees with its gold text.

Precision and recall over multisets of 4-gram shingles, as in scrapinghub's article-extraction-benchmark:
words, single characters for Chinese, Japanese and Thai, no case folding.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

_SHINGLE = 4
_BY_CHARACTER = ("zh", "ja", "th")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of one page, 0 to 1; `precision` is None when no word was found, `recall` when the gold has none."""

    precision: float | None
    recall: float | None
    f1: float


def agreement(gold: str, found: str, language: str) -> Agreement:
    """How `found` agrees with `gold`. An empty `found` has no precision, recall 0 and F1 0.

    Two texts without a word have neither precision nor recall, and F1 1.
    """
    wanted, got = shingles(gold, language), shingles(found, language)
    shared, size = (wanted & got).total(), wanted.total() + got.total()
    return Agreement(
        precision=shared / got.total() if got else None,
        recall=shared / wanted.total() if wanted else None,
        f1=2 * shared / size if size else 1.0,
    )


def shingles(text: str, language: str) -> Counter[tuple[str, ...]]:
    """Runs of four words (characters), with their numbers; a shorter text is one run, an empty one none."""
    parts = re.findall(r"\w" if language in _BY_CHARACTER else r"\w+", text)
    if not parts:
        return Counter()
    return Counter(tuple(parts[at : at + _SHINGLE]) for at in range(max(1, len(parts) - _SHINGLE + 1)))


@dataclass(frozen=True, slots=True)
class Score:
    """Means over pages; `f1` is the harmonic mean of the two means, `page_f1` the mean of the pages' own."""

    pages: int
    precision: float
    recall: float
    f1: float
    page_f1: float


def score(agreements: Iterable[Agreement]) -> Score:
    """The benchmark's figures; all 0 without pages. What a page does not have is left out of the mean."""
    all_pages = list(agreements)
    precision = _mean(each.precision for each in all_pages)
    recall = _mean(each.recall for each in all_pages)
    return Score(
        pages=len(all_pages),
        precision=precision,
        recall=recall,
        f1=harmonic(precision, recall),
        page_f1=_mean(each.f1 for each in all_pages),
    )


def harmonic(precision: float, recall: float) -> float:
    """Their harmonic mean; 0 when both are 0."""
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0


def _mean(values: Iterable[float | None]) -> float:
    told = [each for each in values if each is not None]
    return fmean(told) if told else 0.0
