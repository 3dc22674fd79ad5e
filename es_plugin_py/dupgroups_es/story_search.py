"""Reads an index as people ask for it: searches with one hit for each story, its copies, and figures."""

from itertools import islice

from dupgroups.engines.common import check_query, from_cursor
from dupgroups.errors import EngineError, InputError
from dupgroups.model import Copy, Query, Results, Statistics
from dupgroups.text.query_syntax import Search, parse
from dupgroups_es import queries, search_queries, shapes
from dupgroups_es.document_source import hit_copy, hit_group
from dupgroups_es.layout import Layout
from dupgroups_es.reading import RecordReader
from dupgroups_es.results import (
    facet,
    few_stories,
    group_partitions,
    group_sizes,
    periods_of,
    results,
    total,
    unit,
)


def search(store: RecordReader, layout: Layout, query: Query) -> Results:
    """See Engine.search; `layout` says by which fields."""
    check_query(query)
    if problem := layout.explain_unfit(query):
        raise InputError(problem)
    wanted = parse(query.text, query.language, any_word=query.any_word)
    after = sort_values_of_cursor(query, wanted, layout)
    copied = _most_copied(store, layout, query, wanted) if query.sort == "copies" else None
    page = search_queries.hits(query, wanted, after, layout, None if copied is None else [*copied])
    bodies = [page, search_queries.counts(query, wanted, layout)]
    hits, counted = store.cluster.msearch(store.index, bodies, ranked=True)
    groups = list(dict.fromkeys(map(hit_group, hits["hits"]["hits"])))
    bodies = [search_queries.group_summary(group, query.copies + 1, layout) for group in groups]
    by, few = unit(counted), query.mode != "head" and total(counted) <= queries.EXACT_STORY_DOCUMENTS
    bodies += [search_queries.few_stories(query, wanted, layout)] if few else []
    bodies += [search_queries.periods(query, wanted, by, layout)] if by else []
    answers = store.cluster.msearch(store.index, bodies)
    periods = periods_of(answers.pop(), by) if by else ()
    stories = few_stories(answers.pop()) if few else None
    members = dict(zip(groups, answers, strict=True))
    return results(query, wanted, hits, counted, members, periods, layout, stories, copied)


def similar_word(store: RecordReader, layout: Layout, word: str) -> str | None:
    """See Engine.similar_word."""
    answer = store.cluster.search(store.index, search_queries.similar_words(word, layout))
    suggested = shapes.object_of(answer, "suggest")["suggest"]["similar"]
    return next((option["text"] for part in suggested for option in part["options"]), None)


def _most_copied(store: RecordReader, layout: Layout, query: Query, wanted: Search) -> dict[str, int]:
    """The groups of a page that have the most members that match, each with their number."""
    if not query.limit:
        return {}
    answer = store.cluster.search(store.index, search_queries.most_copied(query, wanted, layout))
    buckets = answer["aggregations"]["groups"]["buckets"][query.offset :]
    return {bucket["key"]: bucket["doc_count"] for bucket in buckets if bucket["key"]}


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
    parts = group_partitions(counted)
    bodies = (search_queries.sizes(number, parts) for number in range(parts))
    pages = (store.cluster.search(store.index, body, parts=search_queries.SIZE_PARTS) for body in bodies)
    aggregations = counted["aggregations"]
    return Statistics(
        documents=total(counted),
        sizes=group_sizes(counted, pages),
        sites=aggregations["sites"]["value"] if "sites" in aggregations else 0,
        largest_sites=facet(aggregations["largest"]["buckets"]) if "largest" in aggregations else (),
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


def sort_values_of_cursor(query: Query, search: Search, layout: Layout) -> list[object] | None:
    """The sort values of the last hit before the page; None for a query without a cursor. Raises InputError
    for a cursor that does not fit.
    """
    if query.cursor is None:
        return None
    ranked = search_queries.is_ranked(query, search)
    kinds = (*([float] if ranked else []), *([int] if layout.date else []), int, str)
    return from_cursor(query.cursor, kinds)
