"""How far an index is settled, beside it: by shard and sequence number, in a small index of its own.

A mark says that everything up to this operation has been looked at when all of it could be seen. So any
process goes on where another one stopped or died: only what others wrote after the marks may have missed a
copy.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dupgroups.errors import EngineError
from dupgroups_es import queries
from dupgroups_es.cluster import Answer, Body, Cluster
from dupgroups_es.document_source import hit_version
from dupgroups_es.mapping import side_body, side_index
from dupgroups_es.positions import Position, Shard, Version, operations
from dupgroups_es.transport import Action

BATCH_DOCUMENTS = 200  # documents that are looked at together
NOTE_BATCHES = 25  # batches of a long way after which it is noted how far it went


@dataclass(frozen=True, slots=True)
class Mark:
    """Where the shards stand, up to where this process could see everything before, and how much it wrote.

    `by_others`: how many operations since then were not this process's own, -1 if it does not know.
    """

    positions: Mapping[Shard, Position]
    seen: Mapping[Shard, int]
    own: int
    by_others: int

    @property
    def is_alone(self) -> bool:
        """Whether all that was written since is this process's own, which sees everything that it writes."""
        return self.by_others == 0

    @property
    def has_news(self) -> bool:
        """Whether anything was written since then, by anybody."""
        return any(position.latest > self.seen[shard] for shard, position in self.positions.items())


def operations_of(
    cluster: Cluster, index: str, shard: int, after: int, until: int, size: int, fields: Body | None = None
) -> Iterator[list[Answer]]:
    """The documents of a shard whose last operation has a number above `after` and at most `until`, by these
    numbers, at most `size` at a time: ids, versions and what `fields` ask for.
    """
    while after < until:
        numbers = {"range": {"_seq_no": {"gt": after, "lte": until}}}
        versions = {"seq_no_primary_term": True, "version": True}
        body = queries.page_body(numbers, size=size, sort=[{"_seq_no": "asc"}], **versions)
        hits = cluster.search(index, {**body, **(fields or {})}, shard=shard)["hits"]["hits"]
        if hits:
            yield hits
        if len(hits) < size:
            return
        after = hits[-1]["_seq_no"]


