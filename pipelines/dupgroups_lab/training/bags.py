"""Bags of words of many pages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dupgroups.content.hashed_bag_of_words import BUCKETS, Bags


def on_many_sites(pages: Sequence[Bags], sites: Sequence[str], least: int) -> list[Bags]:
    """The bags of each page without the words that fewer than `least` of the sites have."""
    of_site: dict[str, set[int]] = {}
    for site, page in zip(sites, pages, strict=True):
        of_site.setdefault(site, set()).update(page.bucket.tolist())
    number = np.zeros(BUCKETS, np.int64)
    for buckets in of_site.values():
        number[list(buckets)] += 1
    kept = [number[page.bucket] >= least for page in pages]
    return [Bags(page.size, page.owner[own], page.bucket[own]) for page, own in zip(pages, kept, strict=True)]


def joined(pages: Sequence[Bags]) -> Bags:
    """The bags of all pages in one, in order."""
    starts = np.cumsum([0] + [page.size for page in pages])
    owners = [page.owner + start for page, start in zip(pages, starts, strict=False)]
    return Bags(int(starts[-1]), np.concatenate(owners), np.concatenate([page.bucket for page in pages]))
