"""Bags of words of many pages: rare words dropped, all bags joined."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dupgroups_papers.content.hashed_bag_of_words import Bags

Code = TypeVar("Code", np.uint32, np.int64)


def common_codes(pages: Iterable[NDArray[Code]], sites: Sequence[str], least: int) -> NDArray[Code]:
    """The codes of words or tags that occur on at least `least` sites, ascending."""
    by_site: dict[str, list[NDArray[Code]]] = {}
    for site, page in zip(sites, pages, strict=True):
        by_site.setdefault(site, []).append(page)
    distinct = [np.unique(np.concatenate(codes)) for codes in by_site.values()]
    codes, count = np.unique(np.concatenate(distinct), return_counts=True)
    return codes[count >= least]


def on_many_sites(pages: Sequence[Bags], sites: Sequence[str], least: int) -> list[Bags]:
    """The bags of each page without the words that occur on fewer than `least` sites."""
    known = common_codes([page.bucket for page in pages], sites, least)
    is_common = [np.isin(page.bucket, known) for page in pages]
    return [
        Bags(page.size, page.owner[common], page.bucket[common])
        for page, common in zip(pages, is_common, strict=True)
    ]


def join_bags(pages: Sequence[Bags]) -> Bags:
    """The bags of all pages in one, in order."""
    starts = np.cumsum([0] + [page.size for page in pages])
    owners = [page.owner + start for page, start in zip(pages, starts, strict=False)]
    return Bags(int(starts[-1]), np.concatenate(owners), np.concatenate([page.bucket for page in pages]))
