"""The common engine of Elasticsearch and OpenSearch: an index with an alias, and an index of redirects."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from dupgroups.engines import open_engine
from dupgroups.engines.base import Block
from dupgroups.engines.patience import Patience
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, EngineError, MissingIndexError
from dupgroups.model import (
    Check,
    Copy,
    Document,
    Membership,
    Query,
    Results,
    Revision,
    Seen,
    Statistics,
    StoryOrder,
    StoryRecord,
)
from dupgroups.model.field_names import Fields
from dupgroups_es import health, queries, record_store, story_search
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.document_source import (
    AdoptedForm,
    OwnForm,
    Source,
    document_source,
    hit_group,
    hit_version,
    is_record,
)
from dupgroups_es.external_index import ExternalIndex, adopt, explain_unfit, explain_unlike, indices_of_set
from dupgroups_es.index_set import age_of, is_closed, is_fixed, is_set
from dupgroups_es.layout import Layout, with_dates
from dupgroups_es.mapping import (
    CONTENT_FIELDS,
    SIDE_INDICES,
    index_body,
    is_outdated,
    kept_fields,
    side_index,
    version_of,
)
from dupgroups_es.record_store import RecordStore
from dupgroups_es.rewriting import SourceWriter
from dupgroups_es.sliced import SlicedClusterIndex
from dupgroups_es.transport import Action, Client, Options, unknown_user

SCAN_PAGE = 200  # complete documents per page of a scan


class ClusterEngine(RecordStore, Block):
    """See Engine. Opening it asks the server for the index; the first use creates what is missing, or reads
    the field map of an index of other tools that was adopted.

    With `must_exist`, the first use raises MissingIndexError instead; `check` works without an index.
    """

    def __init__(self, url: EngineURL, client: Client) -> None:
        options = Options.of(url)
        patience = Patience(tries=options.retries + 1, seconds=max(60.0, options.timeout))
        cluster = Cluster(client, str(url), patience, unknown_user(url))
        super().__init__(cluster, url.path, url.path)
        self._form: OwnForm | AdoptedForm = OwnForm()
        self._url = url
        self._options = options
        self._client = client
        self._must_exist = url.must_exist
        self._outdated: list[str] = []  # indices without a field that an earlier version did not know
        self.cluster.index(self.index)  # raises unless there is a server of the right product

    def _prepare_index(self) -> None:
        indices = self.cluster.index(self.index)
        if not indices and self._must_exist:
            raise self._no_index()
        if not indices:
            body = self._index_body()
            self.cluster.delete_indices([self.story_index.name])  # of an index of this name that was deleted
            self.cluster.create_index(
                f"{self.index}-000001", body | {"aliases": {self.index: {"is_write_index": True}}}
            )
            indices = self.cluster.index(self.index)
        problem = health.unusable(self.index, indices)
        if problem:
            raise EngineError(f"{self.name}: {problem}")
        if all(version_of(answer["mappings"]) is not None for answer in indices.values()):
            self.cluster.open_set(self.index, indices)
            self._outdated = [
                index
                for index, answer in indices.items()
                if is_outdated(answer["mappings"]) and not (is_fixed(answer) or is_closed(answer))
            ]
        else:
            self._prepare_adopted(indices)

    def prepare_writing(self) -> None:
        """See RecordStore.prepare_writing."""
        super().prepare_writing()
        while self._outdated:
            self.cluster.change_mapping(self._outdated.pop(), {"properties": CONTENT_FIELDS})

    def _index_body(self) -> dict[str, Any]:
        options = self._options
        return index_body(shards=options.shards, refresh_interval=options.refresh_interval)

    def index_template(self) -> dict[str, Any]:
        """The body of an index template for the next indices of the alias, whoever rolls it over."""
        return {"index_patterns": [f"{self.index}-0*"], "template": self._index_body()}

    def roll_over(self, conditions: Mapping[str, object]) -> str | None:
        """Let new documents go to another index behind the alias, if one of the conditions (as servers name
        those of a rollover) is met, or there is none: its name, else None. Raises ConfigError for an index of
        other tools.
        """
        self._prepare_index()
        if isinstance(self._form, AdoptedForm):
            raise ConfigError(f"{self.name}: whoever writes to {self.index!r} rolls it over, not dup-groups")
        if problem := self._takes_no_documents():
            raise ConfigError(f"{self.name}: {problem}")
        made = self.cluster.roll_over(self.index, {"conditions": dict(conditions), **self._index_body()})
        self.cluster.open_set(self.index)
        return made

    def _prepare_adopted(self, indices: Mapping[str, Answer]) -> None:
        """Read the field map of an index of other tools, or of several."""
        of_set = indices_of_set(self.index, indices) or indices
        newest = max(of_set, key=lambda index: age_of(self.index, index, indices[index]))
        mapping = indices[newest]["mappings"]
        self._like = newest, mapping
        if is_set(self.index, indices):
            self.cluster.open_set(self.index, indices)
        else:  # whatever alias it is opened by
            self._stand_on(newest, newest)
        self.writer = SourceWriter(self.cluster, indices)
        self._form = AdoptedForm(Layout.of_adopted(mapping, kept_fields(mapping) or Fields()))
        self.routings.look()

    def _adopt(self, index: str, answer: Answer) -> None:
        """Unless it cannot be grouped: `follow` and `doctor` say why."""
        mapping, fields = answer["mappings"], self.names
        if not (explain_unfit(index, mapping, fields) or explain_unlike(index, mapping, *self._like, fields)):
            adopt(self.cluster, index, answer, fields, self.index)

    @property
    def names(self) -> Fields:
        return self._form.layout.fields

    def _store_action(self, document: Document) -> Action:
        # If the alias is deleted, the server must not create an index of that name with a dynamic mapping.
        return Action("index", self.index, document.record.id, document_source(document), alias=True)

    def _actions(
        self, documents: Sequence[Document], seen: Seen | None
    ) -> tuple[list[Action], dict[str, str]]:
        form = self._form
        if isinstance(form, OwnForm):
            return super()._actions(documents, seen)
        ids = [document.record.id for document in documents]
        hits = self.hits(ids, form.read_fields)
        actions, refused = [], {}
        for document in documents:
            hit = hits.get(document.record.id)
            stored = hit["_source"] if hit else {}
            reason = "" if hit else self._takes_no_documents()
            if reason := reason or form.explain_unwritable(document, stored):
                refused[document.record.id] = reason
            else:
                source = form.source(document, stored)
                actions.append(self._adopted_action(document.record.id, source, hit, seen))
        return actions, refused

    def _adopted_action(self, id_: str, source: Source, hit: Answer | None, seen: Seen | None) -> Action:
        """A new document, or what a stored one gets. A plan has not seen what is there, but not grouped."""
        version = record_store.as_version(seen.records.get(id_) if seen else None)
        if hit and (seen is None or not is_record(hit)):
            version = hit_version(hit)
        if version is None:
            return Action("index", self.index, id_, source, create=seen is not None)
        return Action("update", self.index, id_, source, version=version)

    def put(self, documents: Sequence[Document], **planned: Any) -> None:
        if self._options.revisions:
            stored = self.read([document.record.id for document in documents])
            self.revision_index.note_changes(stored, map(self._form.as_stored, documents))
        super().put(documents, **planned)

    def delete(self, ids: Sequence[str]) -> None:
        self.prepare_writing()
        self.revision_index.delete(ids)  # first: whoever wants a text to go wants its earlier versions to go
        with self._writing(), self.keeper.deleting(ids):
            actions = [Action("delete", self.index, id_) for id_ in ids]
            failures = self.cluster.bulk(self.routed_actions(actions))
            for id_ in ids:
                if id_ not in failures:
                    self.overlay.delete(id_)
        if failures:
            raise EngineError(f"{self.name} rejected {len(failures)} deletions", failures=failures)

    # -- documents

    def read(self, ids: Sequence[str]) -> dict[str, Document]:
        self.prepare_reading()
        hits = self.hits(ids, self._form.read_fields)
        return {id_: self._form.document(hit) for id_, hit in hits.items() if is_record(hit)}

    def scan(self, *, after: str | None = None) -> Iterator[Document]:
        self.refresh()
        for hit in self.page_hits(
            queries.by_id(queries.HAS_GROUP, self._form.read_fields, SCAN_PAGE),
            None if after is None else [after],
        ):
            if is_record(hit):  # not an older document of the same id
                yield self._form.document(hit)

    def memberships(self) -> Iterator[Membership]:
        """See Engine.memberships: as of its beginning, whatever is written meanwhile."""
        self.refresh()
        for hits in self.cluster.scroll(self.index, queries.memberships()):
            for hit in hits:
                group = hit_group(hit)
                yield Membership(hit["_id"], group, hit["_source"].get("dup_head", hit["_id"] == group))

    def revisions(self, ids: Sequence[str]) -> dict[str, list[Revision]]:
        """See Engine.revisions: those that writers with the option `revisions` kept."""
        self.prepare_reading()
        return self.revision_index.read(self.read(ids)) if self.revision_index.is_there() else {}

    # -- searching, once it is known which fields there are

    @property
    def _layout(self) -> Layout:
        self.prepare_reading()
        return self._form.layout

    def search(self, query: Query) -> Results:
        return story_search.search(self, self._layout, query)

    def similar_word(self, word: str) -> str | None:
        return story_search.similar_word(self, self._layout, word)

    def former_names(self, group: str, *, limit: int = 100) -> list[str]:
        self.prepare_reading()
        return self.redirect_index.former_names(group, limit)

    def copies(self, group: str, *, limit: int = 100) -> list[Copy]:
        return story_search.copies(self, self._layout, group, limit)

    def statistics(self) -> Statistics:
        return story_search.statistics(self, self._layout)

    def stories(
        self, *, order: StoryOrder = "copies", since: int | None = None, limit: int = 100
    ) -> list[StoryRecord]:
        self.prepare_reading()
        return self.story_index.list(order, since, limit) if self.story_index.is_there() else []

    def changed_stories(self, after: object = None, *, limit: int = 1000) -> tuple[list[StoryRecord], object]:
        self.prepare_reading()
        return self.story_index.list_changed(after, limit) if self.story_index.is_there() else ([], after)

    def count_stories(self) -> None:
        self.keeper.count_all()

    # -- the index

    def count_outdated(self, schemes: Collection[str]) -> int:
        """See Engine.count_outdated; the count is from the last refresh of the index."""
        if not self.cluster.index(self.index):
            return 0
        of_these = {"terms": {"dup_scheme": sorted(schemes)}}
        return self.cluster.count(self.index, {"bool": {"filter": queries.HAS_GROUP, "must_not": of_these}})

    def check(self) -> list[Check]:
        return health.checks(self.cluster, self.index, self._client.version)

    def is_external(self) -> bool:
        """Whether another tool created the index. Raises MissingIndexError if there is no index."""
        indices = self.cluster.index(self.index)
        if not indices:
            raise self._no_index()
        return any(version_of(answer["mappings"]) is None for answer in indices.values())

    def refusal(self) -> str:
        self.prepare_reading()
        reason = self._takes_no_documents() or self._form.refusal()
        return reason and f"{self.name}: {reason}"

    def _takes_no_documents(self) -> str:
        """Why the indices behind this name take no new documents of a crawl, in a sentence; "" if they do."""
        several = self.cluster.sets.get(self.index)
        if several is None or (several.target and not several.is_stream):
            return ""
        return (
            f"{self.index!r} takes no new documents, as it is a data stream or has no write index: give an "
            "alias that has one"
        )

    def _no_index(self) -> MissingIndexError:
        return MissingIndexError(f"{self.name}: there is no index or alias {self.index!r}")

    def kept_fields(self) -> Fields | None:
        mappings = [answer["mappings"] for answer in self.cluster.index(self.index).values()]
        kept = [(fields, mapping) for mapping in mappings if (fields := kept_fields(mapping))]
        return with_dates(*kept[-1]) if kept else None

    def made_indices(self) -> Mapping[str, str]:
        indices = self.cluster.index(self._url.path)
        beside = {self._url.path, *indices}
        ours = [name for name, answer in indices.items() if version_of(answer["mappings"]) is not None]
        names = dict.fromkeys(ours, "an index with documents, groups and corrections") | {
            side_index(name, kind): what for name in sorted(beside) for kind, what in SIDE_INDICES.items()
        }
        there = self.cluster.names(",".join(names))
        return {name: what for name, what in names.items() if name in there}

    def remove_made_indices(self) -> None:
        self.cluster.delete_indices(list(self.made_indices()))
        self._prepared = self._writable = False

    def adopt(
        self, fields: Fields | None = None, *, change: bool = False, skips_unfit: bool = False
    ) -> SlicedClusterIndex:
        """The index, ready to be grouped in place, by the connections of this engine; the field map is kept
        with it from the first look-up on.

        None are the fields that are kept, or else the default ones. Raises ConfigError if its mapping does
        not allow to group it, and for other fields than those that are kept, unless they are to `change`.
        `skips_unfit`: of several indices those are left out.
        """
        store = ExternalIndex(self.cluster, self.index, fields, change=change, skips_unfit=skips_unfit)
        options = {"change": change, "skips_unfit": skips_unfit}
        return SlicedClusterIndex(store, partial(_open_adopted, self._url, fields, options))

    def indices(self) -> list[str]:
        """The names of the indices that the name in the URL stands for, which may be a pattern."""
        return sorted(self.cluster.index(self.index))


def _open_adopted(url: EngineURL, fields: Fields | None, options: Mapping[str, bool]) -> SlicedClusterIndex:
    """The same index in another process."""
    engine = open_engine(url)
    assert isinstance(engine, ClusterEngine)
    return engine.adopt(fields, **options)
