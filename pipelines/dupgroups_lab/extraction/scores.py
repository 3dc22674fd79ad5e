"""Scores of extraction by page and by block, one for each row of a table."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dupgroups_lab.labels.pages import LabelledPage
from dupgroups_lab.measures.shingle_agreement import Agreement, Score, agreement, score
from dupgroups_lab.training.labels import Labels
from dupgroups_lab.training.methods import Trainer, cross_validated
from dupgroups_lab.training.network import Example, is_article

_MANY = 25  # pages from which a language gets its own row
# block precision and recall and document accuracy, %, of CE-SIMPLE and CE-BEST: CEDAR, LREC 2008, section 5.2
PUBLISHED = {"maxent": (96.0, 98.1, 58.0), "crf": (97.9, 99.5, 80.0)}


def row_of(page: LabelledPage) -> str:
    """The row of the table that a page belongs to: its pack, articles apart from other pages."""
    return f"{page.pack} (no articles)" if page.kind == "other" else page.pack


@dataclass(frozen=True, slots=True)
class BlockHits:
    """Numbers of blocks of a page: wanted and kept, kept but not wanted, wanted but not kept."""

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
    wanted, kept_blocks = set(np.flatnonzero(labels.share >= 0.5).tolist()), set(kept)
    return BlockHits(len(wanted & kept_blocks), len(kept_blocks - wanted), len(wanted - kept_blocks))


def block_score(pages: Iterable[BlockHits]) -> BlockScore:
    """The scores of CEDAR's section 5.2; all 0 without pages."""
    all_pages = list(pages)
    right = sum(page.right for page in all_pages)
    kept = right + sum(page.wrong for page in all_pages)
    wanted = right + sum(page.missed for page in all_pages)
    exact = sum(not page.wrong and not page.missed for page in all_pages)
    return BlockScore(right / max(kept, 1), right / max(wanted, 1), exact / max(len(all_pages), 1))


def validated(
    examples: Sequence[Example], folds: int, trainer: Trainer, *, sites_apart: bool = True
) -> tuple[Mapping[str, Score], BlockScore]:
    """Scores of a method by row and by block, cross-validated over sites or, unless `sites_apart`, pages.

    A checksum of the name of a site or page chooses its fold. Below a row of several languages, a language
    with many pages has its own row.
    """
    pages = [example.page for example in examples]
    names = [page.site if sites_apart else f"{page.pack} {page.id}" for page in pages]
    kept = cross_validated(examples, [zlib.crc32(name.encode()) % folds for name in names], trainer)
    rows: dict[tuple[str, str], list[Agreement]] = defaultdict(list)
    hits: list[BlockHits] = []
    for example, kept_blocks in zip(examples, kept, strict=True):
        page, text = example.page, "\n".join(example.blocks.blocks[index].text for index in kept_blocks)
        page_agreement = agreement(page.text or "", text, page.language)
        for language in {"", page.language}:
            rows[row_of(page), language].append(page_agreement)
        if is_article(example):
            hits.append(block_hits(example.labels, kept_blocks))
    return {
        ", ".join(filter(None, (row, language))): score(agreements)
        for (row, language), agreements in sorted(rows.items())
        if not language or _MANY <= len(agreements) < len(rows[row, ""])
    }, block_score(hits)
