"""Where the report itself begins and ends in a text, told by place and form, in any language.

Before it may stand a headline in brackets or between number signs, a byline, a line with a clock time, and a
dateline: a place, a date or an agency up to a dash or 电.
After it may stand a credit: a line in brackets, or a few words after the last sentence.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_DATELINE_CHARS, MAX_HEADLINE_CHARS, MAX_CREDIT_CHARS = 60, 80, 90
MAX_LOWER_WORDS = 2  # in a dateline: a month, an agency
MIN_REPORT_SHARE = 0.4  # of a text: what would leave less is no dateline and no credit

# in brackets, or the topic of a post: "#渡轮沉没#", in Chinese perhaps without the first sign; "C#" is none
_HEADLINE = re.compile(
    rf"\s*(?:[【〖《\[][^】〗》\]\n]{{1,{MAX_HEADLINE_CHARS}}}[】〗》\]]"
    rf"|(?:#|(?=[^#\s]*[一-鿿]))[^#\s。]{{1,{MAX_HEADLINE_CHARS}}}#)\s*"
)
_END = ".!?。！？؟।\n"
# up to the first mark that ends a dateline; a point may stand after a month
_BEFORE_MARK = rf"\s*(?:[^{_END}]|\.(?=\s?[(（])){{0,{MAX_DATELINE_CHARS}}}?"
_BRACKETS = r"[(（\[][^()（）\[\]\n]{1,40}[)）\]]"
_HAN_BRACKETS = r"(?:[(（][^()（）]{1,20}[)）])?"
_DAY = rf"(?:[^{_END}]{{1,30}}\d[^{_END}]{{0,30}}\s(?=[-–—―]))?"
_MARK = r"[-–—―:：=]{1,3}"
_CAPITAL = "[A-ZÀ-ÞА-Я]"
_WIRE = r"(?:[^\W\d_a-zа-я]{1,6}\.\s)?"  # "НС. "
_DATELINES = tuple(
    re.compile(form)
    for form in (
        # "VELMAR, Aug 4 (Reuters) - ", "Велмар, 4 авг - НС. ", "FELD, July 01, 2025 /Wire/ -- "
        # and "Feld, Ober (Wire) Tuesday Feb 4, 2025 @ 10:10 AM -- "
        rf"{_BEFORE_MARK}(?:{_BRACKETS}{_DAY}\s*{_MARK}|\d[\w,/ ]{{0,30}}\s[-–—―]{{1,2}})\s+{_WIRE}",
        # "(AFP) ", "(서울=통신) 홍길동 기자 = "
        rf"\s*{_BRACKETS}\s*(?:[\w·]{{1,12}}(?: [\w·]{{1,12}})?\s*=\s)?",
        # "LONDON - ", "VELMAR, Feld -- ", "NEW YORK - "
        r"\s*(?:[A-ZÀ-ÞА-Я]{3,} )?[^\W\d_]+(?:, ?[^\W\d_]+)?\s[-–—―]{1,2}\s",
        # "By Jane Doe and John Roe, Wire", or another line of capitalised words
        rf"\s*{_CAPITAL}[^\s\d{_END}]*(?: (?:{_CAPITAL}[^\s\d{_END}]*|[a-zà-ÿа-я]{{1,3}})){{1,9}} ?\n",
        # "Published 14:05", "Last update: 06.11.2025 08:15", in a line of its own
        rf"[^\n!?。！？]{{0,{MAX_DATELINE_CHARS}}}?(?<!\d)\d\d?[:：]\d\d(?!\d)[^\n!?。！？]{{0,20}}\n",
        # "VELMAR - WIRE: "
        r"\s*[^\W\d_]{1,20}\s[-–—―]\s[^\W\d_]{1,20}\s?:\s",
        # 海纳社8月4日电（记者王远）, 据海纳社电, but not 昨日电价
        rf"{_BEFORE_MARK}(?:\d\s?日\s?[电電讯訊]|社\s?[电電](?=[\s，,：:（(]))[，,：: ]?{_HAN_BRACKETS}",
    )
)
_CREDITS = (
    re.compile(rf"\s*[(（\[【][^()（）\[\]【】]{{1,{MAX_CREDIT_CHARS}}}[)）\]】][.。]?\s*$"),
    re.compile(r"(?<=[.!?。！？”»\"」)])\s+[^.!?。！？\d]{1,40}\s*$"),
)


class ReportBounds(NamedTuple):
    """Places in a text: the dateline begins at `dateline`, the report is between `start` and `end`."""

    dateline: int
    start: int
    end: int


def find_report(text: str) -> ReportBounds:
    """Where the report is; the whole text if nothing stands around it, and for an empty one.

    >>> text = "VELMAR (Reuters) - The ferry sank in thick fog. (Reporting by A. Holt)"
    >>> bounds = find_report(text)
    >>> text[bounds.dateline : bounds.start], text[bounds.start : bounds.end]
    ('VELMAR (Reuters) - ', 'The ferry sank in thick fog.')
    """
    headline = _HEADLINE.match(text)
    dateline = headline.end() if headline and 2 * headline.end() <= len(text) else 0
    start = _dateline_end(text, dateline)
    if start > dateline:  # an agency's own may stand before that of another one
        start = _dateline_end(text, start)
    end = min(_credit_start(text), len(text.rstrip()))
    is_whole = end - start < MIN_REPORT_SHARE * len(text)
    return ReportBounds(0, 0, len(text)) if is_whole else ReportBounds(dateline, start, end)


def _dateline_end(text: str, start: int) -> int:
    line = text[start : start + 2 * MAX_DATELINE_CHARS]
    found = (match for form in _DATELINES if (match := form.match(line)))
    words = ((match, re.findall(r"\w+", match[0])) for match in found)
    # with more words in lower case it is the beginning of a sentence
    few = (match for match, some in words if sum(word[0].islower() for word in some) <= MAX_LOWER_WORDS)
    return start + max((match.end() for match in few), default=0)


def _credit_start(text: str) -> int:
    tail = max(0, len(text) - 2 * MAX_CREDIT_CHARS)
    found = (form.search(text, tail) for form in _CREDITS)
    return min((match.start() for match in found if match), default=len(text))
