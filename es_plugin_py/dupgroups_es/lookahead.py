"""Look-ups of the documents that come next, made in a thread while those before them are written.

What they show may be older than what has been written since. So an answer counts only as long as the overlay
is the one that was there before it was asked for: that holds whatever this process has written since the
index was last refreshed. A refresh, which shows what others wrote, makes a new overlay, and the answer void.
Whatever was not asked for, failed, or was asked for too early is looked up when it is needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock

from dupgroups.model import Record, Signature
from dupgroups_es import queries
from dupgroups_es.cluster import Cluster
from dupgroups_es.documents import hit_record, is_record
from dupgroups_es.known import KnownRecords
from dupgroups_es.lookups import Asked, Lookups, Shared
from dupgroups_es.overlay import Overlay

WAITING = 4  # look-aheads that are kept until somebody needs them; no more are begun then


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """What is looked up, for which records, and the overlay that lies over the answers."""

    asked: Asked
    records: Sequence[Record]
    overlay: Overlay

    @property
    def signatures(self) -> Iterator[Signature]:
        """Those of the records."""
        return (record.signature for record in self.records)


@dataclass(frozen=True, slots=True)
class Ahead:
    """What a look-ahead found: who shares keys with each signature, and the records of most of them."""

    shared: Mapping[Signature, Shared]
    records: Sequence[Record]


class LookAhead:
    """Asks through a cluster without patience: whoever needs the answer asks again, with patience."""

    def __init__(self, cluster: Cluster, lookups: Lookups, known: KnownRecords) -> None:
        self._cluster = cluster.impatient()
        self._lookups = lookups
        self._known = known
        self._lock = Lock()
        self._thread: ThreadPoolExecutor | None = None
        self._is_closed = False
        self._waiting: list[tuple[Request, Future[Ahead]]] = []

    def begin(self, request: Request) -> None:
        """Look up in the thread, after the requests before; nothing happens where no thread can be had."""
        with self._lock, suppress(RuntimeError):
            for one in list(self._waiting):
                if one[0].overlay is not request.overlay or _is_of_no_use(one[1]):
                    one[1].cancel()
                    self._waiting.remove(one)
            if self._is_closed or len(self._waiting) >= WAITING:
                return
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "dup-groups-look-ahead")
            self._waiting.append((request, self._thread.submit(self._look, request)))

    def take(self, asked: Asked, signatures: Collection[Signature], overlay: Overlay) -> Ahead:
        """What was found for these signatures, or for some of them, and still counts. It is handed out once.

        Waits for what is being looked up right now.
        """
        shared: dict[Signature, Shared] = {}
        records: list[Record] = []
        for earlier, future in self._begun(signatures):
            if future.cancel() or earlier.overlay is not overlay:
                continue
            with suppress(Exception):  # of any kind: the look itself meets it again, or does not
                found = future.result()
                records += found.records
                shared |= {
                    signature: answers
                    for signature, answers in found.shared.items()
                    if earlier.asked == asked or answers.is_whole(earlier.asked.size)
                }
        return Ahead(shared, records)

    def _begun(self, signatures: Collection[Signature]) -> list[tuple[Request, Future[Ahead]]]:
        """Take the look-aheads with one of these signatures off the waiting ones."""
        with self._lock:
            wanted = set(signatures) if self._waiting else set()
            begun = [one for one in self._waiting if not wanted.isdisjoint(one[0].signatures)]
            for one in begun:
                self._waiting.remove(one)
            return begun

    def close(self) -> None:
        """Begin nothing more."""
        with self._lock:
            self._is_closed = True
            if self._thread:
                self._thread.shutdown(wait=False, cancel_futures=True)

    def _look(self, request: Request) -> Ahead:
        signatures = list(dict.fromkeys(self._changed(request)))
        shared = self._lookups.ask(self._cluster, request.asked, signatures)
        return Ahead(dict(zip(signatures, shared, strict=True)), self._records(request, shared))

    def _changed(self, request: Request) -> Iterator[Signature]:
        """Of those records that are not stored as they are: no other one is looked up."""
        ids = [record.id for record in request.records]
        stored = self._cluster.mget(request.asked.index, ids, ["dup_fingerprint"])
        for record in request.records:
            hit = stored.get(record.id)
            if hit is None or hit["_source"].get("dup_fingerprint") != record.fingerprint:
                yield record.signature

    def _records(self, request: Request, shared: Iterable[Shared]) -> list[Record]:
        """Those that are not known yet, and that no own write hides."""
        ids = {
            one.id
            for answers in shared
            for page in answers.pages()
            for one in page
            if one.id not in request.overlay and self._known.get(one.id, one.version) is None
        }
        found = self._cluster.mget(request.asked.index, sorted(ids), queries.RECORD)
        return [hit_record(hit) for hit in found.values() if is_record(hit)]


def _is_of_no_use(future: Future[Ahead]) -> bool:
    """Whether it failed, or nobody will ask for it, because all of its documents are stored as they are."""
    return future.done() and (future.exception() is not None or not future.result().shared)
