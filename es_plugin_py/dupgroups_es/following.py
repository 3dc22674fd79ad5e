"""Follow what is written into an index, by shard and sequence number, and group it in place.

Every write gives a document a sequence number of its shard, so what was written since a mark is a range of
numbers, whoever wrote it and whatever fields it has. That finds new documents as well as changed ones.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from dupgroups.engines.followed import Arrival, Share
from dupgroups.engines.foreign import Fields
from dupgroups.errors import ConfigError, EngineError
from dupgroups.model import Document, Seen
from dupgroups_es import health, queries
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.documents import document_source, hit_record, hit_version, is_record
from dupgroups_es.foreign import ForeignClusterIndex, page_of
from dupgroups_es.mapping import follow_marks_body, version_of
from dupgroups_es.positions import Shard, Version
from dupgroups_es.results import total
from dupgroups_es.rounds import Rounds
from dupgroups_es.transport import Action

CHANGED = "it was changed since it was read: the next look finds it"
TIME = "time"
GROUPS = 1_000  # groups that are counted together


class FollowedClusterIndex(ForeignClusterIndex):
    """See FollowedIndex. An index of other tools, or one that dup-groups created and others write into.

    A document that was never grouped is written only on top of the version that was read. Any other write may
    have come after a change that it does not know, so the document is looked at once more.
    """

    def __init__(self, cluster: Cluster, name: str, fields: Fields, share: Share) -> None:
        indices = cluster.index(name)
        self._is_own = any(version_of(answer["mappings"]) is not None for answer in indices.values())
        if self._is_own and (problem := health.unusable(name, indices)):
            raise ConfigError(f"{cluster.name}: {problem}")
        if self._is_own:
            super().__init__(cluster, name, Fields(group_by=fields.group_by), beside=name)
        else:
            super().__init__(cluster, name, fields)
        self._alias = name
        self._uuid = _uuid(indices[self.index])
        self._share = share
        self._marks_index = f"{self._redirects.name.removesuffix('-redirects')}-followed"
        self._kept: Answer | None = None
        self._rounds = Rounds()
        self._read: dict[str, Version] = {}
        self._added: dict[str, tuple[Shard, int]] = {}  # of a page: documents that nobody has changed yet
        self._sure: dict[str, Version] = {}
        self._surely_written: dict[str, Version] = {}

    # -- what is written

    @property
    def complete_until(self) -> int | None:
        """See FollowedIndex."""
        until: int | None = self._marks().get(TIME)
        return until

    def written(self, size: int) -> Iterator[list[Arrival]]:
        """See FollowedIndex."""
        self._prepare_writing()
        begun = time.time_ns() // 1000
        marks = self._marks()
        numbers = {shard: at.safe for shard, at in self.cluster.positions(self.index).items()}
        if any(shard.uuid != self._uuid for shard in numbers):  # its mapping may lack our fields
            raise EngineError(f"{self.name}: the index {self.index!r} was created anew", temporary=True)
        if any(marks.get(shard.id, -1) < number for shard, number in numbers.items()):
            self._sure, self._surely_written = self._surely_written, {}
            self.refresh()
            for shard, number in numbers.items():
                yield from self._written_to(shard, number, size)
        self._keep({shard.id: number for shard, number in numbers.items()} | {TIME: begun})

    def _written_to(self, shard: Shard, until: int, size: int) -> Iterator[list[Arrival]]:
        after = self._marks().get(shard.id, -1)
        for hits in self._found_in(shard, after, until, size):
            yield from self._arrivals([hit["_id"] for hit in hits if not self._is_sure(hit)])
            if len(hits) == size:  # else this was the last page, and all shards are noted together
                self._keep({**self._marks(), shard.id: hits[-1]["_seq_no"]})

    def left_over(self, size: int) -> Iterator[list[Arrival]]:
        """See FollowedIndex."""
        self._prepare_writing()
        self.refresh()
        for shard in self.cluster.positions(self.index):
            until = self._marks().get(shard.id, -1)
            for hits in self._found_in(shard, -1, until, size, waiting=True):
                yield from self._arrivals([hit["_id"] for hit in hits])

    def _found_in(
        self, shard: Shard, after: int, until: int, size: int, *, waiting: bool = False
    ) -> Iterator[list[Answer]]:
        """Hits of one shard in the order of their sequence numbers, in pages; a page is never empty."""
        while after < until:
            body = queries.written(after, until, size, waiting=waiting)
            hits = self.cluster.search(self.index, body, shard=shard.number)["hits"]["hits"]
            self._routings.notice(hits)
            if hits:
                self._added = {hit["_id"]: (shard, hit["_seq_no"]) for hit in hits if hit["_version"] == 1}
                yield hits
            if len(hits) < size:
                return
            after = hits[-1]["_seq_no"]

    def bereft(self, most: int) -> Iterator[list[str]]:
        """See FollowedIndex."""
        self._prepare_writing()
        positions = self.cluster.positions(self.index)
        if self._rounds.begin(positions):
            self.refresh()
            for _ in range(0, most, GROUPS):
                body = queries.group_sizes(self._rounds.after, GROUPS)
                found = self.cluster.search(self.index, body)["aggregations"]["groups"]
                if lost := self._bereft(found["buckets"]):
                    self.refresh()  # what is gone since must not be found among the members
                    yield lost
                if self._rounds.noted(found):
                    return

    def _bereft(self, buckets: Sequence[Answer]) -> list[str]:
        """The groups of the share that have no head, fewer members than before, or lost who names them."""
        groups = {bucket["key"]["group"]: bucket for bucket in buckets}
        mine = [name for name in groups if self._share.holds(name)]
        named = self._hits(mine, ["dup_group"])
        return [
            name
            for name in mine
            if not groups[name]["heads"]["doc_count"]
            or self._rounds.has_shrunk(name, groups[name]["doc_count"])
            or name not in named
            or named[name]["_source"].get("dup_group", name) != name
        ]

    def again(self, ids: Sequence[str]) -> list[Arrival]:
        """See FollowedIndex."""
        found = self._hits(ids, [*queries.RECORD, *self._named()])
        records = {id_: hit_record(hit) for id_, hit in found.items() if is_record(hit)}
        versions = {id_: hit_version(hit) for id_, hit in found.items()}
        self._read = {id_: version for id_, version in versions.items() if id_ not in records}
        return [Arrival(page_of(hit, self._fields), records.get(id_)) for id_, hit in found.items()]

    def _arrivals(self, ids: Sequence[str]) -> Iterator[list[Arrival]]:
        """One batch of the documents of the share; none if there are none."""
        mine = [id_ for id_ in ids if self._share.holds(id_)]
        if mine and (arrivals := self.again(mine)):
            yield arrivals

    def _is_sure(self, hit: Answer) -> bool:
        """Whether this version was written here, on top of the one whose text was read."""
        version, id_ = hit_version(hit), hit["_id"]
        return version in (self._sure.get(id_), self._surely_written.get(id_))

    def waiting(self) -> int:
        """See FollowedIndex."""
        return total(self.cluster.search(self.index, queries.without_group()))

    def is_current(self) -> bool:
        """See FollowedIndex."""
        indices = self.cluster.index(self._alias)
        return [_uuid(answer) for answer in indices.values()] == [self._uuid]

    # -- the marks

    def _marks(self) -> dict[str, Any]:
        """The highest sequence number looked at in each shard, and the time before which nothing is left."""
        if self._kept is None:
            there = self.cluster.index(self._marks_index)
            found = self.cluster.mget(self._marks_index, [str(self._share)], ["marks"]) if there else {}
            hit = found.get(str(self._share))
            self._kept = hit["_source"]["marks"] if hit else {}
        return self._kept

    def _keep(self, marks: dict[str, Any]) -> None:
        """Note how far it was looked. A new time alone is no reason to write."""
        old = self._marks()
        if {**old, TIME: 0} != {**marks, TIME: 0}:
            if not old:
                self.cluster.create_index(self._marks_index, follow_marks_body())
            action = Action("index", self._marks_index, str(self._share), {"marks": marks})
            if failures := self.cluster.bulk([action]):
                reason = next(iter(failures.values()))
                raise EngineError(f"{self.name} refused to note how far it was followed: {reason}")
        self._kept = marks

    # -- writing

    def _store_action(self, document: Document) -> Action:
        if not self._is_own:
            return super()._store_action(document)
        return Action("update", self.index, document.record.id, document_source(document))

    def _seen_action(self, document: Document, seen: Seen | None) -> Action:
        action = super()._seen_action(document, seen)
        return replace(action, version=action.version or self._read.get(document.record.id))

    def _store(
        self, documents: Sequence[Document], seen: Seen | None
    ) -> tuple[dict[str, str], frozenset[str]]:
        failures, overtaken = super()._store(documents, seen)
        changed = overtaken & self._read.keys()
        for id_ in {document.record.id for document in documents} & self._read.keys() - overtaken:
            version = self.cluster.own_writes.version(self.index, id_)
            if version and id_ not in failures:
                self._surely_written[id_] = version
                self._note_added(id_)
        return failures | dict.fromkeys(changed, CHANGED), overtaken - changed

    def _note_added(self, id_: str) -> None:
        """What was written is on top of the version that was read: was that the first one?"""
        shard, number = self._added.get(id_, (None, -1))
        if shard and self._read[id_][0] == number:
            self._settling.built_on(shard, number)


def _uuid(index: Answer) -> str:
    uuid: str = index["settings"]["index.uuid"]
    return uuid
