"""Reads the JSON-LD of a page (schema.org) about its article, not about comments, pictures, other
stories.

First the node of the article is chosen: its type is that of an article, and its headline, URL or @id are
those of the page. Everything is then read from this node alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from html import unescape
from itertools import chain
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from dupgroups.content.letters import letters_and_digits
from dupgroups.text.address_rules import path_of_page, query_of_page

Node = dict[str, Any]

_CONTAINERS = (dict, list)
_MAX_OBJECTS = 5000  # most objects of a script that are searched
_ARTICLES = ("Article", "Posting", "Report", "Review")  # how the names of such types end
_PAGES = ("Page", "Posting", "CreativeWork")
_SUBJECT_KEYS = ("@graph", "mainEntity", "mainEntityOfPage", "itemReviewed")  # lead to what the page is about
_URLS = ("url", "@id", "mainEntityOfPage")
_DESCRIBING_KEYS = ("author", "creator", "datePublished")
_HEADLINES = ("headline", "name", "alternativeHeadline")
_MIN_HEADLINE_LETTERS = 12  # letters and digits of a headline of which another one is a part
_PREFIXED_NAME = re.compile(r"schema(?::|\.org/)\w")  # found sooner than the quotation marks of the next one
_PREFIX = re.compile(r'"(?:schema:|https?://schema\.org/)(?=\w+")')
_WRAPPED_LINE = re.compile(
    r"^\s*(?:<!--|(?://|/\*)?\s*<!\[CDATA\[(?:\s*\*/)?)|(?://|/\*)?\s*\]\]>(?:\s*\*/)?|-->\s*$|;\s*$"
)
_COMMENT = re.compile(r"\A\s*/\*.*?\*/|^[ \t]*//[^\n]*$", re.S | re.M)
_VALUE = r'"(?:[^"\\]|\\.)*"|\[?\{[^{}\[\]]*\}\]?'  # a text or a simple node
_COMMA, _ESCAPE = re.compile(r",(?=\s*[}\]])"), re.compile(r'\\(?!["\\/bfnrtu])')


class Found(NamedTuple):
    """An object, and whether the page is about it: no property leads to it but those of the graph."""

    node: Node
    outer: bool


def objects_of(scripts: Iterable[str]) -> list[Found]:
    """The objects of these JSON-LD scripts, in each script outer objects first. A script that cannot be read
    even without comments, last commas and wrong escapes has none."""
    return [found for script in scripts for found in _objects(script)]


def _objects(script: str) -> Iterator[Found]:
    waiting = [(_load(script), True)]
    for place in range(_MAX_OBJECTS):
        if place == len(waiting):
            break
        value, outer = waiting[place]
        if isinstance(value, dict):
            yield Found(value, outer)
            inside = ((key, inner) for key, inner in value.items() if isinstance(inner, _CONTAINERS))
            waiting += [(inner, outer and key in _SUBJECT_KEYS) for key, inner in inside]
        elif isinstance(value, list):
            waiting += [(inner, outer) for inner in value[:_MAX_OBJECTS]]


def _load(script: str) -> Any:
    script = _PREFIX.sub('"', script) if _PREFIXED_NAME.search(script) else script
    for read in (_decode_values, lambda script: _decode_values(_repair(script)), _salvage_node):
        try:
            return read(script)
        except (ValueError, RecursionError):
            continue
    return None


def _salvage_node(script: str) -> Node:
    """Read what a script that cannot be parsed says once, of its only node of an article."""
    kinds = [kind for kind in re.findall(r'"@type"\s*:\s*"(\w+)"', script) if kind.endswith(_ARTICLES)]
    if len(kinds) != 1:
        return {}
    found = {key: re.findall(rf'"{key}"\s*:\s*({_VALUE})', script) for key in (*_DESCRIBING_KEYS, "headline")}
    return {"@type": kinds[0]} | {
        key: json.loads(every[0]) for key, every in found.items() if len(every) == 1
    }


def _decode_values(script: str) -> list[Any]:
    """The values of a script, which should be one."""
    decoder, values, end = json.JSONDecoder(strict=False), [], 0
    while rest := script[end:].lstrip():
        value, read = decoder.raw_decode(rest)
        values.append(value)
        end = len(script) - len(rest) + read
    return values


def _repair(script: str) -> str:
    script = _COMMENT.sub("", script if '"' in script else unescape(script)).strip("\ufeff\xa0 \n")
    return _ESCAPE.sub("", _COMMA.sub("", _WRAPPED_LINE.sub("", _WRAPPED_LINE.sub("", script))))


def types_of(node: Node) -> list[str]:
    """The names of the types of a node."""
    types = node.get("@type")
    return [kind for kind in (types if isinstance(types, list) else [types]) if isinstance(kind, str)]


def article_node(
    objects: Iterable[Found], titles: Collection[str], urls: Collection[str]
) -> tuple[Node, bool]:
    """The node of the article, and whether it is one by its type; {} and False if there is none.

    `titles` are those of the page, `urls` its addresses. An article that agrees comes first, then the only
    article, then what is no article but agrees or describes the page. Of several others none is the article.
    """
    folded, paths = {*map(letters_and_digits, titles)} - {""}, {*map(_path, urls)} - {""}
    objects = list(objects)
    articles = [found for found in objects if any(kind.endswith(_ARTICLES) for kind in types_of(found.node))]
    agreeing = [found for found in articles if _agrees(found.node, folded, paths)]
    choice = next((found for found in agreeing if found.outer), None)
    if choice is None:
        outer = [found for found in articles if found.outer and not _is_other(found.node, folded, paths)]
        choice = outer[0] if len(outer) == 1 else next(iter(agreeing), None)
    if choice is not None:
        return choice.node, choice.outer
    rest = [
        found.node for found in objects if found.outer and not found.node.keys().isdisjoint(_DESCRIBING_KEYS)
    ]
    agree = (node for node in rest if _agrees(node, folded, paths))
    pages = (
        node for node in rest if "@type" not in node or any(kind.endswith(_PAGES) for kind in types_of(node))
    )
    return next(chain(agree, pages), {}), False


def _agrees(node: Node, titles: Collection[str], paths: Collection[str]) -> bool:
    headlines, addresses = _headlines(node), _addresses(node)
    parts = (sorted((headline, title), key=len) for headline in headlines for title in titles)
    return any(_is_part(*pair) for pair in parts) or any(address in paths for address in addresses)


def _is_other(node: Node, titles: Collection[str], paths: Collection[str]) -> bool:
    """Whether it says that it is another story, by its headline and by its address."""
    said = all((titles, paths, _headlines(node), _addresses(node)))
    return said and not _agrees(node, titles, paths)


def _headlines(node: Node) -> list[str]:
    return [*filter(None, (letters_and_digits(text_of(node.get(name))) for name in _HEADLINES))]


def _addresses(node: Node) -> list[str]:
    values = (node.get(name) for name in _URLS)
    addresses = (value.get("@id") if isinstance(value, dict) else value for value in values)
    return [*filter(None, (_path(address) for address in addresses if isinstance(address, str)))]


def _is_part(short: str, long: str) -> bool:
    return short == long or (len(short) >= _MIN_HEADLINE_LETTERS and short in long)


def _path(url: str) -> str:
    """The part of an address that tells a page from others of its site; "" for the front page."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return ""
    query = query_of_page(parts.query, parts.path)
    return path_of_page(parts.path).rstrip("/") + (f"?{query}" if query else "")


def text_of(value: Any) -> str:
    """A value as text: that of {"@value": text}, the first of a list, a number; "" for anything else."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("@value", "")
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
