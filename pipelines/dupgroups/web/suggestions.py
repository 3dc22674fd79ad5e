"""What to offer when a search finds nothing: a looser search, and words that resemble the missing ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dupgroups.engines import Engine
from dupgroups.model import Query, Results
from dupgroups.text.query_syntax import parse, with_words


@dataclass(frozen=True, slots=True)
class Suggestions:
    """`with_any_word`: stories with one of the words, or more if not `complete`; `closest`: similar words, by
    missing word.
    """

    with_any_word: int = 0
    closest: Mapping[str, list[str]] = field(default_factory=dict)
    complete: bool = True

    def __bool__(self) -> bool:
        return bool(self.with_any_word or self.closest)

    def corrected(self, text: str, word: str, other: str) -> str:
        """The text of the query with another word for a missing one, and for the others their closest."""
        return with_words(
            text, {missing: words[0] for missing, words in self.closest.items()} | {word: other}
        )


def suggest(engine: Engine, query: Query) -> Suggestions:
    """What is there in place of a query that finds nothing."""
    search = parse(query.text, query.language)
    loose = replace(query, any_word=True, limit=0, offset=0, cursor=None)
    found = engine.search(loose) if search.has_parts and not query.any_word else Results((), 0, 0)
    similar = {word: others for word, others in engine.closest(list(search.words)).items() if others}
    return Suggestions(found.stories, similar, found.complete)
