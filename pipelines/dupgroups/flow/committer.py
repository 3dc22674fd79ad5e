"""Look, plan and write: what brings documents into their groups, and puts groups together anew."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from dupgroups.engines.base import Store
from dupgroups.errors import ConflictError
from dupgroups.flow.changed_pages import Arriving, KeptPages, list_kept
from dupgroups.flow.commit_loop import Refused, commit, commit_whole, try_put
from dupgroups.flow.corrector import add_entry
from dupgroups.flow.frame_log import find_frames, frame_entry, has_room, read_frames
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.receiver import Arrive, Receiver, Ticks
from dupgroups.flow.view_builder import ViewBuilder
from dupgroups.grouping.arrivals import Arrivals
from dupgroups.grouping.constraints import Corrections
from dupgroups.grouping.plan import Plan, pairs_to_judge, plan
from dupgroups.grouping.view import View
from dupgroups.methods.frames import NO_FRAMES, Frames
from dupgroups.methods.verdicts.base import RememberedJudge, Verdicts
from dupgroups.metrics import CrawlMetrics
from dupgroups.model import Correction, Document, Outcome, Record, Signature, Verdict
from dupgroups.text.facts import add_title

log = logging.getLogger(__name__)

Look = Callable[[ViewBuilder, Sequence[Record], object], View]
"""Looks at the groups of stored records, at a version of the store."""


class Committer:
    """Writes to a store, one batch at a time. Any thread may call it.

    `clock` gives the microseconds since 1970 that date what is written; `metrics` has what was counted and
    timed.
    """

    def __init__(self, engine: Store, methods: MethodSet, clock: Callable[[], int]) -> None:
        self.engine = engine
        self.methods = methods
        self.metrics = CrawlMetrics(lambda: engine.retries)
        self.lock = threading.RLock()  # who holds it writes several batches without others in between
        self._receiver = Receiver(engine, methods, self.judge, Ticks(clock))
        self._pages = KeptPages(engine, methods, clock)
        self._known: Verdicts = {}
        self._clock = clock
        self._taught: dict[tuple[str, ...], Frames] = {}  # frames that are not in the log yet, by documents
        self._broken: set[str] = set()  # groups that lack what was not stored, by name
        self._log: Sequence[Correction] = ()
        self._corrections = Corrections()
        self._kept = list[Correction]()
        self._entered: list[Correction] = []  # entries of the program that are not carried out yet

    def judge(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`, by the judge that goes with their signatures."""
        verdict = self.methods.judge(a.signature.scheme)(a, b)
        self.metrics.verdicts[verdict.relation].inc()
        return verdict

    def _remembering(self, arriving: Mapping[str, str]) -> RememberedJudge:
        """The judge of one attempt, which knows the texts of the documents that arrive by their ids."""
        return RememberedJudge(self.judge, partial(self._second_looks, arriving), self._known)

    def _second_looks(
        self, arriving: Mapping[str, str], pairs: Sequence[tuple[Record, Record]]
    ) -> list[Verdict]:
        """The verdicts on doubtful pairs by their texts; those of stored documents come in one request."""
        self.metrics.second_looks.inc(len(pairs))
        stored = {record.id for pair in pairs for record in pair} - arriving.keys()
        texts = {**self.engine.texts(sorted(stored)), **arriving}
        taught = find_frames(self.methods.frames, pairs, texts) if has_room(self._log) else {}
        for ids, runs in taught.items():
            self._taught[ids] = self._taught.get(ids, NO_FRAMES).add(runs)
        if taught:  # what was judged before is judged again
            self._use_frames(self.methods.frames)
        return [self.methods.second_look(a, b, (texts.get(a.id, ""), texts.get(b.id, ""))) for a, b in pairs]

    # -- frames

    def _use_frames(self, frames: Frames) -> None:
        """Judge without these frames, and those that are not in the log yet."""
        for taught in self._taught.values():
            frames = frames.add(taught.runs)
        self.methods.frames = frames
        self._known.clear()

    def enter_frames(self) -> None:
        """Enter into the log what was learned, and put the groups together anew of documents that taught it:
        what only a frame joined comes apart, and copies with another frame meet. That may teach more.
        """
        while self._taught:
            for ids, taught in self._taught.items():
                make = partial(frame_entry, ids=ids, runs=taught.runs, at=self._clock())
                self._entered.append(add_entry(self.engine, make))
            self._taught = {}
            self._carry_out()

    def _carry_out(self) -> None:
        ids = sorted({id_ for entry in self._entered for id_ in entry.ids})
        if ids:
            self.regroup([*self.engine.get(ids).values()], ViewBuilder.view_taught)
        while self._entered:
            self.engine.mark_corrected(self._entered.pop().number)

    # -- documents

    def add(self, documents: Sequence[Document]) -> list[Outcome]:
        """Store signed documents as they arrive; one outcome each, in their order.

        Documents that the store refuses have failed, and so have those that others overtake in every try.
        """
        return self._commit(documents, self._receiver.receive)

    def replace(self, documents: Sequence[Document]) -> list[Outcome]:
        """Give stored documents other signatures, as one batch; one outcome each, in their order.

        The groups that they were in are put together anew, so that nothing stays tied by an old signature.
        Their ids differ, and their dates stay what they are.
        """
        return self._commit(documents, lambda documents, stored: Arrivals(tuple(documents)))

    def sign_anew(self, documents: Sequence[Document]) -> list[Outcome]:
        """Give documents that were read from the store other signatures; one outcome each, in their order.

        One that has another title or text by now, or was deleted, is `unchanged`. The dates of others stay.
        """
        return self._commit(documents, self._receiver.receive_again)

    def _commit(self, documents: Sequence[Document], arrive: Arrive) -> list[Outcome]:
        with self.lock:
            results, why = commit(documents, partial(self._attempt, arrive))
            outcomes = [
                results.get(place) or failed_outcome(document, str(why))
                for place, document in enumerate(documents)
            ]
            self._broken |= {outcome.id for place, outcome in enumerate(outcomes) if place not in results}
            self.repair()
        return outcomes

    def _attempt(
        self, arrive: Arrive, left: Mapping[int, Document], again: bool
    ) -> tuple[dict[int, Outcome], ConflictError | None]:
        unfit = {}
        for place, document in left.items():
            if reason := self.engine.explain_refusal(document):
                unfit[place] = failed_outcome(document, reason)
        if unfit:
            return unfit, None  # nobody is to join them; the others are attempted next
        self.metrics.replans.inc(again)
        arrivals, planned = self._plan_arrivals(list(left.values()), arrive)
        with self.metrics.seconds["write"].time():
            refusal = self._write(planned, arrivals)
        self._broken |= _find_broken(planned, refusal)
        done = {}
        for place, document in zip(left, arrivals.documents, strict=False):
            id_ = document.record.id
            if id_ in refusal.failures:
                reason = refusal.failures[id_]
                done[place] = replace(planned.outcomes[id_], state="failed", reason=reason)
            elif id_ not in refusal.overtaken:
                done[place] = planned.outcomes[id_]
        return done, refusal.conflict

    def _plan_arrivals(
        self, documents: Sequence[Document], arrive: Arrive, *, may_keep_pages: bool = True
    ) -> tuple[Arrivals, Plan]:
        """The first documents, each of another id, and the plan for those that have to be written."""
        version = self.engine.version()
        alternates = [document.alternate_id for document in documents if document.alternate_id]
        stored = self.engine.get([*(document.record.id for document in documents), *alternates])
        arrivals = arrive(documents, stored)
        records = [document.record for document in arrivals.changed]
        is_kept = self.engine.keeps_text
        with_text = [document for document in arrivals.changed if is_kept and document.content.text]
        texts = {document.record.id: add_title(document.content) for document in with_text}
        judge = self._remembering(texts)
        self._read_log()
        is_new = arrive == self._receiver.receive and may_keep_pages  # others are only signed anew
        arriving = Arriving(records, stored, texts) if is_new else Arriving()
        self._entered += self._pages.release(self._kept, arriving)
        with self.metrics.seconds["look"].time():
            unframed = self.methods.sign_without_frames(with_text)
            view = self._view_builder(judge, unframed).view_arrivals(records, stored, version)
        for record in records:
            self.metrics.candidates.observe(len(view.nearby.candidates.get(record.id, ())))
        planned = self._plan(view, judge)
        if self._pages.keep(arriving, view, planned):
            return self._plan_arrivals(documents, arrive, may_keep_pages=False)
        unchanged = _list_unchanged(arrivals, stored, planned)
        return arrivals, replace(planned, outcomes={**planned.outcomes, **unchanged})

    def _write(self, planned: Plan, arrivals: Arrivals) -> Refused:
        by_id = {document.record.id: document for document in arrivals.documents}
        puts = [replace(by_id[record.id], record=record) for record in planned.puts]
        if arrivals.unchanged:  # first: if it fails, nothing is stored yet
            self.engine.touch(sorted(arrivals.unchanged), self._receiver.ticks.next_tick())
        return try_put(partial(self._put, puts, planned))

    # -- groups

    def repair(self) -> None:
        """Put the groups together anew that what was not stored should have named, headed, or held together,
        also after an error in an earlier batch. Those that others keep changing wait for the next time.
        """
        try:
            self.regroup_named(sorted(self._broken))
            self._carry_out()
            self.enter_frames()
        except ConflictError as error:
            log.warning("Groups could not be repaired now, the next regrouping will try again: %s", error)
        else:
            self._broken.clear()

    def regroup(self, records: Sequence[Record], look: Look = ViewBuilder.view_stored) -> Plan:
        """Put the groups of stored records together anew, as `look` sees them, and return the plan that was
        carried out.

        Raises ConflictError when others keep changing these groups.
        """
        ids = [record.id for record in records]

        def attempt(again: bool) -> Plan:
            version = self.engine.version()
            current = list(self.engine.get(ids).values()) if again else records
            judge = self._remembering({})
            builder = self._view_builder(judge, self._sign_stored(ids))
            planned = self._plan(look(builder, current, version), judge)
            self._put([], planned)
            return planned

        with self.lock:
            return commit_whole(attempt)

    def regroup_named(self, names: Sequence[str]) -> None:
        """Put the groups with these names together anew; names of no group are passed over.

        A group that is named by a document that was refused, or that another tool has replaced, gets the name
        of its oldest member, and the head that it should have.
        """
        with self.lock:
            members = self.engine.members(names) if names else {}
            records = [record for records in members.values() for record in records]
            if records:
                self.regroup(records)

    # -- looking, planning, writing

    def _read_log(self) -> None:
        log = self.engine.corrections()
        if log is not self._log:
            self._log = log
            self._corrections = Corrections.of(log)
            self._kept = list_kept(log)
            self._use_frames(read_frames(log))

    def _sign_stored(self, ids: Sequence[str]) -> dict[str, Signature]:
        """By id, the signatures without frames of these stored documents: copies with other frames meet."""
        self._read_log()
        is_known = self.engine.keeps_text and len(self.methods.frames.runs)
        return self.methods.sign_without_frames([*self.engine.read(ids).values()]) if is_known else {}

    def _view_builder(
        self, judge: RememberedJudge, unframed: Mapping[str, Signature] | None = None
    ) -> ViewBuilder:
        self._read_log()
        methods = self.methods
        said = self._corrections
        compared = partial(methods.choose_compared, always=said.kept_apart, unframed=unframed or {})
        return ViewBuilder(self.engine, methods.rule, methods.schemes, judge, said, compared, unframed)

    def _plan(self, view: View, judge: RememberedJudge) -> Plan:
        self.metrics.cut_views.inc(view.is_cut)
        with self.metrics.seconds["plan"].time():
            judge.look_ahead(pairs_to_judge(view, self.methods.rule))
            return plan(view, judge, self.methods.rule)

    def _put(self, documents: Sequence[Document], planned: Plan) -> None:
        labels = {**planned.elections, **planned.labels}
        if documents or planned.moves or labels:
            self.engine.put(
                documents, moves=planned.moves, labels=labels, heads=planned.heads, seen=planned.seen
            )


def failed_outcome(document: Document, reason: str) -> Outcome:
    """The outcome of a document that was not stored."""
    return Outcome(document.record.id, document.record.group, "failed", reason=reason)


def _find_broken(planned: Plan, refusal: Refused) -> set[str]:
    """The groups that lack what was not stored: its name, its head, or what ties its members."""
    not_stored = refusal.failures.keys() | refusal.overtaken
    headless = {group for group, head in planned.heads.items() if head in not_stored}
    refused = [planned.outcomes[id_].group for id_ in refusal.failures if id_ in planned.outcomes]
    return {*refusal.failures, *refused, *headless}


def _list_unchanged(arrivals: Arrivals, stored: Mapping[str, Record], planned: Plan) -> dict[str, Outcome]:
    """The outcomes of the documents that are stored as they are; their groups may be put together anew."""
    arrived = {document.record.id: document.record for document in arrivals.documents}
    latest: dict[str, Record | Outcome] = {**arrived, **stored, **planned.outcomes}
    return {id_: Outcome(id_, latest[id_].group, "unchanged") for id_ in arrivals.unchanged}
