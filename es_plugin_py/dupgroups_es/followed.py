"""An index that others write into all the time: what they wrote since everything was settled, and how it is
grouped in place.

Every write gives a document a sequence number of its shard, so what was written since a mark is a range of
numbers, whoever wrote it and whatever fields it has. That finds new documents as well as changed ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from dupgroups.engines.base import Backlog
from dupgroups.errors import ConfigError, EngineError
from dupgroups.model import Content, Document, Page, Record, Seen
from dupgroups.model.field_names import Fields
from dupgroups_es import health, queries
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.document_forms import page_of, page_record_fields
from dupgroups_es.document_source import (
    Hit,
    document_source,
    group_source,
    hit_record,
    hit_version,
    is_record,
    record_source,
)
from dupgroups_es.external_index import ExternalIndex
from dupgroups_es.mapping import version_of
from dupgroups_es.positions import Position, Shard, Version
from dupgroups_es.results import total
from dupgroups_es.settling import Mark
from dupgroups_es.transport import Action

CHANGED_REASON = "it was changed since it was read: the next look finds it"
COUNT_GROUPS = 1_000  # groups that are counted together


MIN_SPLIT_MEMBERS = 3  # members: only of a group of so many can one that leaves take two apart

Positions = Mapping[Shard, Position]


class Rounds:
    """How far the present round has come, and how many members groups had in the one before."""

    def __init__(self) -> None:
        self.after: str | None = None
        self._began: Positions | None = None  # where the shards stood when the round began
        self._sizes: dict[str, int] = {}
        self._counted: dict[str, int] = {}
        self._differing: dict[str, tuple[int, int]] = {}  # documents and copies of groups, counted since

    def begin(self, positions: Positions) -> bool:
        """Go on with the round; or begin one, unless nothing was written since the last one began."""
        if self.after is None:
            if positions == self._began:
                return False
            self._began = positions
        return True

    def note_groups(self, found: Answer) -> bool:
        """Note the groups of an answer; whether they were the last of the round."""
        for bucket in found["buckets"]:
            if bucket["doc_count"] >= MIN_SPLIT_MEMBERS:
                self._counted[bucket["key"]["group"]] = bucket["doc_count"]
        after = found.get("after_key")
        self.after = after["group"] if after and found["buckets"] else None
        if self.after is None:
            self._sizes, self._counted = self._counted, {}
        return self.after is None

    def note_sizes(self, sizes: Mapping[str, tuple[int, int]]) -> set[str]:
        """Note how many documents the groups of a page have, and how many copies their records; which differ,
        and did not differ so when they were met last: where an id stands in several indices they always do.
        """
        former = {name: self._differing.pop(name, None) for name in sizes}
        alone = (1, 0)
        differing = {name: pair for name, pair in sizes.items() if len({*pair}) > 1 and pair != alone}
        self._differing |= {name: pair for name, pair in differing.items() if pair[0]}
        return {name for name, pair in differing.items() if former[name] != pair}

    def has_shrunk(self, name: str, size: int) -> bool:
        """Whether a group had more members in the round before."""
        return size < self._sizes.get(name, 0)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A document as it is now, and its stored record; None if it has none, because it was never grouped, or
    because another tool has replaced the document since. `is_first`: nobody has written it before.
    """

    page: Page
    stored: Record | None
    is_first: bool


