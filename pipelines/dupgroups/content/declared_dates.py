"""The date of publication that a page declares: in meta elements and JSON-LD, else in marks and its URL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from dupgroups.content.json_ld import Node, text_of
from dupgroups.text.dates import declared_date

_DATE_NAMES = (  # the most trusted first
    "article:published_time og:article:published_time og:published_time datepublished article.published "
    "published_at published_time publishdate publish-date publish_date published-date pubdate ptime "
    "date.issued dc.date.issued dcterms.created dcterms.issued sailthru.date citation_date"
).split()
# and any other name of this kind, such as citation_publication_date, then those of modification
_PUBLICATION = re.compile(
    r"publi(?:sh(?!er)|cation)|pub.?(?:date|time)|\b(?:reg|release.|display)date|creat\w*.?(?:date|time|at)|date.?creat|\bcreated"
    r"|issued|origin.*date|date.*origin|online.?date|article.?date"
)
_ANY_DATE = re.compile(r"(?:^|[.:_-])date|timestamp$")
_UPDATE_NAME = re.compile(r"modifi|updat|revised")
_OTHER_DATE_NAME = re.compile(
    r"expir|unpubl|until|video|image|modifi|updat|revis|event|start|end|valid|build"
)
# an element with such a mark, and its value
_MARKS = {
    "datePublished": re.compile(
        r"<[a-z][^<>]*\b(?:itemprop|property)\s*=\s*[\"']?(?:schema:)?datePublished\b[^<>]*"
    ),
    "<abbr": re.compile(r"<abbr\b[^<>]*\bclass\s*=\s*[\"']?published\b[^<>]*"),
}
# a page in an archive (web.archive.org, arquivo.pt, archive.ph), after the time of its capture, or in a cache
_ARCHIVED_ADDRESS = re.compile(r"(?:/(\d{4})\.?(\d\d)?\.?(\d\d)?[\d.-]*(?:[a-z]{2}_|\*)?/|[:=])(https?:/.*)")
_LONGEST_TYPE = 60  # characters of an itemtype
_VALUE = re.compile(r"\b(?:content|datetime|title)\s*=\s*[\"']?([^\"'<>]+)")
_URL_DAYS = (  # with the same separator before the day as after the year, or none; also before a time of day
    re.compile(
        r"[/_-](?P<year>(?:19|20)\d\d)(?P<mark>[-/_])(?P<month>0?[1-9]|1[0-2]|[a-z]{3,9})(?P=mark)"
        r"(?P<day>0?[1-9]|[12]\d|3[01])(?=[/_.\-?]|[a-z]|$)"
    ),
    re.compile(
        r"[/_a-z-](?P<year>(?:19|20)\d\d)[/-]?(?P<month>0[1-9]|1[0-2])/?(?P<day>0[1-9]|[12]\d|3[01])(?=[/_.\-?]|[a-z]|$)"
    ),
    re.compile(
        r"[/_](?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])"
        r"(?=(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d\d*)?(?!\d))"
    ),
)
# or the month first; in the middle of a part it may be the day of an event
_URL_DAY_BEFORE_YEAR = re.compile(r"/(\d\d(?P<mark>[-/_.])\d\d(?P=mark)(?:19|20)\d\d)(?=[/_.\-?]|$)")

MARKED_SOURCE = "an element marked as publication"
_Text = tuple[str, str]
"""A text that may be a date, and where it was found."""


def find_declared_date(
    named: Mapping[str, str], node: Node, locale: str, html: str = ""
) -> tuple[str | None, str]:
    """The date of publication (ISO 8601) that a page declares, and where; (None, "") without one.

    `named` maps the names of meta elements to their contents, `node` is that of the article in JSON-LD, and
    `locale` tells in which order the numbers of a date are written. An element of `html` that is marked as
    publication precedes `<meta name=date>`, which may be that of the last change.
    """
    return _first_date(_declared_texts(named, node, html), locale)


def find_date_in_url(url: str | None) -> tuple[str | None, str]:
    """The day in a URL, and that it was found there; (None, "") without one."""
    return _first_date(days_of_url(url), "")


def find_update(named: Mapping[str, str], node: Node, locale: str) -> tuple[str | None, str]:
    """The date of the last change that a page declares, and where; (None, "") without one."""
    return _first_date(_update_texts(named, node), locale)


def _first_date(texts: Iterable[_Text], locale: str) -> tuple[str | None, str]:
    """The first text that is a date, and where it was found."""
    dates = ((declared_date(text, locale), where) for text, where in texts if text)
    return next(((date, where) for date, where in dates if date), (None, ""))


def _declared_texts(named: Mapping[str, str], node: Node, html: str) -> Iterator[_Text]:
    """The most trusted first."""
    yield from (
        (text_of(node.get(key)), "JSON-LD, date of publication") for key in ("datePublished", "pubDate")
    )
    yield from ((named[name], f"meta {name}") for name in _DATE_NAMES if name in named)
    names = [name for name in named if not _OTHER_DATE_NAME.search(name)]
    yield from ((named[name], f"meta {name}") for name in names if _PUBLICATION.search(name))
    if others := [name for name in names if _ANY_DATE.search(name)]:
        marks = {*marked_dates(html)}
        yield from ((mark, MARKED_SOURCE) for mark in marks if len(marks) == 1)
        yield from ((named[name], f"meta {name}") for name in others)
    yield from (
        (text_of(node.get(key)), "JSON-LD, date of creation") for key in ("dateCreated", "uploadDate")
    )


def _update_texts(named: Mapping[str, str], node: Node) -> Iterator[_Text]:
    yield from ((named[name], f"meta {name}") for name in named if _UPDATE_NAME.search(name))
    yield text_of(node.get("dateModified")), "JSON-LD, date of modification"


def marked_dates(html: str) -> Iterator[str]:
    """The values of elements other than time that are marked as date of publication."""
    for word, mark in _MARKS.items():
        at = html.find(word)  # a pattern over the whole page takes several times as long
        while at >= 0:
            begin, end = html.rfind("<", 0, at + 1), html.find(">", at)
            kind = html.rfind("itemtype", 0, begin)  # of the thing that has this property
            is_comment = kind >= 0 and "Comment" in html[kind : kind + _LONGEST_TYPE]
            if not is_comment and (tag := mark.match(html, begin, end)) and (value := _VALUE.search(tag[0])):
                yield value[1]
            at = html.find(word, at + 1)


def without_archive(url: str | None) -> tuple[str, str]:
    """The address of a page that an archive has captured, and the day of that (ISO 8601, "" if it is not
    there); of any other page its own."""
    archived = _ARCHIVED_ADDRESS.search(url or "")
    return (archived[4], "-".join(filter(None, archived.group(1, 2, 3)))) if archived else (url or "", "")


def days_of_url(url: str | None) -> Iterator[_Text]:
    """The days in a URL, and that they were found there, the surest first."""
    url, _ = without_archive(url)
    for pattern in _URL_DAYS:
        if day := pattern.search(url or ""):
            yield (
                " ".join(day.group("day", "month", "year"))
                if day["month"].isalpha()
                else "-".join(day.group("year", "month", "day")),
                "the URL",
            )
    if day := _URL_DAY_BEFORE_YEAR.search(url or ""):
        yield day[1].replace(day["mark"], "/"), "the URL"
