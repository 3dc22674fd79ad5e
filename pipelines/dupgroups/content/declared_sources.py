"""The other publisher that a page declares its text to be from, to readers of its markup.

| where | such as |
|---|---|
| canonical link | `<link rel="canonical" href="https://apnews.com/article/...">` on a page of another site |
| meta elements | `syndication-source`, `original-source` |
| JSON-LD of the article | `sourceOrganization`, `provider`, `isBasedOn` |

An address counts if it is of another publisher, and leads to more than a front page, which broken templates
declare on every article.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dupgroups.content.json_ld import Node, text_of
from dupgroups.content.letters import collapse_spaces, letters_and_digits
from dupgroups.text.urls import host_of, is_front_page, publisher_name, registered_domain

_LOCAL_HOST = re.compile(
    r"(?:.*\.)?localhost(?::\d+)?|[\d.:\[\]]+"
)  # of a mirror, or of a site that is being tested
MAX_SOURCE_CHARS = 100  # characters of the name of a publisher
_META_NAMES = ("syndication-source", "original-source")
_NAMED_KEYS, _ADDRESS_KEYS = ("sourceOrganization", "provider"), ("isBasedOn", "isBasedOnUrl")


def declared_source(
    url: str | None, canonical: str | None, named: Mapping[str, str], node: Node, site: str | None
) -> str:
    """The registered domain or the name of another publisher than that of the page at `url`; "" if none is
    declared. `named` are the contents of meta elements, `node` is the article in JSON-LD.
    """
    own = registered_domain(host_of(url))
    if not own or _LOCAL_HOST.fullmatch(own):
        return ""
    names = {letters_and_digits(name) for name in own_names(url, site)}
    for value in _declared_values(canonical, named, node):
        name = _read_publisher(value)
        if name and letters_and_digits(name) not in names and publisher_name(name) != publisher_name(own):
            return name
    return ""


def own_names(url: str | None, site: str | None) -> tuple[str, ...]:
    """The names of the publisher of a page: its registered domain, that without a suffix, and the site."""
    domain = registered_domain(host_of(url))
    return tuple(filter(None, (domain, publisher_name(domain), site)))


def _declared_values(canonical: str | None, named: Mapping[str, str], node: Node) -> Iterator[str]:
    yield canonical or ""
    yield from (named.get(name, "") for name in _META_NAMES)
    for key in (*_NAMED_KEYS, *_ADDRESS_KEYS):
        yield _name_or_address(node.get(key))


def _name_or_address(value: Any) -> str:
    """The name of an organization, or the address of a work."""
    value = value[0] if isinstance(value, list) and value else value
    if isinstance(value, dict):
        value = value.get("name") or value.get("url") or value.get("@id")
    return text_of(value)


def _read_publisher(value: str) -> str:
    """A name, or of an address the registered domain; "" for a front page."""
    value = collapse_spaces(value)
    if "://" in value:
        return "" if is_front_page(value) else registered_domain(host_of(value))
    is_name = 1 < len(value) <= MAX_SOURCE_CHARS and any(map(str.isalpha, value))
    return value if is_name and not value.startswith(("/", "#", ".")) else ""
