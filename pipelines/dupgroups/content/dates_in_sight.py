"""The days in sight on a page, each with measures of what speaks for its being the date of publication.

Every line with a day is a candidate, every time element, each element marked as publication, and the day in
the URL. Nothing is decided here: `date_ranker.py` weighs the measures. What is written in a time element, and
what stands before it, belongs to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice, takewhile
from typing import NamedTuple

from dupgroups.content.blocks import HEADINGS, Blocks
from dupgroups.content.declared_dates import MARKED_SOURCE, days_of_url, marked_dates, without_archive
from dupgroups.text.dates import ANY_ORDER, WrittenDate, declared_date, written_dates

MAX_BLOCKS_BETWEEN = 30  # most blocks between the headline and the text
_MAX_LINE_CHARS = 160  # of a block with a day
_HARDLY_CHARS, _LABEL_CHARS = 24, 30  # besides the date; of a block before it that is its label
_MAX_CANDIDATES, _MOST = 100, 20  # what is counted is cut there, as more tells no more
_BESIDE_LINES, _BESIDE_BLOCKS = 3, 2  # how far from a date others are compared with it
_MAX_ABOVE = 3  # blocks above the headline
_BOXES_AROUND = 12  # that are looked at
_NUMERAL = re.compile(r"[\d元〇零一二三四五六七八九十廿卅]")
_WORD_OF_SENTENCE = re.compile(r"(?<!\w)[^\W\d_A-Z]{4,}")
_MOST_WORDS = 3  # in lower case: "published", "posted", "last updated"
_OTHER_WORDS = re.compile(r"copyright|©|accepted|received|[(（]c[)）]", re.I)
_COMMENTS = re.compile(r"[ck]omm?ent|disqus|repl(?:y|ies)|reactie|yorum", re.I)
_PUBLISHED_NAME = re.compile(r"publi(?!c\b|sher)|pubdate|posted|created|entry-date", re.I)
_UPDATED_NAME = re.compile(r"updat|modif|edited|changed", re.I)
_OTHER_NAME = re.compile(r"caption|related|event|sidebar|widget|footer|copyright|promo|teaser|more", re.I)
_OTHER_TAGS, _MARGIN_TAGS = frozenset(("article", "blockquote")), frozenset(("aside", "footer", "nav"))
_MIN_PARAGRAPH_CHARS = 40  # of a block with which the text may begin and end
_MAX_TAG_CHARS = 300  # characters of a tag that are read
_CLASS_BEFORE = re.compile(r"<[^<>]*\bclass\s*=\s*[\"']?([^<>\"']*)[^<>]*>\s*$")

MEASURES = tuple(  # of a line, of its place, and beside other dates
    "label name clock sentence linked above below inside after kept apart other_tag other_name".split()
    + "days marked in_url url earlier_beside first".split()
)


class Candidate(NamedTuple):
    """A day in sight (ISO 8601, with its time if that is known), where it stands, and its measures."""

    iso: str
    where: str
    values: Mapping[str, float]


class _Dated(NamedTuple):
    """A date in a line: what stands before it, the names of its elements, how much else is in the line
    (characters), and the words it is written in."""

    iso: str
    label: str
    names: str = ""
    besides: int = 0
    words: str = ""
    says: tuple[float, float] = (0.0, 0.0)
    """What its label and its names say: 1 that it is of publication, -1 of an update."""


def find_candidates(
    page: Blocks, kept: Sequence[int], head: int | None, locale: str, url: str | None
) -> list[Candidate]:
    """The candidates, those in lines first, in the order of the page; [] without any.

    `kept` are the indices of the article's blocks, in order, and `head` that of the headline, None without
    one; `locale` is a language, if possible with its region ("en-GB"), and tells in which order the numbers
    of a date are written.
    """
    place = _Place(page, kept, head)
    dated = [*islice(place.find_dated(locale), _MAX_CANDIDATES)] if kept else []
    _, capture = without_archive(url)  # an archive says it above the page
    dated = [(line, one) for line, one in dated if line > (head or 0) or one.iso[:10] != capture]
    if all(any(index == line for line, _ in dated) for index in kept):
        dated = []  # nothing but dates is no article
    in_url = next(filter(None, (declared_date(text, locale) for text, _ in days_of_url(url))), "")
    marks = [iso for text in marked_dates(page.html) if (iso := declared_date(text, locale))]
    days = {iso[:10] for iso in (in_url, *marks, *(one.iso for _, one in dated)) if iso}
    usual = dict.fromkeys(MEASURES, 0.0) | {"days": float(min(len(days), _MOST))}
    found = [
        (
            one.iso,
            "a line of the page",
            _measure_line(page, index, one) | place.measure(index) | _compare(dated, at, head, kept),
        )
        for at, (index, one) in enumerate(dated)
    ]
    found += [(marks[0], MARKED_SOURCE, {"marked": float(len({iso[:10] for iso in marks}))})] if marks else []
    found = [(iso, where, own | {"url": _agrees(iso, in_url)}) for iso, where, own in found]
    found += [(in_url, "the URL", {"in_url": 1.0})] if in_url else []
    return [Candidate(iso, where, usual | own) for iso, where, own in found]


def _agrees(iso: str, day: str) -> float:
    """1 for the day that is in the URL, -1 for another one, 0 if there is none."""
    return 0.0 if not day else 1.0 if iso[:10] == day[:10] else -1.0


def _compare(
    dated: Sequence[tuple[int, _Dated]], at: int, head: int | None, kept: Sequence[int]
) -> dict[str, float]:
    """The measures of a date beside the others."""
    (index, one), last = dated[at], kept[-1]
    near = dated[max(0, at - _BESIDE_LINES) : at + _BESIDE_LINES + 1]
    beside = [other.iso[:10] for line, other in near if abs(line - index) <= _BESIDE_BLOCKS]
    order = sorted(
        (-other.says[0], line > last, -other.says[1], place)
        for place, (line, other) in enumerate(dated)
        if head is None or line > head
    )
    before = bisect_left(order, (-one.says[0], index > last, -one.says[1], at))
    return {
        "earlier_beside": float(min(beside) < one.iso[:10]),
        "first": float(min(before, _MOST)),
    }


class _Place:
    """Where blocks stand beside the article."""

    def __init__(self, page: Blocks, kept: Sequence[int], head: int | None) -> None:
        long = [at for at, index in enumerate(kept) if len(page.texts[index]) >= _MIN_PARAGRAPH_CHARS]
        self.page, self.kept, self.head = page, kept[long[0] : long[-1] + 1] if long else kept, head
        own = (
            *kept[len(kept) // 2 :][:1],
            *(() if head is None else (head,)),
        )  # the middle, and the headline
        self.own = [page.box[index] for index in own]
        self._apart: dict[int, list[int]] = {}  # of each box

    def find_dated(self, locale: str) -> Iterator[tuple[int, _Dated]]:
        """The dates of lines that may be those of the article, each with the number of its block."""
        page = self.page
        timed = {index for index, _ in page.times}
        for index, text in enumerate(page.texts):
            if (index in timed or _may_have_day(text)) and not self.is_of_others(index, timed):
                dates = [*_dates(page, index, locale, is_last=index > self.kept[-1])]
                said, is_far = (_with_kind(page, index, one) for one in dates), dates and self.is_far(index)
                yield from ((index, one) for one in said if not is_far or sum(one.says) > 0)

    def is_of_others(self, index: int, timed: Collection[int]) -> bool:
        """Whether a block is in a caption, a quotation, another article or comments after the text, or a note
        on rights: what is dated there is never the article."""
        page, boxes = self.page, self._boxes_apart(index)
        tags = {page.tags[box] for box in boxes}
        names = " ".join(page.names[box] for box in boxes) if index > self.kept[-1] else ""
        return (
            not tags.isdisjoint(_OTHER_TAGS)
            or ("figcaption" in tags and index not in timed)
            or _COMMENTS.search(names) is not None
            or _OTHER_WORDS.search(page.texts[index]) is not None
        )

    def is_far(self, index: int) -> bool:
        """Whether a line is so far above the headline that its day is usually that of today, or a link after
        the text, or below one."""
        page, after = self.page, range(self.kept[-1] + 1, index)
        is_above = self.head is not None and index < self.head - _MAX_ABOVE
        is_link = index > self.kept[-1] and 2 * page.linked[index] > len(page.texts[index])
        return is_above or is_link or any(page.links[one] for one in after)

    def measure(self, index: int) -> dict[str, float]:
        """The measures of a block: how far from the headline and the text it is, and in which boxes."""
        page, kept, head = self.page, self.kept, self.head
        at = bisect_left(kept, index)
        is_above = head is not None and index < head
        is_below = not is_above and index < kept[0]
        boxes = self._boxes_apart(index)
        names = " ".join(page.names[box] for box in boxes)
        return {
            "above": float(min((head or 0) - index, _MOST)) if is_above else 0.0,
            "below": float(min(max(index - (kept[0] - _MOST if head is None else head), 0), 2 * _MOST))
            if is_below
            else 0.0,
            "inside": float(min(at + 1, _MOST)) if kept[0] <= index <= kept[-1] else 0.0,
            "after": float(min(max(index - kept[-1], 0), _MOST)),
            "kept": float(kept[at : at + 1] == [index]),
            "apart": float(len(boxes)),
            "other_tag": float(any(page.tags[box] in _MARGIN_TAGS for box in boxes)),
            "other_name": float(_OTHER_NAME.search(names) is not None),
        }

    def _boxes_apart(self, index: int) -> list[int]:
        box = self.page.box[index]
        if box not in self._apart:
            self._apart[box] = [*takewhile(self._is_other, self.page.walk_up(box, _BOXES_AROUND))]
        return self._apart[box]

    def _is_other(self, box: int) -> bool:
        """Whether a box has neither the headline nor the middle of the text."""
        return not any(box <= one < self.page.ends[box] for one in self.own)


def _with_kind(page: Blocks, index: int, one: _Dated) -> _Dated:
    """A date with what its label and the names around it say of its kind."""
    words, before = _words(), page.texts[index - 1] if index else ""
    label = one.label if one.label or len(before) > _LABEL_CHARS else before
    box_names = page.names[page.box[index]]
    own, box = (_kind(names, _PUBLISHED_NAME, _UPDATED_NAME) for names in (one.names, box_names))
    said = _kind(label, words.published, words.updated)
    return one._replace(says=(min(said, 0.0) if own < 0 else said, own or box))


def _kind(text: str, published: re.Pattern[str], updated: re.Pattern[str]) -> float:
    return 1.0 if published.search(text) else -1.0 if updated.search(text) else 0.0


def _measure_line(page: Blocks, index: int, one: _Dated) -> dict[str, float]:
    """The measures of the words and names of a line."""
    text = page.texts[index]
    return dict(zip(("label", "name"), one.says, strict=True)) | {
        "clock": float(len(one.iso) > len("2026-03-04")),
        "sentence": float(min(len(_WORD_OF_SENTENCE.findall(text)), _MOST)),
        "linked": min(page.linked[index] / len(text), 1.0),
    }


def _may_have_day(text: str) -> bool:
    return len(text) <= _MAX_LINE_CHARS and _NUMERAL.search(text) is not None


def is_dateline(line: str) -> bool:
    """Whether a line has a date and hardly anything else: "Added: 4 March 2026"."""
    if not _may_have_day(line):
        return False
    dates = [*_line(line, ANY_ORDER)]
    return any(one.besides <= _HARDLY_CHARS for one in dates)


def _dates(page: Blocks, index: int, locale: str, *, is_last: bool) -> Iterator[_Dated]:
    """The dates of a line, and those that time elements add, where the words are "Thursday" or "an hour
    ago"; of a bold or `is_last` line none with a label of something else."""
    text, box = page.texts[index], page.box[index]
    if not page.is_seen(index):
        return
    times = _times(page, index)
    if dates := [*_line(text, locale)] if len(text) <= _MAX_LINE_CHARS else []:
        marked = _join_times(dates, times) if times else _join_classes(dates, page.html)
        is_last_or_bold = is_last or page.strong[index] >= len(text) or page.tags[box] in HEADINGS
        yield from (one for one in marked if not (is_last_or_bold and _names_event(one.label)))
    elif times and len(_WORD_OF_SENTENCE.findall(text)) <= _MOST_WORDS:
        yield from _join_labels(times, text)


