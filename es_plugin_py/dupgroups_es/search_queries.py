"""Bodies of the searches of readers as plain values: the query that a search means, and what it asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dupgroups.engines.base import MAX_FACETS
from dupgroups.engines.common import max_edits
from dupgroups.engines.date_buckets import Unit
from dupgroups.model import Query
from dupgroups.text.iso_dates import next_day
from dupgroups.text.language import normalize_language
from dupgroups.text.query_syntax import Either, Node, Run, Search, Term, terms_of
from dupgroups.text.terms import SIGN
from dupgroups_es.layout import Layout
from dupgroups_es.queries import EXACT_STORY_DOCUMENTS, HAS_GROUP, IS_HEAD, OLDEST_FIRST, Body, of_groups

SPARE_GROUPS = 1_000  # groups that a shard names besides those that are asked for
MAX_BUCKETS = 65_000  # of one aggregation: servers reject more than 65,535
SIZE_PARTS = ["hits", "aggregations.sizes.sum_other_doc_count", "aggregations.sizes.buckets.doc_count"]
_STORIES: Body = {"cardinality": {"field": "dup_group", "precision_threshold": 40_000}}


@dataclass(frozen=True, slots=True)
class SearchBodies:
    """The searches that answer a query: `search` has its words and phrases, `layout` says which fields hold
    them.
    """

    query: Query
    search: Search
    layout: Layout

    @property
    def is_ranked(self) -> bool:
        """Whether hits are sorted by relevance: if that is wanted, and there are words to search for."""
        return self.query.sort != "date" and self.search.wanted is not None

    def hits(self, after: Sequence[Any] | None, groups: Sequence[str] | None = None) -> Body:
        """One page of hits, sorted by relevance or newest first (`is_ranked`); or those of some groups, of
        each its main copy.

        Counts need a separate search (`counts`): some OpenSearch versions collapse wrongly in a request that
        also aggregates, because they then search segments concurrently.
        """
        query, layout = self.query, self.layout
        body: Body = {
            "size": query.limit if after is None else query.limit + 1,  # one more, to see if a page follows
            "from": query.offset,
            "track_total_hits": False,
            "_source": ["dup_group", *filter(None, [layout.fields.text]), *layout.shown],
            "sort": [*([{"_score": {"order": "desc"}}] if self.is_ranked else []), *_newest_first(layout)],
            "query": matching(query, self.search, layout),
        }
        if query.mode == "collapse":
            body["collapse"] = {"field": "dup_group"}
        if groups is not None:
            body["query"]["bool"]["filter"].append(of_groups(groups))
            body["from"] = 0
            body["sort"].insert(0, {"dup_head": {"order": "desc"}})  # of each the main copy, if it matches
        if after is not None:
            body["search_after"] = list(after)
        return body

    def _count(self, aggregations: Body, *, total: bool = False) -> Body:
        matched = matching(self.query, self.search, self.layout)
        body: Body = {"size": 0, "track_total_hits": total, "query": matched}
        return body | ({"aggs": aggregations} if aggregations else {})

    def counts(self) -> Body:
        """Counts matching documents and stories, facets, and the first and the last date, as far as the index
        can; in collapse mode stories are estimated.
        """
        layout, collapsed = self.layout, self.query.mode == "collapse"
        facets = {"language": layout.language, "site": layout.site}
        aggregations = {name: _facet(field, collapsed) for name, field in facets.items() if field}
        if "site" in aggregations:
            named: Body = {"terms": {"field": "site_name", "size": 2}}
            aggregations["site"].setdefault("aggs", {})["named"] = named
        if layout.date:
            ends = {"first": {"min": {"field": layout.date}}, "last": {"max": {"field": layout.date}}}
            aggregations |= ends
        if self.query.mode != "head":
            aggregations["stories"] = _STORIES
        return self._count(aggregations, total=True)

    def periods(self, unit: Unit) -> Body:
        """Counts matching documents by day, month or year; the keys are days in ISO 8601."""
        form = {"calendar_interval": unit, "format": "yyyy-MM-dd", "min_doc_count": 1}
        return self._count({"periods": {"date_histogram": {"field": self.layout.date, **form}}})

    def most_copied(self) -> Body:
        """Counts the matching members of groups, those of the page and before it. Several shards may miss a
        group that is among the first only if all of them are added up: each names more than are asked for.
        """
        size = self.query.offset + self.query.limit
        order: list[Body] = [{"_count": "desc"}, {"_key": "asc"}]
        return self._by_group({"size": size, "shard_size": size + SPARE_GROUPS, "order": order})

    def few_stories(self) -> Body:
        """Counts the groups of at most EXACT_STORY_DOCUMENTS matching documents exactly."""
        return self._by_group({"size": EXACT_STORY_DOCUMENTS, "shard_size": EXACT_STORY_DOCUMENTS})

    def _by_group(self, terms: Body) -> Body:
        return self._count({"groups": {"terms": {"field": "dup_group", **terms}}})


def _newest_first(layout: Layout) -> list[Body]:
    latest_first: list[Body] = [{"dup_last_seen": {"order": "desc"}}, {"dup_id": {"order": "asc"}}]
    if layout.date is None:
        return latest_first
    by_date: Body = {layout.date: {"order": "desc", "missing": "_last"}}
    if layout.is_adopted:
        by_date[layout.date]["numeric_type"] = "date"  # nanoseconds as well are compared as milliseconds
    return [by_date, *latest_first]


def _facet(field: str, collapsed: bool) -> Body:
    terms: Body = {"field": field, "size": MAX_FACETS, "shard_size": 10 * MAX_FACETS}
    if not collapsed:
        return {"terms": terms | {"order": [{"_count": "desc"}, {"_key": "asc"}]}}
    return {
        "terms": terms | {"order": [{"stories": "desc"}, {"_key": "asc"}]},
        "aggs": {"stories": {"cardinality": {"field": "dup_group"}}},
    }


def similar_words(word: str, layout: Layout) -> Body:
    """The words of the index that are spelt like one that it has not, the nearest first."""
    field = layout.words or layout.texts[-1].partition("^")[0]
    term: Body = {"field": field, "prefix_length": 2, "max_edits": max_edits(word), "size": 1}
    term["string_distance"] = "damerau_levenshtein"
    return {"size": 0, "track_total_hits": False, "suggest": {"similar": {"text": word, "term": term}}}


def group_copies(names: Sequence[str], size: int, layout: Layout) -> Body:
    """The oldest members of a group of these names, a page at a time, and the number of all members."""
    return {
        "size": size,
        "track_total_hits": True,
        "_source": layout.shown,
        "sort": OLDEST_FIRST,
        "query": of_groups(names),
    }


def group_summary(group: str, size: int, layout: Layout) -> Body:
    """The oldest members of a group, the number of all members, and of the sites that they are on."""
    sites: Body = {"aggs": {"sites": {"cardinality": {"field": layout.site}}}} if layout.site else {}
    return group_copies([group], size, layout) | sites


def statistics(layout: Layout) -> Body:
    """Counts documents, heads and, where the index can, sites; finds when a document was last seen."""
    sites: Body = (
        {
            "sites": {"cardinality": {"field": layout.site, "precision_threshold": 40_000}},
            "largest": _facet(layout.site, collapsed=False),
        }
        if layout.site
        else {}
    )
    return {
        "size": 0,
        "track_total_hits": True,
        "query": {"match_all": {}},
        "aggs": {
            "heads": {"filter": IS_HEAD},
            **sites,
            "seen": {"max": {"field": "dup_last_seen"}},
        },
    }


def sizes(partition: int, of: int) -> Body:
    """The sizes of the groups that have several members, of one of so many parts of the groups."""
    terms: Body = {
        "field": "dup_group",
        "size": MAX_BUCKETS,
        "shard_size": MAX_BUCKETS,
        "min_doc_count": 2,
        "include": {"partition": partition, "num_partitions": of},
    }
    return {"size": 0, "track_total_hits": False, "aggs": {"sizes": {"terms": terms}}}


# -- the query that a search means


def matching(query: Query, search: Search, layout: Layout) -> Body:
    """The query for the documents that a search wants and its filters let pass."""
    filters: list[Body] = [HAS_GROUP] if layout.is_adopted else []
    if query.mode == "head":
        filters.append(IS_HEAD)
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
