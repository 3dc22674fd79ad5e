"""The metadata of a page: title, date, canonical URL, site, language, and whether it is declared an article.

`credits.py` reads the authors and the lead picture, `titles.py` cuts the name of the site off a title.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any
from unicodedata import normalize

from dupgroups.content.blocks import Blocks, block_words, collapsed, letters_and_digits
from dupgroups.content.bylines import is_person
from dupgroups.content.credits import author, image, objects_of
from dupgroups.text.dates import declared_date
from dupgroups.text.urls import host_of, registered_domain

_DATE_NAMES = (  # the most trusted first: dates of publication, then of modification
    "article:published_time og:article:published_time og:published_time datepublished article.published "
    "published_at published_time publishdate publish-date publish_date published-date pubdate ptime "
    "date.issued dc.date.issued dcterms.created dcterms.issued dcterms.date dc.date dc.date.created "
    "sailthru.date parsely-pub-date cxenseparse:recs:publishtime shareaholic:article_published_time "
    "originalpublicationdate apub:time date_published article_date_original weibo:article:create_at "
    "bytedance:published_time lastmodified date"
).split()
_JSON_DATE = re.compile(r'"(?:datePublished|pubDate)"\s*:\s*"([^"]{8,40})"')
_JSON_DATE_LATER = re.compile(r'"(?:dateCreated|uploadDate)"\s*:\s*"([^"]{8,40})"')
_ARTICLE_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"[A-Za-z]*(?:Article|BlogPosting|Report)"')
_URL_DAY = re.compile(
    r"/((?:19|20)\d\d)[-/_]?(0?[1-9]|1[0-2])[-/_]?(0[1-9]|[12]\d|3[01])(?=[/_.\-]|\d{2,}|[a-z]|$)"
)
# separators between a headline and the name of the site, in titles with collapsed white space: with blanks
# around them, or without blanks in text that has none
_SEPARATOR = re.compile(r" [|\-–—·•»«:/~]+ | ?[|_｜]+ ?| ?--+ ?")
_BRAND = re.compile(r"[^|_·•»«:/~–—]+ [–—-] ")  # "Fiat – new small car", but not "News | Ferry"
_TIGHT_SEPARATOR = re.compile(r" ?[|\-–—·•»«_｜]+ ?")
_ADDRESS = re.compile(r"(?:https?://|www\.).*|[a-z0-9.-]+\.[a-z]{2,}")  # no name: the host is shown anyway
_LONGEST_NAME = 40  # characters of the name of a site; a longer one is a sentence
_COMMON = 0.5  # a higher share of words that a headline has in common with the title
_LONGEST = 5_000  # characters of a title that are read


@dataclass(frozen=True, slots=True)
class Metadata:
    """The declarations of a page; "" or None for what it does not declare.

    `canonical` may be relative; `language` is spelled as in the page ("en-GB"). `title_from`, `date_from` and
    `author_from` say in words where each was found, "" where it was not.
    """

    title: str = ""
    date: str | None = None
    canonical: str | None = None
    site: str | None = None
    language: str | None = None
    is_article: bool = False
    author: str = ""
    image: str | None = None
    title_from: str = ""
    date_from: str = ""
    author_from: str = ""


def metadata(page: Blocks, url: str | None = None) -> Metadata:
    """Everything that `page` declares. The date is taken from `url` when nothing else gives one."""
    if not page.heads and not page.texts:  # a text that came without its page
        date, date_from = _date(_day_in(url), "")
        return Metadata(date=date, date_from=date_from)
    named = _named(page)
    scripts = [text for tag, _, text in page.heads if tag == "script"]
    links = [attributes for tag, attributes, _ in page.heads if tag == "link"]
    canonical = next((link.get("href") for link in links if _is(link.get("rel"), "canonical")), None)
    html = next((attributes for tag, attributes, _ in page.heads if tag == "html"), {})
    language = html.get("lang") or html.get("xml:lang") or named.get("content-language")
    title, title_from = _title(page, named)
    date, date_from = _date(_dates(page, named, scripts, url), language or "")
    objects = list(objects_of(scripts))
    names, author_from = author(named, objects)
    return Metadata(
        title=title,
        date=date,
        canonical=canonical or named.get("og:url"),
        site=_site(page, named, objects, title, url or canonical or ""),
        language=language,
        is_article=_is(named.get("og:type"), "article") or any(map(_ARTICLE_TYPE.search, scripts)),
        author=names,
        image=image(named, objects, url),
        title_from=title_from,
        date_from=date_from,
        author_from=author_from,
    )


def headline(page: Blocks) -> str:
    """Only the title of `metadata`; "" when there is none."""
    return _title(page, _named(page))[0]


def _named(page: Blocks) -> dict[str, str]:
    """Contents of the meta elements by name; the first one with a name counts."""
    named: dict[str, str] = {}
    for tag, attributes, _ in page.heads:
        if tag == "meta":
            get = attributes.get
            content = collapsed(get("content") or "")
            if content:
                name = get("property") or get("name") or get("itemprop") or get("http-equiv") or ""
                named.setdefault(name.lower(), content)
    return named


def _title(page: Blocks, named: dict[str, str]) -> tuple[str, str]:
    """The h1 that title or og:title repeats or shares words with, else one of these without the site; and
    where it was found.
    """
    whole = collapsed(
        next((text for tag, _, text in page.heads if tag == "title" and text.strip()), "")[:_LONGEST]
    )
    shared = collapsed(named.get("og:title") or named.get("twitter:title") or "")[:_LONGEST]
    h1 = [index for index, box in enumerate(page.box) if page.tags[box] == "h1"][:5]
    titles = [title for title in (whole, shared) if title]
    if not titles:
        return (collapsed(page.texts[h1[0]][:_LONGEST]), "the first h1") if h1 else ("", "")
    # a linked one is usually the name of the site
    plain_h1 = (page.texts[index] for index in h1 if 2 * page.linked[index] <= len(page.texts[index]))
    headings = [collapsed(text[:_LONGEST]) for text in plain_h1]
    held = [text for text in headings if len(text) > 3 and any(_holds(title, text) for title in titles)]
    if held:
        return max(held, key=len), "the h1 that the title of the page repeats"
    plain = [_without_site(title, named.get("og:site_name", "")) for title in titles]
    if len(headings) == 1 and max(_common(headings[0], title) for title in plain) > _COMMON:
        return headings[0], "the h1, which shares words with the title of the page"
    if shared and whole.startswith(shared) and shared != whole:
        return shared, "og:title, with which the title of the page begins"
    return plain[-1], "og:title" if shared else "the title element"


def _common(heading: str, title: str) -> float:
    """The share of the words of the shorter one that both have, 0 to 1; 0 for single words, and for a title
    that only has other words before it ("You are here") or its author after it."""
    rest = heading.partition(title)[2].strip(" -–—|,").removeprefix("By ").removeprefix("by ")
    if letters_and_digits(heading).endswith(letters_and_digits(title)) or is_person(rest):
        return 0.0
    one, other = (set(block_words(text.lower())) for text in (heading, title))
    fewest = min(len(one), len(other))
    return len(one & other) / fewest if fewest > 1 else 0.0


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
    longest = max(parts, key=len)
    start = title.find(longest)
    is_brand = _BRAND.fullmatch(title[:start]) and letters_and_digits(parts[0]) != letters_and_digits(site)
    return title[: start + len(longest)] if is_brand else longest


def spells(name: str, host: str) -> bool:
    """Whether a name has the domain in it, is part of it, or has its initials.

    >>> spells("The Kessel Herald", "kesselherald.example"), spells("BBC News", "news.bbc.co.uk")
    (True, True)
    """
    plain = normalize("NFKD", name.lower())
    whole, initials = letters_and_digits(plain), "".join(word[0] for word in plain.split())
    label = letters_and_digits(registered_domain(host).partition(".")[0])
    holds = any(len(part) > 2 and part in text for part, text in ((label, whole), (whole, label)))
    return len(name) <= _LONGEST_NAME and (initials == label or holds)


def _site(
    page: Blocks, named: Mapping[str, str], objects: Iterable[Mapping[str, Any]], title: str, url: str
) -> str | None:
    """The first name that spells the domain of the site, declared or at an end of the title, else the first
    declared one. (Pages declare podcasts, sections and their own titles, too.)
    """
    publishers = [
        node["publisher"].get("name") for node in objects if isinstance(node.get("publisher"), dict)
    ]
    declared = [named.get("og:site_name"), *publishers, named.get("application-name")]
    whole = next((collapsed(text[:_LONGEST]) for tag, _, text in page.heads if tag == "title"), "")
    names = [collapsed(name) for name in declared if isinstance(name, str)]
    names = [part for name in names for part in (*_SEPARATOR.split(name), name) if _is_name(part, title)]
    ends = (part for part in _SEPARATOR.split(whole)[::-1] if _is_name(part, title) and part != whole)
    fitting = (name for name in chain(names, ends) if spells(name, host_of(url)))
    return next(fitting if url else iter(names), names[0] if names else None)


def _is_name(text: str, title: str) -> bool:
    return 1 < len(text) <= _LONGEST_NAME and text != title and not _ADDRESS.fullmatch(text)


def _date(texts: Iterable[tuple[str, str]], locale: str) -> tuple[str | None, str]:
    """The first text that is a date, and where it was found."""
    dates = ((declared_date(text, locale), where) for text, where in texts)
    return next(((date, where) for date, where in dates if date), (None, ""))


def _dates(
    page: Blocks, named: dict[str, str], scripts: list[str], url: str | None
) -> Iterator[tuple[str, str]]:
    """The texts that may be the date, the most trusted first, and where each was found."""
    yield from ((text, "JSON-LD, date of publication") for text in _matches(_JSON_DATE, scripts))
    yield from ((named[name], f"meta {name}") for name in _DATE_NAMES if name in named)
    yield from ((text, "JSON-LD, date of creation") for text in _matches(_JSON_DATE_LATER, scripts))
    times = [attributes for tag, attributes, _ in page.heads if tag == "time"]
    marked = [time for time in times if "pubdate" in time or "publish" in str(time.get("itemprop")).lower()]
    yield from ((time.get("datetime") or "", "a time element marked as publication") for time in marked)
    yield from ((time.get("datetime") or "", "the first time element") for time in times[:1])
    yield from _day_in(url)


def _day_in(url: str | None) -> Iterator[tuple[str, str]]:
    if day := _URL_DAY.search(url or ""):
        yield "-".join(day.groups()), "the URL"


def _matches(pattern: re.Pattern[str], texts: Iterable[str]) -> Iterator[str]:
    return (match[1] for match in map(pattern.search, texts) if match)


def _is(value: str | None, word: str) -> bool:
    return (value or "").strip().lower() == word
