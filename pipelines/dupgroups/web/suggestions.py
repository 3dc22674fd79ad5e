"""What to offer when a search finds nothing: a looser search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dupgroups.engines import Engine
from dupgroups.model import Query
from dupgroups.text.query_syntax import parse


@dataclass(frozen=True, slots=True)
class Suggestions:
    """`with_any_word`: stories with one of the words, or more if not `complete`."""

    with_any_word: int = 0
    complete: bool = True


def suggest(engine: Engine, query: Query) -> Suggestions:
    """What is there in place of a query that finds nothing."""
    if query.any_word or not parse(query.text, query.language).has_parts:
        return Suggestions()
    found = engine.search(replace(query, any_word=True, limit=0, offset=0, cursor=None))
    return Suggestions(found.stories, found.complete)
