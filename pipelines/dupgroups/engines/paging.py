"""The pages before and after a page of results, the end of paging, and what to search in place of what finds
nothing: for the web and the terminal.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from dupgroups.engines.base import MAX_WINDOW_HITS, Engine
from dupgroups.model import Query, Results
from dupgroups.text.query_syntax import parse
from dupgroups.text.words import search_words


@dataclass(frozen=True, slots=True)
class Pages:
    """The queries of the pages around a page, None if there is no such page; every engine answers them.

    `at_window` is true if there are more hits, but no page reaches them: their offset would be too large, or
    they are not among the documents that were counted. `number` is the number of
    this page, from 1, of `count` that can be reached; None for a page of a cursor, which has no number.
    """

    first: Query | None = None
    previous: Query | None = None
    next: Query | None = None
    at_window: bool = False
    number: int | None = None
    count: int = 1


def pages(query: Query, results: Results) -> Pages:
    """The pages around this one: by offset in collapse mode, by cursor (forward only) in the other modes."""
    number = query.offset // query.limit + 1 if query.limit and query.cursor is None else None
    limit = max(1, query.limit)
    hits = results.documents if query.mode == "all" else results.stories
    count = max(1, math.ceil(hits / limit))
    if query.mode != "collapse":
        onward = replace(query, offset=0, cursor=results.cursor) if results.cursor else None
        first = replace(query, cursor=None) if query.cursor else None
        return Pages(first=first, next=onward, number=number, count=count)
    end = query.offset + query.limit
    count = max(1, min(count, MAX_WINDOW_HITS // limit))  # an offset reaches no more
    full, several = len(results.hits) == query.limit, results.stories > end
    # an estimated number of stories may be too low, so a full page means that there may be more
    more = query.limit > 0 and ((full and (several or not results.exact)) or not results.complete)
    fits = end + query.limit <= MAX_WINDOW_HITS and (several or results.complete)
    return Pages(
        previous=replace(query, offset=max(0, query.offset - query.limit)) if query.offset else None,
        next=replace(query, offset=end) if more and fits else None,
        at_window=more and not fits,
        number=number,
        count=max(count, number + (more and fits)) if number else count,
    )


def with_any_word(engine: Engine, query: Query) -> Results | None:
    """The stories with any of the words of a query that finds none with all of them; None for no stories."""
    if query.any_word or not parse(query.text, query.language).has_parts:
        return None
    results = engine.search(replace(query, any_word=True, limit=0, offset=0, cursor=None))
    return results if results.stories else None


_WORD = re.compile(r"[^\W\d_]{4,}")


def with_similar_words(engine: Engine, query: Query) -> Query | None:
    """The query with similar words for those that no document has; None if that finds nothing either."""
    text = query.text
    for word in dict.fromkeys(_WORD.findall(text)):
        if [word.lower()] == search_words(word) and (similar := engine.similar_word(word.lower())):
            text = re.sub(rf"\b{word}\b", similar, text)
    asked = replace(query, text=text, limit=0, offset=0, cursor=None)
    return replace(query, text=text) if text != query.text and engine.search(asked).documents else None
