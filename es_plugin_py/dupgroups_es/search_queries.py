"""Bodies of the searches of readers as plain values, built by pure functions."""

from collections.abc import Sequence
from typing import Any

from dupgroups.engines.base import MAX_FACETS
from dupgroups.engines.common import max_edits
from dupgroups.engines.date_buckets import Unit
from dupgroups.model import Query
from dupgroups.text.query_syntax import Search
from dupgroups_es.layout import OWN_LAYOUT, Layout
from dupgroups_es.matching import matching
from dupgroups_es.queries import EXACT_STORY_DOCUMENTS, OLDEST_FIRST, Body, of_groups

SPARE_GROUPS = 1_000  # groups that a shard names besides those that are asked for
MAX_BUCKETS = 65_000  # of one aggregation: servers reject more than 65,535
SIZE_PARTS = ["hits", "aggregations.sizes.sum_other_doc_count", "aggregations.sizes.buckets.doc_count"]
_LATEST_FIRST: list[Body] = [{"dup_last_seen": {"order": "desc"}}, {"dup_id": {"order": "asc"}}]


def is_ranked(query: Query, search: Search) -> bool:
    """Whether hits are sorted by relevance: if that is wanted, and there are words to search for."""
    return query.sort != "date" and search.wanted is not None


def hits(
    query: Query,
    search: Search,
    after: Sequence[Any] | None,
    layout: Layout = OWN_LAYOUT,
    groups: Sequence[str] | None = None,
) -> Body:
    """One page of hits, sorted by relevance or newest first (`is_ranked`); or those of some groups, of each
    its main copy.

    Counts need a separate search (`counts`): some OpenSearch versions collapse wrongly in a request that also
    aggregates, because they then search segments concurrently.
    """
    body: Body = {
        "size": query.limit if after is None else query.limit + 1,  # one more, to see if there is a next page
        "from": query.offset,
        "track_total_hits": False,
        "_source": ["dup_group", *filter(None, [layout.fields.text]), *layout.shown],
        "sort": [
            *([{"_score": {"order": "desc"}}] if is_ranked(query, search) else []),
            *_newest_first(layout),
        ],
        "query": matching(query, search, layout),
    }
    if query.mode == "collapse":
        body["collapse"] = {"field": "dup_group"}
    if groups is not None:
        body["query"]["bool"]["filter"].append(of_groups(groups))
        body["from"] = 0
        body["sort"].insert(0, {"dup_head": {"order": "desc"}})  # of each story the main copy, if it matches
    if after is not None:
        body["search_after"] = list(after)
    return body


def _newest_first(layout: Layout) -> list[Body]:
    if layout.date is None:
        return _LATEST_FIRST
    by_date: Body = {layout.date: {"order": "desc", "missing": "_last"}}
    if layout.is_adopted:
        by_date[layout.date]["numeric_type"] = "date"  # nanoseconds as well are compared as milliseconds
    return [by_date, *_LATEST_FIRST]


def counts(query: Query, search: Search, layout: Layout = OWN_LAYOUT) -> Body:
    """Counts matching documents and stories, facets, and the first and the last date, as far as the index
    can; in collapse mode stories are estimated.
    """
    stories: Body = {"cardinality": {"field": "dup_group", "precision_threshold": 40_000}}
    collapsed = query.mode == "collapse"
    facets = {"language": layout.language, "site": layout.site}
    aggregations = {name: _facet(field, collapsed) for name, field in facets.items() if field}
    if "site" in aggregations:
        named: Body = {"terms": {"field": "site_name", "size": 2}}
        aggregations["site"].setdefault("aggs", {})["named"] = named
    if layout.date:
        aggregations |= {"first": {"min": {"field": layout.date}}, "last": {"max": {"field": layout.date}}}
    if query.mode != "head":
        aggregations["stories"] = stories
    body: Body = {"size": 0, "track_total_hits": True, "query": matching(query, search, layout)}
    return body | ({"aggs": aggregations} if aggregations else {})


def periods(query: Query, search: Search, unit: Unit, layout: Layout = OWN_LAYOUT) -> Body:
    """Counts matching documents by day, month or year; the keys are days in ISO 8601."""
    by_date = {"field": layout.date, "calendar_interval": unit, "format": "yyyy-MM-dd", "min_doc_count": 1}
    aggregations = {"periods": {"date_histogram": by_date}}
    body: Body = {"size": 0, "track_total_hits": False, "query": matching(query, search, layout)}
    return body | {"aggs": aggregations}


def _facet(field: str, collapsed: bool) -> Body:
    terms: Body = {"field": field, "size": MAX_FACETS, "shard_size": 10 * MAX_FACETS}
    if not collapsed:
        return {"terms": terms | {"order": [{"_count": "desc"}, {"_key": "asc"}]}}
    return {
        "terms": terms | {"order": [{"stories": "desc"}, {"_key": "asc"}]},
        "aggs": {"stories": {"cardinality": {"field": "dup_group"}}},
    }


def most_copied(query: Query, search: Search, layout: Layout = OWN_LAYOUT) -> Body:
    """Counts the matching members of groups, those of the page and before it. Several shards may miss a group
    that is among the first only if all of them are added up: each names more than are asked for.
    """
    size = query.offset + query.limit
    order: list[Body] = [{"_count": "desc"}, {"_key": "asc"}]
    return _by_group(query, search, layout, {"size": size, "shard_size": size + SPARE_GROUPS, "order": order})


def few_stories(query: Query, search: Search, layout: Layout = OWN_LAYOUT) -> Body:
    """Counts the groups of at most EXACT_STORY_DOCUMENTS matching documents exactly."""
    return _by_group(
        query, search, layout, {"size": EXACT_STORY_DOCUMENTS, "shard_size": EXACT_STORY_DOCUMENTS}
    )


def _by_group(query: Query, search: Search, layout: Layout, terms: Body) -> Body:
    body: Body = {"size": 0, "track_total_hits": False, "query": matching(query, search, layout)}
    return body | {"aggs": {"groups": {"terms": {"field": "dup_group", **terms}}}}


def similar_words(word: str, layout: Layout) -> Body:
    """The words of the index that are spelt like one that it has not, the nearest first."""
    field = layout.words or layout.texts[-1].partition("^")[0]
    term: Body = {"field": field, "prefix_length": 2, "max_edits": max_edits(word), "size": 1}
    term["string_distance"] = "damerau_levenshtein"
    return {"size": 0, "track_total_hits": False, "suggest": {"similar": {"text": word, "term": term}}}


def group_copies(names: Sequence[str], size: int, layout: Layout = OWN_LAYOUT) -> Body:
    """The oldest members of a group of these names, a page at a time, and the number of all members."""
    return {
        "size": size,
        "track_total_hits": True,
        "_source": layout.shown,
        "sort": OLDEST_FIRST,
        "query": of_groups(names),
    }


def group_summary(group: str, size: int, layout: Layout = OWN_LAYOUT) -> Body:
    """The oldest members of a group, the number of all members, and of the sites that they are on."""
    sites: Body = {"aggs": {"sites": {"cardinality": {"field": layout.site}}}} if layout.site else {}
    return group_copies([group], size, layout) | sites


def statistics(layout: Layout = OWN_LAYOUT) -> Body:
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
            "heads": {"filter": {"term": {"dup_head": True}}},
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
