"""Labelled pages, and how well an extracted text agrees with its gold text.

Precision and recall over multisets of 4-gram shingles, as in scrapinghub's article-extraction-benchmark:
words, single characters for Chinese, Japanese and Thai, no case folding.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from dupgroups.errors import InputError

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
    """Of one page, 0 to 1; `precision` is None when nothing was extracted."""

    precision: float | None
    recall: float
    f1: float


def read_pack(folder: Path) -> Iterator[LabelledPage]:
    """The pages of a pack: a folder with `pages.jsonl.gz` (id, site, url, lang, page_type, html, text)."""
    path = folder / "pages.jsonl.gz"
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                yield LabelledPage(
                    id=row["id"],
                    pack=folder.name,
                    site=row["site"],
                    url=row["url"],
                    language=row["lang"] or "",
                    kind=row["page_type"] or "",
                    html=row["html"],
                    text=row["text"] or None,
                )
    except (OSError, EOFError, ValueError, KeyError) as error:
        raise InputError(f"{path} is no pack of labelled pages: {error!r}") from error


def agreement(gold: str, found: str, language: str) -> Agreement:
    """How `found` agrees with `gold`. An empty `found` has no precision, recall 0 and F1 0."""
    wanted, got = shingles(gold, language), shingles(found, language)
    shared, size = (wanted & got).total(), wanted.total() + got.total()
    return Agreement(
        precision=shared / got.total() if got else None,
        recall=shared / wanted.total() if wanted else 1.0,
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
    """The benchmark's figures; all 0 without pages. Pages without an answer are left out of precision."""
    all_pages = list(agreements)
    told = [each.precision for each in all_pages if each.precision is not None]
    precision = fmean(told) if told else 0.0
    recall = fmean(each.recall for each in all_pages) if all_pages else 0.0
    both = precision + recall
    return Score(
        pages=len(all_pages),
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / both if both else 0.0,
        page_f1=fmean(each.f1 for each in all_pages) if all_pages else 0.0,
    )
