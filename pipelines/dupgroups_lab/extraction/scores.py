"""Scores of extraction, by page and by block, row by row of a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dupgroups_lab.labels.pages import LabelledPage
from dupgroups_lab.measures.shingle_agreement import Agreement, Score, agreement, score
from dupgroups_lab.training.labels import Labels
from dupgroups_lab.training.methods import Trainer, cross_validated
from dupgroups_lab.training.network import Example, is_article

_MANY = 25  # pages of a language that have a row of their own
# block precision and recall and document accuracy, %, of CE-SIMPLE and CE-BEST: CEDAR, LREC 2008, section 5.2
PUBLISHED = {"maxent": (96.0, 98.1, 58.0), "crf": (97.9, 99.5, 80.0)}


def row_of(page: LabelledPage) -> str:
    """The row of the table that a page belongs to: its pack, articles apart from other pages."""
    return f"{page.pack} (no articles)" if page.kind == "other" else page.pack


@dataclass(frozen=True, slots=True)
class BlockHits:
    """Blocks of one page: wanted and kept, kept alone, wanted alone."""

    right: int
    wrong: int
    missed: int


@dataclass(frozen=True, slots=True)
class BlockScore:
    """Over all blocks of articles: precision and recall; `exact`: share of pages without an error."""

    precision: float
    recall: float
    exact: float


def block_hits(labels: Labels, kept: Iterable[int]) -> BlockHits:
    """A block is wanted when the gold has at least half of its tokens."""
    wanted, got = set(np.flatnonzero(labels.share >= 0.5).tolist()), set(kept)
    return BlockHits(len(wanted & got), len(got - wanted), len(wanted - got))


def block_score(pages: Iterable[BlockHits]) -> BlockScore:
    """The figures of CEDAR's section 5.2; all 0 without pages."""
    all_pages = list(pages)
    right = sum(each.right for each in all_pages)
    kept = right + sum(each.wrong for each in all_pages)
    wanted = right + sum(each.missed for each in all_pages)
    exact = sum(not each.wrong and not each.missed for each in all_pages)
    return BlockScore(right / max(kept, 1), right / max(wanted, 1), exact / max(len(all_pages), 1))


def validated(
    examples: Sequence[Example], folds: int, trainer: Trainer, *, sites_apart: bool = True
) -> tuple[Mapping[str, Score], BlockScore]:
    """Scores of a method by row and by block, cross-validated over sites or, unless `sites_apart`, pages.

    A language with many pages in a row of several has a row of its own below it.
    """
    kept = cross_validated(examples, folds, trainer, sites_apart=sites_apart)
    rows: dict[tuple[str, str], list[Agreement]] = defaultdict(list)
    hits: list[BlockHits] = []
    for each, own in zip(examples, kept, strict=True):
        page, text = each.page, "\n".join(each.blocks.blocks[at].text for at in own)
        found = agreement(page.text or "", text, page.language)
        for language in {"", page.language}:
            rows[row_of(page), language].append(found)
        if is_article(each):
            hits.append(block_hits(each.labels, own))
    return {
        ", ".join(filter(None, (row, language))): score(found)
        for (row, language), found in sorted(rows.items())
        if not language or _MANY <= len(found) < len(rows[row, ""])
    }, block_score(hits)
