"""Extraction: from a Page to its Content, the article with its title, date, language and identity."""

from __future__ import annotations

from dupgroups.content.page_analysis import EXTRACTORS, Extractor, extract, join

__all__ = ["EXTRACTORS", "Extractor", "extract", "join"]
