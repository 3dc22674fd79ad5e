"""The metadata of a page: title, date, canonical URL, site, language, and whether it is declared an article.

`credits.py` reads the authors and the lead picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from dupgroups.content.blocks import Blocks, letters_and_digits
from dupgroups.content.credits import author, image

_DATE_NAMES = (  # the most trusted first: dates of publication, then of modification
    "article:published_time og:article:published_time og:published_time datepublished article.published "
    "published_at published_time publishdate publish-date publish_date pubdate ptime date.issued "
    "dc.date.issued dcterms.created dcterms.issued dcterms.date dc.date dc.date.created sailthru.date "
    "parsely-pub-date cxenseparse:recs:publishtime shareaholic:article_published_time "
    "originalpublicationdate apub:time date_published article_date_original weibo:article:create_at "
    "bytedance:published_time lastmodified date"
).split()
_JSON_DATE = re.compile(r'"(?:datePublished|pubDate)"\s*:\s*"([^"]{8,40})"')
_JSON_DATE_LATER = re.compile(r'"(?:dateCreated|uploadDate)"\s*:\s*"([^"]{8,40})"')
_ARTICLE_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"[A-Za-z]*(?:Article|BlogPosting|Report)"')
_ISO = re.compile(
    r"((?:19|20)\d\d)[-/.](\d\d?)[-/.](\d\d?)"
    r"(?:[T ]+(\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(?:(Z)|([+-]\d\d):?(\d\d))?)?"
)
_COMPACT = re.compile(r"\b((?:19|20)\d\d)([01]\d)([0-3]\d)(?=\b|T|\d{6}\b)")
_URL_DAY = re.compile(
    r"/((?:19|20)\d\d)[-/_]?(0?[1-9]|1[0-2])[-/_]?(0[1-9]|[12]\d|3[01])(?=[/_.\-]|\d{2,}|[a-z]|$)"
)
# separators between a headline and the name of the site, in titles with collapsed white space: with blanks
# around them, or without blanks in text that has none
_SEPARATOR = re.compile(r" [|\-–—·•»«:/~]+ | ?[|_｜]+ ?| ?--+ ?")
_TIGHT_SEPARATOR = re.compile(r" ?[|\-–—·•»«_｜]+ ?")
_LONGEST = 5_000  # characters of a title that are read


@dataclass(frozen=True, slots=True)
class Metadata:
    """The declarations of a page; "" or None for what it does not declare.

    `canonical` may be relative; `language` is spelled as in the page ("en-GB").
    """

    title: str = ""
    date: str | None = None
    canonical: str | None = None
    site: str | None = None
    language: str | None = None
    is_article: bool = False
    author: str = ""
    image: str | None = None


def metadata(page: Blocks, url: str | None = None) -> Metadata:
    """Everything that `page` declares. The date is taken from `url` when nothing else gives one."""
    named = _named(page)
    scripts = [text for tag, _, text in page.heads if tag == "script"]
    links = [attributes for tag, attributes, _ in page.heads if tag == "link"]
    canonical = next((link.get("href") for link in links if _is(link.get("rel"), "canonical")), None)
    html = next((attributes for tag, attributes, _ in page.heads if tag == "html"), {})
    return Metadata(
        title=_title(page, named),
        date=_date(page, named, scripts, url),
        canonical=canonical or named.get("og:url"),
        site=named.get("og:site_name") or named.get("application-name"),
        language=html.get("lang") or html.get("xml:lang") or named.get("content-language"),
        is_article=_is(named.get("og:type"), "article") or any(map(_ARTICLE_TYPE.search, scripts)),
        author=author(named, scripts),
        image=image(named, scripts, url),
    )


def headline(page: Blocks) -> str:
    """Only the title of `metadata`; "" when there is none."""
    return _title(page, _named(page))


def _named(page: Blocks) -> dict[str, str]:
    """Contents of the meta elements by name; the first one with a name counts."""
    named: dict[str, str] = {}
    for tag, attributes, _ in page.heads:
        if tag == "meta":
            get = attributes.get
            content = _clean(get("content") or "")
            if content:
                name = get("property") or get("name") or get("itemprop") or get("http-equiv") or ""
                named.setdefault(name.lower(), content)
    return named


def _title(page: Blocks, named: dict[str, str]) -> str:
    """The part of the page's title that an h1 or og:title repeats, else the title without the site."""
    whole = _clean(
        next((text for tag, _, text in page.heads if tag == "title" and text.strip()), "")[:_LONGEST]
    )
    shared = _clean(named.get("og:title") or named.get("twitter:title") or "")[:_LONGEST]
    headings = [block.text[:_LONGEST] for block in page.blocks if page.boxes[block.box].tag == "h1"]
    titles = [title for title in (whole, shared) if title]
    for heading in headings[:5]:
        if len(heading) > 3 and any(_holds(title, heading) for title in titles):
            return _clean(heading)
    if not titles:
        return _clean(headings[0]) if headings else ""
    if shared and whole.startswith(shared) and shared != whole:
        return shared
    return _without_site(shared or whole, named.get("og:site_name", ""))


