"""What the spiders yield."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class PageItem:
    """A page as it came: `html` undecoded with the charset of its HTTP header, or `text` alone.

    The pipeline sets `dup_id`, `dup_group` and `dup_state`. Bodies stay out of `repr`, hence out of logs.
    """

    url: str | None = None
    html: bytes | str | None = field(default=None, repr=False)
    text: str | None = field(default=None, repr=False)
    title: str | None = None
    date: str | None = None
    language: str | None = None
    id: str | None = None
    encoding: str | None = None
    dup_id: str | None = None
    dup_group: str | None = None
    dup_state: str | None = None
