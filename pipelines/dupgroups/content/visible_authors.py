"""The author of a page from the byline that readers see, for pages that do not declare an author.

Only blocks around the article are read: a byline stands between headline and text, or at an end of the text;
what is above the headline, or below the text, belongs to another story if that has a linked headline there.
A wrong name is worse than no name, so the conditions are strict:

| pattern | conditions |
|---|---|
| "By Jane Doe and John Roe, Staff Writers" | 2 to 4 capitalised words per name, no sentence after them |
| a block whose class or id says author, byline ... | the same, without the "By" |
| "Jane Doe, Staff Writer", "Jane Doe \\| 4 March 2026" | the same, and no full stop |
| a line with a name after a tag that says author (class, `rel`, `itemprop`, link) | the same, and only one |
| "作者：王小明", "（记者 王小明）", "王小明／台北報導" | a family name, one or two characters, a boundary |
| "...。【山田太郎】" | Japanese, four characters |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from dupgroups.content.blocks import HEADINGS, Blocks
from dupgroups.content.bylines import read_byline, read_only_names
from dupgroups.content.dates_in_sight import MAX_BLOCKS_BETWEEN
from dupgroups.content.letters import count_words, has_unspaced
from dupgroups.content.marked_authors import AUTHOR_NAMES, MARKED_SOURCE, NO_AUTHOR, find_marked_names
from dupgroups.content.unspaced_bylines import MAX_BYLINE_CHARS, read_unspaced

_BEFORE, _INTO, _AFTER = 8, 3, 3  # blocks that are read before the text, at each of its ends, and after it
_MAX_NAMES = 10  # most names
_FEWEST_WORDS, _FEWEST_CHARACTERS = 4, 8  # of a linked headline; with fewer it may belong to a menu
_MOST_LINKS = 2  # of a headline, one of them around a picture; topics are links in one line
_LINKED_HEADINGS = HEADINGS - {"h1"}  # an h1 that is a link is the name of the site

_CLASS = re.compile(AUTHOR_NAMES)


def byline(
    page: Blocks, kept: Sequence[int], head: int | None = None, *, bare: bool = False
) -> tuple[str, str]:
    """The names, joined by ", ", from a byline around the text, else from an element marked as author.

    The second string says where they were found. Both are "" when there is no byline, or when marked elements
    name different people. `kept` are the indices of the article's blocks, in order, and `head` that of the
    headline, if it was found. `bare`: whether a line between headline and text counts that has nothing but
    names, where the newspaper itself is declared as author.
    """
    near = _nearby_blocks(page, kept, head)
    near = [*filter(page.is_seen, near)] or near  # all are hidden until a script shows the page
    around = _names_around(page, near)
    if bare and not around and head is not None:
        places = [index for index in near if head < index <= kept[:_INTO][-1]]
        between = (page.texts[index] for index in places if page.tags[page.box[index]][0] != "h")
        around = next(filter(None, map(read_only_names, between)), [])
    names = around or find_marked_names(page.html, [page.texts[index] for index in near if index <= kept[-1]])
    where = "the byline beside the text" if around else MARKED_SOURCE
    return ", ".join(list(dict.fromkeys(names))[:_MAX_NAMES]), where if names else ""


def _names_around(page: Blocks, near: Sequence[int]) -> list[str]:
    bylines = (
        read_unspaced(page.texts[index]) or _line(page, index, following)
        for index, following in zip(near, [*near[1:], None], strict=True)
    )
    return next(filter(None, bylines), [])


def _nearby_blocks(page: Blocks, kept: Sequence[int], head: int | None) -> list[int]:
    """The blocks in which a byline may stand."""
    if not kept:
        return []
    into = min(kept[:_INTO][-1], kept[0] + _BEFORE)  # what the extractor leaves out between paragraphs, too
    first = max(0, kept[0] - _BEFORE)
    if head is not None and any(_leads_away(page, index) for index in range(max(0, first - _AFTER), head)):
        first = head  # lines above it belong to another story
    elif head is not None:
        first = min(first, max(head, kept[0] - MAX_BLOCKS_BETWEEN))
    near = [*range(first, into + 1), *kept[_INTO:][-_INTO:]]
    after = range(kept[-1] + 1, min(len(page.texts), kept[-1] + 1 + _AFTER))
    return [*near, *takewhile(lambda index: not _leads_away(page, index), after)]


def _leads_away(page: Blocks, index: int) -> bool:
    """Whether a block is the headline of another story: a link that is no byline."""
    text = page.texts[index]
    if page.linked[index] <= len(text) / 2 or page.links[index] > _MOST_LINKS:
        return False
    is_long = count_words(text) >= (_FEWEST_CHARACTERS if has_unspaced(text) else _FEWEST_WORDS)
    return (is_long or page.tags[page.box[index]] in _LINKED_HEADINGS) and not _line(page, index)


def _line(page: Blocks, index: int, following: int | None = None) -> list[str]:
    text = page.texts[index]
    if len(text) > MAX_BYLINE_CHARS:
        return []
    next_line = "" if following is None else page.texts[following]
    return read_byline(text, next_line, is_marked=_says_author(page, page.box[index]))


def _says_author(page: Blocks, box: int) -> bool:
    return _is_of_author(f"{page.names[box]} {page.names[page.parents[box]]}", page.tags[box] == "address")


@lru_cache(maxsize=5_000)
def _is_of_author(name: str, is_address: bool) -> bool:
    return (is_address or _CLASS.search(name.lower()) is not None) and NO_AUTHOR.search(name.lower()) is None


def is_byline(page: Blocks, index: int) -> bool:
    """Whether a block names the authors, and is no sentence."""
    return page.texts[index][-1] not in ".!?。" and bool(_line(page, index))