def _times(page: Blocks, index: int) -> list[_Dated]:
    """The dates of the time elements of a block, with their names."""
    times = [attributes for block, attributes in page.times if block == index]
    dates = [(declared_date(attributes.get("datetime") or ""), attributes) for attributes in times]
    return [
        _Dated(iso, "", f"{'pubdate' * ('pubdate' in one)} {one.get('itemprop')} {one.get('class')}")
        for iso, one in dates
        if iso
    ]


def _join_times(dates: Sequence[_Dated], times: Sequence[_Dated]) -> Iterator[_Dated]:
    """Written dates with the names of their time elements, and the time of day of those on the same day."""
    for place, dated in enumerate(dates):
        same_day = [time for time in times if time.iso[:10] == dated.iso[:10]]
        best = min(same_day, key=lambda time: _UPDATED_NAME.search(time.names) is not None, default=dated)
        time = times[place] if len(times) == len(dates) else best
        iso = time.iso if time.iso[:10] == dated.iso[:10] else dated.iso
        yield dated._replace(iso=iso, names=time.names)


def _join_classes(dates: Sequence[_Dated], html: str) -> Iterator[_Dated]:
    """Written dates, if there are several, with the classes of the elements that begin with them."""
    for dated in dates:
        at = max(0, html.find(dated.words)) if len(dates) > 1 else 0
        tag = _CLASS_BEFORE.search(html[max(0, at - _MAX_TAG_CHARS) : at])
        yield dated._replace(names=tag[1]) if tag else dated


