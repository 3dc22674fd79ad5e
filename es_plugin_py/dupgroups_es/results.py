"""Convert the responses of a cluster to Results: pure functions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

from dupgroups.engines.common import to_cursor
from dupgroups.engines.date_buckets import PREFIX, Unit, histogram, unit_of
from dupgroups.engines.external_fields import value_of
from dupgroups.model import Copy, Facet, Hit, Period, Query, Results
from dupgroups.text.language import normalize_language
from dupgroups.text.query_syntax import Search, found_words
from dupgroups.text.snippets import snippet
from dupgroups_es.document_source import hit_copy, hit_group
from dupgroups_es.layout import OWN_LAYOUT, Layout

Answer = Mapping[str, Any]
_NO_BUCKETS: Answer = {"buckets": ()}  # of a field by which the index cannot count

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def results(
    query: Query,
    search: Search,
    answer: Answer,
    counted: Answer,
    members: Mapping[str, Answer],
    periods: tuple[Period, ...] = (),
    layout: Layout = OWN_LAYOUT,
    stories: int | None = None,
    copied: Mapping[str, int] | None = None,
) -> Results:
    """Build a page of results from its hits, its counts, the oldest members of the groups on it, the exact
    number of stories, if it is known, and of stories by their copies, how many of these match.
    """
    hits = answer["hits"]["hits"]
    if copied is not None:
        hits = sorted(hits, key=lambda hit: [*copied].index(hit_group(hit)))
    documents = total(counted)
    more = len(hits) > query.limit if query.cursor is not None else documents > query.offset + query.limit
    hits = hits[: query.limit]
    aggregations = counted.get("aggregations", {})
    estimate = aggregations["stories"]["value"] if "stories" in aggregations else documents
    shown = [_hit(query, search, hit, members[hit_group(hit)], layout) for hit in hits]
    return Results(
        hits=tuple(replace(hit, matching=(copied or {}).get(hit.group, 0)) for hit in shown),
        stories=estimate if stories is None else stories,
        documents=documents,
        exact=query.mode == "head" or stories is not None,
        facets={name: facet(aggregations.get(name, _NO_BUCKETS)["buckets"]) for name in ("language", "site")},
        cursor=to_cursor(hits[-1]["sort"]) if more and hits and query.mode != "collapse" else None,
        histogram=periods,
        only_titles=search.wanted is not None and layout.only_titles,
    )


def unit(counted: Answer) -> Unit | None:
    """In what to count the documents of these counts by date; None if none of them has a date, or one has a
    date that is in no calendar, such as microseconds in a field of milliseconds.
    """
    aggregations = counted.get("aggregations", {})
    ends = [aggregations.get(name, {}).get("value") for name in ("first", "last")]
    if None in ends:
        return None
    try:
        first, last = ((_EPOCH + timedelta(milliseconds=end)).date().isoformat() for end in ends)
    except OverflowError:
        return None
    return unit_of(first, last)


def periods_of(answer: Answer, unit: Unit) -> tuple[Period, ...]:
    """The histogram of an answer to `search_queries.periods`."""
    buckets = answer["aggregations"]["periods"]["buckets"]
    return histogram(
        {bucket["key_as_string"][: PREFIX[unit]]: bucket["doc_count"] for bucket in buckets}, unit
    )


def few_stories(answer: Answer) -> int | None:
    """The number of stories of an answer to `search_queries.few_stories`; None if there were too many."""
    groups = answer["aggregations"]["groups"]
    return None if groups["sum_other_doc_count"] else len(groups["buckets"])


def total(answer: Answer) -> int:
    """The number of matching documents."""
    count: int = answer["hits"]["total"]["value"]
    return count


def _hit(query: Query, search: Search, hit: Mapping[str, Any], members: Answer, layout: Layout) -> Hit:
    source = hit["_source"]
    text = value_of(source, layout.fields.text) or ""
    words = found_words(search, text, normalize_language(value_of(source, layout.fields.language)))
    listed = [hit_copy(member, layout) for member in members["hits"]["hits"]]
    copies = [copy for copy in listed if copy.id != hit["_id"]]
    return Hit(
        group=hit_group(hit),
        shown=hit_copy(hit, layout),
        size=max(1, total(members)),  # the group may have been merged between the two searches
        copies=tuple(copies[: query.copies]),
        snippet=snippet(text, words),
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
    return tuple(map(_facet, buckets))


def _facet(bucket: Mapping[str, Any]) -> Facet:
    value = bucket["key"]
    names = (named["key"] for named in bucket.get("named", _NO_BUCKETS)["buckets"])
    count = bucket["stories"]["value"] if "stories" in bucket else bucket["doc_count"]
    return Facet(value, count, next((name for name in names if name != value), ""))


# -- the sizes of groups

# A cluster cannot count groups by their size, but it can list the sizes of those with several members, in
# partitions that are small enough for its limit of buckets. All other documents are alone in their groups.
# of one partition, on average: less than the buckets of an answer, as partitions differ
PARTITION_GROUPS = 50_000


def group_partitions(counted: Answer) -> int:
    """How many partitions hold all groups that matter; at least 1.

    A single shard needs buckets for the groups with several members, of which there are at most as many as
    documents that are not heads. Of several shards each needs buckets for all groups, because it does not
    know which of them have further members on others.
    """
    heads: int = counted["aggregations"]["heads"]["doc_count"]
    several = counted["_shards"]["total"] > 1
    return 1 + max(heads if several else 0, total(counted) - heads) // PARTITION_GROUPS


def group_sizes(counted: Answer, partitions: Iterable[Answer]) -> dict[int, int]:
    """The number of groups by the number of their members."""
    sizes = Counter(
        bucket["doc_count"]
        for partition in partitions
        for bucket in partition["aggregations"]["sizes"].get("buckets", ())
    )
    alone = total(counted) - sum(size * groups for size, groups in sizes.items())
    return {**({1: alone} if alone > 0 else {}), **sizes}
