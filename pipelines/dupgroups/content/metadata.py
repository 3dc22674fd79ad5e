"""The metadata of a page: title, date, canonical URL, site, language, and whether it is declared an article.

`json_ld.py` finds the node of the article, `headlines.py` the title and the name of the site,
`declared_authors.py` the authors and the lead picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dupgroups.content.blocks import Blocks
from dupgroups.content.declared_authors import author, image
from dupgroups.content.headlines import declared_names, headings_of, named_title, site_name, titles_of
from dupgroups.content.json_ld import Node, article_node, text_of, types_of
from dupgroups.content.letters import collapse_spaces
from dupgroups.text.dates import declared_date

_DATE_NAMES = (  # the most trusted first
    "article:published_time og:article:published_time og:published_time datepublished article.published "
    "published_at published_time publishdate publish-date publish_date published-date pubdate ptime "
    "date.issued dc.date.issued dcterms.created dcterms.issued sailthru.date citation_date"
).split()
# and any other name of this kind, such as citation_publication_date, then those of modification
_PUBLICATION = re.compile(
    r"publi(?:sh|cation)|pub.?(?:date|time)|\b(?:reg|release.|display)date|creat\w*.?(?:date|time|at)|date.?creat|\bcreated"
    r"|issued|origin.*date|date.*origin|online.?date|article.?date"
)
_ANY_DATE = re.compile(r"(?:^|[.:_-])date|timestamp$")
_UPDATE_NAME = re.compile(r"modifi|updat|revised")
_OTHER_DATE_NAME = re.compile(
    r"expir|unpubl|until|video|image|modifi|updat|revis|event|start|end|valid|build"
)
_ADDRESS = re.compile(r"://|@")
_LONGEST_LIST = 500  # characters of the names of authors in elements of their own that are joined
# an element with such a mark, and its value
_MARKS = {
    "datePublished": re.compile(
        r"<[a-z][^<>]*\b(?:itemprop|property)\s*=\s*[\"']?(?:schema:)?datePublished\b[^<>]*"
    ),
    "<abbr": re.compile(r"<abbr\b[^<>]*\bclass\s*=\s*[\"']?published\b[^<>]*"),
}
_LONGEST_TYPE = 60  # characters of an itemtype
_VALUE = re.compile(r"\b(?:content|datetime|title)\s*=\s*[\"']?([^\"'<>]+)")
_URL_DAYS = (  # with the same separator before the day as after the year, or none; also before a time of day
    re.compile(
        r"[/-](?P<year>(?:19|20)\d\d)(?P<mark>[-/_])(?P<month>0?[1-9]|1[0-2]|[a-z]{3,9})(?P=mark)"
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


@dataclass(frozen=True, slots=True)
class Metadata:
    """The declarations of a page about itself."""

    title: str = ""
    """The headline; "" if it declares none."""
    date: str | None = None
    """The date of publication, ISO 8601; None if it declares none."""
    canonical: str | None = None
    """The canonical URL, perhaps relative, or None."""
    site: str | None = None
    """The name of the site, or None."""
    language: str | None = None
    """The language as the page spells it ("en-GB"), or None."""
    is_article: bool = False
    """Whether it declares itself an article."""
    is_live: bool = False
    """Whether it declares itself a live blog."""
    author: str = ""
    """Names separated by ", "; "" if it declares none."""
    image: str | None = None
    """The URL of the lead picture, or None."""
    title_from: str = ""
    """Where the title was found, in words; "" if it was not."""
    date_from: str = ""
    """Where the date was found, in words; "" if it was not."""
    author_from: str = ""
    """Where the author was found, in words; "" if it was not."""
    named: Mapping[str, str] = field(default_factory=dict, repr=False)
    node: Node = field(default_factory=dict, repr=False)


def metadata(page: Blocks, url: str | None = None) -> Metadata:
    """Everything that `page` declares. The date is taken from `url` when nothing else gives one."""
    if not page.heads and not page.texts:  # a text that came without its page
        date, date_from = _date(_day_in(url), "")
        return Metadata(date=date, date_from=date_from)
    named = _meta_contents(page)
    links = (attributes for tag, attributes, _ in page.heads if tag == "link")
    canonical = next((link.get("href") for link in links if _is(link.get("rel"), "canonical")), None)
    canonical = canonical or named.get("og:url")
    html = next((attributes for tag, attributes, _ in page.heads if tag == "html"), {})
    language = html.get("lang") or html.get("xml:lang") or named.get("content-language")
    address = url or canonical or ""
    names, titles = declared_names(named, page.objects), titles_of(page, named)
    headings = headings_of(page, "h1")
    node, is_article = article_node(page.objects, (*titles, *headings), (*filter(None, (url, canonical)),))
    title, title_from = named_title(page, titles, headings, node, names, address)
    site = site_name(names, titles, title, address)
    date, date_from = _date(_dates(named, node), language or "")
    people, author_from = author(named, node, page.objects, (*names, site or ""))
    return Metadata(
        title=title,
        date=date,
        canonical=canonical,
        site=site,
        language=language,
        is_article=_is(named.get("og:type"), "article") or is_article,
        is_live="LiveBlogPosting" in types_of(node),
        author=people,
        image=image(named, node, page.objects, url),
        title_from=title_from,
        date_from=date_from,
        author_from=author_from,
        named=named,
        node=node,
    )


def _meta_contents(page: Blocks) -> dict[str, str]:
    """Contents of the meta elements by name; the first one with a name counts."""
    named: dict[str, str] = {}
    for tag, attributes, _ in page.heads:
        if tag == "meta":
            get = attributes.get
            content = collapse_spaces(get("content") or "")
            if content:
                name = (get("property") or get("name") or get("itemprop") or get("http-equiv") or "").lower()
                is_more = "author" in name and len(named.get(name, "")) in range(1, _LONGEST_LIST)
                if is_more and not _ADDRESS.search(content + named[name]):
                    named[name] += f"; {content}"  # one element for each of them
                named.setdefault(name, content)
    return named


def _date(texts: Iterable[tuple[str, str]], locale: str) -> tuple[str | None, str]:
    """The first text that is a date, and where it was found."""
    dates = ((declared_date(text, locale), where) for text, where in texts if text)
    return next(((date, where) for date, where in dates if date), (None, ""))


def _dates(named: Mapping[str, str], node: Node) -> Iterator[tuple[str, str]]:
    """The texts that may be the date of publication, the most trusted first, and where each was found."""
    yield from (
        (text_of(node.get(key)), "JSON-LD, date of publication") for key in ("datePublished", "pubDate")
    )
    yield from ((named[name], f"meta {name}") for name in _DATE_NAMES if name in named)
    others = (name for name in named if _PUBLICATION.search(name) and not _OTHER_DATE_NAME.search(name))
    yield from ((named[name], f"meta {name}") for name in others)
    dates = (name for name in named if _ANY_DATE.search(name) and not _OTHER_DATE_NAME.search(name))
    yield from ((named[name], f"meta {name}") for name in dates)
    yield from (
        (text_of(node.get(key)), "JSON-LD, date of creation") for key in ("dateCreated", "uploadDate")
    )


def later_date(page: Blocks, declared: Metadata, url: str | None, end: int) -> tuple[str | None, str]:
    """The date of a page on which readers see none, and where it was found; time elements count up to the
    block `end`, as those of comments follow."""
    return _date(_later_dates(page, declared, url, end), declared.language or "")


def _later_dates(page: Blocks, declared: Metadata, url: str | None, end: int) -> Iterator[tuple[str, str]]:
    named, node = declared.named, declared.node
    times = [time for block, time in page.times if block <= end]
    marked = [time for time in times if "pubdate" in time or "publish" in str(time.get("itemprop")).lower()]
    yield from ((time.get("datetime") or "", "a time element marked as publication") for time in marked)
    yield from ((value, "an element marked as publication") for value in _marked_dates(page.html))
    yield from _day_in(url)
    yield from ((named[name], f"meta {name}") for name in named if _UPDATE_NAME.search(name))
    yield text_of(node.get("dateModified")), "JSON-LD, date of modification"


def _marked_dates(html: str) -> Iterator[str]:
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


def _day_in(url: str | None) -> Iterator[tuple[str, str]]:
    for pattern in _URL_DAYS:
        if day := pattern.search(url or ""):
            yield (
                " ".join(day.group("day", "month", "year"))
                if day["month"].isalpha()
                else "-".join(day.group("year", "month", "day")),
                "the URL",
            )


def _is(value: str | None, word: str) -> bool:
    return (value or "").strip().lower() == word
