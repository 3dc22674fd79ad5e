"""The metadata of a page: title, date, canonical URL, site, language, and whether it is declared an article.

`json_ld.py` finds the node of the article, `headlines.py` the title and the name of the site,
`declared_dates.py` the date, `declared_authors.py` the authors and the lead picture, `declared_sources.py`
whose text it reprints, `owners.py` whose site it is. Where a page declares no date or no author,
`dates_in_sight.py` and `visible_authors.py` read the lines that readers see.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from dupgroups.content.blocks import Blocks
from dupgroups.content.declared_authors import author, image
from dupgroups.content.declared_dates import find_date_in_url, find_declared_date
from dupgroups.content.declared_sources import declared_source, own_names
from dupgroups.content.headlines import (
    declared_names,
    headings_of,
    named_title,
    site_name,
    titles_of,
    without_site,
)
from dupgroups.content.json_ld import Node, article_node, types_of
from dupgroups.content.letters import collapse_spaces
from dupgroups.content.owners import find_owner

_ADDRESS = re.compile(r"://|@")
_LONGEST_LIST = 500  # characters of the names of authors in elements of their own that are joined


@dataclass(frozen=True, slots=True)
class Metadata:
    """The declarations of a page about itself."""

    title: str = ""
    """The headline with all parts of its title; "" if it declares none."""
    headline: str = ""
    """The same without the name of the site."""
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
    source: str = ""
    """Another publisher that it declares its text to be from; "" if it declares none."""
    owner: str = ""
    """The company that holds the rights in it, if it is not named as the site is; "" if it declares none."""
    title_from: str = ""
    """Where the title was found, in words; "" if it was not."""
    date_from: str = ""
    """Where the date was found, in words; "" if it was not."""
    date_probability: float | None = None
    """The probability of a date in sight, 0 to 1; None for a declared one."""
    author_from: str = ""
    """Where the author was found, in words; "" if it was not."""
    named: Mapping[str, str] = field(default_factory=dict, repr=False)
    node: Node = field(default_factory=dict, repr=False)


def metadata(page: Blocks, url: str | None = None) -> Metadata:
    """Everything that `page` declares; of a text that came without its page only the date in its `url`."""
    if not page.heads and not page.texts:  # a text that came without its page
        date, date_from = find_date_in_url(url)
        return Metadata(date=date, date_from=date_from)
    named = _meta_contents(page)
    links = (attributes for tag, attributes, _ in page.heads if tag == "link")
    canonical = next((link.get("href") for link in links if _is(link.get("rel"), "canonical")), None)
    canonical = canonical or named.get("og:url")
    html = next((attributes for tag, attributes, _ in page.heads if tag == "html"), {})
    language = html.get("lang") or html.get("xml:lang")
    language = language or named.get("content-language") or named.get("og:locale")
    address = url or canonical or ""
    names, titles = declared_names(named, page.objects), titles_of(page, named)
    headings = headings_of(page, "h1")
    node, is_article = article_node(page.objects, (*titles, *headings), (*filter(None, (url, canonical)),))
    title, title_from = named_title(page, titles, headings, node, names, address)
    site = site_name(names, titles, title, address)
    date, date_from = find_declared_date(named, node, language or "", page.html)
    people, author_from = author(named, node, page.objects, (*names, site or ""), page.html)
    return Metadata(
        title=title,
        headline=without_site(title, site, page.texts),
        date=date,
        canonical=canonical,
        site=site,
        language=language,
        is_article=_is(named.get("og:type"), "article") or is_article,
        is_live="LiveBlogPosting" in types_of(node),
        author=people,
        image=image(named, node, page.objects, url),
        source=declared_source(url, canonical, named, node, site),
        owner=find_owner(page.texts, named, node, own_names(url, site)),
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
                if content[0] == "{":
                    named.update(_texts_in(content))
                name = (get("property") or get("name") or get("itemprop") or get("http-equiv") or "").lower()
                is_more = "author" in name and len(named.get(name, "")) in range(1, _LONGEST_LIST)
                if is_more and not _ADDRESS.search(content + named[name]):
                    named[name] += f"; {content}"  # one element for each of them
                named.setdefault(name, content)
    return named


def _texts_in(content: str) -> dict[str, str]:
    """The texts of an object in JSON, as `parsely-page` has them, by their names."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return {key.lower(): text for key, text in found.items() if isinstance(text, str) and text}


def _is(value: str | None, word: str) -> bool:
    return (value or "").strip().lower() == word
