"""Full-text search in a dictionary of documents: the reference for the searches of all other engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from dupgroups.engines.common import check_query, copy_of, from_cursor, most, names_of, site_of, to_cursor
from dupgroups.engines.dates import PREFIX, day_of, histogram, unit_of
from dupgroups.engines.similar import similar_words
from dupgroups.model import Document, Facet, Hit, Period, Query, Results
from dupgroups.text.query_syntax import Either, Node, Run, Search, Term, found_words, parse, terms_of
from dupgroups.text.snippets import snippet
from dupgroups.text.terms import SIGN, search_terms

Members = Callable[[str], Sequence[Document]]
"""The documents of a group, the oldest first."""

Rank = tuple[float, tuple[int, ...], int, str]


@dataclass(frozen=True, slots=True)
class Terms:
    """The fields of a document, each a list of terms with its weight, the frequency of each term, and the
    number of all terms."""

    fields: Sequence[tuple[list[str], int]]
    weight: Counter[str]
    length: int

    @classmethod
    def of(cls, document: Document) -> Terms:
        """The terms of a document."""
        content = document.content
        title, text = (search_terms(field, content.language) for field in (content.title, content.text))
        others = (title.stems + text.stems, title.pairs * 3 + text.pairs)
        fields = [(title.words, 3), (text.words, 1), *((terms, 1) for terms in others)]
        weight = Counter(term for terms, weight in fields for term in terms * weight)
        return cls(fields, weight, sum(len(terms) for terms, _ in fields))

    def frequency(self, run: Run) -> int:
        """How often a run occurs; three times as much in the title."""
        if len(run.terms) == 1 and not run.prefix:
            return self.weight[run.terms[0]]
        return sum(weight * _occurrences(terms, run) for terms, weight in self.fields)


def _occurrences(terms: Sequence[str], run: Run) -> int:
    if run.prefix:
        return sum(term.startswith(run.terms[0]) for term in terms)
    size = len(run.terms)
    return sum(tuple(terms[at : at + size]) == run.terms for at in range(len(terms) - size + 1))


class Searcher:
    """Searches a dictionary of documents by id, which may change between two calls: say what to `forget`."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._terms: dict[str, Terms] = {}

    def forget(self, id_: str) -> None:
        """Let go of what is known of a document that has changed or is gone."""
        self._terms.pop(id_, None)

    def search(self, query: Query, members: Members) -> Results:
        """See Engine.search."""
        check_query(query)
        search = parse(query.text, query.language, any_word=query.any_word)
        scores = self._scores(search) if query.text.strip() else dict.fromkeys(self._documents, 0.0)
        if query.sort == "date":
            scores = dict.fromkeys(scores, 0.0)
        matches = sorted(
            (_rank(score, self._documents[id_]), id_)
            for id_, score in scores.items()
            if _passes(self._documents[id_], query)
        )
        documents = [self._documents[id_] for _, id_ in matches]
        shown = [(rank, self._documents[id_]) for rank, id_ in matches]
        if query.mode == "collapse":
            shown = _first_of_each_group(shown)
        page, more = _page(shown, query)
        groups = {document.record.group for document in documents}
        return Results(
            hits=tuple(_hit(document, members(document.record.group), query, search) for _, document in page),
            stories=len(documents if query.mode == "head" else groups),
            documents=len(documents),
            facets=_facets(documents, query),
            cursor=_cursor(*page[-1]) if more and page and query.mode != "collapse" else None,
            histogram=_histogram(documents),
        )

    def closest(self, words: Sequence[str], *, limit: int = 3) -> dict[str, list[str]]:
        """See Engine.closest."""
        held = Counter(term for id_ in self._documents for term in set(self._terms_of(id_).weight))
        known = {word: count for word, count in held.items() if SIGN not in word}
        return {word: similar_words(word, known, limit) for word in words if word not in known}

    def _scores(self, search: Search) -> dict[str, float]:
        """Negated BM25 (k1 = 1.2, b = 0.75, as in SQLite's FTS5) of the documents that a search wants."""
        if search.wanted is None:
            return {}
        counted = {id_: self._terms_of(id_) for id_ in self._documents}
        mean = sum(held.length for held in counted.values()) / max(1, len(counted))
        runs = [run for term in terms_of(search.wanted) for run in term.runs if run.counts]
        holding = {run: sum(held.frequency(run) > 0 for held in counted.values()) for run in runs}
        rarity = {run: max(1e-6, log((len(counted) - n + 0.5) / (n + 0.5))) for run, n in holding.items()}
        return {
            id_: -sum(rarity[run] * _saturated(held.frequency(run), held.length / mean) for run in runs)
            for id_, held in counted.items()
            if _matches(search.wanted, held) and not any(_matches(node, held) for node in search.unwanted)
        }

    def _terms_of(self, id_: str) -> Terms:
        if id_ not in self._terms:
            self._terms[id_] = Terms.of(self._documents[id_])
        return self._terms[id_]


