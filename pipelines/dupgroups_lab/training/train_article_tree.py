"""Training of the tree that separates articles from other pages, on pages labelled by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dupgroups.content.blocks import divide
from dupgroups.errors import InputError
from dupgroups_lab.labels.labelled_pages import LabelledPage, read_pack
from dupgroups_lab.training.c45 import C45
from dupgroups_papers.content.article_tree import (
    ARTICLE,
    LINK_FEATURES,
    OTHER,
    PAGE_FEATURES,
    ArticleTree,
    features,
)
from dupgroups_papers.content.decision_tree import Row

FEATURE_SETS = {"MSS, CoreEx": PAGE_FEATURES, "MSS, CoreEx, links": PAGE_FEATURES + LINK_FEATURES}


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """The features of a page, with its site and its kind ("article" or "other")."""

    site: str
    kind: str
    row: Row


def read_typed(packs: Iterable[Path]) -> list[LabelledPage]:
    """The pages of the packs whose type is known. Raises InputError unless there are pages of both types."""
    pages = [page for pack in packs for page in read_pack(pack) if page.kind in (ARTICLE, OTHER)]
    if {page.kind for page in pages} != {ARTICLE, OTHER}:
        raise InputError('these packs must have pages of both types, "article" and "other"')
    return pages


def case_of(page: LabelledPage, *, resolved: bool = True) -> LabelledCase:
    """The page as a case for the tree; `resolved`: its links as absolute URLs, not as they are written."""
    url = page.url or f"https://{page.site}/"
    return LabelledCase(page.site, page.kind, features(divide(page.html), url if resolved else ""))


def train(
    cases: Sequence[LabelledCase], names: Sequence[str] = FEATURE_SETS["MSS, CoreEx, links"]
) -> ArticleTree:
    """A tree over the features with these names."""
    rows = [{name: case.row[name] for name in names} for case in cases]
    return ArticleTree(C45()(rows, [case.kind for case in cases]))
