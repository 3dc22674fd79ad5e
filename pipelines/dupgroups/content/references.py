"""Links to other stories that a page puts among or after the paragraphs of an article.

| rule | example |
|---|---|
| a few words and a colon, then nothing but one link | "READ MORE: Storm cuts power to 86,000 homes" |
| after the last paragraph: blocks of links, and the short headings before them | "See also", "Print / Top" |
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dupgroups.content.blocks import Block, Blocks

LEAD = 24  # most characters before the colon
LINKED = 0.75  # least share of the characters of a block of links that are linked
HEADING = 24  # most characters of a heading over links
TITLE = 20  # fewest bytes in UTF-8 of a link that may be a headline: four short words, or seven characters

_LEAD = re.compile(rf"[^:：。.!?]{{1,{LEAD}}}[:：]\s*")


def without_references(page: Blocks, kept: Sequence[int]) -> list[int]:
    """The blocks of an article, indices in order, without those that only lead to other stories."""
    article = [index for index in kept if not _is_pointer(page.blocks[index])]
    end = len(article)
    while end and _is_linked(page.blocks[article[end - 1]]):
        end -= 1
        while end and end < len(article) and _is_heading(page.blocks[article[end - 1]]):
            end -= 1
    return article[:end] or article


def _is_pointer(block: Block) -> bool:
    """Whether it is a short label with a link."""
    lead = _LEAD.match(block.text)
    if block.links != 1 or not lead or "://" in block.text:
        return False
    title = block.text[lead.end() :]
    return block.linked >= len(title) and _is_title(title)


def _is_linked(block: Block) -> bool:
    return block.links > 0 and block.linked >= LINKED * len(block.text) and _is_title(block.text)


def _is_title(text: str) -> bool:
    """Whether it may be a headline, and is not a shop, a name or an address."""
    return len(text.encode("utf-8", "surrogatepass")) >= TITLE and "://" not in text and "@" not in text


def _is_heading(block: Block) -> bool:
    return not block.linked and len(block.text) <= HEADING and block.text[-1].isalnum()