def _join_labels(times: Sequence[_Dated], text: str) -> Iterator[_Dated]:
    """Time elements, each with its own label in the text if there are as many labels."""
    words = _words()
    found = sorted((*words.updated.finditer(text), *words.published.finditer(text)), key=re.Match.start)
    labels = [word[0] for word in found] if len(found) == len(times) else [text] * len(times)
    for time, label in zip(times, labels, strict=True):
        yield time._replace(label=label, besides=len(text))


def _line(text: str, locale: str) -> Iterator[_Dated]:
    """The dates of a line; nothing if it is a sentence, in which 38 of 51 days are others."""
    if not (dates := [*written_dates(text, locale)]):
        return
    labels = _labels(text, dates)
    besides = sum(map(len, labels))
    words = " ".join([*labels[:-1], labels[-1].partition("|")[0]])  # tags may follow
    if len(_WORD_OF_SENTENCE.findall(words)) > _MOST_WORDS:
        return
    for label, written in zip(labels, dates, strict=False):
        yield _Dated(written.iso, label, "", besides, text[written.start : written.end])


def _names_event(label: str) -> bool:
    """Whether what stands before a date is a label of something else than an article: "Open day:"."""
    words, is_label = _words(), label.endswith((":", "："))
    return is_label and not any(pattern.search(label) for pattern in words)


