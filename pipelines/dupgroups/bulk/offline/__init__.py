"""Group a corpus of documents at once, without an engine: sign, sort the keys, judge, unite, on all cores."""

from __future__ import annotations

from dupgroups.bulk.offline.bulk import (
    Groups,
    Judged,
    Progress,
    ReadTexts,
    grouped,
    names_of_repeated,
    put_together,
)
from dupgroups.bulk.offline.columns import Columns
from dupgroups.bulk.offline.corpus import Corpus
from dupgroups.bulk.offline.pages import BatchResult, Resources, group_pages, group_records, grouped_pages

__all__ = [
    "BatchResult",
    "Columns",
    "Corpus",
    "Groups",
    "Judged",
    "Progress",
    "ReadTexts",
    "Resources",
    "group_pages",
    "group_records",
    "grouped",
    "grouped_pages",
    "names_of_repeated",
    "put_together",
]
