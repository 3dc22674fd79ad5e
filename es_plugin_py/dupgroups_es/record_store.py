"""Records in an index: look-ups by id, key and group, and writes that move groups.

How the contract is kept on an index that shows writes only after its next refresh: `get` and `resolve` read
by id, which is always current; `candidates` and `members` lay this process's own writes over what a search
finds; a move refreshes first, so that it finds every member. No scripts, no update by query: plain bulk.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace

from dupgroups.engines.base import Backlog
from dupgroups.engines.common import OVERTAKEN, final_moves, naming, refusal, split_storable, with_head
from dupgroups.engines.external_fields import value_of
from dupgroups.errors import ConflictError, EngineError
from dupgroups.model import Correction, Document, Record, Seen
from dupgroups.text.batches import batches
from dupgroups.text.facts import join_title
from dupgroups_es import queries
from dupgroups_es.cluster import FIXED_REASON, Answer, Cluster
from dupgroups_es.document_source import group_source, hit_record, hit_version, id_refusal
from dupgroups_es.patient_client import Written
from dupgroups_es.positions import Version
from dupgroups_es.reading import RecordReader
from dupgroups_es.rewriting import SourceWriter
from dupgroups_es.settling import BATCH_DOCUMENTS, Mark
from dupgroups_es.story_keeper import StoryKeeper
from dupgroups_es.transport import Action

MAX_HELD_WRITES = 5_000  # own writes held over the index; with more of them it is refreshed
_NO_MEMBER = {"dup_head": False, "dup_keys": [], "dup_signature": None}  # what is no member any longer
MAX_RELABEL_TRIES = 5  # times that members of a group are read again because others write them


class RecordStore(RecordReader):
    """The half of an engine that grouping needs. Any thread may call it; writes come one after another."""

    writer: SourceWriter | None = None
    """For an index of other tools; None for one of our own, whose documents are written whole."""
    settles = True
    """Whether the flow looks at what others wrote; else who reads it does."""
    _deletions: object = None

    def __init__(self, cluster: Cluster, index: str, beside: str) -> None:
        super().__init__(cluster, index, beside)
        self.keeper = StoryKeeper(self)

    def _store_action(self, document: Document) -> Action:
        raise NotImplementedError

    def explain_refusal(self, document: Document) -> str:
        return refusal(document) or id_refusal(document.record.id) or id_refusal(document.record.group)

    @property
    def keeps_text(self) -> bool:
        self.prepare_reading()
        return not self.names.html

    def texts(self, ids: Sequence[str]) -> dict[str, str]:
        """See Store.texts; also of documents that are not grouped yet."""
        text, title = self.names.text, self.names.title
        if not (ids and text and self.keeps_text):
            return {}
        hits = self.hits(ids, [name for name in (text, title) if name])
        sources = {id_: hit["_source"] for id_, hit in hits.items()}
        return {
            id_: join_title(value_of(source, title) or "" if title else "", value_of(source, text) or "")
            for id_, source in sources.items()
        }

    # -- writing

    def prepare_writing(self) -> None:
        """Before the first look of a writer. Readers need no right to see how far the shards are written."""
        self.prepare_reading()
        with self.lock:
            if not self._writable:
                several = self.cluster.sets.get(self.index)
                if several:
                    several.catches_up = True
                # what is settled has to be seen from here on
                if self.settling.prepare() or (several and several.is_several):
                    self.cluster.refresh(self.index)
                self._writable = True

    def _write(self, actions: Sequence[Action]) -> Written:
        if self.writer and self.index in self.cluster.sets:
            self._adopt_new(look=any(action.create for action in actions))
        return (self.writer or self.cluster).write(self.routed_actions(actions))

    def _adopt_new(self, *, look: bool) -> bool:
        """Let indices that have come to a set of other tools have our fields before anything is written
        there; whether any had come. That is asked where new documents are written, or after a hit in another
        index.
        """
        several = self.cluster.sets[self.index]
        if look or several.is_outdated:
            self.cluster.open_set(self.index)
        new = several.unready - several.fixed
        if new:
            answers = self.cluster.index(self.index)
            for index in sorted(new & answers.keys()):
                self._adopt(index, answers[index])
            self.cluster.open_set(self.index)
        return bool(new - several.unready)

    def mark_now(self) -> Mark:
        """Look where the shards stand, also those of indices that have come to a set."""
        mark = self.settling.mark_now()
        if self.writer and self.index in self.cluster.sets and self._adopt_new(look=False):
            mark = self.settling.mark_now()
        return mark

    def _adopt(self, index: str, answer: Answer) -> None:
        """Give an index of other tools our fields."""
        raise NotImplementedError

    def routed_actions(self, actions: Sequence[Action]) -> Sequence[Action]:
        """The actions with the routing of the documents that have one."""
        if not self.routings.used or not actions:
            return actions
        routings = self.routings.of(list({action.id for action in actions}))
        return [replace(action, routing=routings.get(action.id)) for action in actions]

    def version(self) -> object:
        """See Store.version: how often this object has written; others are told by versions of documents."""
        self.prepare_writing()
        return self._writes

    def put(
        self,
        documents: Sequence[Document],
        *,
        moves: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        heads: Mapping[str, str] | None = None,
        seen: Seen | None = None,
    ) -> None:
        """See Store.put. Redirects come first, then members that move, single labels, documents."""
        self.prepare_writing()
        labels, heads = labels or {}, heads or {}
        good, failures = split_storable(documents, heads, self.explain_refusal)
        with self._writing(seen, [document.record.id for document in documents]):
            apart = labels.keys() | {document.record.id for document in good}
            with self.keeper.writing(good, moves or {}, labels, seen):
                failures |= self._move(moves or {}, apart, naming(good, labels), heads)
                failures |= self._label(labels, heads, seen)
                refused, overtaken = self._store(good, seen)
            failures |= refused
            if failures:
                self.cluster.own_writes.invalidate()
            if len(self.overlay) > MAX_HELD_WRITES:
                self.refresh()
        if overtaken:
            raise ConflictError(f"{self.name}: {OVERTAKEN}", ids=overtaken, failures=failures)
        if failures:
            raise EngineError(f"{self.name} refused {len(failures)} documents", failures=failures)

    @contextmanager
    def _writing(self, seen: Seen | None = None, ids: Sequence[str] = ()) -> Iterator[None]:
        """One write at a time; what breaks off half-way is left to the next settling."""
        with self.lock:
            if seen and seen.store != self._writes:
                raise ConflictError(f"{self.name}: {OVERTAKEN}", ids=ids)
            self._writes += 1
            try:
                yield
            except BaseException:
                self.cluster.own_writes.invalidate()
                raise

    def _move(
        self, moves: Mapping[str, str], apart: Set[str], names: set[str], heads: Mapping[str, str]
    ) -> dict[str, str]:
        """`apart` are written by themselves, on top of the versions that were seen."""
        redirects = self.redirect_index.follow_redirects({*moves, *moves.values(), *names})
        final = final_moves(moves, names, redirects.get)
        led_on = self.redirect_index.write(final, names & redirects.keys(), names)
        self.cluster.own_writes.mark_by_others(self.redirect_index.name, led_on)
        failures: dict[str, str] = {}
        for _ in range(MAX_RELABEL_TRIES if final else 0):
            self.refresh()
            moved = [
                with_head(replace(record, group=final[record.group]), heads)
                for record in self._search_members(sorted(final))
                if record.id not in apart
            ]
            refused, overtaken = self._relabel(moved)
            failures |= refused
            if not overtaken:  # else somebody else wrote some of them: they may have left the group
                break
        return failures

    def _relabel(self, records: Sequence[Record]) -> tuple[dict[str, str], frozenset[str]]:
        """Write the groups of stored records; failures, and the ids that somebody else wrote meanwhile."""
        foreign = self._ids_of_others({record.id: record.version for record in records})
        written = self._write([self._label_action(record) for record in records])
        self.cluster.own_writes.mark_by_others(self.index, foreign)
        undone = written.undone
        for record in records:
            if record.id in written.missing:  # another process deleted it in the meantime
                self.overlay.delete(record.id)
            elif record.id not in undone:
                self._hold(record)
        self.label_older(records)
        return written.failures, written.overtaken

    def label_older(self, records: Sequence[Record]) -> None:
        """Let older documents of the same ids, which other indices of a set may have, show the groups of
        these and be members no longer.
        """
        several = self.cluster.find_set(self.index)
        if several is None or self.writer is None or not records:
            return
        groups = {record.id: record.group for record in records}
        fields = {"_source": ["dup_group", "dup_signature"], "seq_no_primary_term": True}
        older = self.cluster.find_older(self.index, list(groups), fields)
        self.writer.write(
            [
                Action(
                    *("update", hit["_index"], hit["_id"]),
                    {**_NO_MEMBER, "dup_group": groups[hit["_id"]]},
                    version=hit_version(hit),
                )
                for hit in older
                if hit["_index"] not in several.fixed and hit["_source"] != {"dup_group": groups[hit["_id"]]}
            ]
        )

    def _label_action(self, record: Record) -> Action:
        version = as_version(record.version)
        return Action("update", self.index, record.id, group_source(record), version=version, always=True)

    def _label(
        self, labels: Mapping[str, str], heads: Mapping[str, str], seen: Seen | None
    ) -> dict[str, str]:
        """Who else wrote one of them meanwhile has to settle it: that is left as it is."""
        stored = self.get(list(labels)) if labels else {}
        versions = seen.records if seen else {}
        records = [
            replace(record, group=labels[id_], version=self._version_to_label(record, versions))
            for id_, record in stored.items()
        ]
        return self._relabel([with_head(record, heads) for record in records])[0]

    def _version_to_label(self, record: Record, seen: Mapping[str, object]) -> object:
        """The version that was seen, unless this process has written it since: it only touched it then."""
        if record.version == self.cluster.own_writes.version(self.index, record.id):
            return record.version
        return seen.get(record.id, record.version)

    def _store(
        self, documents: Sequence[Document], seen: Seen | None
    ) -> tuple[dict[str, str], frozenset[str]]:
        """Write documents; failures, and the ids that somebody else wrote meanwhile."""
        records = [document.record for document in documents]
        actions, refused = self._actions(documents, seen)
        written = self._write(actions)
        failures = refused | written.failures | dict.fromkeys(written.fixed, FIXED_REASON)
        overtaken = written.overtaken
        if overtaken:  # by this very write, if only its answer was lost
            stored = self.get(sorted(overtaken))
            overtaken -= {record.id for record in records if stored.get(record.id) == record}
        for record in records:
            if record.id not in {*failures, *overtaken, *written.missing}:
                self._hold(record)
                self.cluster.own_writes.mark_own(self.index, [record.id])
        self.archive.note_written([record.id for record in records])
        self.label_older([record for record in records if record.id not in {*failures, *overtaken}])
        gone = dict.fromkeys(written.missing, "it was deleted meanwhile: add it again")
        return {**failures, **gone}, overtaken

    def _actions(
        self, documents: Sequence[Document], seen: Seen | None
    ) -> tuple[list[Action], dict[str, str]]:
        """The actions that write the documents; and the reasons by id for those that cannot be written."""
        return [self._seen_action(document, seen) for document in documents], {}

    def _seen_action(self, document: Document, seen: Seen | None) -> Action:
        action = self._store_action(document)
        if seen is None:
            return action
        version = as_version(seen.records.get(document.record.id))
        return replace(action, version=version, create=version is None and action.operation == "index")

    def _hold(self, record: Record) -> None:
        version = self.cluster.own_writes.version(self.index, record.id)
        self.overlay.put(replace(record, version=version))

    def touch(self, ids: Sequence[str], last_seen: int) -> None:
        self.prepare_writing()
        with self.lock:
            hits = self.hits(ids, queries.RECORD)
            versions = {id_: hit_version(hit) for id_, hit in hits.items()}
            foreign, source = self._ids_of_others(versions), {"dup_last_seen": last_seen}
            actions = [Action("update", self.index, id_, source, version=versions[id_]) for id_ in versions]
            self._touched = True
            written = self._write(actions)
            self.cluster.own_writes.mark_by_others(self.index, foreign)
            undone = written.undone
            for id_ in ids:
                if id_ not in hits or id_ in written.missing:
                    self.overlay.delete(id_)
                elif self.overlay.get(id_) and id_ not in undone:
                    # others may have moved it
                    self._hold(replace(hit_record(hits[id_]), last_seen=last_seen))
        if written.failures:  # who overtakes has seen it later
            raise EngineError(
                f"{self.name} refused {len(written.failures)} updates", failures=written.failures
            )

    def _ids_of_others(self, versions: Mapping[str, object]) -> list[str]:
        """The ids of documents that others wrote and that this process may never have seen."""
        return [
            id_
            for id_, seen in versions.items()
            if (version := as_version(seen)) and self.settling.is_by_others(self.index, id_, version)
        ]

    # -- what people said

    def corrections(self, *, fresh: bool = False) -> Sequence[Correction]:
        self.prepare_reading()  # the log of an adopted index is named after it, whatever alias is opened
        with self.lock:
            return self.correction_log.log(fresh=fresh)

    def correct(self, entry: Correction) -> None:
        self.prepare_writing()
        with self.lock:
            self.correction_log.add(entry)
            self._writes += 1  # a plan that was looked up before did not know it

    def mark_corrected(self, number: int) -> None:
        with self.lock:
            self.correction_log.carried_out(number)

    # -- what others wrote

    def backlog(self) -> Backlog:
        """See Store.backlog: what others wrote since everything was settled, and moves left half done."""
        if not self.settles:
            return Backlog()
        self.prepare_writing()
        with self.lock:
            mark = self.mark_now()
            if mark.is_alone:
                # a plan that sees older versions than were touched could not be written
                if self._touched or self.archive.is_due():
                    self.refresh()
                return Backlog((), mark)
            self.archive.expire()
            self.redirect_index.refresh()
            self.refresh()
            return Backlog(self._read_unsettled(mark), mark)

    def _read_unsettled(self, mark: Mark) -> Iterator[list[Record]]:
        self.keeper.recount_stale()
        for name, ids in self.settling.written_since(mark):
            if name == self.index:
                records_now = list(self.get(ids).values())
                self.keeper.recount(record.group for record in records_now)
                yield records_now
            else:  # members that still have the label of a group that was merged away
                self.keeper.recount(ids)
                records = [record for members in self.members(ids).values() for record in members]
                yield from batches(records, BATCH_DOCUMENTS)

    def find_gone(self) -> Iterator[list[str]]:
        self.prepare_reading()
        for ids in self.revision_index.ids():
            if gone := sorted(set(ids) - self.hits(ids, ["dup_id"]).keys()):
                yield gone

    def forget_gone(self) -> None:
        """Forget what is kept of documents that somebody has deleted since the last time."""
        deletions = self.cluster.deletions(self.index) if self.revision_index.is_there() else None
        if deletions != self._deletions:
            for ids in self.find_gone():
                self.revision_index.delete(ids)
            self._deletions = deletions

    def mark_settled(self, backlog: Backlog) -> None:
        if not self.settles:
            return
        assert isinstance(backlog.mark, Mark)
        self.forget_gone()
        with self.lock:
            self.settling.finish(backlog.mark)
            mark = self.settling.mark_now()
            if mark.is_alone:  # what this process wrote while it settled needs no other one to look at it
                self.settling.finish(mark)
            self._writes += 1  # a plan that was looked up before rests on less than is settled now


def as_version(version: object) -> Version | None:
    """The version that a record has, or a plan is based on; None for what was not there."""
    return version if isinstance(version, tuple) else None
