"""The date of a page from the line that readers see, for pages that do not declare a date.

A wrong date is worse than no date, so only short lines around the headline and the text are read, and a line
with a sentence in it is not taken for a dateline, nor one in a caption, a quotation, a comment or another
article:

| place | condition |
|---|---|
| between the headline and the text, first lines of the text | little besides dates, names and labels |
| just above the headline, after the text | dates of one day, and hardly anything else unless it is a label |

In every place a date of publication precedes one that words or names of elements label as an update.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from dupgroups.content.blocks import HEADINGS, Blocks
from dupgroups.text.dates import ANY_ORDER, WrittenDate, declared_date, written_dates

_BLOCKS_BEFORE = 8  # blocks that are read before the text if the headline is not found
MAX_BLOCKS_BETWEEN = 30  # most blocks between the headline and the text
_INTO, _AFTER, _ABOVE = 3, 4, 3  # blocks that are read of the text, after it, and above the headline
_MAX_DATELINE_CHARS = 160  # most characters of a block with a dateline
_BESIDES, _HARDLY = 90, 24  # most characters besides the date
_WORD_OF_SENTENCE = re.compile(r"(?<!\w)[^\W\d_A-Z]{4,}")
_MOST_WORDS = 3  # words in lower case: "published", "posted", "last updated"
_UPDATE = re.compile(
    r"upp?dat|modif|edited|a[kc]tuali|atuali|geändert|aggiorna|oppdater|opdater|bijgewerkt|mise? à jour"
    r"|päivit|frissít|ažurir|posodob|atnauj|atjaun|uuend|diperbarui|dikemas|обновл|оновл|обновен|ажурир|ενημ|güncel"
    r"|cập nhật|تحديث|روزرسانی|עודכן|अपडेट|अद्यतन|আপডেট|হালনাগাদ|อัปเดต|อัพเดต|ปรับปรุง|更新|修改|수정",
    re.IGNORECASE,
)
_PUBLISHED_WORDS = re.compile(
    r"pubb?li|posted|created|\badded|\bwritten\b(?! by)|erschienen|erstellt|veröffent|geplaatst|inlagd|dodan"
    r"|udgiv|offentliggj|julkais|közzét|megjel|objav|paskelb|avalda|terbit|giriş"
    r"|δημοσ|опубл|објав|дата|data |fecha|yayın|đăng|نشر|منتشر|פורסם|प्रकाशि|প্রকাশ|เผยแพร่"
    r"|發[佈布稿]|发[布稿]|時間|时间|日期|公開|입력|등록",
    re.IGNORECASE,
)
_ONLY_DATE = re.compile(
    r"\W*(?:dat[aeo]|d[aá]tum|päivämäärä|kuupäev|tarih|ngày|tanggal|ημερομηνία|التاريخ|תאריך|तारीख|วันที่|날짜)\W*",
    re.IGNORECASE,
)
_MAX_TAG_CHARS = 300  # characters of a tag that are read
_CLASS_BEFORE = re.compile(r"<[^<>]*\bclass\s*=\s*[\"']?([^<>\"']*)[^<>]*>\s*$")
_NO_DATELINE = re.compile(r"copyright|©|accepted|caption|(?<!\d )comment|related|[(（]c[)）]", re.IGNORECASE)
_OTHER_TAGS = frozenset(("article", "blockquote"))
_COMMENTS = re.compile(r"[ck]omm?ent|disqus|repl(?:y|ies)|reactie|yorum", re.IGNORECASE)


class _Dated(NamedTuple):
    """A date, what says whether it is that of publication (words, names of elements), how much else is in
    its line (characters), the words it is written in, and whether a label says that it is of something else.
    """

    iso: str
    label: str
    besides: int = 0
    words: str = ""
    is_of_event: bool = False

    @property
    def is_published(self) -> bool:
        """Whether it is said to be the date of publication; it may be said to be that of an update, too."""
        return _PUBLISHED_WORDS.search(self.label) is not None

    @property
    def rank(self) -> tuple[bool, bool]:
        """The lower, the more likely it is the date of publication."""
        return not self.is_published, _UPDATE.search(self.label) is not None


def dateline(page: Blocks, kept: Sequence[int], head: int | None, locale: str) -> str | None:
    """The date (ISO 8601) in the line nearest to the headline; None when there is no such line.

    `kept` are the indices of the article's blocks, in order, and `head` that of the headline, None without
    one; `locale` is a language, if possible with its region ("en-GB"), and tells in which order the numbers
    of a date are written.
    """
    if all(any(_dates(page, [index], locale)) for index in kept):
        return None  # nothing, or nothing but dates, is no article
    first = max(0, kept[0] - _BLOCKS_BEFORE) if head is None else max(head + 1, kept[0] - MAX_BLOCKS_BETWEEN)
    into = min(kept[:_INTO][-1], kept[0] + _BLOCKS_BEFORE)  # and what the extractor left out between these
    below = range(head + 1, min(head + 1 + _INTO, first)) if head is not None else ()
    last = range(kept[-1] + 1, min(len(page.texts), kept[-1] + 1 + _AFTER))
    after = takewhile(lambda index: not page.links[index], last)  # links lead to other articles
    above = range(max(0, head - _ABOVE), head) if head is not None else ()
    own = [kept[len(kept) // 2], *([] if head is None else [head])]
    between, before, behind = (
        [index for index in place if not _stands_apart(page, index, own)]
        for place in ([*below, *range(first, into + 1)], above, after)
    )
    main = _main_element(page, own)
    return (
        _first_date([*_dates(page, between, locale)])
        or _agreed_date(page, before, locale, main)
        or _agreed_date(page, behind, locale, main)
    )


def _main_element(page: Blocks, own: Sequence[int]) -> range:
    """The boxes in the main element around these blocks, all boxes without one."""
    boxes = [page.box[index] for index in own]
    box = boxes[0]
    while box and not (page.tags[box] == "main" and all(box <= one < page.ends[box] for one in boxes)):
        box = page.parents[box]
    return range(box, page.ends[box])


def _stands_apart(page: Blocks, index: int, own: Sequence[int]) -> bool:
    """Whether a block is in a caption, a quotation or another article, or in comments after the text: in
    such a box around it that has none of the article's `own` blocks, the first of which is in the text.
    """
    box, own_boxes = page.box[index], [page.box[one] for one in own]
    while not any(box <= one < page.ends[box] for one in own_boxes):
        tag = page.tags[box]
        if tag in _OTHER_TAGS or (index > own[0] and _COMMENTS.search(page.names[box])):
            return True
        if tag == "figcaption" and all(block != index for block, _ in page.times):
            return True
        box = page.parents[box]
    return False


def is_dateline(text: str) -> bool:
    """Whether a line has a date and hardly anything else: "Added: 4 March 2026"."""
    return len(text) <= _MAX_DATELINE_CHARS and any(
        dated.besides <= _HARDLY for dated in _line(text, ANY_ORDER)
    )


def _first_date(dates: Sequence[_Dated]) -> str | None:
    """The first date that is said to be that of publication, else that is no update, else the first one."""
    return min(dates, key=lambda dated: dated.rank).iso if dates else None


def _agreed_date(page: Blocks, indices: Iterable[int], locale: str, main: range) -> str | None:
    """The date of lines that hold nothing else and agree on the day; lists of other articles do not. Outside
    of `main`, where sites print the date of today, it must be said to be that of publication.
    """
    dates = [
        dated
        for index in indices
        for dated in _dates(page, [index], locale)
        if dated.is_published
        or (dated.besides <= _HARDLY and page.box[index] in main and not dated.is_of_event)
    ]
    return _first_date(dates) if len({dated.iso[:10] for dated in dates}) == 1 else None


def _dates(page: Blocks, indices: Iterable[int], locale: str) -> Iterator[_Dated]:
    """The dates of short lines; those that time elements add, where the words are "Thursday" or "an hour
    ago".
    """
    for index in indices:
        text, name = page.texts[index], page.names[page.box[index]]
        if len(text) > _MAX_DATELINE_CHARS or _NO_DATELINE.search(f"{text} {name}"):
            continue
        times = _times(page, index)
        if dates := list(_line(text, locale)):
            if _is_emphasized(page, index):
                dates = [dated for dated in dates if not dated.is_of_event]
            marked = _join_times(dates, times) if times else _join_classes(dates, page.html)
            yield from (dated._replace(label=f"{dated.label} {name}") for dated in marked)
        elif times and len(_WORD_OF_SENTENCE.findall(text)) <= _MOST_WORDS:
            yield from _join_labels(times, text)


def _is_emphasized(page: Blocks, index: int) -> bool:
    """Whether a line is bold or a heading, as those about an event are at the top of a text."""
    return page.strong[index] >= len(page.texts[index]) or page.tags[page.box[index]] in HEADINGS


def _times(page: Blocks, index: int) -> list[_Dated]:
    """The dates of the time elements of a block, labelled with their names only."""
    times = [attributes for block, attributes in page.times if block == index]
    dates = [(declared_date(attributes.get("datetime") or ""), attributes) for attributes in times]
    return [
        _Dated(iso, f"{attributes.get('itemprop')} {attributes.get('class')}")
        for iso, attributes in dates
        if iso
    ]


def _join_times(dates: Sequence[_Dated], times: Sequence[_Dated]) -> Iterator[_Dated]:
    """Written dates with the names of their time elements, and the time of day of those on the same day."""
    for place, dated in enumerate(dates):
        same_day = [time for time in times if time.iso[:10] == dated.iso[:10]]
        best = min(same_day, key=lambda time: time.rank, default=dated)
        time = times[place] if len(times) == len(dates) else best
        iso = time.iso if time.iso[:10] == dated.iso[:10] else dated.iso
        yield dated._replace(iso=iso, label=f"{dated.label} {time.label}")


def _join_classes(dates: Sequence[_Dated], html: str) -> Iterator[_Dated]:
    """Written dates, if there are several, with the classes of the elements that begin with them."""
    for dated in dates:
        at = max(0, html.find(dated.words)) if len(dates) > 1 else 0
        tag = _CLASS_BEFORE.search(html[max(0, at - _MAX_TAG_CHARS) : at])
        yield dated._replace(label=f"{dated.label} {tag[1]}") if tag else dated


def _join_labels(times: Sequence[_Dated], text: str) -> Iterator[_Dated]:
    """Time elements, each with its own label in the text if there are as many labels."""
    words = sorted((*_UPDATE.finditer(text), *_PUBLISHED_WORDS.finditer(text)), key=re.Match.start)
    labels = [word[0] for word in words] if len(words) == len(times) else [text] * len(times)
    for time, label in zip(times, labels, strict=True):
        yield time._replace(label=f"{time.label} {label}")


def _line(text: str, locale: str) -> Iterator[_Dated]:
    """The dates of a line; nothing if it is a sentence."""
    dates = list(written_dates(text, locale))
    if not dates:
        return
    labels = _labels(text, dates)
    besides = sum(map(len, labels))
    words = " ".join([*labels[:-1], labels[-1].partition("|")[0]])  # tags may follow
    if besides > _BESIDES or len(_WORD_OF_SENTENCE.findall(words)) > _MOST_WORDS:
        return
    for label, written in zip(labels, dates, strict=False):
        words = text[written.start : written.end]
        yield _Dated(written.iso, label, besides, words, is_of_event=_names_event(label))


def _names_event(label: str) -> bool:
    """Whether what stands before a date is a label of something else than an article: "Open day:"."""
    is_label = label.endswith((":", "：")) and not _ONLY_DATE.fullmatch(label)
    return is_label and not _PUBLISHED_WORDS.search(label) and not _UPDATE.search(label)


def _labels(text: str, dates: Sequence[WrittenDate]) -> list[str]:
    """The text before every date and after the last one."""
    starts = [0, *(written.end for written in dates)]
    ends = [*(written.start for written in dates), len(text)]
    return [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]