def _hit(document: Document, members: Sequence[Document], query: Query, search: Search) -> Hit:
    content = document.content
    others = [copy_of(member) for member in members if member.record.id != document.record.id]
    return Hit(
        group=document.record.group,
        shown=copy_of(document),
        size=len(members),
        copies=tuple(others[: query.copies]),
        snippet=snippet(content.text, found_words(search, content.text, content.language)),
        sites=len({site_of(member) for member in members} - {""}),
    )


def _matches(node: Node, terms: Terms) -> bool:
    if isinstance(node, Term):
        return any(terms.frequency(run) for run in node.runs)
    needed = any if isinstance(node, Either) else all
    return needed(_matches(part, terms) for part in node.parts)


def _saturated(frequency: int, length: float) -> float:
    return frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length))


def _rank(score: float, document: Document) -> Rank:
    """Best first, then newest first; ties are broken by id."""
    return (score, _falling(document.content.date or ""), -document.record.last_seen, document.record.id)


def _falling(date: str) -> tuple[int, ...]:
    """A sort key for descending dates: each character is negated, and a date sorts before its prefixes."""
    return (*(-ord(character) for character in date), 1)


def _cursor(rank: Rank, document: Document) -> str:
    score, _, seen, id_ = rank
    return to_cursor((score, document.content.date or "", seen, id_))


def _passes(document: Document, query: Query) -> bool:
    return (
        (query.mode != "head" or document.record.is_head)
        and query.language in (None, document.content.language)
        and query.site in (None, site_of(document))
        and query.author in (None, *names_of(document.content.author))
        and _is_between(day_of(document.content.date), query)
    )


def _is_between(day: str | None, query: Query) -> bool:
    if day is None:
        return query.since is None and query.until is None
    return (query.since or "") <= day and (query.until is None or day <= query.until)


def _histogram(documents: Iterable[Document]) -> tuple[Period, ...]:
    days = sorted(day for document in documents if (day := day_of(document.content.date)))
    if not days:
        return ()
    unit = unit_of(days[0], days[-1])
    return histogram(Counter(day[: PREFIX[unit]] for day in days), unit)


def _first_of_each_group(ranked: Iterable[tuple[Rank, Document]]) -> list[tuple[Rank, Document]]:
    best: dict[str, tuple[Rank, Document]] = {}
    for rank, document in ranked:
        best.setdefault(document.record.group, (rank, document))
    return list(best.values())


def _page(
    ranked: Sequence[tuple[Rank, Document]], query: Query
) -> tuple[Sequence[tuple[Rank, Document]], bool]:
    """The hits of one page, and whether there are more after them."""
    if query.cursor is not None:
        score, date, seen, id_ = from_cursor(query.cursor, (float, str, int, str))
        ranked = [match for match in ranked if match[0] > (score, _falling(date), seen, id_)]
    end = query.offset + query.limit
    return ranked[query.offset : end], len(ranked) > end


def _facets(documents: Sequence[Document], query: Query) -> dict[str, tuple[Facet, ...]]:
    kinds: dict[str, Callable[[Document], str]] = {
        "language": lambda document: document.content.language,
        "site": site_of,
    }
    return {kind: _facet(documents, value, query.mode == "all") for kind, value in kinds.items()}


def _facet(documents: Sequence[Document], value: Callable[[Document], str], every: bool) -> tuple[Facet, ...]:
    counted = {
        (value(document), document.record.id if every else document.record.group) for document in documents
    }
    return most(Counter(value for value, _ in counted if value))
