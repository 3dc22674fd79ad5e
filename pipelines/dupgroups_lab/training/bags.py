"""Bags of words of many pages: rare words dropped, all bags joined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dupgroups_papers.content.hashed_bag_of_words import BUCKETS, Bags


def on_many_sites(pages: Sequence[Bags], sites: Sequence[str], least: int) -> list[Bags]:
    """The bags of each page without the words that occur on fewer than `least` sites."""
    buckets_by_site: dict[str, set[int]] = {}
    for site, page in zip(sites, pages, strict=True):
        buckets_by_site.setdefault(site, set()).update(page.bucket.tolist())
    site_count = np.zeros(BUCKETS, np.int64)
    for buckets in buckets_by_site.values():
        site_count[list(buckets)] += 1
    is_common = [site_count[page.bucket] >= least for page in pages]
    return [
        Bags(page.size, page.owner[common], page.bucket[common])
        for page, common in zip(pages, is_common, strict=True)
    ]


def joined(pages: Sequence[Bags]) -> Bags:
    """The bags of all pages in one, in order."""
    starts = np.cumsum([0] + [page.size for page in pages])
    owners = [page.owner + start for page, start in zip(pages, starts, strict=False)]
    return Bags(int(starts[-1]), np.concatenate(owners), np.concatenate([page.bucket for page in pages]))