class Settling:
    """The marks of an index and of its redirects. The caller sees to it that nothing is written meanwhile.

    A process looks at what others wrote since it could see everything itself, even if a third one has settled
    that: its own documents may have been looked up before, and written after, and nobody else has seen them.
    It looks at its own again when others changed or deleted documents: one of those may have tied its own to
    a group, and who changed it may not have seen that.
    """

    def __init__(self, cluster: Cluster, index: str, beside: str) -> None:
        self._cluster = cluster
        self._names = (index, side_index(beside, "redirects"))
        self._marks = side_index(beside, "settled")
        self._seen: Mapping[Shard, int] = {}
        self._own_when_seen = 0

    def prepare(self) -> bool:
        """Before the first look: what the marks say is what this process can see, after a refresh.

        Whether they say anything. Who was alone has settled without one.
        """
        self._seen = self._settled_positions(self._positions())
        return any(number >= 0 for number in self._seen.values())

    def mark_now(self) -> Mark:
        """Look where the shards stand; what is written from now on belongs to the next mark."""
        writes = self._cluster.own_writes
        own = writes.operations(self._names)
        positions = self._positions()
        seen = {shard: self._seen.get(shard, -1) for shard in positions}
        latest = operations(position.latest for position in positions.values())
        written = latest - operations(seen.values())
        by_others = written - (own - self._own_when_seen) if writes.complete else -1
        writes.begin()
        return Mark(positions, seen, own, by_others)

    def _positions(self) -> dict[Shard, Position]:
        return {
            shard: position
            for name in self._names
            for shard, position in self._cluster.positions(name).items()
        }

    def unknown_since(self, mark: Mark) -> Iterator[tuple[str, list[str]]]:
        """Ids of what this process has not written or looked up as it is, with the names of their indices.

        Far on the way it is noted how far it went.
        """
        for number, (shard, hits) in enumerate(self._operations(mark), 1):
            if ids := [hit["_id"] for hit in self._of_others(shard, hits)]:
                yield shard.name, ids
            if number % NOTE_BATCHES == 0:
                self._note({shard: hits[-1]["_seq_no"]})

    def written_since(self, mark: Mark) -> Iterator[tuple[str, list[str]]]:
        """Ids of what may have missed something, some at a time, each with the name of its index."""
        again = mark.own > self._own_when_seen and self._others_changed(mark)
        for shard, hits in self._operations(mark):
            if ids := [hit["_id"] for hit in (hits if again else self._of_others(shard, hits))]:
                yield shard.name, ids

    def _others_changed(self, mark: Mark) -> bool:
        """Whether others did more than to add documents that can still be seen as they wrote them."""
        added = 0
        for shard, hits in self._operations(mark):
            by_others = self._of_others(shard, hits)
            if any(hit["_version"] > 1 for hit in by_others):
                return True
            added += len(by_others)
        return added != mark.by_others

    def _operations(self, mark: Mark) -> Iterator[tuple[Shard, list[Answer]]]:
        """The documents whose last operation came since then, some at a time, in the order of their shard."""
        for shard, position in mark.positions.items():
            part = (shard.number, mark.seen[shard], position.latest)
            yield from (
                (shard, hits) for hits in operations_of(self._cluster, shard.home, *part, BATCH_DOCUMENTS)
            )

    def _of_others(self, shard: Shard, hits: Sequence[Answer]) -> list[Answer]:
        is_own = self._cluster.own_writes.is_own
        return [hit for hit in hits if not is_own(shard.name, hit["_id"], hit_version(hit))]

    def is_by_others(self, name: str, id_: str, version: Version) -> bool:
        """Whether this version of a document is others', and may have come after this process looked.

        A shard is not known by the id: what is older than the marks of all shards could be seen.
        """
        seen = min((number for shard, number in self._seen.items() if shard.name == name), default=-1)
        return version[0] > seen and not self._cluster.own_writes.is_own(name, id_, version)

    def finish(self, mark: Mark) -> None:
        """Everything up to this mark is settled. Raises EngineError when that cannot be noted."""
        settled = {shard: position.safe for shard, position in mark.positions.items()}
        self._forget_closed(mark)
        self._note({shard: number for shard, number in settled.items() if mark.seen[shard] != number})
        self._seen, self._own_when_seen = settled, mark.own
        self._cluster.own_writes.forget_older()

    def _note(self, settled: Mapping[Shard, int]) -> None:
        """Note how far shards are settled."""
        if settled and not self._cluster.index(self._marks):
            self._cluster.create_index(self._marks, side_body("settled"))
        failures = self._cluster.bulk(
            [Action("index", self._marks, shard.id, {"settled": number}) for shard, number in settled.items()]
        )
        if failures:
            reason = next(iter(failures.values()))
            raise EngineError(f"{self._cluster.name} refused the record of what is settled: {reason}")

    def _forget_closed(self, mark: Mark) -> None:
        """Delete the marks of closed indices, whose documents miss what is settled now: when one is opened,
        it is looked at as a whole.
        """
        several = self._cluster.sets.get(self._names[0])
        closed = {id_ for ids in several.closed.values() for id_ in ids} if several else set()
        closed -= {shard.id for shard in mark.positions}
        if closed and mark.has_news and self._cluster.names(self._marks):
            there = self._cluster.mget(self._marks, sorted(closed), [])
            self._cluster.bulk([Action("delete", self._marks, id_) for id_ in there])

    def lag(self) -> int:
        """How many operations on the shards are not known to be settled, by this process or any other."""
        positions = self._positions()
        settled = self._settled_positions(positions)
        return sum(max(0, position.latest - settled[shard]) for shard, position in positions.items())

    def _settled_positions(self, positions: Mapping[Shard, Position]) -> dict[Shard, int]:
        """The last operation of each shard that is settled; -1 before the first."""
        if not self._cluster.index(self._marks):
            return dict.fromkeys(positions, -1)
        hits = self._cluster.mget(self._marks, sorted(shard.id for shard in positions), ["settled"])
        return {
            shard: hits[shard.id]["_source"]["settled"] if shard.id in hits else -1 for shard in positions
        }
