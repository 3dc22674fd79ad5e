"""The keys of documents in older indices, kept together in one small index, so that a look-up asks the index
that new documents go to and this one, however many indices there are behind a name.

It is filled from what was written into the older indices, by sequence number, whoever wrote it; a mark for
each shard says how far. An index counts as archived while its shards stand at their marks: until then it is
searched itself. So nothing has to be kept in step with a write, and what is missing here costs time only.
A document that is gone from an older index may still stand here: whoever meets it searches all indices, and
removes it.
"""

import hashlib
import logging
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal

from dupgroups.engines.base import MAX_WINDOW_HITS
from dupgroups.errors import ConfigError, EngineError
from dupgroups.text.batches import batches
from dupgroups_es import queries
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.index_set import IndexSet
from dupgroups_es.mapping import side_body
from dupgroups_es.positions import Position, Shard
from dupgroups_es.settling import operations_of
from dupgroups_es.transport import Action

MIN_INDICES = 4  # of a name, below which look-ups ask all: an archive saves nothing there
PAGE_DOCUMENTS = 1_000  # documents whose keys are copied together
TURN_DOCUMENTS = 10_000  # documents that are copied at once, half a second: other work waits for it
# a look-up asks each segment for each key: of 7,500 documents 0.55 ms in 3 segments, 0.86 in the default's 9
SEGMENTS_PER_TIER = 2

log = logging.getLogger(__name__)


