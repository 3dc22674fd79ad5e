"""Convert the responses of a cluster to Results: pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dupgroups.engines.common import to_cursor
from dupgroups.engines.foreign import value_of
from dupgroups.model import Copy, Facet, Hit, Query, Results
from dupgroups.text.snippets import snippet
from dupgroups_es.documents import hit_copy
from dupgroups_es.layout import OURS, Layout

Answer = Mapping[str, Any]
_UNCOUNTED: Answer = {"buckets": ()}  # of a field by which the index cannot count


def groups_of(answer: Answer) -> list[str]:
    """The group of each hit, in order."""
    return [hit["_source"]["dup_group"] for hit in answer["hits"]["hits"]]


def results(
    query: Query,
    words: Sequence[str],
    answer: Answer,
    counted: Answer,
    members: Mapping[str, Answer],
    layout: Layout = OURS,
) -> Results:
    """Build a page of results from its hits, its counts, and the oldest members of the groups on it.

    `words` are what the snippets mark.
    """
    hits = answer["hits"]["hits"]
    documents = total(counted)
    more = len(hits) > query.limit if query.cursor is not None else documents > query.offset + query.limit
    hits = hits[: query.limit]
    aggregations = counted.get("aggregations", {})
    return Results(
        hits=tuple(_hit(query, words, hit, members[hit["_source"]["dup_group"]], layout) for hit in hits),
        stories=aggregations["stories"]["value"] if "stories" in aggregations else documents,
        documents=documents,
        exact=query.mode == "head",
        facets={name: facet(aggregations.get(name, _UNCOUNTED)["buckets"]) for name in ("language", "site")},
        cursor=to_cursor(hits[-1]["sort"]) if more and hits and query.mode != "collapse" else None,
    )


def total(answer: Answer) -> int:
    """The number of matching documents."""
    count: int = answer["hits"]["total"]["value"]
    return count


def _hit(query: Query, words: Sequence[str], hit: Mapping[str, Any], members: Answer, layout: Layout) -> Hit:
    listed = [hit_copy(member, layout) for member in members["hits"]["hits"]]
    others = [copy for copy in listed if copy.id != hit["_id"]]
    return Hit(
        group=hit["_source"]["dup_group"],
        shown=hit_copy(hit, layout),
        size=max(1, total(members)),  # the group may have been merged between the two searches
        copies=tuple(others[: query.copies]),
        snippet=snippet(value_of(hit["_source"], layout.fields.text) or "", words),
        sites=_sites(members, listed),
    )


def _sites(members: Answer, listed: Sequence[Copy]) -> int:
    """The number of sites of a group; of the listed members, if the server cannot count them."""
    if "aggregations" not in members:
        return len({copy.site for copy in listed} - {""})
    count: int = members["aggregations"]["sites"]["value"]
    return count


def facet(buckets: Sequence[Mapping[str, Any]]) -> tuple[Facet, ...]:
    """The values of the buckets of an aggregation, with their stories if these were counted."""
    return tuple(
        Facet(bucket["key"], bucket["stories"]["value"] if "stories" in bucket else bucket["doc_count"])
        for bucket in buckets
    )
