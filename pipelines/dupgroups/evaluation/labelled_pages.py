"""Labelled pages, and how well an extracted text agrees with its gold text.

Precision and recall over multisets of 4-gram shingles, as in scrapinghub's article-extraction-benchmark:
words, single characters for Chinese, Japanese and Thai, no case folding.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from dupgroups.errors import InputError

PAGES = "pages.jsonl.gz"
"""The file of a pack."""

_SHINGLE = 4
_BY_CHARACTER = ("zh", "ja", "th")


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page with its gold text (None: only its type is known). `kind` is "article", "other" or ""."""

    id: str
    pack: str
    site: str
    url: str | None
    language: str
    kind: str
    html: str
    text: str | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of one page, 0 to 1; `precision` is None when no word was found, `recall` when the gold has none."""

    precision: float | None
    recall: float | None
    f1: float


def read_pack(folder: Path) -> Iterator[LabelledPage]:
    """The pages of a pack: a folder with `pages.jsonl.gz` (id, site, url, lang, page_type, html, text).

    Raises InputError for a folder that is none, and for a line that is no page.
    """
    path = folder / PAGES
    at = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                at += 1
                yield _page(folder.resolve().name, json.loads(line))
    except FileNotFoundError as error:
        raise InputError(f"{folder} is no pack of labelled pages: it has no {PAGES}") from error
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    except KeyError as error:
        raise InputError(f"{path}, line {at}, is no labelled page: it has no {error}") from error
    except (TypeError, ValueError) as error:
        raise InputError(f"{path}, line {at}, is no labelled page: {error}") from error


def _page(pack: str, row: Any) -> LabelledPage:
    if not isinstance(row, dict):
        raise TypeError("it is no object with fields")
    if not isinstance(row["html"], str) or not isinstance(row["text"], str | None):
        raise TypeError("its html or its text is no string")
    return LabelledPage(
        id=row["id"],
        pack=pack,
        site=row["site"],
        url=row["url"],
        language=row["lang"] or "",
        kind=row["page_type"] or "",
        html=row["html"],
        text=row["text"] or None,
    )


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
