"""Group near-duplicate news stories while they are crawled, and collapse them in search results.

    >>> import dupgroups
    >>> document = "The ferry to Harrow was held in port on Monday after its engine failed twice. " * 3
    >>> dupgroups.compare(document, document).relation
    'duplicate'
"""

from __future__ import annotations

from dupgroups.api import compare, extract, group
from dupgroups.config import Config
from dupgroups.engines import open_engine
from dupgroups.errors import DupGroupsError
from dupgroups.flow import Deduper
from dupgroups.model import Content, Document, Page, Verdict

__all__ = [
    "Addon",
    "Config",
    "Content",
    "Deduper",
    "Document",
    "DupGroupsError",
    "Page",
    "Verdict",
    "compare",
    "extract",
    "group",
    "open_engine",
]


def __getattr__(name: str) -> object:
    if name == "Addon":  # imports Scrapy, which not every user has
        from dupgroups.item_pipelines import Addon

        return Addon
    raise AttributeError(f"module 'dupgroups' has no attribute {name!r}")
