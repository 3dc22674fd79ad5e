"""How well an extracted text agrees with its gold text.

Precision and recall over multisets of 4-gram shingles, as in scrapinghub's article-extraction-benchmark:
words, single characters for Chinese, Japanese and Thai, no case folding.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, harmonic_mean

import numpy as np
from numpy.typing import NDArray

_SHINGLE_WORDS = 4
_BY_CHARACTER = ("zh", "ja", "th")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on a page, 0 to 1. `precision` is None for an empty text, `recall` for an empty gold text."""

    precision: float | None
    recall: float | None
    f1: float


def agreement(gold: str, text: str, language: str) -> Agreement:
    """How `text` agrees with `gold`. An empty `text` has precision None, recall 0 and F1 0.

    Two texts without words have precision and recall None, and F1 1.
    """
    gold_shingles, text_shingles = shingles(gold, language), shingles(text, language)
    shared, size = (gold_shingles & text_shingles).total(), gold_shingles.total() + text_shingles.total()
    return Agreement(
        precision=shared / text_shingles.total() if text_shingles else None,
        recall=shared / gold_shingles.total() if gold_shingles else None,
        f1=2 * shared / size if size else 1.0,
    )


def shingles(text: str, language: str) -> Counter[tuple[str, ...]]:
    """Runs of four words (or characters) with their counts; a shorter text is one run, an empty text none."""
    parts = re.findall(r"\w" if language in _BY_CHARACTER else r"\w+", text)
    if not parts:
        return Counter()
    return Counter(
        tuple(parts[start : start + _SHINGLE_WORDS])
        for start in range(max(1, len(parts) - _SHINGLE_WORDS + 1))
    )


@dataclass(frozen=True, slots=True)
class Score:
    """Means over pages; `f1` is the harmonic mean of the two means, `page_f1` the mean of the F1 of pages."""

    pages: int
    precision: float
    recall: float
    f1: float
    page_f1: float


def score(agreements: Iterable[Agreement]) -> Score:
    """The benchmark's scores; all 0 without pages. A None of a page is left out of the mean."""
    all_pages = list(agreements)
    precision = _mean(page.precision for page in all_pages)
    recall = _mean(page.recall for page in all_pages)
    return Score(
        pages=len(all_pages),
        precision=precision,
        recall=recall,
        f1=harmonic_mean((precision, recall)),
        page_f1=_mean(page.f1 for page in all_pages),
    )


def site_counts(sites: Iterable[str], agreements: Iterable[Agreement]) -> NDArray[np.float64]:
    """Of every site: the sum of the precisions, the pages with one, and the same of recall; (sites, 4)."""
    counts: dict[str, NDArray[np.float64]] = defaultdict(lambda: np.zeros(4))
    for site, page in zip(sites, agreements, strict=True):
        counts[site] += [*_count_value(page.precision), *_count_value(page.recall)]
    return np.array(list(counts.values()))


def _count_value(value: float | None) -> tuple[float, int]:
    return (0.0, 0) if value is None else (value, 1)


def f1_of(counts: NDArray[np.float64]) -> float:
    """`Score.f1` from the sum of rows of `site_counts`, (4,)."""
    precision, with_precision, recall, with_recall = counts.tolist()
    return float(harmonic_mean((precision / max(with_precision, 1), recall / max(with_recall, 1))))


def _mean(values: Iterable[float | None]) -> float:
    known = [value for value in values if value is not None]
    return fmean(known) if known else 0.0
