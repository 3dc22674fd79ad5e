"""Who wrote a page and which picture leads it, as JSON-LD and meta elements declare them (schema.org, Open
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
_HALF = re.compile("[\ud800-\udfff]")  # JSON can write half of a character, UTF-8 cannot
_LONGEST = 100  # characters of a name; more is a sentence
_MOST = 10  # names
_OBJECTS = 5000  # of a script that are looked into


def author(named: Mapping[str, str], scripts: Iterable[str]) -> str:
    """Names with commas between, "" when none is told. `named` maps meta names to contents, `scripts` holds
    JSON-LD. Addresses, handles and e-mails are no names.

    >>> author({"author": "By Jo Brandt"}, [])
    'Jo Brandt'
    """
    told = (_names(value) for value in _values(scripts, "author"))
    meta = ([named[name]] for name in _AUTHOR_NAMES if name in named)
    for given in (*told, *meta):
        names = dict.fromkeys(filter(None, (_name(each) for line in given for each in _people(line))))
        if names:
            return ", ".join(list(names)[:_MOST])
    return ""


def image(named: Mapping[str, str], scripts: Iterable[str], url: str | None) -> str | None:
    """The http(s) URL of the lead picture, made absolute by `url`; None when there is none."""
    meta = (named[name] for name in _IMAGE_NAMES if name in named)
    told = (each for value in _values(scripts, "image") for each in _addresses(value))
    return next(filter(None, (_absolute(each, url) for each in (*meta, *told))), None)


def _values(scripts: Iterable[str], key: str) -> Iterator[Any]:
    """What `key` has in the objects of the scripts, outer objects first."""
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
            each = waiting.popleft()
            if isinstance(each, dict):
                if key in each:
                    yield each[key]
                waiting.extend(each.values())
            elif isinstance(each, list):
                waiting.extend(each)


def _names(value: Any) -> list[str]:
    each = value if isinstance(value, list) else [value]
    found = [one.get("name") if isinstance(one, dict) else one for one in each[:_MOST]]
    return [
        name for one in found for name in (one if isinstance(one, list) else [one]) if isinstance(name, str)
    ]


def _addresses(value: Any) -> list[str]:
    each = value if isinstance(value, list) else [value]
    found = [one.get("url") or one.get("contentUrl") if isinstance(one, dict) else one for one in each]
    return [address for address in found if isinstance(address, str)]


def _people(told: str) -> list[str]:
    """The names that a line runs together; "Smith and Sons" stays one, for people have two names."""
    line = _BY.sub("", " ".join(unescape(told).split()))
    people = _AND.split(line)
    return people if all(" " in each and ":" not in each for each in people) else [line]


def _name(name: str) -> str:
    return "" if len(name) > _LONGEST or _NO_NAME.search(name) or _HALF.search(name) else name


def _absolute(address: str, url: str | None) -> str | None:
    try:
        whole = urljoin(url or "", address.strip())
    except ValueError:
        return None
    return whole if whole.startswith(("http://", "https://")) and not _HALF.search(whole) else None
