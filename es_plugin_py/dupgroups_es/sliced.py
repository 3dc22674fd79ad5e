"""An index of other tools that is read and written a part at a time, by several processes, each part once.

A part is a range of sequence numbers of one shard. Every write gives a document a new number above all
others, so a part never grows, and what was written since the parts were cut is above all of them. A reader
needs no context on the server, and can begin any part again at any time. Nothing here looks for candidates:
who uses it knows all documents, and writes each of them once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dupgroups.errors import EngineError
from dupgroups.model import Page, Record
from dupgroups_es.cluster import Answer
from dupgroups_es.document_source import (
    field_names,
    hit_record,
    hit_version,
    id_refusal,
    is_record,
    page_of,
    record_source,
)
from dupgroups_es.external_index import ExternalIndex
from dupgroups_es.index_set import is_fixed
from dupgroups_es.layout import DATES, SORTABLE_TYPES, has_type, mapping_of
from dupgroups_es.mapping import META, RECORD_FIELDS
from dupgroups_es.positions import Version
from dupgroups_es.rewriting import UNSTORED_TYPES
from dupgroups_es.settling import operations_of
from dupgroups_es.source_text import with_fields
from dupgroups_es.transport import Action

SCAN_DOCUMENTS = 1000  # documents of a page where only ids and versions are read


Positions = dict[str, int]
"""The highest sequence number of each shard, by the id of the shard; -1 for an empty one."""


class ShardSlice(NamedTuple):
    """The documents of one shard of an index whose numbers are above `after` and at most `until`."""

    home: str
    shard: int
    after: int
    until: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A document as it is read. `record` is None until it is grouped; `order` sorts documents by their date
    (None without one).
    """

    page: Page
    record: Record | None
    version: Version
    routing: str | None = None
    order: float | str | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """The record that a document gets if it still has this version."""

    record: Record
    version: Version
    routing: str | None = None


@dataclass(frozen=True, slots=True)
class Updated:
    """The result of writing a batch: the new `versions` by id, the ids that others changed or deleted since
    they were read (`overtaken`), the `failures` with their reasons, and those whose index takes no writes
    (`fixed`).
    """

    versions: dict[str, Version]
    overtaken: frozenset[str] = frozenset()
    failures: Mapping[str, str] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()


