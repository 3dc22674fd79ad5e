"""Reads records from an index: by id, by key and by group, with this process's own writes over it."""

import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from dupgroups.engines.base import MAX_WINDOW_HITS
from dupgroups.model import Record, Signature
from dupgroups.model.field_names import Fields
from dupgroups.text.batches import batches
from dupgroups_es import queries
from dupgroups_es.archived_keys import ArchivedKeys
from dupgroups_es.cluster import Answer, Body, Cluster
from dupgroups_es.correction_index import CorrectionLog
from dupgroups_es.document_source import hit_record, hit_version, id_refusal, is_record
from dupgroups_es.lookups import Lookups, Sharing, sharing
from dupgroups_es.mapping import side_index
from dupgroups_es.overlay import KnownRecords, Overlay, count_shared
from dupgroups_es.positions import Version
from dupgroups_es.redirects import Redirects
from dupgroups_es.revision_index import RevisionIndex
from dupgroups_es.settling import Settling
from dupgroups_es.story_index import StoryIndex

Matching = Callable[[Sequence[str]], dict[str, Any]]
"""The query for members of groups."""


class Routings:
    """Nothing is asked of the server until it is `used`: until a document is known to have a routing."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self._cluster = cluster
        self._index = index
        self.used = False

    def look(self) -> None:
        """See whether any document has a routing, as of the last refresh."""
        has_routing = {"exists": {"field": "_routing"}}  # the first of each shard is enough
        self.used = self.used or self._cluster.count(self._index, has_routing, terminate_after=1) > 0

    def notice(self, hits: Iterable[Answer]) -> None:
        """See whether a hit has a routing: others may have begun to use them."""
        self.used = self.used or any("_routing" in hit for hit in hits)

    def search_routings(self, ids: Sequence[str]) -> bool:
        """Whether documents that a search shows, but that their ids do not find, have a routing."""
        if self.used:
            return False
        self.used = bool(self._cluster.routings(self._index, ids))
        return self.used

    def of(self, ids: Sequence[str]) -> dict[str, str]:
        """The routing of each of these that has one, as of the last refresh."""
        return self._cluster.routings(self._index, ids) if self.used and ids else {}


class RecordReader:
    """Reads records. Any thread may call it."""

    def __init__(self, cluster: Cluster, index: str, beside: str) -> None:
        self.cluster = cluster
        self.overlay = Overlay()
        self._known = KnownRecords()
        self._lookups = Lookups(cluster)
        self.lock = threading.RLock()
        self._prepared = self._writable = False
        self._writes = 0
        self._touched = False  # since the last refresh: the overlay does not hold what is only seen again
        self._stand_on(index, beside)

    def _stand_on(self, index: str, beside: str) -> None:
        """Use this index, with the side indices of the name `beside`."""
        self.index = index
        self.routings = Routings(self.cluster, index)
        self.redirect_index = Redirects(self.cluster, side_index(beside, "redirects"))
        self.correction_log = CorrectionLog(self.cluster, side_index(beside, "corrections"))
        self.settling = Settling(self.cluster, index, beside)
        self.story_index = StoryIndex(self.cluster, side_index(beside, "stories"))
        self.revision_index = RevisionIndex(self.cluster, side_index(beside, "revisions"))
        self.archive = ArchivedKeys(self.cluster, index, side_index(beside, "keys"))

    @property
    def names(self) -> Fields:
        """The fields that hold the parts of a document."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The engine's URL without secrets."""
        return self.cluster.name

    @property
    def retries(self) -> int:
        return self.cluster.retries

    def close(self) -> None:
        self.cluster.close()

    def prepare_reading(self) -> None:
        """Before the first use: make what is missing, or see that what is there can be used."""
        with self.lock:
            if not self._prepared:
                self._prepare_index()
                self.redirect_index.prepare()
                self._prepared = True

    def _prepare_index(self) -> None:
        raise NotImplementedError

    def get(self, ids: Sequence[str]) -> dict[str, Record]:
        hits = self.hits(ids, queries.RECORD)
        return {id_: hit_record(hit) for id_, hit in hits.items() if is_record(hit)}

    def hits(self, ids: Sequence[str], fields: Sequence[str]) -> dict[str, Answer]:
        """The documents of these ids, whatever their routing; unknown ids are absent."""
        self.prepare_reading()
        asked = [id_ for id_ in ids if id_ and not id_refusal(id_)]
        hits = self.cluster.mget(self.index, asked, fields)
        if self.routings.used and len(hits) < len(asked):
            routings = self.routings.of([id_ for id_ in asked if id_ not in hits])
            hits |= self.cluster.mget(self.index, list(routings), fields, routings)
        return hits

    def candidates(self, signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
        """See Engine.candidates. A search only says who shares how many keys; the records that are not known
        yet are fetched then, because to read a document costs the server more than to find it.
        """
        self.prepare_reading()
        with self.lock:
            if self.archive.has_new():
                self.refresh() if self._writable else self.archive.look()
            shown = [
                self._nearest_shown(sharing(pages, signature.shared_keys), limit)
                for signature, pages in zip(
                    signatures, self._search_holders(signatures, limit, limit), strict=True
                )
            ]
            records = self._records({holder.id: holder.version for page in shown for holder in page})
            if wrong := _wrongly_archived(signatures, shown, records):
                self.archive.mend(wrong)
                return self.candidates(signatures, limit=limit)
            return [
                self._select_nearest(signature, [records[id_] for id_, *_ in page if id_ in records], limit)
                for signature, page in zip(signatures, shown, strict=True)
            ]

    def _search_holders(
        self, signatures: Sequence[Signature], limit: int, size: int
    ) -> list[list[list[Sharing]]]:
        """For each signature who shares a key, as each search shows it: all of them, or so many that at least
        `limit` are left without those that this process has deleted or signed otherwise. Asks for `size`.
        """
        shown = self._lookups.sharing(self.index, signatures, size)
        short = [
            place
            for place, pages in enumerate(shown)
            if any(
                size <= len(page) < MAX_WINDOW_HITS and self._count_valid(signatures[place], page) < limit
                for page in pages
            )
        ]
        if short:
            longer = self._search_holders(
                [signatures[place] for place in short], limit, min(4 * size, MAX_WINDOW_HITS)
            )
            for place, pages in zip(short, longer, strict=True):
                shown[place] = pages
        return shown

    def _count_valid(self, signature: Signature, page: Sequence[Sharing]) -> int:
        """How many share as many keys now: what this process wrote is in the overlay, perhaps otherwise."""
        return sum(
            holder.id not in self.overlay or holder.keys <= self.overlay.count_shared(holder.id, signature)
            for holder in page
        )

    def _nearest_shown(self, pages: Sequence[Sequence[Sharing]], limit: int) -> Collection[Sharing]:
        """Of each search at most `limit` that the overlay does not hide: their records say who is nearest."""
        current = [[holder for holder in page if holder.id not in self.overlay] for page in pages]
        return {holder.id: holder for page in current for holder in page[:limit]}.values()

    def _records(self, versions: Mapping[str, Version | None]) -> dict[str, Record]:
        """The records of documents of which a search shows these versions, or later ones; those that were
        deleted meanwhile are absent.
        """
        kept = {id_: self._known.get(id_, version) for id_, version in versions.items()}
        records = {id_: record for id_, record in kept.items() if record is not None}
        fetched = self.get(sorted(versions.keys() - records.keys()))
        missing = versions.keys() - records.keys() - fetched.keys()
        if missing and self.routings.search_routings(sorted(missing)):
            fetched |= self.get(sorted(missing))
        self._known.keep(fetched.values())
        return records | fetched

    def _select_nearest(self, signature: Signature, shown: Sequence[Record], limit: int) -> list[Record]:
        """The records that share most keys, counted here: the index and the overlay count alike."""
        current = {record.id: record for record in shown}
        current |= {record.id: record for record in self.overlay.candidates(signature, limit=limit)}
        shared = {id_: count_shared(signature, record) for id_, record in current.items()}
        enough = (id_ for id_, count in shared.items() if count >= signature.shared_keys)
        nearest = sorted(enough, key=lambda id_: (-shared[id_], id_))
        return [current[id_] for id_ in nearest[:limit]]

    def members(self, groups: Sequence[str], *, limit: int | None = None) -> dict[str, list[Record]]:
        members = (
            self._current(groups, queries.of_groups) if limit is None else self._first_members(groups, limit)
        )
        return {
            group: sorted(records, key=lambda record: record.age)[:limit]
            for group, records in members.items()
        }

    def _first_members(self, groups: Sequence[str], limit: int, gone: int = 0) -> dict[str, list[Record]]:
        """The oldest members of each group that are found, and all those that this process wrote. `gone` more
        are read, in place of those that left their group since the index was refreshed.
        """
        self.prepare_reading()
        with self.lock:
            wanted = limit + gone
            bodies = [queries.oldest_of(group, min(wanted, queries.PAGE_DOCUMENTS)) for group in groups]
            answers = self.cluster.msearch(self.index, bodies)
            shown = {
                group: self._first_visible(body, answer["hits"]["hits"], wanted)
                for group, body, answer in zip(groups, bodies, answers, strict=True)
            }
            records = self._records({hit["_id"]: hit_version(hit) for hits in shown.values() for hit in hits})
            met = {
                group: [
                    record for hit in hits if (record := records.get(hit["_id"])) and record.group == group
                ]
                for group, hits in shown.items()
            }
            short = [
                group for group, hits in shown.items() if len(met[group]) < limit and len(hits) >= wanted
            ]
            members = {group: met[group] + self.overlay.members(group) for group in met}
            if short:
                members |= self._first_members(short, limit, max(len(shown[group]) for group in short))
            return members

    def _first_visible(self, body: Body, hits: Sequence[Answer], limit: int) -> list[Answer]:
        """The first `limit` of what the overlay does not hide: more pages if the hits have less."""
        self.routings.notice(hits)
        further = self.page_hits(body, hits[-1]["sort"]) if len(hits) >= body["size"] else ()
        shown = (hit for hit in chain(hits, further) if hit["_id"] not in self.overlay)
        return list(islice(shown, limit))

    def heads(self, groups: Sequence[str]) -> dict[str, list[Record]]:
        members = self._current(groups, queries.heads_of)
        return {
            group: sorted((record for record in records if record.is_head), key=lambda record: record.id)
            for group, records in members.items()
        }

    def _current(self, groups: Sequence[str], matching: Matching) -> dict[str, list[Record]]:
        """The members of each group that are found, and all those that this process wrote."""
        self.prepare_reading()
        with self.lock:
            shown = defaultdict(list)
            for record in self._search_members(sorted(set(groups)), matching):
                if record.id not in self.overlay:
                    shown[record.group].append(record)
            return {group: shown[group] + self.overlay.members(group) for group in groups}

    def _search_members(
        self, groups: Sequence[str], matching: Matching = queries.of_groups
    ) -> Iterator[Record]:
        for some in batches(groups, queries.PAGE_DOCUMENTS):
            for hit in self.page_hits(queries.by_id(matching(some), queries.RECORD)):
                if is_record(hit) and self.cluster.is_current(self.index, hit):
                    yield hit_record(hit)

    def page_hits(self, body: Body, after: Sequence[Any] | None = None) -> Iterator[Answer]:
        """Every hit of a search, in pages of its size; those after these sort values if there are some."""
        while True:
            page = body if after is None else {**body, "search_after": after}
            hits = self.cluster.search(self.index, page)["hits"]["hits"]
            self.routings.notice(hits)
            yield from hits
            if len(hits) < body["size"]:
                return
            after = hits[-1]["sort"]

    def resolve(self, groups: Sequence[str]) -> dict[str, str]:
        self.prepare_reading()
        return self.redirect_index.resolve(groups)

    def redirects(self) -> Iterator[tuple[str, str]]:
        self.prepare_reading()
        yield from self.redirect_index.all_redirects()

    def refresh(self) -> None:
        self.prepare_reading()
        with self.lock:
            stories = [self.story_index.name] if self.story_index.is_there() else []
            archives = self._writable and self.archive.is_due()
            positions = self.archive.positions() if archives else {}
            self.cluster.refresh(self.index, *stories)
            self.archive.catch_up(positions)
            self._known.keep(self.overlay)
            self.overlay = Overlay()
            self._touched = False


def _wrongly_archived(
    signatures: Sequence[Signature], shown: Sequence[Iterable[Sharing]], records: Mapping[str, Record]
) -> set[str]:
    """The documents that an archive shows, and that are not there any longer, or share fewer keys now."""
    return {
        holder.id
        for signature, page in zip(signatures, shown, strict=True)
        for holder in page
        if holder.version is None and count_shared(signature, records.get(holder.id)) < holder.keys
    }
