"""Scores of extraction by block, and the rows of the tables."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from statistics import fmean
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from dupgroups_lab.labels.labelled_pages import LabelledPage
from dupgroups_lab.measures.pairwise import Confusion, ratio
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
class BlockScore:
    """Over all blocks of articles: precision and recall; `exact`: share of pages without an error."""

    precision: float
    recall: float
    exact: float


def block_hits(labels: Labels, kept: Iterable[int]) -> Confusion:
    """The blocks of a page: positive, when the gold has at least half of the tokens, and found, when kept."""
    wanted, kept_blocks = set(np.flatnonzero(labels.share >= 0.5).tolist()), set(kept)
    return Confusion(len(wanted & kept_blocks), len(kept_blocks - wanted), len(wanted - kept_blocks), 0)


def block_score(pages: Iterable[Confusion]) -> BlockScore:
    """The scores of CEDAR's section 5.2; all 0 without pages."""
    all_pages = list(pages)
    whole = Confusion(*map(sum, zip((0, 0, 0, 0), *map(astuple, all_pages), strict=True)))
    exact = sum(not page.fp and not page.fn for page in all_pages)
    return BlockScore(whole.precision, whole.recall, ratio(exact, len(all_pages)))


def mean_of(scores: Sequence[Scored]) -> Scored:
    """The mean of every field, of at least one."""
    return type(scores[0])(*map(fmean, zip(*map(astuple, scores), strict=True)))
