"""Reads records from an index: by id, by key and by group, with this process's own writes over it."""

import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from dupgroups.engines.base import MAX_WINDOW_HITS, Block
from dupgroups.model import Record, Signature
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
from dupgroups_es.results import total
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
        self.used = self.used or total(self._cluster.search(self._index, queries.with_routing())) > 0

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


class RecordReader(Block):
    """Reads records. Any thread may call it."""

    def __init__(self, cluster: Cluster, index: str, beside: str) -> None:
        self.cluster = cluster
        self._overlay = Overlay()
        self._known = KnownRecords()
        self._lookups = Lookups(cluster)
        self._lock = threading.RLock()
        self._prepared = self._writable = False
        self._writes = 0
        self._touched = False  # since the last refresh: the overlay does not hold what is only seen again
        self._stand_on(index, beside)

    def _stand_on(self, index: str, beside: str) -> None:
        """Use this index, with the side indices of the name `beside`."""
        self.index = index
        self._routings = Routings(self.cluster, index)
        self._redirects = Redirects(self.cluster, side_index(beside, "redirects"))
        self._corrections = CorrectionLog(self.cluster, side_index(beside, "corrections"))
        self._settling = Settling(self.cluster, index, beside)
        self._stories = StoryIndex(self.cluster, side_index(beside, "stories"))
        self._revisions = RevisionIndex(self.cluster, side_index(beside, "revisions"))
        self._archive = ArchivedKeys(self.cluster, index, side_index(beside, "keys"))

    @property
    def name(self) -> str:
        """The engine's URL without secrets."""
        return self.cluster.name

    @property
    def retries(self) -> int:
        """See Store.retries."""
        return self.cluster.retries

    def close(self) -> None:
        """See Engine.close."""
        self.cluster.close()

    def _prepare(self) -> None:
        """Before the first use: make what is missing, or see that what is there can be used."""
        with self._lock:
            if not self._prepared:
                self._prepare_index()
                self._redirects.prepare()
                self._prepared = True

    def _prepare_index(self) -> None:
        raise NotImplementedError

    def get(self, ids: Sequence[str]) -> dict[str, Record]:
        """See Engine.get."""
        found = self._hits(ids, queries.RECORD)
        return {id_: hit_record(hit) for id_, hit in found.items() if is_record(hit)}

    def _hits(self, ids: Sequence[str], fields: Sequence[str]) -> dict[str, Answer]:
        """The documents of these ids, whatever their routing; unknown ids are absent."""
        self._prepare()
        asked = [id_ for id_ in ids if id_ and not id_refusal(id_)]
        found = self.cluster.mget(self.index, asked, fields)
        if self._routings.used and len(found) < len(asked):
            routings = self._routings.of([id_ for id_ in asked if id_ not in found])
            found |= self.cluster.mget(self.index, list(routings), fields, routings)
        return found

    def candidates(self, signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
        """See Engine.candidates. A search only says who shares how many keys; the records that are not known
        yet are fetched then, because to read a document costs the server more than to find it.
        """
        self._prepare()
        with self._lock:
            if self._archive.has_new():
                self.refresh() if self._writable else self._archive.look()
            shown = [
                self._nearest_shown(sharing(pages, signature.shared_keys), limit)
                for signature, pages in zip(
                    signatures, self._search_holders(signatures, limit, limit), strict=True
                )
            ]
            records = self._records({one.id: one.version for page in shown for one in page})
            if wrong := _wrongly_archived(signatures, shown, records):
                self._archive.mend(wrong)
                return self.candidates(signatures, limit=limit)
            return [
                self._select_nearest(signature, [records[one.id] for one in page if one.id in records], limit)
                for signature, page in zip(signatures, shown, strict=True)
            ]

    def _search_holders(
        self, signatures: Sequence[Signature], limit: int, size: int
    ) -> list[list[list[Sharing]]]:
        """For each signature who shares a key, as each search shows it: all of them, or so many that at least
        `limit` are left without those that this process has deleted or signed otherwise. Asks for `size`.
        """
        found = self._lookups.sharing(self.index, signatures, size)
        short = [
            place
            for place, pages in enumerate(found)
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
                found[place] = pages
        return found

    def _count_valid(self, signature: Signature, page: Sequence[Sharing]) -> int:
        """How many share as many keys now: what this process wrote is in the overlay, perhaps otherwise."""
        return sum(
            one.id not in self._overlay or one.keys <= self._overlay.count_shared(one.id, signature)
            for one in page
        )

    def _nearest_shown(self, pages: Sequence[Sequence[Sharing]], limit: int) -> Collection[Sharing]:
        """Of each search at most `limit` that the overlay does not hide: their records say who is nearest."""
        current = [[one for one in page if one.id not in self._overlay] for page in pages]
        return {one.id: one for page in current for one in page[:limit]}.values()

    def _records(self, versions: Mapping[str, Version | None]) -> dict[str, Record]:
        """The records of documents of which a search shows these versions, or later ones; those that were
        deleted meanwhile are absent.
        """
        known = {id_: self._known.get(id_, version) for id_, version in versions.items()}
        records = {id_: record for id_, record in known.items() if record is not None}
        fetched = self.get(sorted(versions.keys() - records.keys()))
        missing = versions.keys() - records.keys() - fetched.keys()
        if missing and self._routings.search_routings(sorted(missing)):
            fetched |= self.get(sorted(missing))
        self._known.keep(fetched.values())
        return records | fetched

    def _select_nearest(self, signature: Signature, found: Sequence[Record], limit: int) -> list[Record]:
        """The records that share most keys, counted here: the index and the overlay count alike."""
        current = {record.id: record for record in found}
        current |= {record.id: record for record in self._overlay.candidates(signature, limit=limit)}
        shared = {id_: count_shared(signature, record) for id_, record in current.items()}
        enough = (id_ for id_, count in shared.items() if count >= signature.shared_keys)
        nearest = sorted(enough, key=lambda id_: (-shared[id_], id_))
        return [current[id_] for id_ in nearest[:limit]]

    def members(self, groups: Sequence[str], *, limit: int | None = None) -> dict[str, list[Record]]:
        """See Engine.members."""
        found = (
            self._current(groups, queries.of_groups) if limit is None else self._first_members(groups, limit)
        )
        return {
            group: sorted(records, key=lambda record: record.age)[:limit] for group, records in found.items()
        }

    def _first_members(self, groups: Sequence[str], limit: int, gone: int = 0) -> dict[str, list[Record]]:
        """The oldest members of each group that are found, and all those that this process wrote. `gone` more
        are read, in place of those that left their group since the index was refreshed.
        """
        self._prepare()
        with self._lock:
            wanted = limit + gone
            bodies = [queries.oldest_of(group, min(wanted, queries.PAGE_DOCUMENTS)) for group in groups]
            answers = self.cluster.msearch(self.index, bodies)
            shown = {
                group: self._first_visible(body, answer["hits"]["hits"], wanted)
                for group, body, answer in zip(groups, bodies, answers, strict=True)
            }
            records = self._records({hit["_id"]: hit_version(hit) for hits in shown.values() for hit in hits})
            found = {
                group: [
                    record for hit in hits if (record := records.get(hit["_id"])) and record.group == group
                ]
                for group, hits in shown.items()
            }
            short = [
                group for group, hits in shown.items() if len(found[group]) < limit and len(hits) >= wanted
            ]
            members = {group: found[group] + self._overlay.members(group) for group in found}
            if short:
                members |= self._first_members(short, limit, max(len(shown[group]) for group in short))
            return members

    def _first_visible(self, body: Body, hits: Sequence[Answer], limit: int) -> list[Answer]:
        """The first `limit` of what the overlay does not hide: more pages if the hits have less."""
        self._routings.notice(hits)
        further = self._page_hits(body, hits[-1]["sort"]) if len(hits) >= body["size"] else ()
        shown = (hit for hit in chain(hits, further) if hit["_id"] not in self._overlay)
        return list(islice(shown, limit))

    def heads(self, groups: Sequence[str]) -> dict[str, list[Record]]:
        """See Store.heads."""
        found = self._current(groups, queries.heads_of)
        return {
            group: sorted((record for record in records if record.is_head), key=lambda record: record.id)
            for group, records in found.items()
        }

    def _current(self, groups: Sequence[str], matching: Matching) -> dict[str, list[Record]]:
        """The members of each group that are found, and all those that this process wrote."""
        self._prepare()
        with self._lock:
            found = defaultdict(list)
            for record in self._search_members(sorted(set(groups)), matching):
                if record.id not in self._overlay:
                    found[record.group].append(record)
            return {group: found[group] + self._overlay.members(group) for group in groups}

    def _search_members(
        self, groups: Sequence[str], matching: Matching = queries.of_groups
    ) -> Iterator[Record]:
        for some in batches(groups, queries.PAGE_DOCUMENTS):
            for hit in self._page_hits(queries.by_id(matching(some), queries.RECORD)):
                if is_record(hit) and self.cluster.is_current(self.index, hit):
                    yield hit_record(hit)

    def _page_hits(self, body: Body, after: Sequence[Any] | None = None) -> Iterator[Answer]:
        """Every hit of a search, in pages of its size; those after these sort values if there are some."""
        while True:
            page = body if after is None else {**body, "search_after": after}
            hits = self.cluster.search(self.index, page)["hits"]["hits"]
            self._routings.notice(hits)
            yield from hits
            if len(hits) < body["size"]:
                return
            after = hits[-1]["sort"]

    def resolve(self, groups: Sequence[str]) -> dict[str, str]:
        """See Engine.resolve."""
        self._prepare()
        return self._redirects.resolve(groups)

    def redirects(self) -> Iterator[tuple[str, str]]:
        """See Engine.redirects."""
        self._prepare()
        yield from self._redirects.all_redirects()

    def refresh(self) -> None:
        """See Engine.refresh."""
        self._prepare()
        with self._lock:
            stories = [self._stories.name] if self._stories.is_there() else []
            archives = self._writable and self._archive.is_due()
            positions = self._archive.positions() if archives else {}
            self.cluster.refresh(self.index, *stories)
            self._archive.catch_up(positions)
            self._known.keep(self._overlay)
            self._overlay = Overlay()
            self._touched = False


def _wrongly_archived(
    signatures: Sequence[Signature], shown: Sequence[Iterable[Sharing]], records: Mapping[str, Record]
) -> set[str]:
    """The documents that an archive shows, and that are not there any longer, or share fewer keys now."""
    return {
        one.id
        for signature, page in zip(signatures, shown, strict=True)
        for one in page
        if one.version is None and count_shared(signature, records.get(one.id)) < one.keys
    }
