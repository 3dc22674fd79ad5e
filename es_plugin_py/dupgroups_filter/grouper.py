"""Group what others write into an index, seconds after they have written it, without end.

A look groups everything that was written since the one before, by the same flow as a crawl, whoever wrote it.
Documents that a filter signed and the cluster acknowledged need not wait for a poll. Both may be
interrupted anywhere, and repeated: a document that is grouped as it is now is passed over.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dupgroups.engines.base import Engine
from dupgroups.errors import ConfigError, DupGroupsError, EngineError, MissingIndexError
from dupgroups.flow.deduper import Deduper
from dupgroups.flow.signing import PageSigner
from dupgroups.grouping.arrivals import needs_resigning, substance
from dupgroups.model import Document, Outcome, Record
from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields
from dupgroups_es.acknowledged import News
from dupgroups_es.base import ClusterEngine
from dupgroups_es.cluster import Cluster
from dupgroups_es.followed import CHANGED_REASON, Arrival, FollowedIndex
from dupgroups_es.index_names import forms_set
from dupgroups_es.index_set import explain_filter, is_set

BATCH_DOCUMENTS = 2_000  # documents that a filter told of, and that are grouped together
MIN_FULL_DOCUMENTS = 100  # of such documents
BURST_SECONDS = 30.0  # seconds that writers come first; then grouping takes what it needs to keep up
POLL_SECONDS = 2.0  # seconds between two looks
SWEEP_SECONDS = 30.0  # seconds between two searches for documents that were left over
SWEEP_GROUPS = 20_000  # groups that a sweep looks at, to see which have lost a member
MAX_RETRY_SECONDS = 60.0  # seconds between two tries while there is trouble

log = logging.getLogger(__name__)

Wait = Callable[[float], Mapping[str, News]]  # what a filter tells in so many seconds, by index


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
        self._deduper = Deduper(self._index, config)
        self._committer = self._deduper.committer
        self.unfit = self._index.unfit  # indices of a set that cannot be grouped, with reasons
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
        self.unfit = self._index.unfit

    def reconcile(self, stop: threading.Event | None = None) -> None:
        """Try again what could not be grouped, and find what others left over."""
        failed = self._index.reread([*self._failures])
        for id_ in self._failures.keys() - {str(arrival.page.id) for arrival in failed}:  # they are gone
            del self._failures[id_]
        self._group(failed)
        self._group(self._index.left_over())
        for names in self._index.find_orphaned(SWEEP_GROUPS):  # others have deleted documents, or indices
            self._committer.regroup_named(names)
            if stop and stop.is_set():
                break
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
        others = dict.fromkeys([*news.look, *news.gone, *replaced])
        self._group(self._index.reread([id_ for id_ in others if id_ not in met]))  # some are there again
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
        found = _sort(arrivals, self._signer.sign([arrival.page for arrival in arrivals]))
        self._failures.update(dict.fromkeys(found.unsignable, "it cannot be signed, which is a bug of ours"))
        self._progress.unsigned += len(found.unsigned)
        # what stands alone may never have been looked up; then its former copies are looked at
        self._group_signed(found.alone)
        self._committer.regroup_named(sorted(replaced & {record.id for record in found.alone}))
        # what has a group may be new here with it, as from a snapshot
        if found.grouped:
            self._committer.regroup(found.grouped)
        # last, so that it meets all the others as they are now
        for outcome in self._deduper.add_signed(found.unsigned) + self._committer.replace(found.dated):
            self._count(outcome)
        stored = [*found.alone, *found.grouped]
        self._index.recount_stories(record.group for record in stored if record.id in replaced)

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
    found = _Sorted()
    for arrival, document in zip(arrivals, documents, strict=True):
        stored = arrival.stored
        if document is None:
            found.unsignable.append(str(arrival.page.id))
        elif stored is None or substance(stored) != substance(document.record):
            found.unsigned.append(document)
        elif needs_resigning(stored, document.record):
            found.dated.append(_with_times_of(document, stored))
        else:
            (found.alone if stored.stands_alone else found.grouped).append(stored)
    return found


def _with_times_of(document: Document, stored: Record) -> Document:
    """The document with the times at which the stored one was seen."""
    record = replace(document.record, first_seen=stored.first_seen, last_seen=stored.last_seen)
    return replace(document, record=record)


class Groupers:
    """Groups what a name stands for, also indices that come later: all of them as one, unless one of them was
    grouped by itself before; then each has groups of its own.

    An index that cannot be grouped is named in `progress.trouble`; the others are grouped nevertheless.
    Raises ConfigError if the name is that of one index that cannot be grouped, and MissingIndexError for
    none, unless it `may_come`, and its texts, too.
    """

    def __init__(
        self,
        engine: Engine,
        fields: Fields | None = None,
        config: Config | None = None,
        *,
        may_come: bool = False,
    ) -> None:
        if not isinstance(engine, ClusterEngine):
            raise ConfigError(
                f"{engine.name} has only what dup-groups wrote and grouped: follow an index of Elasticsearch "
                "or OpenSearch"
            )
        self.progress = Progress()
        self._engine = engine
        self._fields = fields
        self._config = config or Config()
        self._may_come = may_come
        self._groupers: dict[str, Grouper] = {}
        self._unfit: dict[str, str] = {}  # why indices cannot be grouped
        self._covered: frozenset[str] = frozenset()  # the indices behind the name
        self._found = 0.0  # when they were looked for
        self._find()
        if not self._groupers and not self._unfit and not may_come and "*" not in engine.index:
            raise MissingIndexError(f"{engine.name}: there is no index or alias {engine.index!r}")
        if [*self._unfit] == [engine.index]:
            raise ConfigError(self._unfit[engine.index])

    def run(
        self,
        stop: threading.Event,
        *,
        every: float = POLL_SECONDS,
        report: Callable[[Progress], None] = lambda progress: None,
        wait: Wait | None = None,
    ) -> None:
        """Look every so many seconds until `stop` is set; the batch that is being grouped is finished then.

        `report` is called after each look, and when the engine cannot be used: the next look comes later
        then, and later with each one that fails, but within a minute. `wait` waits for so many seconds, or
        until a filter tells something.
        """
        pause = every
        while not stop.is_set():
            begun = time.monotonic()
            try:
                self.poll(stop)
                pause = every
            except DupGroupsError as error:
                self.progress.trouble, pause = str(error), min(MAX_RETRY_SECONDS, 2 * pause)
            report(self.progress)
            if wait:
                self._listen(stop, wait, begun + pause)
            else:
                stop.wait(begun + pause - time.monotonic())

    def _listen(self, stop: threading.Event, wait: Wait, until: float) -> None:
        """Group what a filter tells: once at least, then until it is time for a look. While much is told,
        looks are put off: they would find the same, and read it from the index.
        """
        while True:
            news = wait(max(0.0, until - time.monotonic()))
            self.on_acknowledged(news)
            late, much = time.monotonic() - until, sum(map(len, news.values())) >= MIN_FULL_DOCUMENTS
            if stop.is_set() or (late > 0 and not (much and late < BURST_SECONDS)):
                return

    def poll(self, stop: threading.Event | None = None) -> None:
        """Look at every index. Raises DupGroupsError if none can be looked at."""
        self._find()
        failed = []
        for index, grouper in self._groupers.items():
            try:
                grouper.poll(stop)
            except DupGroupsError as error:
                grouper.sweep_soon()
                failed.append(f"{index}: {error}")
        unfit = [why for grouper in self._groupers.values() for why in grouper.unfit.values()]
        troubles = [*failed, *self._unfit.values(), *unfit]
        if troubles and len(failed) == len(self._groupers):
            raise EngineError(troubles[0])
        self.progress.trouble = troubles[0] if troubles else ""

    def on_acknowledged(self, news: Mapping[str, News]) -> None:
        """Group what a filter tells, by index: it tells of all indices, those that nobody asked us to group
        as well. What fails is left to the next look, which finds it.
        """
        try:
            if news.keys() - self._covered and time.monotonic() > self._found + POLL_SECONDS:
                self._find()
            for index in news.keys() & self._covered:
                if grouper := self._groupers.get(index) or self._groupers.get(self._engine.index):
                    grouper.on_acknowledged(news[index], index)
        except DupGroupsError as error:
            log.warning("Documents are grouped with the next look: %s", error)

    def _find(self) -> None:
        """Open the indices that are new, and let go of those that are not there any longer."""
        found = self._find_indices()
        for index, grouper in [*self._groupers.items()]:
            if found.get(index) != grouper.uuid:  # it is gone, or was made anew
                del self._groupers[index]
                self.progress.forget_index(index)
        self._unfit = {index: why for index, why in self._unfit.items() if index in found}
        for index in sorted(found.keys() - self._groupers.keys()):
            try:
                fields = self._fields or self._engine.kept_fields() or Fields()
                self._groupers[index] = Grouper(
                    self._engine.cluster, index, fields, self._config, self.progress, self._may_come
                )
                self._unfit.pop(index, None)
            except ConfigError as error:
                self._unfit[index] = str(error)

    def _find_indices(self) -> dict[str, str]:
        """The uuids of the indices by name. The alias of an index of ours stays one name, and so do the
        indices that are grouped together: they move on as a whole.
        """
        name = self._engine.index
        found = self._engine.cluster.names(name)
        if problem := explain_filter(name, found):
            raise ConfigError(f"{self._engine.name}: {problem}")
        self._covered, self._found = frozenset(found), time.monotonic()
        uuids = {index: str(answer["uuid"]) for index, answer in found.items()}
        is_own_alias = bool(found) and "*" not in name and not self._engine.is_external()
        if is_own_alias or (found and forms_set(name, found)):
            return {name: "set" if is_set(name, found) else uuids.popitem()[1]}
        return uuids
