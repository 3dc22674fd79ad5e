"""Group what others write into one index, or into one set of indices: a look, a sweep, and what is told."""

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dupgroups.flow.deduper import Deduper
from dupgroups.flow.signing import PageSigner
from dupgroups.grouping.arrivals import needs_resigning, substance
from dupgroups.model import Document, Outcome, Record
from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields
from dupgroups_es.acknowledged import News
from dupgroups_es.cluster import Cluster
from dupgroups_es.external_index import CHANGED_REASON
from dupgroups_es.followed import Arrival, FollowedIndex

SWEEP_SECONDS = 30.0  # seconds between two searches for documents that were left over
SWEEP_GROUPS = 20_000  # groups that a sweep looks at, to see which have lost a member


@dataclass(slots=True)
class Progress:
    """The work since the start, in all indices: documents by state; `unsigned`, how many came without a
    signature of their text; `trouble`, why nothing can be done now, in a sentence. By index: the ids of
    documents that could not be grouped, with reasons (they are tried again with each sweep); `alone`, how
    many documents had no group at the last sweep; `looked`: what was written before that time, in seconds
    since 1970, has been looked at.
    """

    states: Counter[str] = field(default_factory=Counter)
    unsigned: int = 0
    trouble: str = ""
    failures: defaultdict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    alone: Counter[str] = field(default_factory=Counter)
    looked: dict[str, float] = field(default_factory=dict)

    def figures(self) -> dict[str, float]:
        """All of it in numbers, named as docs/how-to/monitoring.md explains them. The oldest document that
        was not looked at yet is at most `lag_seconds` old.
        """
        oldest = min(self.looked.values(), default=float("inf"))
        return {
            "documents": self.states.total(),
            "indices": len(self.looked),
            "lag_seconds": round(max(0.0, time.time() - oldest), 1),
            "rejected": sum(map(len, [*self.failures.values()])),
            "trouble": bool(self.trouble),
            "unsigned": self.unsigned,
            "waiting": self.alone.total(),
        }

    def forget_index(self, index: str) -> None:
        """Forget what is said of an index."""
        for kept in (self.failures, self.alone, self.looked):
            kept.pop(index, None)


