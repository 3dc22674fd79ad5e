"""An index that others write into all the time: what they wrote since everything was settled, and how it is
grouped in place.

Every write gives a document a sequence number of its shard, so what was written since a mark is a range of
numbers, whoever wrote it and whatever fields it has. That finds new documents as well as changed ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from dupgroups.errors import ConfigError, EngineError
from dupgroups.model import Content, Document, Page, Record
from dupgroups.model.field_names import Fields
from dupgroups_es import health, queries
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.document_source import Hit, hit_record, hit_version, is_record, page_of, page_record_fields
from dupgroups_es.external_index import ExternalIndex
from dupgroups_es.mapping import version_of
from dupgroups_es.positions import Position, Shard
from dupgroups_es.settling import Mark

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

    def note_groups(self, page: Answer) -> bool:
        """Note the groups of an answer; whether they were the last of the round."""
        for bucket in page["buckets"]:
            if bucket["doc_count"] >= MIN_SPLIT_MEMBERS:
                self._counted[bucket["key"]["group"]] = bucket["doc_count"]
        after = page.get("after_key")
        self.after = after["group"] if after and page["buckets"] else None
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


class FollowedIndex:
    """An index of other tools, or one that dup-groups created and others write into; `store` groups it.

    Documents that are read here are written only on top of the version that was read. `empty`: the index may
    have no text yet. Raises ConfigError for an index that cannot be grouped.
    """

    def __init__(self, cluster: Cluster, name: str, fields: Fields, *, empty: bool = False) -> None:
        indices = cluster.index(name)
        is_own = any(version_of(answer["mappings"]) is not None for answer in indices.values())
        if is_own and (problem := health.unusable(name, indices)):
            raise ConfigError(f"{cluster.name}: {problem}")
        if is_own:
            self.store = ExternalIndex(cluster, name, Fields(group_by=fields.group_by), beside=name)
        else:
            self.store = ExternalIndex(cluster, name, fields, empty=empty, skips_unfit=True)
        self.store.settles = False  # the texts of what others wrote have to be read first
        settings = [answer["settings"] for answer in self.store.answers.values()]
        self.uuid = "set" if self.store.is_set else str(settings[0]["index.uuid"])
        self.created = min(int(setting["index.creation_date"]) for setting in settings) / 1000
        self._cluster, self._index = cluster, self.store.index
        self._rounds = Rounds()

    # -- what is written

    def mark(self) -> Mark:
        """Where the shards stand: up to here everything is looked at next, and can be seen."""
        self.store.prepare_writing()
        with self.store.lock:
            mark = self.store.mark_now()
            shards = [shard for shard in mark.positions if shard.name == self._index]
            if not self.store.is_set and any(shard.uuid != self.uuid for shard in shards):
                raise EngineError(
                    f"{self.store.name}: the index {self._index!r} was created anew", temporary=True
                )
            if mark.has_news:
                self.store.archive.expire()
                self.store.redirect_index.refresh()
            if mark.has_news or self.store.archive.is_due():
                self.store.refresh()
            return mark

    def written_until(self, mark: Mark) -> Iterator[list[Arrival]]:
        """The documents whose last operation until the mark was not looked at here, some at a time.

        They count as looked at when those after them are asked for.
        """
        for name, ids in self.store.settling.unknown_since(mark):
            if name != self._index:  # members that still have the label of a group that was merged away
                ids = [record.id for records in self.store.members(ids).values() for record in records]
            yield self.reread(ids)

    def looked_at(self, mark: Mark) -> None:
        """Note that everything until the mark was looked at. Raises EngineError if that cannot be noted."""
        with self.store.lock:
            self.store.settling.finish(mark)

    def reread(self, ids: Sequence[str]) -> list[Arrival]:
        """These documents as they are now; those that are gone are absent."""
        names = self.store.fields
        fields = page_record_fields(names)
        hits = self.store.hits(ids, fields)
        self.store.routings.notice(hits.values())
        missing = [id_ for id_ in ids if id_ not in hits]
        if missing and self.store.routings.search_routings(missing):  # others have begun to use routings
            hits |= self.store.hits(missing, fields)
        records = {id_: hit_record(hit) for id_, hit in hits.items() if is_record(hit)}
        self.store.read_versions = {id_: hit_version(hit) for id_, hit in hits.items()}
        for id_, record in records.items():
            if id_ in self.store.overlay:  # where it was forgotten, or is held as it was before
                self.store.overlay.put(record)
        older = {hit["_id"] for hit in self._cluster.find_older(self._index, list(hits))}
        return [
            Arrival(page_of(hit, names), records.get(id_), hit["_version"] == 1 and id_ not in older)
            for id_, hit in hits.items()
        ]

    def left_over(self) -> list[Arrival]:
        """Some of the documents without `dup_group`."""
        self.store.prepare_writing()
        self.store.refresh()
        some = queries.page_body(queries.HAS_NO_GROUP)
        hits = self._cluster.search(self._index, some)["hits"]["hits"]
        self.store.routings.notice(hits)
        return self.reread([hit["_id"] for hit in hits])

    def find_uncovered(self, groups: Sequence[str]) -> list[Arrival]:
        """Older documents of the ids of members that these groups may have lost, in other indices of a set:
        they show the groups of the newer ones, which may be gone.
        """
        if self._cluster.find_set(self._index) is None:
            return []
        shown = {  # without keys: no members, but for short ones
            "filter": [queries.of_groups(groups), {"term": {"dup_head": False}}],
            "must_not": {"exists": {"field": "dup_keys"}},
        }
        hits = self._cluster.search(self._index, queries.page_body({"bool": shown}))["hits"]["hits"]
        return self.reread([hit["_id"] for hit in hits])

    def waiting(self) -> int:
        """The number of documents without `dup_group`."""
        return self._cluster.count(self._index, queries.HAS_NO_GROUP)

    def find_orphaned(self, most: int) -> Iterator[list[str]]:
        """The names of groups that have lost a member, as far as can be seen: others may delete documents.
        The records of stories that say another number of copies are put right. At most so many groups are
        looked at; the next call goes on, round after round.
        """
        self.store.prepare_writing()
        if self._rounds.begin(self._cluster.positions(self._index)):
            self.store.refresh()
            for _ in range(0, most, COUNT_GROUPS):
                after = self._rounds.after
                answer = self._cluster.search(self._index, queries.group_sizes(after, COUNT_GROUPS))
                page = answer["aggregations"]["groups"]
                groups = {name: bucket for bucket in page["buckets"] if (name := bucket["key"]["group"])}
                if lost := self._select_orphaned(groups):
                    self.store.refresh()  # what is gone since must not be found among the members
                    yield lost
                is_last = self._rounds.note_groups(page)
                self._correct_stories(groups, after, lost)
                if is_last:
                    return

    def _correct_stories(self, groups: Mapping[str, Answer], after: str | None, lost: Sequence[str]) -> None:
        """Count the stories of a page whose records do not say how many documents their groups have, and
        those that lost some. Groups that are gone have records between the others.
        """
        if self.store.story_index.is_there():
            copies = self.store.story_index.copies_between(after, self._rounds.after)
            documents = {name: bucket["doc_count"] for name, bucket in groups.items()}
            sizes = {name: (documents.get(name, 0), copies.get(name, 0)) for name in {*documents, *copies}}
            self.store.keeper.count({*lost, *self._rounds.note_sizes(sizes)})

    def _select_orphaned(self, groups: Mapping[str, Answer]) -> list[str]:
        """The groups that have no head, fewer members than before, or lost who names them."""
        named = self.store.hits(list(groups), ["dup_group"])
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
        self.store.prepare_writing()
        writes, name = self._cluster.own_writes, self._index
        latest = {hit["_id"]: hit for hit in sorted(hits, key=hit_version)}
        return [
            hit_record(hit)
            for id_, hit in latest.items()
            if (writes.version(name, id_) or (-1, -1)) < hit_version(hit)
            and self.store.settling.is_by_others(name, id_, hit_version(hit))
        ]

    @contextmanager
    def meeting(self, records: Sequence[Record]) -> Iterator[list[Document]]:
        """Signed documents that are looked up for the first time: meanwhile they count as not stored, so that
        they are grouped as if they arrived now, and of what is stored only what that changes is written.
        """
        self.store.met = {record.id: record for record in records}
        read = {record.id: record.version for record in records if isinstance(record.version, tuple)}
        self.store.read_versions = {**self.store.read_versions, **read}  # the rest is written after this
        for record in records:
            self.store.overlay.put(record)  # it may not be shown yet, or as it was before
        try:
            yield [Document(record, Content("")) for record in records]
        finally:
            self.store.met = {}

    def note_homes(self, ids: Sequence[str], index: str) -> None:
        """These documents came into an index: of several it is known which."""
        if several := self._cluster.sets.get(self._index):
            for id_ in ids:
                several.note(id_, index)

    def forget(self, ids: Sequence[str]) -> list[str]:
        """The groups of documents that others have replaced, changed or deleted, as far as is still known.

        From here on these have lost them, until they are read again.
        """
        self.store.prepare_writing()
        held = [record for id_ in ids if (record := self.store.overlay.get(id_))]
        shown = self._cluster.hits_of(self._index, ids, {"_source": ["dup_group"]})
        groups = {hit["_source"].get("dup_group") for hit in shown} | {record.group for record in held}
        for id_ in ids:
            self.store.overlay.delete(id_)
        return sorted(filter(None, groups | set(ids)))
