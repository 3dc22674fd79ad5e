"""The items that the spiders yield."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class PageItem:
    """A page as received: undecoded `html` with the charset of its HTTP header.

    The pipeline sets `dup_id`, `dup_group` and `dup_state`. Bodies are not part of `repr`, hence not of logs.
    """

    url: str | None = None
    html: bytes | str | None = field(default=None, repr=False)
    encoding: str | None = None
    dup_id: str | None = None
    dup_group: str | None = None
    dup_state: str | None = None
