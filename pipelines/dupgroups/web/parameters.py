"""A `Query` in the parameters of a URL, and back. Both the search page and the JSON API read these."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, cast, get_args
from urllib.parse import quote, urlencode

from dupgroups.engines.base import WINDOW
from dupgroups.errors import InputError
from dupgroups.model import Query, SearchMode
from dupgroups.registry import hint

PAGE = 10  # hits on a page
MOST = 100  # hits that one request may ask for
LONGEST = 500  # characters of a query

_NAMES = {each.name: "q" if each.name == "text" else each.name for each in fields(Query)}
_DEFAULTS = Query()


def from_parameters(parameters: Mapping[str, str]) -> Query:
    """The query that a URL asks for; no parameters ask for everything, newest first.

    Raises InputError for a mode or a number that is none, and for a text of more than LONGEST characters.
    Parameters of other names are passed over: links pick up strange ones on their way (see `check_names`).
    """
    text = parameters.get("q", "").strip()
    if len(text) > LONGEST:
        raise InputError(f"the search text has {len(text):,} characters: at most {LONGEST} are read")
    return Query(
        text=text,
        mode=_mode(parameters.get("mode") or _DEFAULTS.mode),
        limit=_count(parameters, "limit", PAGE, MOST),
        offset=_count(parameters, "offset", 0, WINDOW),
        copies=_count(parameters, "copies", _DEFAULTS.copies, MOST),
        language=parameters.get("language") or None,
        site=parameters.get("site") or None,
        author=parameters.get("author") or None,
        cursor=parameters.get("cursor") or None,
    )


def check_names(parameters: Iterable[str], known: Collection[str] = tuple(_NAMES.values())) -> None:
    """Raise InputError for a parameter that is not `known`; the message lists those that are."""
    for name in parameters:
        if name not in known:
            takes = f"known: {', '.join(known)}" if known else "there are none here"
            raise InputError(f"unknown parameter {name[:40]!r}{hint(name, known)}; {takes}")


def _mode(value: str) -> SearchMode:
    known = get_args(SearchMode)
    if value not in known:
        raise InputError(f"there is no mode {value[:40]!r}: use {', '.join(known)}")
    return cast(SearchMode, value)


def _count(parameters: Mapping[str, str], name: str, default: int, most: int) -> int:
    value = parameters.get(name) or str(default)
    # isdecimal alone would let a thousand digits through to int()
    if not (value.isascii() and value.isdecimal() and len(value) < 10 and int(value) <= most):
        raise InputError(f"{name} is a number from 0 to {most:,}, not {value[:40]!r}")
    return int(value)


def kept(query: Query) -> dict[str, str]:
    """The parameters of a query that differ from the default."""
    values = {
        _NAMES[each.name]: (getattr(query, each.name), getattr(_DEFAULTS, each.name))
        for each in fields(Query)
    }
    return {name: str(value) for name, (value, default) in values.items() if value != default}


def search_url(query: Query, **changes: Any) -> str:
    """The page of a query with these changes, from its first hit unless they say otherwise."""
    return page_url(replace(query, **{"offset": 0, "cursor": None, **changes}))


def page_url(query: Query) -> str:
    """The page that shows exactly this query."""
    parameters = kept(query)
    return f"/?{urlencode(parameters)}" if parameters else "/"


def group_url(group: str, query: Query) -> str:
    """The page of a group, which remembers the search it was opened from."""
    parameters = kept(query)
    return f"/groups/{quote(group, safe='')}" + (f"?{urlencode(parameters)}" if parameters else "")
