"""Cross-validation of extractors that learn: their scores by row, with bootstrap standard errors.

The scores vary with the division of the sites into folds, so they are means over several divisions. The
standard error of F1 says how much it varies with the sites that happen to be in a row: it is the standard
deviation over samples of the sites of the row, drawn with replacement, all pages of a site together. The
error of a mean of rows takes the rows as independent.
"""

import math
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from dupgroups.text.hashing import mix
from dupgroups_lab.extraction.scores import MEAN, BlockScore, block_hits, block_score, mean_of, row_of
from dupgroups_lab.measures.bootstrap import samples
from dupgroups_lab.measures.shingle_agreement import Agreement, Score, agreement, f1_of, score, site_counts
from dupgroups_lab.training.network import Example, is_article
from dupgroups_lab.training.trainable_methods import Trainer, by_folds

_MIN_ROW_PAGES = 25  # pages from which a language gets its own row


@dataclass(frozen=True, slots=True)
class Validated:
    """The scores of a row, means over the divisions, and the standard error of F1 over sites."""

    score: Score
    error: float


def cross_validate(
    examples: Sequence[Example], folds: int, trainer: Trainer, seeds: int = 1
) -> tuple[Mapping[str, Validated], BlockScore]:
    """Scores of a method by row and by block, cross-validated over sites.

    They are means over `seeds` (at least 1) divisions into folds; a checksum of the name of a site chooses
    its fold. Below a row of several languages, a language with many pages has its own row. The last
    row is the mean of the rows of articles, if there are several.
    """
    agreements: list[list[Agreement]] = []
    blocks: list[BlockScore] = []
    for seed in range(seeds):
        fold_of = division(examples, folds, seed)
        kept = by_folds(examples, fold_of, lambda others: trainer(others).kept)
        agreements.append(list(map(agreement_of, examples, kept)))
        blocks.append(score_of_blocks(examples, kept))
    rows = {name: _row(examples, agreements, places) for name, places in _places(examples).items()}
    articles = sorted({row_of(example.page) for example in examples if is_article(example)})
    if len(articles) > 1:
        rows[MEAN] = _mean([rows[name] for name in articles])
    return rows, mean_of(blocks)


def division(examples: Sequence[Example], folds: int, seed: int) -> list[int]:
    """The fold of every page: by the checksum of its site, mixed once more for every further seed."""
    checksums = np.array([zlib.crc32(example.page.site.encode()) for example in examples], np.uint64)
    for _ in range(seed):
        checksums = mix(checksums)
    return [int(checksum) % folds for checksum in checksums]


def agreement_of(example: Example, kept: Sequence[int]) -> Agreement:
    """How the text of these blocks agrees with the gold text of the page."""
    text = "\n".join(example.blocks.blocks[index].text for index in kept)
    return agreement(example.page.text or "", text, example.page.language)


def score_of_blocks(examples: Sequence[Example], kept: Sequence[Sequence[int]]) -> BlockScore:
    """The scores of the blocks kept of each page; pages that are no articles do not count."""
    pairs = zip(examples, kept, strict=True)
    return block_score(block_hits(example.labels, blocks) for example, blocks in pairs if is_article(example))


def _places(examples: Sequence[Example]) -> dict[str, list[int]]:
    """The rows by name, in alphabetical order, with the places of their pages."""
    rows: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, example in enumerate(examples):
        for language in {"", example.page.language}:
            rows[row_of(example.page), language].append(place)
    return {
        ", ".join(filter(None, (row, language))): places
        for (row, language), places in sorted(rows.items())
        if not language or _MIN_ROW_PAGES <= len(places) < len(rows[row, ""])
    }


def _row(
    examples: Sequence[Example], agreements: Sequence[Sequence[Agreement]], places: Sequence[int]
) -> Validated:
    sites = [examples[place].page.site for place in places]
    divisions = [[of_pages[place] for place in places] for of_pages in agreements]
    counts = np.hstack([site_counts(sites, division) for division in divisions])
    drawn = samples(counts, lambda total: np.array([fmean(map(f1_of, total.reshape(-1, 4)))]))
    mean = mean_of([score(division) for division in divisions])
    return Validated(replace(mean, pages=len(places)), float(drawn.std()))


def _mean(rows: Sequence[Validated]) -> Validated:
    pages = sum(row.score.pages for row in rows)
    error = math.sqrt(sum(row.error**2 for row in rows)) / len(rows)
    return Validated(replace(mean_of([row.score for row in rows]), pages=pages), error)
