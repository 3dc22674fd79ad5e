"""One article that stands on several pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dupgroups.model import Content


def join(pages: Iterable[Content]) -> Content:
    """The pages of one article in their order as one: all texts, everything else as the first page has it.

    A paragraph that stood on an earlier page (a summary, a note on the author) is not repeated. No pages give
    `Content(text="")`.

    >>> join([Content("One.\\nBy Ann Lee", "Ferry"), Content("Two.\\nBy Ann Lee", "Ferry, page 2")]).text
    'One.\\nBy Ann Lee\\nTwo.'
    """
    first, *others = [*pages] or [Content(text="")]
    paragraphs = first.text.splitlines()
    seen = set(paragraphs)
    for page in others:
        new = [each for each in page.text.splitlines() if each not in seen]
        paragraphs += new
        seen.update(new)
    return replace(first, text="\n".join(paragraphs))
