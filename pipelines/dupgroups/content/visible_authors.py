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
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice, takewhile

from dupgroups.content.blocks import HEADINGS, Blocks
from dupgroups.content.bylines import (
    MAX_NAME_WORDS,
    MIN_NAME_WORDS,
    count_name_words,
    find_by,
    is_person,
    read_byline,
    read_names,
    read_only_names,
    strip_by,
)
from dupgroups.content.letters import count_words, has_unspaced
from dupgroups.content.unspaced_bylines import MAX_BYLINE_CHARS, read_unspaced, uncased_name, uncased_start
from dupgroups.content.visible_dates import MAX_BLOCKS_BETWEEN
from dupgroups.text.known_publishers import is_agency

_BEFORE, _INTO, _AFTER = 8, 3, 3  # blocks that are read before the text, at each of its ends, and after it
_MAX_NAMES = 10  # most names
_FEWEST_WORDS, _FEWEST_CHARACTERS = 4, 8  # of a linked headline; with fewer it may belong to a menu
_MOST_LINKS = 2  # of a headline, one of them around a picture; topics are links in one line
_LINKED_HEADINGS = HEADINGS - {"h1"}  # an h1 that is a link is the name of the site

MARKED_SOURCE = "an element marked as author"
"""Where such a name was found."""

_SIGNATURE_LINE = re.compile(  # "Jane Doe, Staff Writer", "Jane Doe | Courier | 4 March 2026"
    r"^[^|•·,]+(?:[|•·,]\s*(?:[\w-]+ ){0,3}(?:writer|reporter|editor|correspondent|columnist|redakteur"
    r"|reporterin|redakteurin|korrespondent(?:in)?|journalist[ea]?|correspondant[ea]?|corresponsal|redactora?|giornalista|inviat[oa]"
    r"|verslaggever|dziennikarka?|dziennikarz|muhabir|корреспондент|обозреватель|журналист)\b"
    r"|[|•·].*(?:19|20)\d\d)[^.!?]*$",
    re.IGNORECASE,
)
# "Jeanne Doe avec AFP", in languages whose headlines have few capitals
_WITH_AGENCY = re.compile(r"(?:\S+ ){2,6}(?:avec|con|com) (\S.{,30})")
_RUBRIC = re.compile(  # "Opinion | Jane Doe", and in Arabic the place: "القاهرة - أحمد سالم"
    r"^(?:[\u0600-\u06ff]{2,15}\s(?=[-–—])|opinion|opinión|opinione|opinia|meinung|мнение"
    r"|anal[yiý]s[ei]s?|análisis|comment(?:ary|aire|o)?"
    r"|kommentar|column[as]?|chronique|tribune)\s*[|•·:–—-]\s*",
    re.IGNORECASE,
)
_ONLY_MARK = re.compile(
    r"(?:(?:written|posted|article) )?(?:by|von|par|por|door|di|av|author|autora?|auteur)\s*:?", re.IGNORECASE
)
_CLASS = re.compile(
    r"author|byline|writer|journalist|reporter|contributor|autor|yazar|auteur|verfasser|redakt[eo]|signature"
)
_NO_CLASS = re.compile(r"comment|related|popular|top-?authors|teaser|promo|position|job-?title|(?<!v)card")
# the tags just before a name, one of them with such a word: in its class, rel or itemprop, or an address
_TAGS = re.compile(r"(?:<[^<>]*>\s*){1,5}$")
_MARKED_TAG = re.compile(
    r"""\b(?:rel|itemprop|property|class|id|href|data-[\w-]+)\s*=\s*(?:"[^"<>]*|'[^'<>]*|[^\s"'<>]*)"""
    r"(?:author|byline|autor|yazar|auteur|verfasser|redakt[eo]|signature|contributor|columnist|journalist|reporter"
    r"|/(?:by|people|profiles?|staff|team|writers?|users?)/)",
    re.IGNORECASE,
)
_GLUE = re.compile(r"\s+|(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])")
_PIECE = re.compile(r"\s?[|•·–—:]\s?|・\s")
_LONGEST_TAGS, _MOST_PLACES = 600, 8  # characters before a name that are read; places of the name
# of places and sections, which stand before a date as well: "Middle East | 4 March 2026"
_PLACE_BEGINNINGS = frozenset(
    "bad east fort lake las los middle mount new north port saint san santa south west".split()
)


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
    around = _names_around(page, near)
    if bare and not around and head is not None:
        places = [index for index in near if head < index <= kept[:_INTO][-1]]
        between = (page.texts[index] for index in places if page.tags[page.box[index]][0] != "h")
        around = next(filter(None, map(read_only_names, between)), [])
    names = around or _marked_names(page.html, [page.texts[index] for index in near if index <= kept[-1]])
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


