"""Reads an index as people ask for it: searches with one hit for each story, its copies, and figures."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from itertools import islice
from typing import Any, NamedTuple

from dupgroups.engines.common import check_query, from_cursor, to_cursor
from dupgroups.engines.date_buckets import PREFIX, Unit, histogram, unit_of
from dupgroups.engines.external_fields import value_of
from dupgroups.errors import EngineError, InputError
from dupgroups.model import Copy, Facet, Hit, Period, Query, Results, Statistics
from dupgroups.text.language import normalize_language
from dupgroups.text.query_syntax import found_words, parse
from dupgroups.text.snippets import snippet
from dupgroups_es import queries, search_queries, shapes
from dupgroups_es.document_source import hit_copy, hit_group
from dupgroups_es.layout import Layout
from dupgroups_es.reading import RecordReader
from dupgroups_es.search_queries import SearchBodies
from dupgroups_es.shapes import total

Answer = Mapping[str, Any]
_NO_BUCKETS: Answer = {"buckets": ()}  # of a field by which the index cannot count
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def search(store: RecordReader, layout: Layout, query: Query) -> Results:
    """See Engine.search; `layout` says by which fields."""
    check_query(query)
    if problem := layout.explain_unfit(query):
        raise InputError(problem)
    asked = SearchBodies(query, parse(query.text, query.language, any_word=query.any_word), layout)
    after = sort_values_of_cursor(asked)
    copied = _most_copied(store, asked) if query.sort == "copies" else None
    bodies = [asked.hits(after, None if copied is None else [*copied]), asked.counts()]
    page, counted = store.cluster.msearch(store.index, bodies, ranked=True)
    hits = page["hits"]["hits"]
    if copied is not None:
        hits = sorted(hits, key=lambda hit: [*copied].index(hit_group(hit)))
    return _results(asked, hits, counted, _read_details(store, asked, hits, counted), copied or {})


class _Details(NamedTuple):
    """The answers that hits and counts are needed for: the members of each group on the page, the main copies
    that match, the number of stories (None if it remains an estimate), and the periods.
    """

    members: Mapping[str, Answer]
    heads: Mapping[str, Answer]
    stories: int | None
    periods: tuple[Period, ...]


def _read_details(
    store: RecordReader, asked: SearchBodies, hits: Sequence[Answer], counted: Answer
) -> _Details:
    query = asked.query
    groups = list(dict.fromkeys(map(hit_group, hits)))
    bodies = [search_queries.group_summary(group, query.copies + 1, asked.layout) for group in groups]
    by = unit(counted)
    few = query.mode != "head" and total(counted) <= queries.EXACT_STORY_DOCUMENTS
    headed = asked.is_ranked and query.mode == "collapse" and query.sort == "relevance" and groups
    bodies += [asked.hits(None, groups)] if headed else []
    bodies += [asked.few_stories()] if few else []
    bodies += [asked.periods(by)] if by else []
    answers = store.cluster.msearch(store.index, bodies)
    periods = _periods_of(answers.pop(), by) if by else ()
    stories = _few_stories(answers.pop()) if few else None
    heads = {hit_group(hit): hit for hit in answers.pop()["hits"]["hits"]} if headed else {}
    return _Details(dict(zip(groups, answers, strict=True)), heads, stories, periods)


def _results(
    asked: SearchBodies, hits: Sequence[Answer], counted: Answer, details: _Details, copied: Mapping[str, int]
) -> Results:
    """`hits`: those of the page, and one more if another follows. `copied`: see `_most_copied`."""
    query, documents = asked.query, total(counted)
    more = len(hits) > query.limit if query.cursor is not None else documents > query.offset + query.limit
    hits = [details.heads.get(hit_group(hit), hit) for hit in hits[: query.limit]]
    aggregations = counted.get("aggregations", {})
    estimate = aggregations["stories"]["value"] if "stories" in aggregations else documents
    shown = [_hit(asked, hit, details.members[hit_group(hit)]) for hit in hits]
    return Results(
        hits=tuple(replace(hit, matching=copied.get(hit.group, 0)) for hit in shown),
        stories=estimate if details.stories is None else details.stories,
        documents=documents,
        exact=query.mode == "head" or details.stories is not None,
        facets={
            name: _facets(aggregations.get(name, _NO_BUCKETS)["buckets"]) for name in ("language", "site")
        },
        cursor=to_cursor(hits[-1]["sort"]) if more and hits and query.mode != "collapse" else None,
        histogram=details.periods,
        only_titles=asked.search.wanted is not None and asked.layout.only_titles,
    )


def sort_values_of_cursor(asked: SearchBodies) -> list[object] | None:
    """The sort values of the last hit before the page; None for a query without a cursor. Raises InputError
    for a cursor that does not fit.
    """
    if asked.query.cursor is None:
        return None
    kinds = (*([float] if asked.is_ranked else []), *([int] if asked.layout.date else []), int, str)
    return from_cursor(asked.query.cursor, kinds)


def _most_copied(store: RecordReader, asked: SearchBodies) -> dict[str, int]:
    """The groups of a page that have the most members that match, each with their number."""
    if not asked.query.limit:
        return {}
    answer = store.cluster.search(store.index, asked.most_copied())
    buckets = answer["aggregations"]["groups"]["buckets"][asked.query.offset :]
    return {bucket["key"]: bucket["doc_count"] for bucket in buckets if bucket["key"]}


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


def _periods_of(answer: Answer, unit: Unit) -> tuple[Period, ...]:
    buckets = answer["aggregations"]["periods"]["buckets"]
    counts = {bucket["key_as_string"][: PREFIX[unit]]: bucket["doc_count"] for bucket in buckets}
    return histogram(counts, unit)


def _few_stories(answer: Answer) -> int | None:
    """The number of stories of an answer to `SearchBodies.few_stories`; None if there were too many."""
    groups = answer["aggregations"]["groups"]
    return None if groups["sum_other_doc_count"] else len(groups["buckets"])


def _hit(asked: SearchBodies, hit: Answer, members: Answer) -> Hit:
    source, layout = hit["_source"], asked.layout
    text = value_of(source, layout.fields.text) or ""
    words = found_words(asked.search, text, normalize_language(value_of(source, layout.fields.language)))
    listed = [hit_copy(member, layout) for member in members["hits"]["hits"]]
    copies = [copy for copy in listed if copy.id != hit["_id"]]
    return Hit(
        group=hit_group(hit),
        shown=hit_copy(hit, layout),
        size=max(1, total(members)),  # the group may have been merged between the two searches
        copies=tuple(copies[: asked.query.copies]),
        snippet=snippet(text, words),
        sites=_sites(members, listed),
    )


def _sites(members: Answer, listed: Sequence[Copy]) -> int:
    """The number of sites of a group; of the listed members, if the server cannot count them."""
    if "aggregations" not in members:
        return len({copy.site for copy in listed} - {""})
    count: int = members["aggregations"]["sites"]["value"]
    return count


def _facets(buckets: Sequence[Answer]) -> tuple[Facet, ...]:
    """The values of the buckets of an aggregation, with their stories if these were counted."""
    return tuple(map(_facet, buckets))


def _facet(bucket: Mapping[str, Any]) -> Facet:
    value = bucket["key"]
    names = (named["key"] for named in bucket.get("named", _NO_BUCKETS)["buckets"])
    count = bucket["stories"]["value"] if "stories" in bucket else bucket["doc_count"]
    return Facet(value, count, next((name for name in names if name != value), ""))


# -- what is in the index


def similar_word(store: RecordReader, layout: Layout, word: str) -> str | None:
    """See Engine.similar_word."""
    answer = store.cluster.search(store.index, search_queries.similar_words(word, layout))
    suggested = shapes.object_of(answer, "suggest")["suggest"]["similar"]
    return next((option["text"] for part in suggested for option in part["options"]), None)


def copies(store: RecordReader, layout: Layout, group: str, limit: int) -> list[Copy]:
    """See Engine.copies. Documents whose index takes no writes may still carry former names of a group."""
    several = store.cluster.find_set(store.index)
    former = store.redirect_index.former_names(group, 100) if several and several.fixed else []
    with store.lock:
        body = search_queries.group_copies([group, *former], min(limit, queries.PAGE_DOCUMENTS), layout)
        current = (hit for hit in store.page_hits(body) if hit["_id"] not in store.overlay)
        hits = {(*hit["sort"],): hit for hit in islice(current, limit)}
        held = {record.age: record.id for record in store.overlay.members(group)}
    shown = sorted(hits | held)[:limit]
    written = store.hits([held[age] for age in shown if age in held], layout.shown)
    shown_hits = [hits.get(age) or written.get(held[age]) for age in shown]
    return [hit_copy(hit, layout) for hit in shown_hits if hit]


def statistics(store: RecordReader, layout: Layout) -> Statistics:
    """See Engine.statistics."""
    counted = store.cluster.search(store.index, search_queries.statistics(layout))
    parts = _group_partitions(counted)
    bodies = (search_queries.sizes(number, parts) for number in range(parts))
    pages = (store.cluster.search(store.index, body, parts=search_queries.SIZE_PARTS) for body in bodies)
    aggregations = counted["aggregations"]
    return Statistics(
        documents=total(counted),
        sizes=_group_sizes(counted, pages),
        sites=aggregations["sites"]["value"] if "sites" in aggregations else 0,
        largest_sites=_facets(aggregations["largest"]["buckets"]) if "largest" in aggregations else (),
        redirects=store.redirect_index.count(),
        unsettled=_lag(store),
        last_seen=int(aggregations["seen"]["value"] or 0),
    )


def _lag(store: RecordReader) -> int | None:
    """None if the user may search, but not see how far the shards are written."""
    try:
        return store.settling.lag()
    except EngineError as error:
        if error.temporary:
            raise
        return None


# A cluster cannot count groups by their size, but it can list the sizes of those with several members, in
# partitions that are small enough for its limit of buckets. All other documents are alone in their groups.
# of one partition, on average: less than the buckets of an answer, as partitions differ
PARTITION_GROUPS = 50_000


def _group_partitions(counted: Answer) -> int:
    """How many partitions hold all groups that matter; at least 1.

    A single shard needs buckets for the groups with several members, of which there are at most as many as
    documents that are not heads. Of several shards each needs buckets for all groups, because it does not
    know which of them have further members on others.
    """
    heads: int = counted["aggregations"]["heads"]["doc_count"]
    several = counted["_shards"]["total"] > 1
    return 1 + max(heads if several else 0, total(counted) - heads) // PARTITION_GROUPS


def _group_sizes(counted: Answer, partitions: Iterable[Answer]) -> dict[int, int]:
    """The number of groups by the number of their members."""
    sizes = Counter(
        bucket["doc_count"]
        for partition in partitions
        for bucket in partition["aggregations"]["sizes"].get("buckets", ())
    )
    alone = total(counted) - sum(size * groups for size, groups in sizes.items())
    return {**({1: alone} if alone > 0 else {}), **sizes}