def _holds(title: str, heading: str) -> bool:
    """Whether `heading` is a substantial part of `title`, not the site's name, an h1 on many pages."""
    folded, part = letters_and_digits(title), letters_and_digits(heading)
    return bool(part) and part in folded and (folded.startswith(part) or 2 * len(part) > len(folded))


def _without_site(title: str, site: str) -> str:
    separator = _SEPARATOR if _SEPARATOR.search(title) or " " in title else _TIGHT_SEPARATOR
    parts = [part for part in separator.split(title) if part]
    if len(parts) < 2:
        return title
    if site and letters_and_digits(parts[-1]) == letters_and_digits(site):
        parts = parts[:-1]
        return title[: title.rfind(parts[-1]) + len(parts[-1])] if len(parts) > 1 else parts[0]
    return max(parts, key=len)


def _date(page: Blocks, named: dict[str, str], scripts: list[str], url: str | None) -> str | None:
    return next(filter(None, map(_iso, _dates(page, named, scripts, url))), None)


def _dates(page: Blocks, named: dict[str, str], scripts: list[str], url: str | None) -> Iterator[str]:
    yield from _matches(_JSON_DATE, scripts)
    yield from (named[name] for name in _DATE_NAMES if name in named)
    yield from _matches(_JSON_DATE_LATER, scripts)
    times = [attributes for tag, attributes, _ in page.heads if tag == "time"]
    yield from (time.get("datetime") or "" for time in times if "pubdate" in time or _itemprop(time))
    yield from (time.get("datetime") or "" for time in times[:1])
    day = _URL_DAY.search(url or "")
    if day:
        yield "-".join(day.groups())


def _itemprop(attributes: object) -> bool:
    return isinstance(attributes, dict) and "publish" in (attributes.get("itemprop") or "").lower()


def _matches(pattern: re.Pattern[str], texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        match = pattern.search(text)
        if match:
            yield match[1]


def _iso(text: str) -> str | None:
    """A day or a second in ISO 8601, or None when `text` is not a date from 1900 to 2099."""
    match = _ISO.search(text) or _COMPACT.search(text)
    if not match:
        return None
    try:
        day = date(int(match[1]), int(match[2]), int(match[3])).isoformat()
    except ValueError:
        return None
    if match.re is _COMPACT or match[4] is None or int(match[4]) > 23 or int(match[5]) > 59:
        return day
    zone = match[7] or (f"{match[8]}:{match[9]}" if match[8] else "")
    return f"{day}T{match[4]}:{match[5]}:{match[6] or '00'}{zone}"


def _is(value: str | None, word: str) -> bool:
    return (value or "").strip().lower() == word


def _clean(text: str) -> str:
    return " ".join(text.split())
