"""The pages before and after a page of results, and the end of paging: for the web and the terminal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dupgroups.engines.base import WINDOW
from dupgroups.model import Query, Results


@dataclass(frozen=True, slots=True)
class Pages:
    """The queries of the pages around a page, None if there is no such page; every engine answers them.

    `at_window` is true if there are more hits, but their offset would be too large.
    """

    first: Query | None = None
    previous: Query | None = None
    next: Query | None = None
    at_window: bool = False


def pages(query: Query, results: Results) -> Pages:
    """The pages around this one: by offset in collapse mode, by cursor (forward only) in the other modes."""
    if query.mode != "collapse":
        onward = replace(query, offset=0, cursor=results.cursor) if results.cursor else None
        return Pages(first=replace(query, cursor=None) if query.cursor else None, next=onward)
    end = query.offset + query.limit
    # an estimated number of stories may be too low, so a full page means that there may be more
    more = len(results.hits) == query.limit > 0 and (not results.exact or results.stories > end)
    fits = end + query.limit <= WINDOW
    return Pages(
        previous=replace(query, offset=max(0, query.offset - query.limit)) if query.offset else None,
        next=replace(query, offset=end) if more and fits else None,
        at_window=more and not fits,
    )