def is_time(text: str) -> bool:
    """Whether the number for which "#" stands in a text is a time of day.

    >>> is_time("begins at # p.m. on"), is_time("begins with # people")
    (True, False)
    """
    return _words().time.search(text) is not None


def _labels(text: str, dates: Sequence[WrittenDate]) -> list[str]:
    """The text before every date and after the last one."""
    starts = [0, *(written.end for written in dates)]
    ends = [*(written.start for written in dates), len(text)]
    return [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]


class _Words(NamedTuple):
    """Patterns of words of publication, of updates, for the date itself, and for a time of day."""

    published: re.Pattern[str]
    updated: re.Pattern[str]
    date: re.Pattern[str]
    time: re.Pattern[str]


@cache
def _words() -> _Words:
    """The patterns of `date_words.txt`."""
    lines = (files(__package__) / "date_words.txt").read_text("utf-8").splitlines()
    columns = zip(*(line.split("\t")[1:] for line in lines if line[0] != "#"), strict=True)
    return _Words(
        *(re.compile("|".join(map(_pattern, " ".join(column).split())), re.I) for column in columns)
    )


def _pattern(word: str) -> str:
    begins = r"(?<!\w)" if word[0] == "_" else ""
    return r"(?!)" if word == "-" else begins + re.escape(word.lstrip("_").replace("_", " "))
