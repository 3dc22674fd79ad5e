"""Search bodies as plain values, built by pure functions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dupgroups.engines.base import MAX_FACETS, MAX_WINDOW_HITS
from dupgroups.engines.common import max_edits
from dupgroups.engines.date_buckets import Unit
from dupgroups.flow.batches import batches
from dupgroups.model import MIN_STORY_COPIES, Query
from dupgroups.text.query_syntax import Search
from dupgroups_es.layout import OWN_LAYOUT, Layout
from dupgroups_es.mapping import RECORD_FIELDS
from dupgroups_es.matching import HAS_GROUP, matching

Body = dict[str, Any]

RECORD = sorted(set(RECORD_FIELDS) - {"dup_id"})
DOCUMENT = [*RECORD, *"text title date language url site_name article author image scope".split()]
KEYS = ["dup_keys", "dup_scheme"]
MAX_LOOKUP_KEYS = 500  # keys per look-up: servers reject more than 1,024 clauses
MAX_TOKEN_CHARS = 100  # characters of a key that the analyzer of a match surely leaves whole
SPARE_GROUPS = 1_000  # groups that a shard names besides those that are asked for
EXACT_STORY_DOCUMENTS = 1_000  # documents whose stories are counted exactly
MAX_BUCKETS = 65_000  # of one aggregation: servers reject more than 65,535
SIZE_PARTS = ["hits", "aggregations.sizes.sum_other_doc_count", "aggregations.sizes.buckets.doc_count"]
PAGE_DOCUMENTS = 1000  # documents per page when all are read

OLDEST_FIRST = [{"dup_first_seen": "asc"}, {"dup_id": "asc"}]
_LATEST_FIRST: list[Body] = [{"dup_last_seen": {"order": "desc"}}, {"dup_id": {"order": "asc"}}]
_GROUPLESS: Body = {"must_not": [HAS_GROUP]}


def candidates(scheme: str, keys: Sequence[str], size: int, most: int, *, least: int = 1) -> Body:
    """Looks up the documents that share `least` of these keys, MAX_LOOKUP_KEYS at most; most shared keys
    first.

    Each shared key scores 1, however rare it is, so the score is the number of shared keys. A hit is its sort
    values, score and id, and its version: nothing is read of the stored document, which would cost more than
    all the rest. A shard that has met `most` documents goes no further, and says so (`terminated_early`).
    """
    return {
        "size": size,
        "terminate_after": most,
        "track_total_hits": False,
        "_source": False,
        "stored_fields": "_none_",
        "seq_no_primary_term": True,
        "sort": [{"_score": "desc"}, {"dup_id": "asc"}],
        "query": {
            "bool": {
                "filter": [{"term": {"dup_scheme": scheme}}],
                **(_match_of(keys, least) if _are_tokens(keys) else _terms_of(keys, least)),
            }
        },
    }


def _are_tokens(keys: Sequence[str]) -> bool:
    """Whether the analyzer of a match makes these keys, and no others, of the keys joined by blanks."""
    return " ".join(keys).split() == list(keys) and max(map(len, keys), default=0) <= MAX_TOKEN_CHARS


def holders_of(scheme: str, key: str, most: int) -> Body:
    """Counts the documents that hold a key, as far as `most`."""
    held: list[Body] = [{"term": {"dup_scheme": scheme}}, {"term": {"dup_keys": key}}]
    return {"size": 0, "track_total_hits": most, "query": {"bool": {"filter": held}}}


def with_archive(body: Mapping[str, Any], hidden: Collection[str]) -> Body:
    """A look-up that also says which index archived keys are of, and finds none of the `hidden` ones."""
    homes: Body = {"docvalue_fields": ["dup_home"]} if body["size"] else {}
    without: Body = {"must_not": [{"terms": {"dup_home": sorted(hidden)}}]} if hidden else {}
    return {**body, **homes, "query": {"bool": body["query"]["bool"] | without}}


def archive_marks() -> Body:
    """How far the keys of shards are archived."""
    return {"size": MAX_WINDOW_HITS, "query": {"exists": {"field": "until"}}}


def archived_keys_of(ids: Sequence[str]) -> Body:
    """The archived keys of documents."""
    body: Body = {"size": MAX_WINDOW_HITS, "_source": ["dup_id", "dup_home"]}
    return body | {"query": {"terms": {"dup_id": list(ids)}}}


def keys_of_homes(uuids: Sequence[str]) -> Body:
    """The archived keys of these indices, without their marks."""
    homes: Body = {"terms": {"dup_home": list(uuids)}}
    return {"query": {"bool": {"filter": [homes], "must_not": [{"exists": {"field": "until"}}]}}}


def marks_of_homes(uuids: Sequence[str]) -> Body:
    """The marks of these indices."""
    return {
        "query": {"bool": {"filter": [{"terms": {"dup_home": list(uuids)}}, {"exists": {"field": "until"}}]}}
    }


def ids_among(ids: Sequence[str]) -> Body:
    """Which of these ids there are, MAX_WINDOW_HITS at most."""
    return {"size": MAX_WINDOW_HITS, "_source": False, "query": {"ids": {"values": list(ids)}}}


def _match_of(keys: Sequence[str], least: int) -> Body:
    words: Body = {"query": " ".join(keys), "analyzer": "whitespace", "minimum_should_match": least}
    return {"must": [{"match": {"dup_keys": words}}]}


def _terms_of(keys: Sequence[str], least: int) -> Body:
    terms = [{"constant_score": {"filter": {"term": {"dup_keys": key}}}} for key in keys]
    return {"should": terms, "minimum_should_match": least}


def by_id(query: Body, fields: Sequence[str] | bool, size: int = PAGE_DOCUMENTS) -> Body:
    """The matching documents in the order of their ids, a page at a time."""
    return {
        "size": size,
        "track_total_hits": False,
        "_source": fields,
        "sort": [{"dup_id": "asc"}],
        "seq_no_primary_term": True,
        "query": query,
    }


def written_between(after: int, until: int, size: int) -> Body:
    """The documents whose last operation has a number in this range; for a search on one shard."""
    numbers: Body = {"range": {"_seq_no": {"gt": after, "lte": until}}}
    return {
        "size": size,
        "track_total_hits": False,
        "_source": False,
        "seq_no_primary_term": True,
        "version": True,
        "sort": [{"_seq_no": "asc"}],
        "query": numbers,
    }


def of_groups(groups: Sequence[str]) -> Body:
    """The members of groups."""
    return {"terms": {"dup_group": list(groups)}}


def oldest_of(group: str, size: int) -> Body:
    """The oldest members of one group: only their ids and versions, as `candidates`."""
    return by_id(of_groups([group]), False, size) | {"sort": OLDEST_FIRST}


def heads_of(groups: Sequence[str]) -> Body:
    """The heads of groups."""
    return {"bool": {"filter": [of_groups(groups), {"term": {"dup_head": True}}]}}


def leading_to(groups: Sequence[str]) -> list[Body]:
    """Look-ups, to be scrolled, for the redirects that lead to groups; [] if there are no groups."""
    look_up: Body = {"size": MAX_WINDOW_HITS, "sort": ["_doc"], "seq_no_primary_term": True}
    return [look_up | {"query": {"terms": {"to": some}}} for some in batches(groups, PAGE_DOCUMENTS)]


def names_leading_to(group: str, size: int) -> Body:
    """Some redirects that lead to a group, in any order."""
    return {"size": size, "track_total_hits": False, "_source": False, "query": {"term": {"to": group}}}


def group_sizes(after: str | None, size: int) -> Body:
    """Counts the members and the heads of groups, by their names as they are stored, those after `after`."""
    by_name: Body = {"size": size, "sources": [{"group": {"terms": {"field": "dup_group"}}}]}
    if after is not None:
        by_name["after"] = {"group": after}
    heads: Body = {"filter": {"term": {"dup_head": True}}}
    groups: Body = {"composite": by_name, "aggs": {"heads": heads}}
    return {"size": 0, "track_total_hits": False, "aggs": {"groups": groups}}


def memberships() -> Body:
    """All grouped documents, for a scroll, by group as it is stored, the oldest member of each first."""
    return {
        "size": PAGE_DOCUMENTS,
        "_source": ["dup_group", "dup_head"],
        "sort": [{"dup_group": {"order": "asc"}}, *OLDEST_FIRST],
        "query": HAS_GROUP,
    }


def corrections(after: int) -> Body:
    """A page of the log of corrections, by number, those after one."""
    by_number: Body = {"number": {"order": "asc", "unmapped_type": "long"}}
    body: Body = {
        "size": PAGE_DOCUMENTS,
        "track_total_hits": False,
        "sort": [by_number],
        "query": {"match_all": {}},
    }
    return body | {"search_after": [after]}


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


def some_without_group() -> Body:
    """A page of documents without `dup_group`."""
    return {"size": PAGE_DOCUMENTS, "_source": False, "query": {"bool": _GROUPLESS}}


def without_group() -> Body:
    """Counts the documents without `dup_group`: a collapsed search shows them all as one hit."""
    return {"size": 0, "track_total_hits": True, "query": {"bool": _GROUPLESS}}


def heads() -> Body:
    """Counts the groups, EXACT_STORY_DOCUMENTS of them exactly, and those that have their head document."""
    few: Body = {
        "terms": {"field": "dup_group", "size": EXACT_STORY_DOCUMENTS, "shard_size": EXACT_STORY_DOCUMENTS}
    }
    groups: Body = {"cardinality": {"field": "dup_group", "precision_threshold": 40_000}}
    heads: Body = {"filter": {"term": {"dup_head": True}}}
    return {"size": 0, "track_total_hits": False, "aggs": {"few": few, "groups": groups, "heads": heads}}


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


def stories(order: str, since: str | None, size: int) -> Body:
    """The records of stories with most of a figure, since a date of publication or, without one, of sight."""
    wanted: list[Body] = [{"range": {"copies": {"gte": MIN_STORY_COPIES}}}]
    if since is not None:
        undated: Body = {"bool": {"must_not": [{"exists": {"field": "last_published"}}]}}
        seen: Body = {"bool": {"filter": [undated, {"range": {"last_seen": {"gte": since}}}]}}
        published: Body = {"range": {"last_published": {"gte": since}}}
        wanted.append({"bool": {"should": [published, seen], "minimum_should_match": 1}})
    sort: list[Body] = [
        {order: {"order": "desc", "missing": "_last", "unmapped_type": "integer"}},
        {"dup_group": {"order": "asc"}},
    ]
    return {"size": size, "track_total_hits": False, "sort": sort, "query": {"bool": {"filter": wanted}}}


def stories_between(after: str | None, until: str | None) -> Body:
    """A page of the stories whose groups, as they are stored, come after one, up to another, by group; None
    is no bound.
    """
    bounds = {"gt": after, "lte": until}
    names: Body = {"range": {"dup_group": {kind: name for kind, name in bounds.items() if name is not None}}}
    several: Body = {"range": {"copies": {"gte": MIN_STORY_COPIES}}}
    return {
        "size": PAGE_DOCUMENTS,
        "track_total_hits": False,
        "_source": ["copies"],
        "sort": [{"dup_group": {"order": "asc"}}],
        "query": {"bool": {"filter": [names, several]}},
    }


def stale_stories() -> Body:
    """A page of the records that a writer is about to count anew."""
    return {"size": MAX_WINDOW_HITS, "_source": False, "query": {"term": {"is_stale": True}}}


def is_ranked(query: Query, search: Search) -> bool:
    """Whether hits are sorted by relevance: if that is wanted, and there are words to search for."""
    return query.sort != "date" and search.wanted is not None


def similar_words(word: str, layout: Layout) -> Body:
    """The words of the index that are spelt like one that it has not, the nearest first."""
    field = layout.words or layout.texts[-1].partition("^")[0]
    term: Body = {"field": field, "prefix_length": 2, "max_edits": max_edits(word), "size": 1}
    term["string_distance"] = "damerau_levenshtein"
    return {"size": 0, "track_total_hits": False, "suggest": {"similar": {"text": word, "term": term}}}


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


def hits(
    query: Query,
    search: Search,
    after: Sequence[Any] | None,
    layout: Layout = OWN_LAYOUT,
    groups: Sequence[str] | None = None,
) -> Body:
    """One page of hits, sorted by relevance or newest first (`is_ranked`); or those of some groups.

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


