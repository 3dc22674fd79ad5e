"""Search bodies as plain values, built by pure functions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from dupgroups.engines.base import FACETS, WINDOW
from dupgroups.model import Query, Signature
from dupgroups_es.mapping import RECORD_FIELDS

Body = dict[str, Any]

RECORD = sorted(set(RECORD_FIELDS) - {"dup_id"})
COPY = ["title", "url", "site", "date", "language", "author", "image"]
DOCUMENT = [
    *RECORD,
    "text",
    "title",
    "date",
    "language",
    "url",
    "site_name",
    "article",
    "author",
    "image",
    "scope",
]
KEYS = 500  # keys per look-up: servers reject more than 1,024 clauses
PAGE = 1000  # documents per page when all are read

OLDEST_FIRST = [{"dup_first_seen": "asc"}, {"dup_id": "asc"}]
_NEWEST_FIRST: list[Body] = [
    {"date": {"order": "desc", "missing": "_last"}},
    {"dup_last_seen": {"order": "desc"}},
    {"dup_id": {"order": "asc"}},
]
_BEST_FIRST: list[Body] = [{"_score": {"order": "desc"}}, *_NEWEST_FIRST]


def candidates(signature: Signature, size: int) -> list[Body]:
    """Look-ups for the documents that share a key, most shared keys first; [] for a signature without keys.

    Each shared key scores 1, however rare it is, so the score is the number of shared keys.
    """
    keys = list(dict.fromkeys(signature.keys))
    return [_sharing(signature.scheme, keys[at : at + KEYS], size) for at in range(0, len(keys), KEYS)]


def _sharing(scheme: str, keys: Sequence[str], size: int) -> Body:
    return {
        "size": size,
        "track_total_hits": False,
        "_source": RECORD,
        "sort": [{"_score": "desc"}, {"dup_id": "asc"}],
        "query": {
            "bool": {
                "filter": [{"term": {"dup_scheme": scheme}}],
                "should": [{"constant_score": {"filter": {"term": {"dup_keys": key}}}} for key in keys],
                "minimum_should_match": 1,
            }
        },
    }


def by_id(query: Body, fields: Sequence[str] | bool, size: int = PAGE) -> Body:
    """The matching documents in the order of their ids, a page at a time."""
    return {
        "size": size,
        "track_total_hits": False,
        "_source": fields,
        "sort": [{"dup_id": "asc"}],
        "seq_no_primary_term": True,
        "query": query,
    }


def written(after: int, until: int, size: int) -> Body:
    """The documents whose last operation has a number in this range; for a search on one shard."""
    return {
        "size": size,
        "track_total_hits": False,
        "_source": False,
        "seq_no_primary_term": True,
        "sort": [{"_seq_no": "asc"}],
        "query": {"range": {"_seq_no": {"gt": after, "lte": until}}},
    }


def of_groups(groups: Sequence[str]) -> Body:
    """The members of groups."""
    return {"terms": {"dup_group": list(groups)}}


def heads_of(groups: Sequence[str]) -> Body:
    """The heads of groups."""
    return {"bool": {"filter": [of_groups(groups), {"term": {"dup_head": True}}]}}


def leading_to(groups: Sequence[str]) -> list[Body]:
    """Look-ups, to be scrolled, for the redirects that lead to groups; [] if there are no groups."""
    chunks = [groups[at : at + PAGE] for at in range(0, len(groups), PAGE)]
    return [
        {
            "size": WINDOW,
            "sort": ["_doc"],
            "seq_no_primary_term": True,
            "query": {"terms": {"to": list(chunk)}},
        }
        for chunk in chunks
    ]


def names_leading_to(group: str, size: int) -> Body:
    """Some redirects that lead to a group, in any order."""
    return {"size": size, "track_total_hits": False, "_source": False, "query": {"term": {"to": group}}}


def corrections() -> Body:
    """The whole log of corrections, by number."""
    by_number: Body = {"number": {"order": "asc", "unmapped_type": "long"}}
    return {"size": WINDOW, "track_total_hits": False, "sort": [by_number], "query": {"match_all": {}}}


def group_copies(group: str, size: int) -> Body:
    """The oldest members of a group, a page at a time, and the number of all members."""
    return {
        "size": size,
        "track_total_hits": True,
        "_source": COPY,
        "sort": OLDEST_FIRST,
        "query": {"term": {"dup_group": group}},
    }


def group_summary(group: str, size: int) -> Body:
    """The oldest members of a group, the number of all members, and of the sites that they are on."""
    return group_copies(group, size) | {"aggs": {"sites": {"cardinality": {"field": "site"}}}}


def without_group() -> Body:
    """Counts the documents without `dup_group`: a collapsed search shows them all as one hit."""
    query = {"bool": {"must_not": [{"exists": {"field": "dup_group"}}]}}
    return {"size": 0, "track_total_hits": True, "query": query}


def heads() -> Body:
    """Counts the groups, and those that have their head document."""
    groups: Body = {"cardinality": {"field": "dup_group", "precision_threshold": 40_000}}
    heads: Body = {"filter": {"term": {"dup_head": True}}}
    return {"size": 0, "track_total_hits": False, "aggs": {"groups": groups, "heads": heads}}


def hits(query: Query, words: Sequence[str], after: Sequence[Any] | None) -> Body:
    """One page of hits, sorted by relevance if there are words to search for, else newest first.

    Counts need a separate search (`counts`): some OpenSearch versions collapse wrongly in a request that also
    aggregates, because they then search segments concurrently.
    """
    body: Body = {
        "size": query.limit if after is None else query.limit + 1,  # one more, to see if there is a next page
        "from": query.offset,
        "track_total_hits": False,
        "_source": ["dup_group", "text", *COPY],
        "sort": _BEST_FIRST if words else _NEWEST_FIRST,
        "query": _matching(query, words),
    }
    if query.mode == "collapse":
        body["collapse"] = {"field": "dup_group"}
    if after is not None:
        body["search_after"] = list(after)
    return body


def counts(query: Query, words: Sequence[str]) -> Body:
    """Counts matching documents and stories, and facets; in collapse mode stories are estimated."""
    stories: Body = {"cardinality": {"field": "dup_group", "precision_threshold": 40_000}}
    collapsed = query.mode == "collapse"
    aggregations = {name: _facet(name, collapsed) for name in ("language", "site")}
    if query.mode != "head":
        aggregations["stories"] = stories
    return {"size": 0, "track_total_hits": True, "query": _matching(query, words), "aggs": aggregations}


def _matching(query: Query, words: Sequence[str]) -> Body:
    filters: list[Body] = []
    if query.mode == "head":
        filters.append({"term": {"dup_head": True}})
    if query.language is not None:
        filters.append({"term": {"language": query.language}})
    if query.site is not None:
        filters.append({"term": {"site": query.site}})
    if query.author is not None:
        filters.append({"term": {"author.names": query.author}})
    if query.text.strip() and not words:
        filters.append({"match_none": {}})
    terms = [{"term": {"words": word}} for word in words]
    matching = {"should": terms, "minimum_should_match": 1} if query.any_word and terms else {"must": terms}
    return {"bool": {**matching, "filter": filters}}


def scrolled(fields: Sequence[str], size: int, oldest_by: str | None) -> Body:
    """All documents, for a scroll: oldest first by a date field, or else in index order (the fastest)."""
    by_date: Body = {str(oldest_by): {"order": "asc", "missing": "_last", "unmapped_type": "date"}}
    sort: list[Any] = [by_date] if oldest_by else ["_doc"]
    return {"size": size, "_source": list(fields), "sort": sort, "query": {"match_all": {}}}


def signed_otherwise(schemes: Collection[str]) -> Body:
    """Counts the signed documents whose scheme is not one of these."""
    of_these: Body = {"terms": {"dup_scheme": sorted(schemes)}}
    query: Body = {"bool": {"filter": {"exists": {"field": "dup_group"}}, "must_not": of_these}}
    return {"size": 0, "track_total_hits": True, "query": query}


def everything() -> Body:
    """Counts all documents."""
    return {"size": 0, "track_total_hits": True, "query": {"match_all": {}}}


def _facet(field: str, collapsed: bool) -> Body:
    terms: Body = {"field": field, "size": FACETS, "shard_size": 10 * FACETS}
    if not collapsed:
        return {"terms": terms | {"order": [{"_count": "desc"}, {"_key": "asc"}]}}
    return {
        "terms": terms | {"order": [{"stories": "desc"}, {"_key": "asc"}]},
        "aggs": {"stories": {"cardinality": {"field": "dup_group"}}},
    }
