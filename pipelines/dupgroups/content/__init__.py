"""Page -> Content: the article of a page, its title, date, language and identity."""

from __future__ import annotations

from dupgroups.content.base import Extractor
from dupgroups.content.extract import EXTRACTORS, extract
from dupgroups.content.paged import join

__all__ = ["EXTRACTORS", "Extractor", "extract", "join"]
