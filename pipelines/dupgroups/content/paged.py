"""Articles that are split over several pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dupgroups.model import Content


def join(pages: Iterable[Content]) -> Content:
    """Join the pages of one article, in order: the texts of all, and everything else from the first page.

    A paragraph of an earlier page (a summary, a note on the author) is not repeated. Without pages the result
    is `Content(text="")`.

    >>> join([Content("One.\\nBy Ann Lee", "Ferry"), Content("Two.\\nBy Ann Lee", "Ferry, page 2")]).text
    'One.\\nBy Ann Lee\\nTwo.'
    """
    first, *others = [*pages] or [Content(text="")]
    paragraphs = first.text.splitlines()
    seen = set(paragraphs)
    for page in others:
        new = [paragraph for paragraph in page.text.splitlines() if paragraph not in seen]
        paragraphs += new
        seen.update(new)
    return replace(first, text="\n".join(paragraphs))
