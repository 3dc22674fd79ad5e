"""Boxes among and below the paragraphs of an article that hold something else.

| box | is known by |
|---|---|
| the card of another story | it begins with a heading that is a link as a whole, and has hardly more |
| a further story, where a page scrolls on | another h1, and a byline or a day, or its own article element |
| the offer of a subscription | a link in it that asks to subscribe (`subscription_words.txt`) |
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from dupgroups.content.blocks import HEADINGS, Blocks
from dupgroups.content.dates_in_sight import is_dateline
from dupgroups.content.letters import letters_and_digits
from dupgroups.content.visible_authors import is_byline

_MAX_CARD_CHARS, _MAX_CARDS_SHARE = 400, 0.3  # with more of the text, they are its sections
_NAMED_BOXES = 4  # boxes around a heading whose names are looked at
_HEAD_BLOCKS = 4  # of a story, in which its byline and its day stand
_MAX_BUTTON_CHARS = 60
_MAX_OFFER_LEVELS, _MAX_OFFER_SHARE = 3, 0.6  # boxes around a button; of the text


def without_insets(page: Blocks, kept: Sequence[int], title: str) -> Sequence[int]:
    """The blocks kept, indices in order, without such boxes below the first of them; `title` is the
    headline."""
    if not kept:
        return kept
    cards, offers, stories = set[int](), set[int](), set[int]()
    for index in range(kept[0] + 1, len(page.texts)):
        tag = page.tags[page.box[index]]
        if tag == "h1" and index not in stories and _begins_story(page, index, kept, title):
            box = _box_begun(page, index)
            head = box[1 : _HEAD_BLOCKS + 1]
            is_signed = any(is_dateline(page.texts[one]) or is_byline(page, one) for one in head)
            stories.update(box if is_signed or _is_other_article(page, index, kept[0]) else ())
        elif tag in HEADINGS and index < kept[-1] and page.is_linked(index):
            card = _kept_in(_box_begun(page, index), kept)
            if _is_related(page, index):
                stories.update(card)
            elif page.count_chars(card) <= _MAX_CARD_CHARS:
                cards.update(card)
        elif (page.links[index] or tag == "button") and _asks_to_pay(page, index):
            offers.update(_offer_around(page, index, kept))
    for boxes, share in ((cards, _MAX_CARDS_SHARE), (offers, _MAX_OFFER_SHARE)):
        is_little = page.count_chars(boxes.intersection(kept)) <= share * page.count_chars(kept)
        stories |= boxes if is_little else set()
    return [index for index in kept if index not in stories]


def _begins_story(page: Blocks, index: int, kept: Sequence[int], title: str) -> bool:
    """Whether an h1 is another headline than the h1 above the article."""
    own = letters_and_digits(title)
    above = (one for one in range(kept[0]) if page.tags[page.box[one]] == "h1")
    is_other = letters_and_digits(page.texts[index]) not in own
    return is_other and any(letters_and_digits(page.texts[one]) in own for one in above)


def _is_other_article(page: Blocks, index: int, first: int) -> bool:
    """Whether an h1 and the first block of the text stand in article elements of their own."""
    around = (page.walk_up(page.box[block], _NAMED_BOXES) for block in (index, first))
    other, own = (next((box for box in boxes if page.tags[box] == "article"), 0) for boxes in around)
    return 0 != other != own != 0


def _kept_in(blocks: range, kept: Sequence[int]) -> Sequence[int]:
    return kept[bisect_left(kept, blocks.start) : bisect_left(kept, blocks.stop)]


def _is_related(page: Blocks, index: int) -> bool:
    """Whether the names around a heading say that it leads to another story."""
    return any("related" in page.names[box].lower() for box in page.walk_up(page.box[index], _NAMED_BOXES))


def _box_begun(page: Blocks, index: int) -> range:
    """The blocks of the outermost box that begins with this one; none if that has only a line."""
    box = page.box[index]
    while box and page.spans[page.parents[box]].start == index:
        box = page.parents[box]
    return range(index, index) if box == page.box[index] else page.spans[box]


def _offer_around(page: Blocks, index: int, kept: Sequence[int]) -> range:
    """The blocks of the nearest box around a button with other text that was kept, but not its beginning."""
    box = page.box[index]
    for _ in range(_MAX_OFFER_LEVELS):
        if not box or page.spans[box].start <= kept[0]:
            break
        if set(_kept_in(page.spans[box], kept)) - {index}:
            return page.spans[box]
        box = page.parents[box]
    return range(0)


def _asks_to_pay(page: Blocks, index: int) -> bool:
    return (not page.links[index] or page.is_linked(index)) and is_offer(page.texts[index])


def is_offer(text: str) -> bool:
    """Whether a short line asks to subscribe."""
    return len(text) <= _MAX_BUTTON_CHARS and _calls().match(text) is not None


@cache
def _calls() -> re.Pattern[str]:
    lines = (files(__package__) / "subscription_words.txt").read_text("utf-8").splitlines()
    words = (word for line in lines if line[0] != "#" for word in line.partition(": ")[2].split("|"))
    pattern = "|".join(map(re.escape, words)).replace("'", "['’]")
    return re.compile(rf"(?:{pattern})(?![a-z])", re.IGNORECASE)
