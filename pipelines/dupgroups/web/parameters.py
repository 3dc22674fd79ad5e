"""Convert a `Query` to URL parameters and back; the search page and the JSON API use the same ones. And the
parts of URLs that the page shows and links to; every such URL comes from a crawled page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, get_args
from urllib.parse import SplitResult, quote, unquote, urlencode, urlsplit

from dupgroups.engines.base import WINDOW
from dupgroups.errors import InputError
from dupgroups.methods.registry import hint
from dupgroups.model import Query, SearchMode, Sort

PAGE = 10  # hits on a page by default
MOST = 100  # maximum number of hits of a request
LONGEST = 500  # maximum number of characters of a query

_NAMES = {field.name: "q" if field.name == "text" else field.name for field in fields(Query)}
_OPTIONAL = ("language", "site", "author", "cursor", "since", "until")
_DEFAULTS = Query()


def from_parameters(parameters: Mapping[str, str]) -> Query:
    """The query of a URL; without parameters it finds everything, newest first.

    Raises InputError for an unknown mode or order, for an invalid number, and for a text of more than LONGEST
    characters. Unknown parameters are ignored, because other tools add some to links (see `check_names`).
    """
    text = parameters.get("q", "").strip()
    if len(text) > LONGEST:
        raise InputError(f"the search text has {len(text):,} characters: use at most {LONGEST}")
    return Query(
        text=text,
        mode=_choice(parameters, "mode", get_args(SearchMode)),
        limit=count(parameters, "limit", PAGE, MOST),
        offset=count(parameters, "offset", 0, WINDOW),
        copies=count(parameters, "copies", _DEFAULTS.copies, MOST),
        any_word=bool(count(parameters, "any_word", 0, 1)),
        sort=_choice(parameters, "sort", get_args(Sort)),
        **{name: parameters.get(name) or None for name in _OPTIONAL},
    )


def check_names(parameters: Iterable[str], known: Collection[str] = tuple(_NAMES.values())) -> None:
    """Raise InputError for a parameter that is not `known`; the message lists the known ones."""
    for name in parameters:
        if name not in known:
            takes = f"known: {', '.join(known)}" if known else "this address takes none"
            raise InputError(f"unknown parameter {name[:40]!r}{hint(name, known)}; {takes}")


def _choice(parameters: Mapping[str, str], name: str, known: Sequence[str]) -> Any:
    value = parameters.get(name) or getattr(_DEFAULTS, name)
    if value not in known:
        raise InputError(f"unknown {name} {value[:40]!r}: use {', '.join(known)}")
    return value


def count(parameters: Mapping[str, str], name: str, default: int, most: int) -> int:
    """A number of a URL. Raises InputError for anything but one from 0 to `most`."""
    value = parameters.get(name) or str(default)
    # isdecimal alone would pass a thousand digits on to int()
    if not (value.isascii() and value.isdecimal() and len(value) < 10 and int(value) <= most):
        raise InputError(f"{name} must be a number from 0 to {most:,}, not {value[:40]!r}")
    return int(value)


def kept(query: Query) -> dict[str, str]:
    """The parameters of a query that differ from their defaults."""
    return {
        _NAMES[name]: "1" if value is True else str(value)
        for name, value in asdict(query).items()
        if value != getattr(_DEFAULTS, name)
    }


def search_url(query: Query, **changes: Any) -> str:
    """The URL of a query with these changes; it begins with the first hit unless they set an offset."""
    return page_url(replace(query, **{"offset": 0, "cursor": None, **changes}))


def page_url(query: Query) -> str:
    """The URL of exactly this query."""
    return _with_query("/", query)


def api_url(query: Query) -> str:
    """The URL of the JSON API that gives the results of this query."""
    return "/api/search" + page_url(query)[1:]


def explain_url(a: str, b: str) -> str:
    """The URL of the page that explains how two documents (ids) are related."""
    return f"/explain?{urlencode({'a': a, 'b': b})}"


def feed_url(query: Query) -> str:
    """The URL of the Atom feed of the newest results of this query."""
    return "/feed" + search_url(query, limit=PAGE, copies=_DEFAULTS.copies, sort="relevance")[1:]


def login_url(group: str) -> str:
    """The URL that asks for a token, and leads back to the page of a group."""
    return f"/login?back={quote(group, safe='')}"


def group_url(group: str, query: Query) -> str:
    """The URL of the page of a group; it keeps the query from which it was opened."""
    return _with_query(f"/groups/{quote(group, safe='')}", query)


def _with_query(path: str, query: Query) -> str:
    parameters = kept(query)
    return f"{path}?{urlencode(parameters)}" if parameters else path


def web_address(url: str | None) -> str | None:
    """The URL if a link may point to it (http or https, with a host), else None."""
    return url if _parts(url) else None


def host_of(url: str | None) -> str:
    """The host of a URL that may be linked, without "www."; "" for any other."""
    parts = _parts(url)
    return (parts.hostname or "").removeprefix("www.") if parts else ""


def path_of(url: str | None) -> str:
    """The path and the query of a URL that may be linked, as people read them; "" for any other.

    >>> path_of("https://example.org/%E6%98%A5%E8%8C%B6?page=2")
    '/春茶?page=2'
    """
    parts = _parts(url)
    return unquote((parts.path or "/") + (f"?{parts.query}" if parts.query else "")) if parts else ""


def _parts(url: str | None) -> SplitResult | None:
    try:
        parts = urlsplit(url or "")
        return parts if parts.scheme in ("http", "https") and parts.hostname else None
    except ValueError:
        return None
