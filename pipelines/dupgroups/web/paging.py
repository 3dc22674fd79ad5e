"""Which pages lie before and behind a page of results, and where paging ends."""

from __future__ import annotations

from dataclasses import dataclass

from dupgroups.engines.base import WINDOW
from dupgroups.model import Query, Results
from dupgroups.web.parameters import search_url


@dataclass(frozen=True, slots=True)
class Pages:
    """URLs of the neighbours of a page, None where there is none; `at_window` when only the limit ends it."""

    first: str | None = None
    previous: str | None = None
    next: str | None = None
    at_window: bool = False


def pages(query: Query, results: Results) -> Pages:
    """Neighbours of this page: by offset in collapse mode, by cursor in the others (which only goes on)."""
    if query.mode != "collapse":
        onward = search_url(query, cursor=results.cursor) if results.cursor else None
        return Pages(first=search_url(query) if query.cursor else None, next=onward)
    end = query.offset + query.limit
    # an estimated number of stories may be too low: then a full page says that there may be more
    more = len(results.hits) == query.limit > 0 and (not results.exact or results.stories > end)
    fits = end + query.limit <= WINDOW
    return Pages(
        previous=search_url(query, offset=max(0, query.offset - query.limit)) if query.offset else None,
        next=search_url(query, offset=end) if more and fits else None,
        at_window=more and not fits,
    )