def scroll_all(fields: Sequence[str]) -> Body:
    """All documents, for a scroll, in index order: the fastest."""
    return {"size": PAGE_DOCUMENTS, "_source": list(fields), "sort": ["_doc"], "query": {"match_all": {}}}


def signed_otherwise(schemes: Collection[str]) -> Body:
    """Counts the signed documents whose scheme is not one of these."""
    of_these: Body = {"terms": {"dup_scheme": sorted(schemes)}}
    query: Body = {"bool": {"filter": HAS_GROUP, "must_not": of_these}}
    return {"size": 0, "track_total_hits": True, "query": query}


def with_routing() -> Body:
    """Counts documents that have a custom routing, but of each shard only the first one."""
    query: Body = {"exists": {"field": "_routing"}}
    return {"size": 0, "track_total_hits": True, "terminate_after": 1, "query": query}


def count_all() -> Body:
    """Counts all documents."""
    return {"size": 0, "track_total_hits": True, "query": {"match_all": {}}}


def _facet(field: str, collapsed: bool) -> Body:
    terms: Body = {"field": field, "size": MAX_FACETS, "shard_size": 10 * MAX_FACETS}
    if not collapsed:
        return {"terms": terms | {"order": [{"_count": "desc"}, {"_key": "asc"}]}}
    return {
        "terms": terms | {"order": [{"stories": "desc"}, {"_key": "asc"}]},
        "aggs": {"stories": {"cardinality": {"field": "dup_group"}}},
    }