def _marked_names(html: str, lines: Iterable[str]) -> list[str]:
    """The only people in these lines before whose names the page has such a tag."""
    pieces = (piece for line in lines if len(line) <= MAX_BYLINE_CHARS for piece in _PIECE.split(line))
    found = {tuple(names) for piece in pieces if (names := _marked_in(html, strip_by(piece)))}
    return list(found.pop()) if len(found) == 1 else []


def _marked_in(html: str, piece: str) -> list[str]:
    """The names at the beginning of a piece of a line, or all between commas, if they have marks."""
    every = piece.split(", ")
    if len(every) > 1 and all(is_person(name) and _has_mark(html, name) for name in every):
        return every
    names = read_names(piece) or uncased_start(piece)
    if names and _has_mark(html, names[0]):
        return names
    words = _GLUE.split(piece) if piece[:1].isupper() else []  # "Jane DoeStaff writer" lacks a blank
    counts = range(min(count_name_words(words), len(words) - 1, MAX_NAME_WORDS), MIN_NAME_WORDS - 1, -1)
    firsts = (" ".join(words[:count]) for count in counts)
    return [*islice((name for name in firsts if f"{name}<" in html and _has_mark(html, name)), 1)]


def _has_mark(html: str, name: str) -> bool:
    at = html.find(name)
    for _ in range(_MOST_PLACES):
        if at < 0:
            break
        before = html[max(0, at - _LONGEST_TAGS) : at].rstrip()
        tags = _TAGS.search(before) if before.endswith(">") else None
        if tags and _MARKED_TAG.search(tags[0]) and not _NO_CLASS.search(tags[0].lower()):
            return True
        at = html.find(name, at + 1)
    return False


def _line(page: Blocks, index: int, following: int | None = None) -> list[str]:
    text = page.texts[index]
    if len(text) > MAX_BYLINE_CHARS:
        return []
    if _ONLY_MARK.fullmatch(text):
        names = "" if following is None else page.texts[following]
        return read_names(names) if len(names) <= MAX_BYLINE_CHARS else []
    if uncased_name(text):
        return [text] if _says_author(page, page.box[index]) else []
    if " " not in text:
        return []
    if _says_author(page, page.box[index]):
        text = _RUBRIC.sub("", text)
    elif not (find_by(text) or _is_signature(text)):
        return []
    return read_byline(text)


def _is_signature(text: str) -> bool:
    """Whether a line that may begin with a name goes on as only signatures do."""
    if _SIGNATURE_LINE.search(text):
        return text.split(" ", 1)[0].lower() not in _PLACE_BEGINNINGS
    agency = _WITH_AGENCY.fullmatch(text)
    return agency is not None and is_agency(agency[1])


def _says_author(page: Blocks, box: int) -> bool:
    return _is_of_author(f"{page.names[box]} {page.names[page.parents[box]]}", page.tags[box] == "address")


@lru_cache(maxsize=5_000)
def _is_of_author(name: str, is_address: bool) -> bool:
    return (is_address or _CLASS.search(name.lower()) is not None) and _NO_CLASS.search(name.lower()) is None


def is_byline(page: Blocks, index: int) -> bool:
    """Whether a block names the authors, and is no sentence."""
    return page.texts[index][-1] not in ".!?。" and bool(_line(page, index))
