"""Pages from web archives (WARC): gzipped, packed with Zstandard, or plain. Needs fastwarc."""

from __future__ import annotations

from dupgroups.warc.pages import opened, pages

__all__ = ["opened", "pages"]
