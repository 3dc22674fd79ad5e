"""The author and the lead picture of a page, as JSON-LD and meta elements declare them (schema.org, Open
Graph, Parse.ly, Dublin Core), and how far a declared author is to be trusted: many templates write the
newspaper, or the agency that made the site, into `<meta name=author>`."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any
from urllib.parse import urljoin

from dupgroups.content.bylines import is_person

_AUTHOR_NAMES = (
    "author article:author parsely-author sailthru.author dc.creator dcterms.creator byl creator mediator"
).split()
_IMAGE_NAMES = "og:image:secure_url og:image og:image:url twitter:image twitter:image:src image".split()
_GENERAL = ("meta author", "meta creator", "meta dc.creator", "meta dcterms.creator")
_BY = re.compile(r"^(?:(?:analysis|opinion|written) )?(?:by|von|par|por)\s+", re.IGNORECASE)
_AND = re.compile(r",?\s(?:and|und|et|y|og|och|//|\|)\s|,\s", re.IGNORECASE)
_NO_NAME = re.compile(
    r"^(?:https?:)?//|^www\.|^@|^[^@]*@.+\.|^[\W\d_]*$|^\w+\.[\w.]+[/.]\w"
    r"|^(?:admin\w*|webmaster|undefined|null|none|unknown|default|user)$",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"<[^<>]*>|\s*\([a-zà-ÿ]{2,4}\.?\)")  # tags, and codes: "Jo Brandt (jbr)"
_MAKER = re.compile(r"\b(?:design|develop|powered|hosted|created|website|software)", re.IGNORECASE)
_HALF = re.compile("[\ud800-\udfff]")  # JSON can express half of a character, UTF-8 cannot
_LONGEST = 100  # most characters of a name; a longer text is a sentence
_MOST = 10  # most names
_OBJECTS = 5000  # most objects of a script that are searched


def author(named: Mapping[str, str], objects: Iterable[Mapping[str, Any]]) -> tuple[str, str]:
    """The declared names, joined by ", ", and where they were found; "" for both without any.

    Addresses, handles and e-mails are not names. `named` maps the names of meta elements to their contents,
    `objects` are those of JSON-LD.

    >>> author({"author": "By Jo Brandt"}, [])
    ('Jo Brandt', 'meta author')
    """
    objects = list(objects)
    named_ids = {str(node["@id"]): node for node in objects if {"@id", "name"} <= node.keys()}
    values = (node["author"] for node in objects if "author" in node)
    json_ld = ((_names(value, named_ids), "JSON-LD, author") for value in values)
    meta = (([named[name]], f"meta {name}") for name in _AUTHOR_NAMES if name in named)
    for lines, where in (*json_ld, *meta):
        names = dict.fromkeys(filter(None, (_name(person) for line in lines for person in _people(line))))
        if names:
            return ", ".join(list(names)[:_MOST]), where
    return "", ""


def trust(author: str, where: str, lines: Iterable[str]) -> int:
    """2 for a person, 1 if a byline is better, 0 for no author: one of a general meta element whom readers do
    not see, or only in "Web design by ...". `where` came from `author`; readers see these `lines`.
    """
    person = any(map(is_person, author.split(", ")))
    if where not in _GENERAL:
        return 1 + person
    first = author.partition(", ")[0].lower()
    before = [line.lower().partition(first)[0] for line in lines if first in line.lower()]
    if before:
        return 0 if all(map(_MAKER.search, before)) else 1 + person
    return int(person or (" " not in author and not author.isupper()))


def image(named: Mapping[str, str], objects: Iterable[Mapping[str, Any]], url: str | None) -> str | None:
    """The http(s) URL of the lead picture, resolved against `url`; None when there is none."""
    meta = (named[name] for name in _IMAGE_NAMES if name in named)
    json_ld = (address for node in objects for address in _addresses(node.get("image")))
    return next(filter(None, (_absolute(address, url) for address in (*meta, *json_ld))), None)


def objects_of(scripts: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The objects of these JSON-LD scripts, outer objects first."""
    for script in scripts:
        try:
            waiting = deque([json.loads(script, strict=False)])
        except (ValueError, RecursionError):
            continue
        for _ in range(_OBJECTS):
            if not waiting:
                break
            node = waiting.popleft()
            if isinstance(node, dict):
                yield node
                waiting.extend(node.values())
            elif isinstance(node, list):
                waiting.extend(node)


def _names(value: Any, named_ids: Mapping[str, Mapping[str, Any]]) -> list[str]:
    people = value if isinstance(value, list) else [value]
    entries = [
        named_ids.get(str(person.get("@id")), person).get("name") if isinstance(person, dict) else person
        for person in people[:_MOST]
    ]
    names = (name for entry in entries for name in (entry if isinstance(entry, list) else [entry]))
    return [name for name in names if isinstance(name, str)]


def _addresses(value: Any) -> list[str]:
    images = value if isinstance(value, list) else [value]
    addresses = [
        image.get("url") or image.get("contentUrl") if isinstance(image, dict) else image for image in images
    ]
    return [address for address in addresses if isinstance(address, str)]


def _people(text: str) -> list[str]:
    """The names in a line; "Smith and Sons" stays whole, because the names of people have two words. After a
    person only people count: "Jo Brandt, Political Editor"."""
    line = _BY.sub("", " ".join(_MARKUP.sub("", unescape(text)).split()).strip(" ,;|"))
    people = _AND.split(line)
    if not all(" " in person and ":" not in person for person in people):
        return [line]
    return [person for person in people if is_person(person)] if is_person(people[0]) else people


def _name(name: str) -> str:
    return "" if len(name) > _LONGEST or _NO_NAME.search(name) or _HALF.search(name) else name


def _absolute(address: str, url: str | None) -> str | None:
    try:
        whole = urljoin(url or "", address.strip())
    except ValueError:
        return None
    return whole if whole.startswith(("http://", "https://")) and not _HALF.search(whole) else None
