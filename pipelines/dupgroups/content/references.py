"""References that a page puts above, among and after the paragraphs of an article, mostly to other stories.

| rule | example |
|---|---|
| a few words and a colon, or an arrow, then only one link | "READ MORE: Storm cuts power to 86,000 homes" |
| above the headline: labels, links, and the headline itself | "Births and deaths", "Small ads" |
| before the first paragraph: bylines, dates, labels, links | "Author:", "By Jane Doe", "Added: 4/3/26" |
| after the last paragraph: links, a short heading before them, all that follows | "See also", "Print / Top" |
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dupgroups.content.blocks import Blocks
from dupgroups.content.bounds import utf8
from dupgroups.content.dates_in_sight import is_dateline
from dupgroups.content.letters import letters_and_digits
from dupgroups.content.visible_authors import is_byline

MAX_LEAD_CHARS = 24  # most characters before the colon
MAX_HEADING_CHARS = 24  # most characters of a heading over links
MAX_LABEL_CHARS = 40  # most characters of a label above the headline
MIN_PARAGRAPH_BYTES = 60  # fewest bytes in UTF-8 of a paragraph
MIN_TITLE_BYTES = 20  # fewest bytes in UTF-8 of a link that may be a headline: four short words

_NOTE = re.compile(r"copyright|©|rights reserved|subscri|newsletter|follow us|comment|cookie", re.IGNORECASE)
_LEAD = re.compile(rf"(?:[^:：。.!?]{{1,{MAX_LEAD_CHARS}}}[:：]|[>»›→▶►▸☞]{{1,3}})\s*")


def without_references(page: Blocks, kept: Sequence[int], title: str = "") -> list[int]:
    """The blocks of an article, indices in order, without those that only lead to other stories.

    `title` is the headline; "" if there is none.
    """
    below = _below_headline(page, kept, title)
    article = [index for index in _from_paragraph(page, below) if not _is_pointer(page, index)]
    return _with_last(page, article[: _end_of_paragraphs(page, article)])


def _with_last(page: Blocks, article: list[int]) -> list[int]:
    """With a short last sentence, which follows three paragraphs in the same element, or their picture."""
    last = article[-1] + 1 if article else 0
    last += last < len(page.texts) - 1 and page.tags[page.box[last]] == "figcaption"
    if len(article) < 3 or last == len(page.texts) or page.links[last]:
        return article
    kinds = {page.kind(index) for index in (*article[-3:], last)}
    is_sentence = (
        page.is_seen(last) and page.texts[last][-1] in '.!?。！？”"' and not _NOTE.search(page.texts[last])
    )
    return [*article, last] if len(kinds) == 1 and is_sentence else article


def _from_paragraph(page: Blocks, article: Sequence[int]) -> list[int]:
    """Without what says before the first paragraph who wrote it and when, if there is a paragraph."""
    left_out = set()
    for index in article:
        text = page.texts[index]
        is_label = len(text) <= MAX_LEAD_CHARS and text[-1] in ":："
        if is_label or _is_linked(page, index) or is_dateline(text) or is_byline(page, index):
            left_out.add(index)
        elif _is_long(text):
            return [index for index in article if index not in left_out]
    return list(article)


def _end_of_paragraphs(page: Blocks, article: Sequence[int]) -> int:
    """The number of blocks up to the links after the last paragraph, or without one after the last text."""
    linked = [_is_linked(page, index) for index in article]
    texts = [place for place, is_linked in enumerate(linked) if not is_linked]
    paragraphs = (place for place in reversed(texts) if _is_long(page.texts[article[place]]))
    after = next(paragraphs, texts[-1] if texts else len(article)) + 1
    end = linked.index(True, after) if True in linked[after:] else len(article)
    while after < end < len(article) and _is_heading(page, article[end - 1]):
        end -= 1
    return end


def _below_headline(page: Blocks, kept: Sequence[int], title: str) -> Sequence[int]:
    """The kept blocks below the headline, if there are only labels and links above it; else all."""
    letters = letters_and_digits(title)
    if not kept or not letters:
        return kept
    text = (index for index in kept if not _leads(page, index, letters))
    above = range(kept[0], next(text, kept[0]))
    headline = max((index for index in above if _reads(page.texts[index], letters)), default=-1)
    return [index for index in kept if index > headline]


def _leads(page: Blocks, index: int, letters: str) -> bool:
    """Whether a block is a label, a link to a story, or the headline with these letters and digits."""
    return _is_label(page.texts[index]) or _is_linked(page, index) or _reads(page.texts[index], letters)


def _reads(text: str, letters: str) -> bool:
    """Whether a text has these letters and digits and hardly anything else."""
    return len(letters) <= len(text) <= 3 * len(letters) and letters_and_digits(text) == letters


def _is_label(text: str) -> bool:
    """Whether it is a name, or a row of names, and no sentence."""
    return text[-1].isalnum() and max(map(len, text.split("|"))) <= MAX_LABEL_CHARS


def _is_pointer(page: Blocks, index: int) -> bool:
    """Whether it is a short label or an arrow with a link."""
    text = page.texts[index]
    lead = _LEAD.match(text) if page.links[index] == 1 else None
    if not lead or "://" in text:
        return False
    title = text[lead.end() :]
    return page.linked[index] >= len(title) and _is_title(title)


def _is_long(text: str) -> bool:
    """Whether it may be a paragraph."""
    return len(utf8(text)) >= MIN_PARAGRAPH_BYTES


def _is_linked(page: Blocks, index: int) -> bool:
    return page.links[index] > 0 and page.is_linked(index) and _is_title(page.texts[index])


def _is_title(text: str) -> bool:
    """Whether it may be a headline, and is not a shop, a name or an address."""
    return len(utf8(text)) >= MIN_TITLE_BYTES and "://" not in text and "@" not in text


def _is_heading(page: Blocks, index: int) -> bool:
    text = page.texts[index]
    return not page.linked[index] and len(text) <= MAX_HEADING_CHARS and text[-1].isalnum()
