"""The author and the lead picture of a page, as JSON-LD and meta elements declare them (schema.org, Open
Graph, Parse.ly, Dublin Core)."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any
from urllib.parse import urljoin

_AUTHOR_NAMES = (
    "author article:author parsely-author sailthru.author dc.creator dcterms.creator byl creator mediator"
).split()
_IMAGE_NAMES = "og:image:secure_url og:image og:image:url twitter:image twitter:image:src image".split()
_BY = re.compile(r"^(?:by|von|par|por)\s+", re.IGNORECASE)
_AND = re.compile(r",?\s(?:and|und|et|y)\s|,\s", re.IGNORECASE)
_NO_NAME = re.compile(r"^(?:https?:)?//|^www\.|^@|^[^@]*@.+\.|^[\W\d_]*$")
_HALF = re.compile("[\ud800-\udfff]")  # JSON can express half of a character, UTF-8 cannot
_LONGEST = 100  # most characters of a name; a longer text is a sentence
_MOST = 10  # most names
_OBJECTS = 5000  # most objects of a script that are searched


def author(named: Mapping[str, str], scripts: Iterable[str]) -> tuple[str, str]:
    """The declared names, joined by ", ", and where they were found; "" for both without any.

    Addresses, handles and e-mails are not names. `named` maps the names of meta elements to their contents,
    `scripts` holds JSON-LD.

    >>> author({"author": "By Jo Brandt"}, [])
    ('Jo Brandt', 'meta author')
    """
    json_ld = ((_names(value), "JSON-LD, author") for value in values_of(scripts, "author"))
    meta = (([named[name]], f"meta {name}") for name in _AUTHOR_NAMES if name in named)
    for lines, where in (*json_ld, *meta):
        names = dict.fromkeys(filter(None, (_name(person) for line in lines for person in _people(line))))
        if names:
            return ", ".join(list(names)[:_MOST]), where
    return "", ""


def image(named: Mapping[str, str], scripts: Iterable[str], url: str | None) -> str | None:
    """The http(s) URL of the lead picture, resolved against `url`; None when there is none."""
    meta = (named[name] for name in _IMAGE_NAMES if name in named)
    json_ld = (address for value in values_of(scripts, "image") for address in _addresses(value))
    return next(filter(None, (_absolute(address, url) for address in (*meta, *json_ld))), None)


def values_of(scripts: Iterable[str], key: str) -> Iterator[Any]:
    """The values of `key` in the objects of these JSON-LD scripts, outer objects first."""
    for script in scripts:
        if f'"{key}"' not in script:
            continue
        try:
            waiting = deque([json.loads(script, strict=False)])
        except (ValueError, RecursionError):
            continue
        for _ in range(_OBJECTS):
            if not waiting:
                break
            node = waiting.popleft()
            if isinstance(node, dict):
                if key in node:
                    yield node[key]
                waiting.extend(node.values())
            elif isinstance(node, list):
                waiting.extend(node)


def _names(value: Any) -> list[str]:
    people = value if isinstance(value, list) else [value]
    entries = [person.get("name") if isinstance(person, dict) else person for person in people[:_MOST]]
    names = (name for entry in entries for name in (entry if isinstance(entry, list) else [entry]))
    return [name for name in names if isinstance(name, str)]


def _addresses(value: Any) -> list[str]:
    images = value if isinstance(value, list) else [value]
    addresses = [
        image.get("url") or image.get("contentUrl") if isinstance(image, dict) else image for image in images
    ]
    return [address for address in addresses if isinstance(address, str)]


def _people(text: str) -> list[str]:
    """The names in a line; "Smith and Sons" stays whole, because the names of people have two words."""
    line = _BY.sub("", " ".join(unescape(text).split()))
    people = _AND.split(line)
    return people if all(" " in person and ":" not in person for person in people) else [line]


def _name(name: str) -> str:
    return "" if len(name) > _LONGEST or _NO_NAME.search(name) or _HALF.search(name) else name


def _absolute(address: str, url: str | None) -> str | None:
    try:
        whole = urljoin(url or "", address.strip())
    except ValueError:
        return None
    return whole if whole.startswith(("http://", "https://")) and not _HALF.search(whole) else None
