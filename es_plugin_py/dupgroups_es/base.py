"""The common engine of Elasticsearch and OpenSearch: an index with an alias, and an index of redirects."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from dupgroups.engines.common import check_query, from_cursor
from dupgroups.engines.followed import Share
from dupgroups.engines.foreign import Fields
from dupgroups.engines.url import EngineURL
from dupgroups.errors import EngineError, MissingIndexError
from dupgroups.model import Check, Copy, Document, Query, Results, Seen
from dupgroups.text.query_syntax import Search, parse
from dupgroups_es import health, queries
from dupgroups_es.cluster import Cluster
from dupgroups_es.documents import document_source, hit_copy, hit_document, id_refusal
from dupgroups_es.following import FollowedClusterIndex
from dupgroups_es.foreign import ForeignClusterIndex
from dupgroups_es.mapping import CONTENT_FIELDS, RECORD_FIELDS, Body, index_body, missing_fields, version_of
from dupgroups_es.options import Options
from dupgroups_es.records import RecordStore
from dupgroups_es.results import closest_of, groups_of, periods_of, results, total, unit
from dupgroups_es.retry import Patience
from dupgroups_es.transport import Action, Client, unknown_user

SCAN_PAGE = 200  # complete documents per page of a scan


class ClusterEngine(RecordStore):
    """See Engine. Opening it asks the server for the index; the first use creates what is missing.

    With `must_exist`, the first use raises MissingIndexError instead; `check` works without an index.
    """

    def __init__(self, url: EngineURL, client: Client) -> None:
        options = Options.of(url)
        patience = Patience(tries=options.retries + 1, seconds=max(60.0, options.timeout))
        cluster = Cluster(client, str(url), patience, unknown_user(url))
        super().__init__(cluster, url.path, f"{url.path}-redirects")
        self._options = options
        self._client = client
        self._must_exist = url.must_exist
        self._missing_fields: Body = {}  # fields that an index of an earlier version does not have
        self.cluster.index(self.index)  # raises unless there is a server of the right product

    def _prepare_index(self) -> None:
        indices = self.cluster.index(self.index)
        if not indices and self._must_exist:
            raise self._no_index()
        if not indices:
            body = index_body(shards=self._options.shards, refresh_interval=self._options.refresh_interval)
            self.cluster.create_index(f"{self.index}-000001", body | {"aliases": {self.index: {}}})
            indices = self.cluster.index(self.index)
        problem = health.unusable(self.index, indices)
        if problem:
            raise EngineError(f"{self.name}: {problem}")
        ((_, answer),) = indices.items()
        self._missing_fields = missing_fields(answer["mappings"], RECORD_FIELDS | CONTENT_FIELDS)

    def _store(
        self, documents: Sequence[Document], seen: Seen | None
    ) -> tuple[dict[str, str], frozenset[str]]:
        if documents and self._missing_fields:  # not before: searching must not need the right to do this
            self.cluster.add_fields(self.index, self._missing_fields)
            self._missing_fields = {}
        return super()._store(documents, seen)

    def _store_action(self, document: Document) -> Action:
        # If the alias is deleted, the server must not create an index of that name with a dynamic mapping.
        return Action("index", self.index, document.record.id, document_source(document), alias=True)

    def delete(self, ids: Sequence[str]) -> None:
        """See Engine.delete."""
        self._prepare_writing()
        with self._writing():
            failures = self.cluster.bulk([Action("delete", self.index, id_) for id_ in ids])
            for id_ in ids:
                if id_ not in failures:
                    self._overlay.delete(id_)
        if failures:
            raise EngineError(f"{self.name} rejected {len(failures)} deletions", failures=failures)

    # -- documents

    def read(self, ids: Sequence[str]) -> dict[str, Document]:
        """See Engine.read."""
        self._prepare()
        asked = [id_ for id_ in ids if id_ and not id_refusal(id_)]
        hits = self.cluster.mget(self.index, asked, queries.DOCUMENT)
        return {id_: hit_document(hit) for id_, hit in hits.items()}

    def scan(self, *, after: str | None = None) -> Iterator[Document]:
        """See Engine.scan."""
        self.refresh()
        for hit in self._paged(queries.by_id({"match_all": {}}, True, SCAN_PAGE), after):
            yield hit_document(hit)

    def search(self, query: Query) -> Results:
        """See Engine.search."""
        check_query(query)
        self._prepare()
        search = parse(query.text, query.language, any_word=query.any_word)
        bodies = [queries.hits(query, search, _after(query, search)), queries.counts(query, search)]
        hits, counted = self.cluster.msearch(self.index, bodies, ranked=True)
        groups = list(dict.fromkeys(groups_of(hits)))
        bodies = [queries.group_summary(group, query.copies + 1) for group in groups]
        by = unit(counted)
        bodies += [queries.periods(query, search, by)] if by else []
        answers = self.cluster.msearch(self.index, bodies)
        periods = periods_of(answers.pop(), by) if by else ()
        return results(query, search, hits, counted, dict(zip(groups, answers, strict=True)), periods)

    def closest(self, words: Sequence[str], *, limit: int = 3) -> dict[str, list[str]]:
        """See Engine.closest."""
        self._prepare()
        if not words:
            return {}
        return closest_of(self.cluster.search(self.index, queries.closest(words)), words, limit)

    def redirects(self) -> Iterator[tuple[str, str]]:
        """See Engine.redirects."""
        self._prepare()
        yield from self._redirects.everything()

    def former_names(self, group: str, *, limit: int = 100) -> list[str]:
        """See Engine.former_names."""
        self._prepare()
        return self._redirects.former_names(group, limit)

    def copies(self, group: str, *, limit: int = 100) -> list[Copy]:
        """See Engine.copies."""
        self._prepare()
        with self._lock:
            listed = self._paged(queries.group_copies(group, min(limit, queries.PAGE)))
            current = (hit for hit in listed if hit["_id"] not in self._overlay)
            hits = {(*hit["sort"],): hit for hit in islice(current, limit)}
            held = {record.age: record.id for record in self._overlay.members(group)}
        shown = sorted(hits | held)[:limit]
        written = self.cluster.mget(self.index, [held[age] for age in shown if age in held], queries.COPY)
        shown_hits = [hits.get(age) or written.get(held[age]) for age in shown]
        return [hit_copy(hit) for hit in shown_hits if hit]

    # -- the index

    def outdated(self, schemes: Collection[str]) -> int:
        """See Engine.outdated; the count is from the last refresh of the index."""
        if not self.cluster.index(self.index):
            return 0
        return total(self.cluster.search(self.index, queries.signed_otherwise(schemes)))

    def check(self) -> list[Check]:
        """See Engine.check."""
        return health.checks(self.cluster, self.index, self._client.version)

    def is_foreign(self) -> bool:
        """Whether another tool created the index. Raises MissingIndexError if there is no index."""
        indices = self.cluster.index(self.index)
        if not indices:
            raise self._no_index()
        return any(version_of(answer["mappings"]) is None for answer in indices.values())

    def _no_index(self) -> MissingIndexError:
        return MissingIndexError(f"{self.name}: there is no index or alias {self.index!r}")

    def adopt(self, fields: Fields) -> ForeignClusterIndex:
        """An index of another tool, ready to be grouped in place, over the connections of this engine."""
        return ForeignClusterIndex(self.cluster, self.index, fields)

    def follow(self, fields: Fields, share: Share) -> FollowedClusterIndex:
        """This index, whoever created it, ready to be followed. Raises MissingIndexError if there is none."""
        if not self.cluster.index(self.index):
            raise self._no_index()
        return FollowedClusterIndex(self.cluster, self.index, fields, share)


def _after(query: Query, search: Search) -> list[object] | None:
    if query.cursor is None:
        return None
    kinds = (int, int, str)
    return from_cursor(query.cursor, (float, *kinds) if queries.is_ranked(query, search) else kinds)
