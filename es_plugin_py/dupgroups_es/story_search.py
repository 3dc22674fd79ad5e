"""Reads an index as people ask for it: searches with one hit for each story, its copies, and figures."""

from itertools import islice

from dupgroups.engines.common import check_query, from_cursor
from dupgroups.errors import EngineError, InputError
from dupgroups.model import Copy, Query, Results, Statistics
from dupgroups.text.query_syntax import Search, parse
from dupgroups_es import queries, search_queries, shapes
from dupgroups_es.cluster import Answer
from dupgroups_es.document_source import hit_copy, hit_group
from dupgroups_es.layout import Layout
from dupgroups_es.record_store import RecordStore
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


class StorySearch(RecordStore):
    """The part of an engine that searches."""

    @property
    def _layout(self) -> Layout:
        """The fields that a search uses."""
        raise NotImplementedError

    def search(self, query: Query) -> Results:
        """See Engine.search."""
        check_query(query)
        self._prepare()
        layout = self._layout
        if problem := layout.explain_unfit(query):
            raise InputError(problem)
        search = parse(query.text, query.language, any_word=query.any_word)
        after = sort_values_of_cursor(query, search, layout)
        copied = self._most_copied(query, search) if query.sort == "copies" else None
        page = search_queries.hits(query, search, after, layout, None if copied is None else [*copied])
        bodies = [page, search_queries.counts(query, search, layout)]
        hits, counted = self.cluster.msearch(self.index, bodies, ranked=True)
        groups = list(dict.fromkeys(map(hit_group, hits["hits"]["hits"])))
        bodies = [search_queries.group_summary(group, query.copies + 1, layout) for group in groups]
        by, few = unit(counted), query.mode != "head" and total(counted) <= queries.EXACT_STORY_DOCUMENTS
        bodies += [search_queries.few_stories(query, search, layout)] if few else []
        bodies += [search_queries.periods(query, search, by, layout)] if by else []
        answers = self.cluster.msearch(self.index, bodies)
        periods = periods_of(answers.pop(), by) if by else ()
        stories = few_stories(answers.pop()) if few else None
        members = dict(zip(groups, answers, strict=True))
        return results(query, search, hits, counted, members, periods, layout, stories, copied)

    def similar_word(self, word: str) -> str | None:
        """See Engine.similar_word."""
        self._prepare()
        answer = self.cluster.search(self.index, search_queries.similar_words(word, self._layout))
        found = shapes.object_of(answer, "suggest")["suggest"]["similar"]
        return next((option["text"] for part in found for option in part["options"]), None)

    def _most_copied(self, query: Query, search: Search) -> dict[str, int]:
        """The groups of a page that have the most members that match, each with their number."""
        if not query.limit:
            return {}
        answer = self.cluster.search(self.index, search_queries.most_copied(query, search, self._layout))
        buckets = answer["aggregations"]["groups"]["buckets"][query.offset :]
        return {bucket["key"]: bucket["doc_count"] for bucket in buckets if bucket["key"]}

    def former_names(self, group: str, *, limit: int = 100) -> list[str]:
        """See Engine.former_names."""
        self._prepare()
        return self._redirects.former_names(group, limit)

    def copies(self, group: str, *, limit: int = 100) -> list[Copy]:
        """See Engine.copies."""
        self._prepare()
        with self._lock:
            names = [group, *self._kept_labels(group)]
            listed = self._page_hits(
                search_queries.group_copies(names, min(limit, queries.PAGE_DOCUMENTS), self._layout)
            )
            current = (hit for hit in listed if hit["_id"] not in self._overlay)
            hits = {(*hit["sort"],): hit for hit in islice(current, limit)}
            held = {record.age: record.id for record in self._overlay.members(group)}
        shown = sorted(hits | held)[:limit]
        written = self._hits([held[age] for age in shown if age in held], self._layout.shown)
        shown_hits = [hits.get(age) or written.get(held[age]) for age in shown]
        return [hit_copy(hit, self._layout) for hit in shown_hits if hit]

    def _kept_labels(self, group: str) -> list[str]:
        """Former names of a group that documents may still carry, because their index takes no writes."""
        several = self.cluster.find_set(self.index)
        return self.former_names(group) if several and several.fixed else []

    def statistics(self) -> Statistics:
        """See Engine.statistics."""
        self._prepare()
        counted = self.cluster.search(self.index, search_queries.statistics(self._layout))
        parts = group_partitions(counted)
        aggregations = counted["aggregations"]
        return Statistics(
            documents=total(counted),
            sizes=group_sizes(counted, (self._partition(number, parts) for number in range(parts))),
            sites=aggregations["sites"]["value"] if "sites" in aggregations else 0,
            largest_sites=facet(aggregations["largest"]["buckets"]) if "largest" in aggregations else (),
            redirects=self._redirects.count(),
            unsettled=self._lag(),
            last_seen=int(aggregations["seen"]["value"] or 0),
        )

    def _partition(self, number: int, of: int) -> Answer:
        body = search_queries.sizes(number, of)
        return self.cluster.search(self.index, body, parts=search_queries.SIZE_PARTS)

    def _lag(self) -> int | None:
        """None if the user may search, but not see how far the shards are written."""
        try:
            return self._settling.lag()
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
