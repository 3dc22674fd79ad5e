"""Convert a `Query` to URL parameters and back; the search page and the JSON API use the same ones. And the
parts of URLs that the page shows and links to; every such URL comes from a crawled page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, get_args
from urllib.parse import SplitResult, quote, urlencode, urlsplit

from dupgroups.engines.base import MAX_WINDOW_HITS
from dupgroups.errors import InputError
from dupgroups.methods.registry import hint
from dupgroups.model import Query, SearchMode, Sort

DEFAULT_PAGE_HITS = 10  # hits on a page by default
MAX_PAGE_HITS = 100  # maximum number of hits of a request
MAX_TABLE_HITS = 1000  # maximum number of hits of a table
MAX_QUERY_CHARS = 500  # maximum number of characters of a query

_NAMES = {field.name: "q" if field.name == "text" else field.name for field in fields(Query)}
_OPTIONAL = ("language", "site", "author", "cursor", "since", "until")
_DEFAULTS = Query()


PARAMETER_HELP: Mapping[str, str] = {
    "q": "the words; none finds everything, newest first",
    "mode": "collapse (stories), head (their main copies) or all (documents)",
    "limit": "hits: 10, at most 100; of a table 1000",
    "offset": "hits to skip",
    "copies": "other copies that are listed with a hit: 3, at most 100",
    "language": "only this language, such as en",
    "site": "only this site: a host, or its name",
    "author": "only this author: the complete name",
    "cursor": "the cursor of the page before (modes head and all)",
    "any_word": "1: one of the words is enough",
    "since": "the first day, such as 2026-03-04",
    "until": "the last day",
    "sort": "relevance, date, or copies (the most copies that match)",
    "format": "json or csv",
}
"""What a search takes at `/api/search`, in English, as all of the API is."""

PATHS: Mapping[str, str] = {
    "/api/search?q=ferry&limit=1": "Stories or documents that match",
    "/api/search?sort=copies&format=csv": "The same as a table",
    "/api/stories?order=sites&since=2026-03-04": (
        "Stories by copies, sites, sources, last_published or last_seen"
    ),
    "/api/groups/GROUP": "The copies of a story, and how it spread; with format=csv as a table",
    "/api/explain?a=ID&b=ID": "Why two documents are one story or two",
    "POST /api/find": "The copies of a text (or html, or the id or url of a document); stores nothing",
    "/feed?q=ferry": "The newest results as an Atom feed",
    "/metrics": "Figures for Prometheus",
    "/healthz": "Whether the index answers",
}
"""The addresses that other programs read, with an example of each."""


def from_parameters(
    parameters: Mapping[str, str], *, limit: int = DEFAULT_PAGE_HITS, most: int = MAX_PAGE_HITS
) -> Query:
    """The query of a URL; without parameters it finds everything, newest first.

    Raises InputError for an unknown mode or order, for an invalid number, and for a text of more than
    MAX_QUERY_CHARS characters. Unknown parameters are ignored, because other tools add some to links (see
    `check_names`).
    """
    text = parameters.get("q", "").strip()
    if len(text) > MAX_QUERY_CHARS:
        raise InputError(f"the search text has {len(text):,} characters: use at most {MAX_QUERY_CHARS}")
    return Query(
        text=text,
        mode=choice(parameters, "mode", get_args(SearchMode)),
        limit=count(parameters, "limit", limit, most),
        offset=count(parameters, "offset", 0, MAX_WINDOW_HITS),
        copies=count(parameters, "copies", _DEFAULTS.copies, MAX_PAGE_HITS),
        any_word=bool(count(parameters, "any_word", 0, 1)),
        sort=choice(parameters, "sort", get_args(Sort)),
        **{name: parameters.get(name) or None for name in _OPTIONAL},
    )


def check_names(parameters: Iterable[str], allowed: Collection[str]) -> None:
    """Raise InputError for a parameter that is not `allowed`; the message lists those that are."""
    for name in parameters:
        if name not in allowed:
            takes = f"known: {', '.join(allowed)}" if allowed else "this address takes none"
            raise InputError(f"unknown parameter {name[:40]!r}{hint(name, allowed)}; {takes}")


def choice(parameters: Mapping[str, str], name: str, allowed: Sequence[str]) -> Any:
    """One of the known values; without any the default of a query, or the first. Raises InputError."""
    value = str(parameters.get(name) or getattr(_DEFAULTS, name, allowed[0]))
    if value not in allowed:
        raise InputError(f"unknown {name} {value[:40]!r}: use {', '.join(allowed)}")
    return value


def count(parameters: Mapping[str, str], name: str, default: int, most: int) -> int:
    """A number of a URL. Raises InputError for anything but one from 0 to `most`."""
    value = parameters.get(name) or str(default)
    # isdecimal alone would pass a thousand digits on to int()
    if not (value.isascii() and value.isdecimal() and len(value) < 10 and int(value) <= most):
        raise InputError(f"{name} must be a number from 0 to {most:,}, not {value[:40]!r}")
    return int(value)


def changed_parameters(query: Query) -> dict[str, str]:
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


def csv_url(query: Query) -> str:
    """The URL of the first results of this query as CSV."""
    return _with_query(
        "/api/search", replace(query, offset=0, cursor=None, limit=_DEFAULTS.limit), format="csv"
    )


def explain_url(a: str, b: str) -> str:
    """The URL of the page that explains how two documents (ids) are related."""
    return f"/explain?{urlencode({'a': a, 'b': b})}"


def feed_url(query: Query) -> str:
    """The URL of the Atom feed of the newest results of this query."""
    return "/feed" + search_url(query, limit=DEFAULT_PAGE_HITS, copies=_DEFAULTS.copies, sort="relevance")[1:]


def login_url(back: str) -> str:
    """The URL that asks for a token, and leads back to the page of a story (`group_url`)."""
    return f"/login?{urlencode({'back': back})}"


def group_url(group: str, query: Query, **more: str) -> str:
    """The URL of the page of a group; it keeps the query from which it was opened."""
    return _with_query(f"/groups/{quote(group, safe='')}", query, **more)


def _with_query(path: str, query: Query, **more: str) -> str:
    parameters = changed_parameters(query) | more
    return f"{path}?{urlencode(parameters)}" if parameters else path


def web_address(url: str | None) -> str | None:
    """The URL if a link may point to it (http or https, with a host), else None."""
    return url if _parts(url) else None


def host_of(url: str | None) -> str:
    """The host of a URL that may be linked, without "www."; "" for any other."""
    parts = _parts(url)
    return (parts.hostname or "").removeprefix("www.") if parts else ""


def _parts(url: str | None) -> SplitResult | None:
    try:
        parts = urlsplit(url or "")
        return parts if parts.scheme in ("http", "https") and parts.hostname else None
    except ValueError:
        return None