class ArchivedKeys:
    """The keys of the older indices behind one name."""

    def __init__(self, cluster: Cluster, index: str, name: str) -> None:
        self.name = name
        self._cluster = cluster
        self._index = index
        self._archived_state: object = None  # of the indices
        self._is_expired = True

    def has_new(self) -> bool:
        """Whether other indices have become older ones, or are not copied to their end."""
        several = self._find_set()
        return several is not None and several.state != self._archived_state

    def is_due(self) -> bool:
        """Whether it has new ones, or keys in older ones may have changed, or it is not used any more."""
        several = self._find_set()
        return several is not None and (self._is_expired or not several.archived or self.has_new())

    def expire(self) -> None:
        """Others may have changed keys."""
        self._is_expired = True

    def note_written(self, ids: Collection[str]) -> None:
        """This process gave these documents keys."""
        several = self._find_set()
        if several and any(several.home(id_) in several.archived for id_ in ids):
            self._is_expired = True

    def positions(self) -> Mapping[Shard, Position]:
        """Where the shards of the older indices stand; {} if there are too few of them."""
        several = self._find_set()
        if several is None:
            return {}
        reached = self._cluster.positions(self._index)
        *older, _ = several.indices
        return {shard: position for shard, position in reached.items() if shard.home in older}

    def catch_up(self, positions: Mapping[Shard, Position]) -> None:
        """Copy keys up to these positions, all of which a search shows; TURN_DOCUMENTS at most. If they
        cannot be kept, a warning says so, and look-ups ask all indices.
        """
        several = self._find_set()
        if several is None or not positions:
            return
        try:
            self._copy_keys(several, positions)
        except (ConfigError, EngineError) as error:
            if self.has_new():
                log.warning("Look-ups ask all indices, as keys cannot be kept in %s: %s", self.name, error)
            several.archived, self._archived_state = {}, several.state

    def _copy_keys(self, several: IndexSet, positions: Mapping[Shard, Position]) -> None:
        marks = self._read_marks()
        left = TURN_DOCUMENTS
        for shard, position in positions.items():
            reached = marks.get(shard.id, -1)
            if left > 0 and reached < position.safe:
                marks[shard.id], copied = self._copy_shard(shard, reached, position.safe, left)
                left -= copied
        if left < TURN_DOCUMENTS:
            self._cluster.refresh(self.name)
        self._note_archived(several, positions, marks)
        if several.hidden:
            self._remove_deleted(several.hidden)
        if left > 0:
            self._archived_state = several.state

    def look(self) -> None:
        """See which indices others have copied to their end, for who only reads. Without the right to see how
        far they are written, look-ups ask all.
        """
        several = self._find_set()
        if several is None:
            return
        with suppress(ConfigError, EngineError):
            if self._cluster.names(self.name):
                self._note_archived(several, self.positions(), self._read_marks())
        self._archived_state = several.state

    def mend(self, ids: Collection[str]) -> None:
        """Remove the keys of those of these documents that are gone, which no number tells. Until the archive
        next catches up, which copies those that changed, look-ups ask all indices.
        """
        if several := self._cluster.find_set(self._index):
            several.archived = {}
        self._is_expired = True
        with suppress(EngineError):  # it is not used, and mended when it is met again
            for some in batches(sorted(ids), PAGE_DOCUMENTS):
                self._write([Action("delete", self.name, name) for name in self._names_of_gone(some)])
            self._cluster.refresh(self.name)

    def _find_set(self) -> IndexSet | None:
        several = self._cluster.find_set(self._index)
        return several if several and len(several.indices) >= MIN_INDICES else None

    def _read_marks(self) -> dict[str, int]:
        """How far the keys of each shard are copied, by its id, as of the last refresh."""
        if not self._cluster.names(self.name):
            body = side_body("keys")
            body["settings"]["index"]["merge.policy.segments_per_tier"] = SEGMENTS_PER_TIER
            self._cluster.create_index(self.name, body)
            return {}
        marks = queries.page_body({"exists": {"field": "until"}}, True, MAX_WINDOW_HITS)
        hits = self._cluster.search(self.name, marks)["hits"]["hits"]
        return {hit["_id"]: hit["_source"]["until"] for hit in hits}

    def _copy_shard(self, shard: Shard, after: int, until: int, most: int) -> tuple[int, int]:
        """Copy the keys of about `most` documents: up to where, and of how many."""
        copied, reached = 0, until
        fields = {"_source": queries.KEYS}
        for hits in operations_of(
            self._cluster, shard.home, shard.number, after, until, PAGE_DOCUMENTS, fields
        ):
            self._write([self._copied_keys(shard.uuid, hit) for hit in hits])
            copied += len(hits)
            if copied >= most:
                reached = hits[-1]["_seq_no"]
                break
        self._write([Action("index", self.name, shard.id, {"until": reached, "dup_home": shard.uuid})])
        return reached, copied

    def _copied_keys(self, uuid: str, hit: Answer) -> Action:
        """If two processes copy one document at a time, who read more of the shard wins."""
        source = {name: hit["_source"][name] for name in queries.KEYS if name in hit["_source"]}
        source |= {"dup_id": hit["_id"], "dup_home": uuid}
        place = f"{uuid}:{hit['_id']}".encode("utf-8", "surrogatepass")  # others may have this id, too
        name = hashlib.blake2b(place, digest_size=15).hexdigest()
        return Action("index", self.name, name, source, number=hit["_seq_no"])

    def _write(self, actions: Sequence[Action]) -> None:
        """Raises EngineError if the server refuses one; who is overtaken had read less."""
        for id_, reason in self._cluster.write(actions).failures.items():
            raise EngineError(f"{self._cluster.name} refused to keep keys ({id_}: {reason})")

    def _note_archived(
        self, several: IndexSet, positions: Mapping[Shard, Position], marks: Mapping[str, int]
    ) -> None:
        behind = {
            shard.home for shard, position in positions.items() if marks.get(shard.id, -1) < position.latest
        }
        homes = {shard.home: shard.uuid for shard in positions if shard.home not in behind}
        kept = {id_.rpartition(":")[0] for id_ in marks}
        several.archive = self.name
        several.archived = homes
        several.hidden = kept - {*homes.values()}
        self._is_expired = bool(behind)

    def _names_of_gone(self, ids: Sequence[str]) -> Iterator[str]:
        kept: defaultdict[str, dict[str, str]] = defaultdict(dict)
        body = queries.page_body({"terms": {"dup_id": list(ids)}}, ["dup_id", "dup_home"], MAX_WINDOW_HITS)
        for hit in self._cluster.search(self.name, body)["hits"]["hits"]:
            kept[hit["_source"]["dup_home"]][hit["_source"]["dup_id"]] = hit["_id"]
        homes = {shard.uuid: shard.home for shard in self._cluster.positions(self._index)}
        for uuid in kept.keys() & homes.keys():
            with suppress(EngineError):  # it was closed or deleted meanwhile: then its keys are hidden
                among = queries.page_body({"ids": {"values": [*kept[uuid]]}}, size=MAX_WINDOW_HITS)
                there = self._cluster.search_index(homes[uuid], among)
                stored = {hit["_id"] for hit in there["hits"]["hits"]}
                yield from (name for id_, name in kept[uuid].items() if id_ not in stored)

    def _remove_deleted(self, uuids: Collection[str]) -> None:
        """Remove the keys of indices that are gone for good, TURN_DOCUMENTS at most, and the rest in later
        turns; at last their marks, by which others know that these keys are to be hidden.
        """
        there = {answer["uuid"] for answer in self._cluster.names(self._index).values()}
        gone = sorted({*uuids} - there)
        if not gone:
            return
        if self._delete(gone, "must_not") < TURN_DOCUMENTS:
            self._delete(gone, "must")
        else:
            self._is_expired = True

    def _delete(self, uuids: Sequence[str], marks: Literal["must", "must_not"]) -> int:
        """Delete the keys of indices, or the `marks`; how many there were, TURN_DOCUMENTS at most."""
        of_homes = {"filter": [{"terms": {"dup_home": uuids}}], marks: [{"exists": {"field": "until"}}]}
        page = self._cluster.search(self.name, queries.page_body({"bool": of_homes}, size=TURN_DOCUMENTS))
        names = [hit["_id"] for hit in page["hits"]["hits"]]
        self._write([Action("delete", self.name, name) for name in names])
        self._cluster.refresh(self.name)
        return len(names)
