"""Scores of extraction by block, and the rows of the tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from statistics import fmean
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from dupgroups_lab.labels.labelled_pages import LabelledPage
from dupgroups_lab.training.labels import Labels

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Scored = TypeVar("Scored", bound="DataclassInstance")

MEAN = "mean"  # the name of the row with the mean of the rows of articles
# block precision and recall and document accuracy, %, of CE-SIMPLE and CE-BEST: CEDAR, LREC 2008, section 5.2
PUBLISHED_SCORES = {"maxent": (96.0, 98.1, 58.0), "crf": (97.9, 99.5, 80.0)}


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


def mean_of(scores: Sequence[Scored]) -> Scored:
    """The mean of every field, of at least one."""
    return type(scores[0])(*map(fmean, zip(*map(astuple, scores), strict=True)))