class SlicedClusterIndex:
    """See the module. `store` groups it; `reopen` opens it in another process, and can be pickled. Until it
    is adopted, all indices of a set are read, also those that have no groups yet though others have.
    """

    def __init__(self, store: ExternalIndex, reopen: Callable[[], SlicedClusterIndex]) -> None:
        self.store, self.reopen = store, reopen
        self._cluster, self._index = store.cluster, store.index
        field = mapping_of(store.mapping, store.fields.date)
        self._date_type = str(field.get("type"))
        is_sorted = self._date_type in SORTABLE_TYPES and field.get("doc_values", True)
        self._date = store.fields.date if is_sorted else None  # if the server can sort by it
        if store.is_set:
            self._cluster.sets[self._index].reads_all = True

    @property
    def identity(self) -> tuple[str, str]:
        """The name of the index, and what tells it from a later one of that name."""
        if self.store.is_set:
            return self._index, "set"  # whose indices come and go; a run notes the shards that it reads
        return self._index, self.store.answers[self._index]["settings"]["index.uuid"]

    # -- reading

    def position(self) -> Positions:
        """How far every shard is written, all of which can be read now."""
        numbers = self._cluster.positions(self._index)
        self._cluster.refresh(self._index)
        return {shard.id: position.safe for shard, position in numbers.items()}

    def parts(self, position: Positions, size: int) -> list[ShardSlice]:
        """All documents up to there, cut into parts of about so many."""
        numbers = sum(number + 1 for number in position.values())
        step = max(1, size * numbers // max(1, self.store.count()))
        shards = {shard.id: shard for shard in self._cluster.positions(self._index)}
        return [
            ShardSlice(shards[id_].home, shards[id_].number, after, min(after + step, until))
            for id_, until in sorted(position.items())
            if id_ in shards
            for after in range(-1, until, step)
        ]

    def read_slice(self, part: ShardSlice, size: int) -> Iterator[list[Stored]]:
        """The documents of a part, at most `size` at a time."""
        for hits in operations_of(self._cluster, *part, size, self._page_fields()):
            yield [self._stored_of_hit(hit) for hit in self._select_read(hits)]

    def _select_read(self, hits: Sequence[Answer]) -> Sequence[Answer]:
        """Without older documents of an id, and those that never got a group and take no writes."""
        several = self._cluster.find_set(self._index)
        if several is None:
            return hits
        older = self._cluster.find_older(self._index, [hit["_id"] for hit in hits])
        passed_over = {(hit["_index"], hit["_id"]) for hit in older}
        return [
            hit
            for hit in hits
            if (hit["_index"], hit["_id"]) not in passed_over
            and (is_record(hit) or hit["_index"] not in several.fixed)
        ]

    def _page_fields(self) -> dict[str, Any]:
        """A document as it was read, and its date as it is sorted by."""
        body: dict[str, Any] = {"_source": [*RECORD_FIELDS, *field_names(self.store.fields)]}
        if self._date:
            form = {"format": "epoch_millis"} if self._date_type in DATES else {}
            body["docvalue_fields"] = [{"field": self._date, **form}]
        return body

    def _read_sources(self, ids: Sequence[str], routings: Mapping[str, str]) -> dict[str, Answer]:
        """Documents with their `_source` as text, as they are now; those that are not there are absent."""
        if not any(has_type(index["mappings"], UNSTORED_TYPES) for index in self.store.answers.values()):
            return self._cluster.mget(self._index, ids, None, routings)
        self._cluster.refresh(self._index)  # only a search can ask every server for vectors
        fields = {"_source": {"exclude_vectors": False}, "seq_no_primary_term": True}
        hits = self._cluster.hits_of(self._index, ids, fields)
        return {
            hit["_id"]: hit | {"_source": json.dumps(hit["_source"])}
            for hit in hits
            if hit.get("_routing") == routings.get(hit["_id"])
        }

    def _stored_of_hit(self, hit: Answer) -> Stored:
        values = hit.get("fields", {}).get(self._date, []) if self._date else []
        order = min(values, default=None)
        if order is not None and self._date_type != "keyword":
            order = float(order)
        return Stored(
            page_of(hit, self.store.fields),
            hit_record(hit) if is_record(hit) else None,
            hit_version(hit),
            hit.get("_routing"),
            order,
        )

    def reread(self, ids: Sequence[str]) -> list[Stored]:
        """These documents as they are now, refreshed or not; unknown ids are left out."""
        hits = self.store.hits(ids, [*RECORD_FIELDS, *field_names(self.store.fields)])
        return [self._stored_of_hit(hit) for hit in hits.values()]

    def written_since(
        self, position: Positions, is_own: Callable[[str, Version], bool]
    ) -> Iterator[list[str]]:
        """The ids of the documents that others wrote since then, some at a time."""
        for shard, now in self._cluster.positions(self._index).items():
            part = (shard.home, shard.number, position.get(shard.id, -1), now.latest)
            for hits in operations_of(self._cluster, *part, SCAN_DOCUMENTS):
                ids = [hit["_id"] for hit in hits if not is_own(hit["_id"], hit_version(hit))]
                if ids:
                    yield ids

    # -- writing

    def update(self, updates: Sequence[Update]) -> Updated:
        """Write records, each as `Update` says. What a former call wrote counts as written."""
        self.store.prepare_reading()
        refused = {update.record.id: id_refusal(update.record.group) for update in updates}
        refused = {id_: reason for id_, reason in refused.items() if reason}
        by_id = {update.record.id: update for update in updates if update.record.id not in refused}
        updated = self._update([self._action(update) for update in by_id.values()])
        self.store.label_older([update.record for id_, update in by_id.items() if id_ in updated.versions])
        # the answer to a former write was lost, or its process has died
        former = self._versions_of([by_id[id_] for id_ in sorted(updated.overtaken)])
        return Updated(
            {**updated.versions, **former}, updated.overtaken - former.keys(), {**refused, **updated.failures}
        )

    def _action(self, update: Update) -> Action:
        place, source = (self._index, update.record.id), record_source(update.record)
        return Action("update", *place, source, version=update.version, always=True, routing=update.routing)

    def _update(self, actions: Sequence[Action]) -> Updated:
        writes = self._cluster.own_writes
        written = (self.store.writer or self._cluster).write(actions)
        not_written = written.undone | written.missing
        versions = {
            action.id: version
            for action in actions
            if action.id not in not_written and (version := writes.version(self._index, action.id))
        }
        writes.begin()
        writes.forget_older()
        return Updated(versions, written.overtaken | written.missing, written.failures, written.fixed)

    def _versions_of(self, updates: Sequence[Update]) -> dict[str, Version]:
        """The versions of the documents that hold these records already, by id."""
        if not updates:
            return {}
        routings = {update.record.id: update.routing for update in updates if update.routing is not None}
        ids = [update.record.id for update in updates]
        hits = self._cluster.mget(self._index, ids, list(RECORD_FIELDS), routings)
        stored = {id_: hit_record(hit) for id_, hit in hits.items() if is_record(hit)}
        return {
            record.id: hit_version(hits[record.id])
            for record in (update.record for update in updates)
            if stored.get(record.id) == record and stored[record.id].is_head == record.is_head
        }

    def ungroup(self, part: ShardSlice, size: int) -> Iterator[tuple[int, int, int]]:
        """Take the `dup_` fields out of the documents of a part, at most `size` at a time: how many that are,
        how many lost their fields, and how many keep them, as others changed them meanwhile or their index
        takes no writes. Raises EngineError if the server refuses one. All else in each document stays as it
        is now.
        """
        for hits in operations_of(self._cluster, *part, size, {"_source": list(RECORD_FIELDS)}):
            grouped = [hit for hit in hits if hit["_source"]]
            routings = {hit["_id"]: hit["_routing"] for hit in grouped if "_routing" in hit}
            whole = self._read_sources([hit["_id"] for hit in grouped], routings)
            done = self._update([self._without_fields(hit) for hit in whole.values()])
            for id_, reason in done.failures.items():
                raise EngineError(
                    f"{self.store.name} refused to change {id_} ({reason}): undo once more to go on"
                )
            yield len(hits), len(done.versions), len(done.overtaken | done.fixed)

    def _without_fields(self, hit: Answer) -> Action:
        """An action that takes the `dup_` fields out of a document, of which `_source` is the text."""
        text = with_fields(hit["_source"], {}, drop=RECORD_FIELDS)
        place = (self._index, hit["_id"])
        return Action("index", *place, version=hit_version(hit), text=text, routing=hit.get("_routing"))

    def write_redirects(self, moves: Mapping[str, str], live: Sequence[str]) -> None:
        """Let the names of groups that are no more lead to where they went; `live` names lead nowhere."""
        self.store.prepare_reading()
        ended = self.store.redirect_index.follow_redirects(live).keys() & set(live)
        if moves or ended:
            self.store.redirect_index.write(moves, sorted(ended), live)

    def mark(self) -> object:
        """How far the index is written now, for `mark_settled`; all of that can be read."""
        self.store.prepare_writing()
        with self.store.lock:
            mark = self.store.settling.mark_now()
            self.store.redirect_index.refresh()
            self.store.archive.expire()
            self.store.refresh()
        return mark

    def unadopt(self) -> None:
        """No longer keep the names of fields: the index is not adopted any more."""
        for index, answer in self._cluster.index(self._index).items():
            meta = dict(answer["mappings"].get("_meta", {}))
            if meta.pop(META, None) is not None and not is_fixed(answer):
                self._cluster.change_mapping(index, {"_meta": meta})