class Grouper:
    """Groups one index (see FollowedIndex). Raises ConfigError for an index that cannot be grouped."""

    def __init__(
        self, cluster: Cluster, name: str, fields: Fields, config: Config, progress: Progress, empty: bool
    ) -> None:
        self._name = name
        self._progress = progress
        self._failures = progress.failures[name]
        self._signer = PageSigner(config)
        self._swept = float("-inf")
        self._index = FollowedIndex(cluster, name, replace(fields, group_by=config.group_by), empty=empty)
        cluster.own_writes.invalidate()  # an index made anew has the numbers of the old one again
        self.uuid = self._index.uuid  # which tells it from a later one of its name
        self._deduper = Deduper(self._index.store, config)
        self._committer = self._deduper.committer
        self.unfit = self._index.store.unfit  # indices of a set that cannot be grouped, with reasons
        progress.looked[name] = self._index.created

    def poll(self, stop: threading.Event | None = None) -> None:
        """Group what was written since the last look, and what is left over if it is time for that.

        Raises EngineError; what was not grouped then is found by the next look.
        """
        stop = stop or threading.Event()
        if time.monotonic() > self._swept + SWEEP_SECONDS:
            self.reconcile(stop)
        begun = time.time()
        mark = self._index.mark()
        for arrivals in self._index.written_until(mark):
            if stop.is_set():
                return
            self._group(arrivals)
        self._index.looked_at(mark)
        self._progress.looked[self._name] = begun
        self.unfit = self._index.store.unfit

    def reconcile(self, stop: threading.Event | None = None) -> None:
        """Try again what could not be grouped, and find what others left over."""
        failed = self._index.reread([*self._failures])
        for id_ in self._failures.keys() - {str(arrival.page.id) for arrival in failed}:  # they are gone
            del self._failures[id_]
        self._group(failed)
        self._group(self._index.left_over())
        for names in self._index.find_orphaned(SWEEP_GROUPS):  # others have deleted documents, or indices
            self._committer.regroup_named(names)
            self._group(self._index.find_uncovered(names))
            if stop and stop.is_set():
                break
        self._index.store.forget_gone()
        self._progress.alone[self._name] = self._index.waiting()
        self._swept = time.monotonic()

    def sweep_soon(self) -> None:
        """At the next look."""
        self._swept = float("-inf")

    # -- what a filter tells

    def on_acknowledged(self, news: News, index: str) -> None:
        """Group what a filter saw acknowledged in an index, without waiting until a search shows it."""
        self._index.note_homes([*(hit["_id"] for hit in news.signed), *news.look], index)
        replaced = [hit["_id"] for hit in news.signed if hit["result"] == "updated"]
        unsure = {*news.gone, *news.look}  # whichever came first
        signed = [record for record in self._index.signed_records(news.signed) if record.id not in unsure]
        left = self._index.forget([*news.gone, *news.look, *replaced])
        met = {record.id for record in signed}
        unsigned = dict.fromkeys([*news.look, *news.gone, *replaced])
        self._group(self._index.reread([id_ for id_ in unsigned if id_ not in met]))  # some are there again
        self._group_signed(signed)
        if left:
            self._committer.regroup_named(left)

    # -- a batch

    def _group(self, arrivals: Sequence[Arrival]) -> None:
        """Sign what is not signed as it is now, and look everything up."""
        if not arrivals:
            return
        replaced = {str(arrival.page.id) for arrival in arrivals if not arrival.is_first}
        # what was replaced may have named a group: it gets another name before the new text is looked up
        lost = replaced & {str(arrival.page.id) for arrival in arrivals if arrival.stored is None}
        self._committer.regroup_named(sorted(lost))
        due = _sort(arrivals, self._signer.sign([arrival.page for arrival in arrivals]))
        self._failures.update(dict.fromkeys(due.unsignable, "it cannot be signed, which is a bug of ours"))
        self._progress.unsigned += len(due.unsigned)
        # what stands alone may never have been looked up; then its former copies are looked at
        self._group_signed(due.alone)
        self._committer.regroup_named(sorted(replaced & {record.id for record in due.alone}))
        # what has a group may be new here with it, as from a snapshot
        if due.grouped:
            self._committer.regroup(due.grouped)
        # last, so that it meets all the others as they are now
        for outcome in self._deduper.add_signed(due.unsigned) + self._committer.replace(due.dated):
            self._count(outcome)
        stored = [*due.alone, *due.grouped]
        self._index.store.keeper.recount(record.group for record in stored if record.id in replaced)

    def _group_signed(self, records: Sequence[Record]) -> None:
        """Look up documents that were signed where they were written."""
        if records:
            with self._index.meeting(records) as documents:
                for outcome in self._committer.replace(documents):
                    self._count(outcome)

    def _count(self, outcome: Outcome) -> None:
        if outcome.reason == CHANGED_REASON:  # the next look meets it as it is then
            return
        if outcome.state == "failed":
            self._failures[outcome.id] = outcome.reason
        else:
            self._progress.states[outcome.state] += 1
            self._failures.pop(outcome.id, None)


@dataclass(slots=True)
class _Sorted:
    """Arrived documents, by what is done with them. `unsigned`: also those that are signed as another text;
    `dated` say another date of publication, and nothing else. Of those that are signed as they are, the
    stored records: they stand `alone`, or are `grouped`. Of the `unsignable`, the ids.
    """

    unsigned: list[Document] = field(default_factory=list)
    dated: list[Document] = field(default_factory=list)
    alone: list[Record] = field(default_factory=list)
    grouped: list[Record] = field(default_factory=list)
    unsignable: list[str] = field(default_factory=list)


def _sort(arrivals: Sequence[Arrival], documents: Sequence[Document | None]) -> _Sorted:
    """Sort arrivals, each with its document as it is signed now, None if it cannot be."""
    due = _Sorted()
    for arrival, document in zip(arrivals, documents, strict=True):
        stored = arrival.stored
        if document is None:
            due.unsignable.append(str(arrival.page.id))
        elif stored is None or substance(stored) != substance(document.record):
            due.unsigned.append(document)
        elif needs_resigning(stored, document.record):
            due.dated.append(_with_times_of(document, stored))
        else:
            (due.alone if stored.stands_alone else due.grouped).append(stored)
    return due


def _with_times_of(document: Document, stored: Record) -> Document:
    """The document with the times at which the stored one was seen."""
    record = replace(document.record, first_seen=stored.first_seen, last_seen=stored.last_seen)
    return replace(document, record=record)