class FollowedIndex(ExternalIndex):
    """An index of other tools, or one that dup-groups created and others write into.

    Documents that are read here are written only on top of the version that was read. `empty`: the index may
    have no text yet. Raises ConfigError for an index that cannot be grouped.
    """

    def __init__(self, cluster: Cluster, name: str, fields: Fields, *, empty: bool = False) -> None:
        indices = cluster.index(name)
        self._is_own = any(version_of(answer["mappings"]) is not None for answer in indices.values())
        if self._is_own and (problem := health.unusable(name, indices)):
            raise ConfigError(f"{cluster.name}: {problem}")
        if self._is_own:
            super().__init__(cluster, name, Fields(group_by=fields.group_by), beside=name)
        else:
            super().__init__(cluster, name, fields, empty=empty, skips_unfit=True)
        settings = [answer["settings"] for answer in self._answers.values()]
        self.uuid = "set" if self._is_set else str(settings[0]["index.uuid"])
        self.created = min(int(one["index.creation_date"]) for one in settings) / 1000
        self._rounds = Rounds()
        self._read: Mapping[str, Version] = {}
        self._new: Mapping[str, Record] = {}

    # -- what is written

    def mark(self) -> Mark:
        """Where the shards stand: up to here everything is looked at next, and can be seen."""
        self._prepare_writing()
        with self._lock:
            mark = self._mark_now()
            shards = [shard for shard in mark.positions if shard.name == self.index]
            if not self._is_set and any(shard.uuid != self.uuid for shard in shards):
                raise EngineError(f"{self.name}: the index {self.index!r} was created anew", temporary=True)
            if mark.has_news:
                self._archive.expire()
                self._redirects.refresh()
            if mark.has_news or self._archive.is_due():
                self.refresh()
            return mark

    def written_until(self, mark: Mark) -> Iterator[list[Arrival]]:
        """The documents whose last operation until the mark was not looked at here, some at a time.

        They count as looked at when those after them are asked for.
        """
        for name, ids in self._settling.unknown_since(mark):
            if name != self.index:  # members that still have the label of a group that was merged away
                ids = [record.id for records in self.members(ids).values() for record in records]
            yield self.reread(ids)

    def looked_at(self, mark: Mark) -> None:
        """Note that everything until the mark was looked at. Raises EngineError if that cannot be noted."""
        with self._lock:
            self._settling.finish(mark)

    def backlog(self) -> Backlog:
        """Nothing: the texts of what others wrote have to be read first, see `written_until`."""
        return Backlog()

    def mark_settled(self, backlog: Backlog) -> None:
        """See `looked_at`."""

    def reread(self, ids: Sequence[str]) -> list[Arrival]:
        """These documents as they are now; those that are gone are absent."""
        fields = page_record_fields(self._fields)
        found = self._hits(ids, fields)
        self._routings.notice(found.values())
        missing = [id_ for id_ in ids if id_ not in found]
        if missing and self._routings.search_routings(missing):  # others have begun to use routings
            found |= self._hits(missing, fields)
        records = {id_: hit_record(hit) for id_, hit in found.items() if is_record(hit)}
        self._read = {id_: hit_version(hit) for id_, hit in found.items()}
        for id_, record in records.items():
            if id_ in self._overlay:  # where it was forgotten, or is held as it was before
                self._overlay.put(record)
        older = {hit["_id"] for hit in self.cluster.find_older(self.index, list(found))}
        return [
            Arrival(page_of(hit, self._fields), records.get(id_), hit["_version"] == 1 and id_ not in older)
            for id_, hit in found.items()
        ]

    def left_over(self) -> list[Arrival]:
        """Some of the documents without `dup_group`."""
        self._prepare_writing()
        self.refresh()
        hits = self.cluster.search(self.index, queries.some_without_group())["hits"]["hits"]
        self._routings.notice(hits)
        return self.reread([hit["_id"] for hit in hits])

    def find_uncovered(self, groups: Sequence[str]) -> list[Arrival]:
        """Older documents of the ids of members that these groups may have lost, in other indices of a set:
        they show the groups of the newer ones, which may be gone.
        """
        if self.cluster.find_set(self.index) is None:
            return []
        hits = self.cluster.search(self.index, queries.some_beside(groups))["hits"]["hits"]
        return self.reread([hit["_id"] for hit in hits])

    def waiting(self) -> int:
        """The number of documents without `dup_group`."""
        return total(self.cluster.search(self.index, queries.without_group()))

    def find_orphaned(self, most: int) -> Iterator[list[str]]:
        """The names of groups that have lost a member, as far as can be seen: others may delete documents.
        The records of stories that say another number of copies are put right. At most so many groups are
        looked at; the next call goes on, round after round.
        """
        self._prepare_writing()
        if self._rounds.begin(self.cluster.positions(self.index)):
            self.refresh()
            for _ in range(0, most, COUNT_GROUPS):
                after = self._rounds.after
                found = self.cluster.search(self.index, queries.group_sizes(after, COUNT_GROUPS))
                page = found["aggregations"]["groups"]
                groups = {name: one for one in page["buckets"] if (name := one["key"]["group"])}
                if lost := self._select_orphaned(groups):
                    self.refresh()  # what is gone since must not be found among the members
                    yield lost
                is_last = self._rounds.note_groups(page)
                self._correct_stories(groups, after, lost)
                if is_last:
                    return

    def _correct_stories(self, groups: Mapping[str, Answer], after: str | None, lost: Sequence[str]) -> None:
        """Count the stories of a page whose records do not say how many documents their groups have, and
        those that lost some. Groups that are gone have records between the others.
        """
        if self._stories.is_there():
            copies = self._stories.copies_between(after, self._rounds.after)
            documents = {name: bucket["doc_count"] for name, bucket in groups.items()}
            sizes = {name: (documents.get(name, 0), copies.get(name, 0)) for name in {*documents, *copies}}
            self._count({*lost, *self._rounds.note_sizes(sizes)})

    def _select_orphaned(self, groups: Mapping[str, Answer]) -> list[str]:
        """The groups that have no head, fewer members than before, or lost who names them."""
        named = self._hits(list(groups), ["dup_group"])
        return [
            name
            for name, bucket in groups.items()
            if not bucket["heads"]["doc_count"]
            or self._rounds.has_shrunk(bucket["key"]["group"], bucket["doc_count"])
            or name not in named
            or named[name]["_source"].get("dup_group", name) != name
        ]

    # -- what was signed before it came

    def signed_records(self, hits: Sequence[Hit]) -> list[Record]:
        """The records of acknowledged documents, without those that were looked up since."""
        self._prepare_writing()
        latest: dict[str, Hit] = {}
        for hit in hits:
            known = latest.get(hit["_id"])
            if known is None or hit_version(hit) > hit_version(known):
                latest[hit["_id"]] = hit
        return [hit_record(hit) for hit in latest.values() if not self._is_older(hit)]

    def _is_older(self, hit: Hit) -> bool:
        id_, version = hit["_id"], hit_version(hit)
        written = self.cluster.own_writes.version(self.index, id_)
        is_written = written is not None and written >= version
        return is_written or not self._settling.is_by_others(self.index, id_, version)

    @contextmanager
    def meeting(self, records: Sequence[Record]) -> Iterator[list[Document]]:
        """Signed documents that are looked up for the first time: meanwhile they count as not stored, so that
        they are grouped as if they arrived now, and of what is stored only what that changes is written.
        """
        versions = {record.id: record.version for record in records}
        self._new = {record.id: record for record in records}
        read = {id_: version for id_, version in versions.items() if isinstance(version, tuple)}
        self._read = {**self._read, **read}  # the rest of a batch is written after this
        for record in records:
            self._overlay.put(record)  # it may not be shown yet, or as it was before
        try:
            yield [Document(record, Content("")) for record in records]
        finally:
            self._new = {}

    def get(self, ids: Sequence[str]) -> dict[str, Record]:
        """See Store.get; without what is met for the first time."""
        return super().get([id_ for id_ in ids if id_ not in self._new])

    def note_homes(self, ids: Sequence[str], index: str) -> None:
        """These documents came into an index: of several it is known which."""
        if several := self.cluster.sets.get(self.index):
            for id_ in ids:
                several.note(id_, index)

    def forget(self, ids: Sequence[str]) -> list[str]:
        """The groups of documents that others have replaced, changed or deleted, as far as is still known.

        From here on these have lost them, until they are read again.
        """
        self._prepare_writing()
        held = [record for id_ in ids if (record := self._overlay.get(id_))]
        shown = self.cluster.hits_of(self.index, ids, {"_source": ["dup_group"]})
        groups = {hit["_source"].get("dup_group") for hit in shown} | {record.group for record in held}
        for id_ in ids:
            self._overlay.delete(id_)
        return sorted(filter(None, groups | set(ids)))

    # -- writing

    def _store_action(self, document: Document) -> Action:
        record = document.record
        if record.id in self._new:
            ties = record_source(record)["dup_ties"]
            return Action("update", self.index, record.id, {**group_source(record), "dup_ties": ties})
        if not self._is_own:
            return super()._store_action(document)
        return Action("update", self.index, record.id, document_source(document))

    def _seen_action(self, document: Document, seen: Seen | None) -> Action:
        action = super()._seen_action(document, seen)
        return replace(action, version=self._read.get(document.record.id, action.version))

    def _store(
        self, documents: Sequence[Document], seen: Seen | None
    ) -> tuple[dict[str, str], frozenset[str]]:
        # what is met for the first time and stands alone stays as it was written
        met = [document.record for document in documents if document.record.id in self._new]
        alone = [record for record in met if record.stands_alone]
        for record in alone:
            self.cluster.own_writes.mark_processed(self.index, record.id, self._read[record.id])
            self._hold(record)
        names = {record.id for record in alone}
        left = [document for document in documents if document.record.id not in names]
        self._archive.note_written(names)
        failures, overtaken = super()._store(left, seen)
        changed = overtaken & self._read.keys()
        return failures | dict.fromkeys(changed, CHANGED_REASON), overtaken - changed
