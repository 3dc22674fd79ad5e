"""What a page puts above, among and after the paragraphs of an article, mostly links to other stories.

| rule | example |
|---|---|
| a few words and a colon, then nothing but one link | "READ MORE: Storm cuts power to 86,000 homes" |
| above the headline: labels, links, and the headline itself | "Births and deaths", "Small ads" |
| before the first paragraph: bylines, dates, labels, links | "Author:", "By Jane Doe", "Added: 4/3/26" |
| after the last paragraph: links, a short heading before them, all that follows | "See also", "Print / Top" |
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dupgroups.content.blocks import Block, Blocks, letters_and_digits
from dupgroups.content.bylines import is_byline
from dupgroups.content.datelines import is_dateline

LEAD = 24  # most characters before the colon
LINKED = 0.75  # least share of the characters of a block of links that are linked
HEADING = 24  # most characters of a heading over links
LABEL = 40  # most characters of a label above the headline
PARAGRAPH = 60  # fewest bytes in UTF-8 of a paragraph
TITLE = 20  # fewest bytes in UTF-8 of a link that may be a headline: four short words, or seven characters

_NOTE = re.compile(r"copyright|©|rights reserved|subscri|newsletter|follow us|comment|cookie", re.IGNORECASE)
_LEAD = re.compile(rf"[^:：。.!?]{{1,{LEAD}}}[:：]\s*")


def without_references(page: Blocks, kept: Sequence[int], title: str = "") -> list[int]:
    """The blocks of an article, indices in order, without those that only lead to other stories.

    `title` is the headline; "" if there is none.
    """
    below = _below_headline(page, kept, title)
    article = [index for index in _from_paragraph(page, below) if not _is_pointer(page.blocks[index])]
    return _with_last(page, article[: _end_of_paragraphs(page, article)])


def _with_last(page: Blocks, article: list[int]) -> list[int]:
    """With a short last sentence, which follows three paragraphs in the same element."""
    last = article[-1] + 1 if article else 0
    blocks = page.blocks[last - 3 : last + 1]
    if article[-3:] != [*range(last - 3, last)] or len(blocks) < 4 or blocks[3].links:
        return article
    boxes = {(page.parents[box], page.tags[box], page.names[box]) for box in page.box[last - 3 : last + 1]}
    is_sentence = blocks[3].text[-1] in '.!?。！？”"' and not _NOTE.search(blocks[3].text)
    return [*article, last] if len(boxes) == 1 and is_sentence else article


def _from_paragraph(page: Blocks, article: Sequence[int]) -> list[int]:
    """Without what says before the first paragraph who wrote it and when, if there is a paragraph."""
    left_out = set()
    for index in article:
        block = page.blocks[index]
        is_label = len(block.text) <= LEAD and block.text[-1] in ":："
        if is_label or _is_linked(block) or is_dateline(block.text) or is_byline(page, block):
            left_out.add(index)
        elif _is_long(block):
            return [index for index in article if index not in left_out]
    return list(article)


def _end_of_paragraphs(page: Blocks, article: Sequence[int]) -> int:
    """The number of blocks up to the links after the last paragraph, or without one after the last text."""
    blocks = [page.blocks[index] for index in article]
    texts = [place for place, block in enumerate(blocks) if not _is_linked(block)]
    paragraphs = [place for place in texts if _is_long(blocks[place])]
    after = (paragraphs or texts or [len(blocks)])[-1] + 1
    end = next((place for place in range(after, len(blocks)) if _is_linked(blocks[place])), len(blocks))
    while after < end < len(blocks) and _is_heading(blocks[end - 1]):
        end -= 1
    return end


def _below_headline(page: Blocks, kept: Sequence[int], title: str) -> Sequence[int]:
    """What is kept below the headline, if there are only labels and links above it; else all."""
    letters = letters_and_digits(title)
    if not kept or not letters:
        return kept
    text = (index for index in kept if not _leads(page.blocks[index], letters))
    above = range(kept[0], next(text, kept[0]))
    headline = max((index for index in above if _reads(page.blocks[index], letters)), default=-1)
    return [index for index in kept if index > headline]


def _leads(block: Block, letters: str) -> bool:
    """Whether a block is a label, a link to a story, or the headline with these letters and digits."""
    return _is_label(block) or _is_linked(block) or _reads(block, letters)


def _reads(block: Block, letters: str) -> bool:
    """Whether a block has these letters and digits and hardly anything else."""
    return len(letters) <= len(block.text) <= 3 * len(letters) and letters_and_digits(block.text) == letters


def _is_label(block: Block) -> bool:
    """Whether it is a name, or a row of names, and no sentence."""
    return block.text[-1].isalnum() and max(map(len, block.text.split("|"))) <= LABEL


def _is_pointer(block: Block) -> bool:
    """Whether it is a short label with a link."""
    lead = _LEAD.match(block.text)
    if block.links != 1 or not lead or "://" in block.text:
        return False
    title = block.text[lead.end() :]
    return block.linked >= len(title) and _is_title(title)


def _is_long(block: Block) -> bool:
    """Whether it may be a paragraph."""
    return len(block.text.encode("utf-8", "surrogatepass")) >= PARAGRAPH


def _is_linked(block: Block) -> bool:
    return block.links > 0 and block.linked >= LINKED * len(block.text) and _is_title(block.text)


def _is_title(text: str) -> bool:
    """Whether it may be a headline, and is not a shop, a name or an address."""
    return len(text.encode("utf-8", "surrogatepass")) >= TITLE and "://" not in text and "@" not in text


def _is_heading(block: Block) -> bool:
    return not block.linked and len(block.text) <= HEADING and block.text[-1].isalnum()
