"""Asides in boxes of their own, and copies of the whole article.

The names of classes and ids are written by the people who made the page. In cross-validation these few words
say more about a block than the network learns from them, because it sees the names of all boxes around it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

from dupgroups.content.blocks import HEADINGS, Blocks
from dupgroups.content.bounds import utf8
from dupgroups.content.hidden import hides
from dupgroups.content.letters import letters_and_digits
from dupgroups.content.lexicon import name_parts
from dupgroups.content.references import MIN_PARAGRAPH_BYTES
from dupgroups.text.word_tables import read_table

_WORDS = read_table("aside_words.csv")
_ASIDES, _FORMS, _REPLIES = (frozenset(_WORDS[kind]) for kind in ("aside", "form", "reply"))
_CONSENT = re.compile(
    rf"\b(?:{'|'.join(_WORDS['consent'])})|{'|'.join(_WORDS['consent without blanks'])}", re.IGNORECASE
)
_LISTS = frozenset(("ul", "ol"))
_ITEMS, _ROWS = frozenset(("li", "td", "th")), frozenset(("tr", "tbody", "thead", "tfoot"))
_STANDFIRSTS = frozenset(_WORDS["standfirst"])
_STANDFIRST_BLOCKS = 8
_NAMED_LEVELS = 5  # nearest boxes whose names are looked at: those farther out may hold the article as well
_MAX_LIST_GAP = 30  # blocks after the text in which a list may go on
_FIRST_BLOCKS = 3  # of the text, before the last of which the box of the story begins
_MIN_LEFT_SHARE = 1 / 5  # least part of the text that is not aside: a forum is all comments
_MIN_ITEM_CHARS = 25  # mean characters of the items of a list that goes on after a paragraph
_MIN_FELLOW_BLOCKS = 3  # kept blocks of a kind with which another one belongs to the text
_HIDING = re.compile(r"\{[^{}]*\bdisplay:\s?none")  # the rest of a rule of a style sheet
_ENDS = '.!?。！？…”"’»)।॥؟۔」』'  # of sentences
_COPY, _LONG = 400, 100_000  # characters of a copy of the article
_SHARE, _MANY = 4, 1_000  # least part of the text that a copy is; most blocks, for it takes their product


@lru_cache(maxsize=20_000)  # most names come again on the next page
def _aside_words(name: str) -> frozenset[str]:
    parts = name_parts(name)
    is_form = "newsletter" in parts and not _FORMS.isdisjoint(parts)
    return _ASIDES.intersection(parts) | {"newsletter"} if is_form else _ASIDES.intersection(parts)


def keep_own(page: Blocks, kept: Sequence[int]) -> list[int]:
    """The blocks kept, indices in order, without all that is hidden, aside, of others, or a copy."""
    return [*without_copies(page, without_strangers(page, without_asides(page, _without_hidden(page, kept))))]


def without_asides(page: Blocks, kept: Sequence[int]) -> Sequence[int]:
    """The blocks kept, indices in order, without comments, captions and notes on the author.

    They are known by the names of the nearest boxes, but for words of a box that holds most of the text: a
    story may have its author among its classes, and answers in a forum "reply". All are kept if little of the
    text would remain.
    """
    if asides := _find_inside(page, kept, lambda name: bool(_aside_words(name))):
        main = {word for box in _main_boxes(page, kept) for word in _aside_words(page.names[box])}
        asides = _find_inside(
            page, kept, lambda name: bool(words := _aside_words(name)) and words.isdisjoint(main)
        )
    rest = [index for index in kept if index not in asides]
    return rest if page.count_chars(rest) >= _MIN_LEFT_SHARE * page.count_chars(kept) else kept


def without_copies(page: Blocks, kept: Sequence[int]) -> Sequence[int]:
    """Without blocks of which more than half are others that are kept: copies for printers or programs."""
    texts = [page.texts[index] for index in kept]
    least = max(sum(map(len, texts)) // _SHARE, _COPY)
    if len(texts) > _MANY or not least <= max(map(len, texts), default=0) <= _LONG:
        return kept
    texts = list(map(letters_and_digits, texts))
    copies = {
        text
        for text in texts
        if len(text) >= least
        and 2 * sum(len(other) for other in texts if len(other) < len(text) and other in text) > len(text)
    }
    return [index for index, text in zip(kept, texts, strict=True) if text not in copies]


def _without_hidden(page: Blocks, kept: Sequence[int]) -> Sequence[int]:
    """Without what no reader sees above or between visible blocks, unless these are less than a third; the
    end of a story, of several blocks, may be hidden until a reader asks for it."""
    hidden = _find_inside(page, kept, hides) | {index for index in kept if page.hidden[page.box[index]]}
    if classes := _hidden_classes(page, kept):
        hidden |= _find_inside(page, kept, lambda name: not classes.isdisjoint(name.split()))
    seen = [index for index in kept if index not in hidden]
    if not hidden or 3 * page.count_chars(seen) < page.count_chars(kept):
        return kept
    end = kept[kept.index(seen[-1]) + 1 :]
    return [*seen, *(end if len(end) > 1 else ())]


def _hidden_classes(page: Blocks, kept: Sequence[int]) -> set[str]:
    """The classes of few blocks that a style sheet in the page hides, whatever the screen."""
    names = Counter(page.names[page.box[index]] for index in kept[1:-1])
    rare = {part for name, often in names.items() if 3 * often < len(kept) for part in name.split()}
    styles = [text for tag, _, text in page.heads if tag == "style"] if rare else []
    return {name for name in rare if any(_is_hidden_in(style, name) for style in styles)}


def _is_hidden_in(style: str, name: str) -> bool:
    at = style.find(f".{name}{{")
    hides = at >= 0 and _HIDING.match(style, at + len(name) + 1) is not None
    return hides and style.count("{", 0, at) == style.count("}", 0, at)  # not only on some screens


def without_strangers(page: Blocks, kept: Sequence[int]) -> Sequence[int]:
    """Without the question whether cookies may be set, and without comments after the text that have boxes of
    the same kind, if that is little of it."""
    asking = {page.parents[page.box[index]] for index in kept if asks_consent(page.texts[index])}
    story = [index for index in kept if page.parents[page.box[index]] not in asking]
    boxes = page.walk_up(page.box[story[0]], _NAMED_LEVELS) if story else ()
    own = {word for box in boxes for word in _reply_words(page.names[box])}
    replies = _find_inside(page, kept, lambda name: not _reply_words(name) <= own)
    last = max((index for index in kept if index not in replies), default=-1)
    rest = [index for index in story if index <= last]
    return rest if 2 * page.count_chars(rest) >= page.count_chars(kept) else kept


def asks_consent(text: str) -> bool:
    """Whether a text asks if cookies may be set."""
    return "ookie" in text and _CONSENT.search(text) is not None


def with_fellows(page: Blocks, kept: Sequence[int], possible: Iterable[int]) -> Sequence[int]:
    """With sentences among these possible blocks that stand in one element with three kept blocks of the same
    kind, and are not mostly links.

    F1 rises by .001 to .004 on six packs of ten, and falls on none, with a probability of .3 or more.
    """
    others = [
        index
        for index in set(possible).difference(kept)
        if (text := page.texts[index])[-1] in _ENDS
        and 3 * page.linked[index] <= len(text)
        and len(utf8(text)) >= MIN_PARAGRAPH_BYTES
    ]
    kinds = Counter(map(page.kind, kept)) if others else Counter()
    return sorted((*kept, *(index for index in others if kinds[page.kind(index)] >= _MIN_FELLOW_BLOCKS)))


def with_siblings(page: Blocks, kept: Sequence[int]) -> Sequence[int]:
    """With the headings and questions between paragraphs of one element, and with all of a list or table
    between them, or after one if a part of it is kept, or the items of a list are long."""
    if not kept:
        return kept
    every = {*kept, *_find_standfirst(page, kept[0])}
    lists: dict[int, list[int]] = {}
    for index in range(kept[0], min(kept[-1] + _MAX_LIST_GAP, len(page.texts))):
        box = page.box[index]
        if outer := _list_around(page, box):
            lists.setdefault(outer, []).append(index)
        elif (page.tags[box] in HEADINGS or page.texts[index][-1] in "?？؟;;") and not page.links[index]:
            is_among = _are_paragraphs(page, every, index - 1, index + 1, page.parents[box])
            every |= {index} if is_among else set()
    for box, items in lists.items():
        is_among = _are_paragraphs(page, every, items[0] - 1, items[-1] + 1, page.parents[box])
        before = items[0] - 1
        is_long = (
            page.count_chars(items) >= _MIN_ITEM_CHARS * len(items)
            and page.parents[page.box[before]] == page.parents[box]
        )
        is_known = (page.tags[box] in _LISTS and is_long) or not every.isdisjoint(items)
        is_linked = 2 * sum(page.linked[index] for index in items) >= page.count_chars(items)
        is_announced = page.texts[before][-1] in ":：" and page.count_chars([before]) >= MIN_PARAGRAPH_BYTES
        if (is_among or (before in every and is_known)) and (not is_linked or is_announced):
            every.update(items)
    return sorted(every)


def _find_standfirst(page: Blocks, first: int) -> list[int]:
    """The blocks just above the text whose element is called a standfirst."""
    above = range(first - 1, max(first - _STANDFIRST_BLOCKS, 0) - 1, -1)
    long = (one for one in above if len(utf8(page.texts[one])) >= MIN_PARAGRAPH_BYTES and not page.links[one])
    names = ((index, name_parts(page.names[page.box[index]])) for index in filter(page.is_seen, long))
    return [index for index, parts in names if not _STANDFIRSTS.isdisjoint(parts)]


def _list_around(page: Blocks, box: int) -> int:
    """The list with this item, or the table with this cell; 0 for another box."""
    item = box if page.tags[box] in _ITEMS else page.parents[box]
    outer = page.parents[item]
    if page.tags[item] == "li":
        while page.tags[page.parents[outer]] == "li":  # a list in an item
            outer = page.parents[page.parents[outer]]
        return outer if page.tags[outer] in _LISTS else 0
    while page.tags[item] in _ITEMS and page.tags[outer] in _ROWS:
        outer = page.parents[outer]
    return outer if page.tags[item] in _ITEMS and page.tags[outer] == "table" else 0


def _are_paragraphs(page: Blocks, kept: Collection[int], before: int, after: int, parent: int) -> bool:
    """Whether both blocks are kept and children of one element."""
    return all(index in kept and page.parents[page.box[index]] == parent for index in (before, after))


def _find_inside(page: Blocks, indices: Iterable[int], judge: Callable[[str], bool]) -> set[int]:
    """The blocks of which one of the nearest boxes has such a name."""
    found, above = set[int](), dict[int, bool]()  # of parents, which many blocks have in common
    for index in indices:
        box = page.box[index]
        parent = page.parents[box]
        if parent not in above:
            around = page.walk_up(parent, _NAMED_LEVELS - 1)
            above[parent] = any(judge(page.names[one]) for one in around)
        if above[parent] or judge(page.names[box]):
            found.add(index)
    return found


def _main_boxes(page: Blocks, indices: Sequence[int]) -> set[int]:
    """The boxes with more than half of the text of these blocks, its beginning included: comments may be
    longer than the story above them."""
    held = [0] * len(page.parents)
    for index in indices:
        held[page.box[index]] += len(page.texts[index])
    for box in range(len(held) - 1, 0, -1):
        held[page.parents[box]] += held[box]
    main = {box for box, size in enumerate(held) if 2 * size > held[0]}
    begins = [page.box[index] for index in indices[:_FIRST_BLOCKS]]
    return {box for box in main if any(box <= begin < page.ends[box] for begin in begins)}


@lru_cache(maxsize=20_000)
def _reply_words(name: str) -> frozenset[str]:
    return _REPLIES.intersection(name.lower().split())
