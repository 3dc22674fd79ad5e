"""The query that a search means: words and phrases in the fields of a layout, and filters; pure functions."""

from typing import Any

from dupgroups.model import Query
from dupgroups.text.iso_dates import next_day
from dupgroups.text.language import normalize_language
from dupgroups.text.query_syntax import Either, Node, Run, Search, Term, terms_of
from dupgroups.text.terms import SIGN
from dupgroups_es.layout import Layout

Body = dict[str, Any]

HAS_GROUP: Body = {"exists": {"field": "dup_group"}}


def matching(query: Query, search: Search, layout: Layout) -> Body:
    """The query for the documents that a search wants and its filters let pass."""
    filters: list[Body] = [HAS_GROUP] if layout.is_adopted else []
    if query.mode == "head":
        filters.append({"term": {"dup_head": True}})
    if query.language is not None:  # an adopted index has the names of other tools
        names = dict.fromkeys((query.language, normalize_language(query.language)))
        filters.append({"terms": {str(layout.language): [*names]}})
    if query.site is not None:
        names = dict.fromkeys((str(layout.site), "site_name"))
        filters.append({"bool": {"should": [{"term": {name: query.site}} for name in names]}})
    if query.author is not None:
        filters.append({"term": {str(layout.author): query.author}})
    if query.since is not None or query.until is not None:
        filters.append({"range": {str(layout.date): _date_range(query.since, query.until)}})
    if query.text.strip() and search.wanted is None:
        filters.append({"match_none": {}})
    if search.wanted and not layout.words and not query.any_word and not _has_prefix(search.wanted):
        filters.append(_match_analyzed(search.wanted, layout))
    wanted = [] if search.wanted is None else [_node(search.wanted, layout, required=not query.any_word)]
    unwanted = [_node(node, layout, required=False) for node in search.unwanted]
    unwanted += [] if query.mode == "all" else [{"term": {"dup_length": 0}}]
    return {"bool": {"must": wanted, "must_not": unwanted, "filter": filters}}


def _date_range(since: str | None, until: str | None) -> Body:
    """The days from `since` to `until`, both of them whole."""
    after = next_day(until) if until else None
    bounds = {"gte": since, "lt": after, "format": "strict_date"}
    return {name: value for name, value in bounds.items() if value is not None}


def _node(node: Node, layout: Layout, *, required: bool) -> Body:
    if isinstance(node, Term):
        if layout.is_adopted:
            return _adopted_term(node, layout, required=required)
        return _any_of([_run(run) for run in node.runs])
    parts = [_node(part, layout, required=required) for part in node.parts]
    return _any_of(parts) if isinstance(node, Either) else {"bool": {"must": parts}}


def _any_of(clauses: list[Body]) -> Body:
    if len(clauses) == 1:
        return clauses[0]
    return {"bool": {"should": clauses, "minimum_should_match": 1}}


def _run(run: Run) -> Body:
    """The clause that finds a run."""
    first = run.terms[0]
    if run.prefix:
        return {"prefix": {"terms": first}}
    if len(run.terms) > 1:
        return {"match_phrase": {"terms": {"query": " ".join(run.terms), "analyzer": "whitespace"}}}
    clause: Body = {"term": {"terms" if SIGN in first else "words": first}}
    return clause if run.counts else {"constant_score": {"filter": clause, "boost": 0}}


def _adopted_term(term: Term, layout: Layout, *, required: bool) -> Body:
    """A word or phrase in the title or the text of an index of one's own, by its analyzers where they are.

    Words that an analyzer leaves out ("the") match where they are `required`.
    """
    run = term.runs[0]
    if layout.words and not layout.texts:
        kind = "prefix" if run.prefix else "term"
        return {"bool": {"must": [{kind: {layout.words: word}} for word in term.shown]}}
    if layout.words and len(run.terms) == 1:
        return {"prefix" if run.prefix else "term": {layout.words: term.shown[0]}}
    match: Body = {"query": _typed_text(term), "fields": list(layout.texts)}
    if run.prefix:
        return {"multi_match": match | {"type": "phrase_prefix"}}
    if len(run.terms) > 1:
        return {"multi_match": match | {"type": "phrase"}}
    left_out = "all" if required else "none"
    return {"multi_match": match | {"operator": "and", "zero_terms_query": left_out}}


def _match_analyzed(wanted: Node, layout: Layout) -> Body:
    """At least one of the words, so that a query of words that are all left out finds nothing."""
    words = dict.fromkeys(map(_typed_text, terms_of(wanted)))
    return {"multi_match": {"query": " ".join(words), "fields": list(layout.texts)}}


def _has_prefix(wanted: Node) -> bool:
    """Whether a word may go on: it has to be found itself, and is no whole word that `_match_analyzed`
    finds."""
    return any(run.prefix for term in terms_of(wanted) for run in term.runs)


def _typed_text(term: Term) -> str:
    """A word or phrase as it was typed: how it is folded is up to the analyzers of the index."""
    return term.typed or " ".join(term.shown)
