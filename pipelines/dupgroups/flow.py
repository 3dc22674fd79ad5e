"""The whole flow: sign pages, look at what the store has, plan, write.

`grouping.plan` decides; this module only carries out. Between the look and the write nothing else of this
process is written. When another process has changed what a plan rests on, the store refuses to write it, and
it is made again; what the store could not show yet is found by `settle`.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import starmap

from dupgroups.config import Config
from dupgroups.correcting import Corrector
from dupgroups.document_like import DocumentLike, as_page
from dupgroups.engines import Store, open_engine
from dupgroups.errors import ConflictError, EngineError
from dupgroups.grouping import Corrections, Plan, Rule, plan, sort_arrivals
from dupgroups.look import Observer
from dupgroups.method_set import MethodSet
from dupgroups.metrics import Tally
from dupgroups.metrics.table import (
    CANDIDATES,
    REPLANS,
    RETRIES,
    SETTLED_AT,
    SETTLED_GROUPS,
    STEP_SECONDS,
    VERDICTS,
)
from dupgroups.model import Correction, CorrectionKind, Document, Outcome, Page, Record, Verdict
from dupgroups.signing import OnlineTemplates, extract_document, sign, sign_all
from dupgroups.verdicts.remembered import RememberedJudge

UNSETTLED = 5_000  # documents added since the last settle; with more of them it comes at once
TRIES = 20  # plans for one batch that others overtake, before it counts as failed
PAUSE = 0.02  # seconds before the second one; the pauses grow, and are drawn by chance

METERED = (CANDIDATES, VERDICTS, STEP_SECONDS, REPLANS, RETRIES, SETTLED_GROUPS, SETTLED_AT)

ONE_PAGE = ("duplicate", "contains", "contained")  # how a twin (AMP, print) stands to the page itself

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Settled:
    """What settling did: `documents` looked at again, `groups` that went into others, `regrouped` documents
    that went to another group alone, `elected` groups that got another head without that.
    """

    documents: int = 0
    groups: int = 0
    regrouped: int = 0
    elected: int = 0

    def __add__(self, other: Settled) -> Settled:
        return Settled(
            self.documents + other.documents,
            self.groups + other.groups,
            self.regrouped + other.regrouped,
            self.elected + other.elected,
        )


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


class Deduper:
    """Adds pages to an engine and keeps its groups right. Any thread may call it; one batch at a time.

    `tally` holds what it has counted and timed, under the metrics of METERED.
    """

    def __init__(
        self,
        engine: Store | str | None = None,
        config: Config | None = None,
        *,
        clock: Callable[[], int] = now,
    ) -> None:
        self.config = config or Config()
        self.methods = MethodSet(self.config)
        self.rule = Rule.of(self.config)
        engine = engine or self.config.engine
        self.engine: Store = open_engine(engine) if engine is None or isinstance(engine, str) else engine
        self.templates = OnlineTemplates.of(self.config, self.methods)
        self.tally = Tally()
        self._verdicts = self.tally.counter(VERDICTS)
        self._judge = RememberedJudge(self.judge) if self.rule.linkage == "average" else self.judge
        self._clock = clock
        self._latest = 0
        self._unsettled = 0
        self._lock = threading.RLock()
        self._log: Sequence[Correction] = ()
        self._corrections = Corrections()

    # -- adding

    def sign(self, page: Page) -> Document:
        """Extract and sign a page. Pure: nothing is stored; may run in any thread or process.

        Where templates of hosts are learned live `add` signs it: what is left out depends on the
        pages that came before.
        """
        return extract_document(page, self.methods) if self.templates else sign(page, self.methods)

    def add(self, page: DocumentLike | Document) -> Outcome:
        """Add one page; see `add_all`."""
        return self.add_all([page])[0]

    def add_all(self, pages: Iterable[DocumentLike | Document]) -> list[Outcome]:
        """Add pages, in any of the forms of `document_like`, as one batch, in their order; one outcome each,
        in that order. [] for no pages. Raises InputError, and adds nothing, if one of them is not a page.

        A document that the engine refuses ends as `failed` with the reason; the others are stored. Raises
        EngineError when the engine cannot be used at all; adding the same batch again is safe then.
        """
        batch = [
            page if isinstance(page, Document) else as_page(page, self.config.group_by) for page in pages
        ]
        if self.templates is None:
            return self.add_signed(self._signed(batch))
        documents = [
            extract_document(page, self.methods) if isinstance(page, Page) else page for page in batch
        ]
        with self._lock:
            return [
                outcome
                for step in self.templates.steps(documents, self._sign_due)
                for outcome in self.add_signed(step)
            ]

    def add_signed(self, documents: Sequence[Document]) -> list[Outcome]:
        """Add documents with the signatures that they have; see `add_all`."""
        outcomes: dict[int, Outcome] = {}
        pending = dict(enumerate(documents))
        tries = _tries()
        last = next(tries)
        with self._lock:
            while pending:
                arrived, found, overtaken = self._add(list(pending.values()), last)
                for place, document in zip(list(pending), arrived, strict=False):
                    pending[place] = document
                    if document.record.id not in overtaken:
                        outcomes[place] = found[document.record.id]
                        del pending[place]
                if overtaken:
                    self.tally.count(REPLANS)
                    last = next(tries)
            self._unsettled += len(outcomes)
            if self._unsettled > UNSETTLED:
                self._try_to_settle()
        return [outcomes[place] for place in range(len(documents))]

    def look_ahead(self, documents: Sequence[Document]) -> None:
        """Say which signed documents are added next: a store that waits for a server looks them up while it
        writes those before. Any thread may call it, also while another one adds.
        """
        if self.templates is None:  # else they are not signed yet
            self.engine.look_ahead([document.record for document in documents], limit=self.rule.candidates)

    def _signed(self, pages: Sequence[Page | Document]) -> list[Document]:
        signed = iter(sign_all([page for page in pages if isinstance(page, Page)], self.methods))
        return [next(signed) if isinstance(page, Page) else page for page in pages]

    def _sign_due(self, ids: Sequence[str]) -> None:
        """Give the stored pages of a host the signatures that they have without its template."""
        assert self.templates
        old = self.engine.read(ids)
        signed = self.templates.sign(list(old.values()))
        self.replace([new for new in signed if new.record != old[new.record.id].record])

    def _add(
        self, documents: Sequence[Document], last: bool
    ) -> tuple[tuple[Document, ...], dict[str, Outcome], frozenset[str]]:
        """The first documents, each of another id; their outcomes; the ids that others wrote meanwhile."""
        version = self.engine.version()
        twins = [document.twin for document in documents if document.twin]
        stored = self.engine.get([*(document.record.id for document in documents), *twins])
        arrivals = sort_arrivals(documents, stored, self._is_same_page)
        changed = self._dated(arrivals.changed, stored)
        observer = self._observer()
        records = [document.record for document in changed]
        with self.tally.timed(STEP_SECONDS, "look"):
            view = observer.arriving(records, stored, version)
        for record in records:
            self.tally.observe(CANDIDATES, len(view.candidates.get(record.id, ())))
        unchanged = {id_: stored[id_] for id_ in arrivals.unchanged}
        with self.tally.timed(STEP_SECONDS, "plan"):
            planned = plan(replace(view, unchanged=unchanged), observer.judge, self.rule)
        with self.tally.timed(STEP_SECONDS, "write"):
            outcomes, overtaken = self._write(planned, changed, last)
        return arrivals.documents, outcomes, overtaken

    def _is_same_page(self, new: Record, old: Record) -> bool:
        if old.fingerprint == new.fingerprint:
            return True
        if old.signature.scheme not in self.methods.schemes:
            old = self._signed_again(old)
        return old.signature.scheme == new.signature.scheme and self.judge(new, old).relation in ONE_PAGE

    def _signed_again(self, record: Record) -> Record:
        """A record that another configuration signed, with its stored text signed as it is done now."""
        contents = [document.content for document in self.engine.read([record.id]).values()]
        return replace(record, signature=self.methods.signatures(contents)[0]) if contents else record

    def _dated(self, documents: Sequence[Document], stored: Mapping[str, Record]) -> list[Document]:
        dated = []
        for document in documents:
            tick, old = self._tick(), stored.get(document.record.id)
            record = replace(document.record, first_seen=old.first_seen if old else tick, last_seen=tick)
            dated.append(replace(document, record=record))
        return dated

    def _tick(self) -> int:
        self._latest = max(self._latest + 1, self._clock())  # no two documents of one process are of one age
        return self._latest

    def _observer(self) -> Observer:
        """For one look."""
        return Observer(self.engine, self.rule, self.methods.schemes, self._judge, self._known_corrections())

    def _known_corrections(self) -> Corrections:
        log = self.engine.corrections()
        if log is not self._log:
            self._log, self._corrections = log, Corrections.of(log)
        return self._corrections

    # -- planning and writing

    def judge(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`, by the judge that goes with their signatures."""
        verdict = self.methods.judge(a.signature.scheme)(a, b)
        self._verdicts[verdict.relation,] += 1
        return verdict

    def _write(
        self, planned: Plan, documents: Sequence[Document], last: bool
    ) -> tuple[dict[str, Outcome], frozenset[str]]:
        """Carry a plan out; outcomes by id, and the ids of documents that others wrote meanwhile.

        What the store refuses has failed, and so has what is overtaken in the last try.
        """
        by_id = {document.record.id: document for document in documents}
        puts = [replace(by_id[record.id], record=record) for record in planned.puts]
        failures: dict[str, str] = {}
        overtaken: frozenset[str] = frozenset()
        if planned.touches:
            self.engine.touch(planned.touches, self._tick())  # first: when it fails, nothing is stored yet
        try:
            self._put(puts, planned)
        except ConflictError as error:
            failures = {**error.failures, **(dict.fromkeys(error.ids, str(error)) if last else {})}
            overtaken = error.ids - set(failures)
        except EngineError as error:
            if not error.failures or "" in error.failures:
                raise
            failures = error.failures
        if not_stored := failures.keys() | overtaken:
            lost = [group for group, head in planned.heads.items() if head in not_stored]
            self.regroup_named(sorted({*failures, *lost}))
        outcomes = {
            id_: replace(outcome, state="failed", reason=failures[id_]) if id_ in failures else outcome
            for id_, outcome in planned.outcomes.items()
            if id_ not in overtaken
        }
        return outcomes, overtaken

    def _put(self, documents: Sequence[Document], planned: Plan) -> None:
        labels = {**planned.elections, **planned.labels}
        if documents or planned.moves or labels:
            self.engine.put(
                documents, moves=planned.moves, labels=labels, heads=planned.heads, seen=planned.seen
            )

    def regroup_named(self, names: Sequence[str]) -> None:
        """Put the groups with these names together anew; names of no group are passed over.

        A group that is named by a document that was refused, or that another tool has replaced, gets the name
        of its oldest member, and the head that it should have.
        """
        with self._lock:
            members = self.engine.members(names) if names else {}
            records = [record for records in members.values() for record in records]
            if records:
                self._regroup(records)

    def _regroup(self, records: Sequence[Record], *, without: bool = False) -> Plan:
        """Put the groups of stored records together anew: with them, or without."""
        for last in _tries():
            version = self.engine.version()
            observer = self._observer()
            look = observer.without if without else observer.regrouping
            planned = plan(look(records, version=version), observer.judge, self.rule)
            try:
                self._put([], planned)
                break
            except ConflictError:
                if last:
                    raise
            records = list(self.engine.get([record.id for record in records]).values())
        return planned

    # -- what is stored already

    def replace(self, documents: Sequence[Document]) -> list[Outcome]:
        """Give stored documents other signatures, as one batch; one outcome each, in their order.

        The groups that they were in are put together anew, so that nothing stays tied by an old signature.
        """
        return self._replace(documents, lambda documents, stored: documents)

    def write(self, documents: Sequence[Document]) -> list[Outcome]:
        """Store signed documents of different ids, as one batch, even if they are stored as they are: who
        writes them replaces the whole documents. One outcome each, in their order.
        """
        outcomes = self._replace(documents, self._dated)
        self._unsettled += len(outcomes)
        return outcomes

    def _replace(
        self,
        documents: Sequence[Document],
        dated: Callable[[Sequence[Document], Mapping[str, Record]], Sequence[Document]],
    ) -> list[Outcome]:
        outcomes: dict[str, Outcome] = {}
        pending = {document.record.id: document for document in documents}
        with self._lock:
            for last in _tries():
                version, stored = self.engine.version(), self.engine.get(list(pending))
                batch = dated([*pending.values()], stored)
                records = [document.record for document in batch]
                observer = self._observer()
                planned = plan(observer.arriving(records, stored, version), observer.judge, self.rule)
                found, overtaken = self._write(planned, batch, last)
                outcomes |= found
                pending = {id_: pending[id_] for id_ in overtaken}
                if not pending:
                    break
        return [outcomes[document.record.id] for document in documents]

    def settle(self, everything: Iterable[Sequence[Record]] | None = None) -> Settled:
        """Look again at what other processes wrote since the last time, or at `everything` that is given.

        Finds the twins that were invisible when a document was written, because another process wrote at the
        same time or the index had not refreshed, and what the death of a process left half done: the groups
        are those of the stored documents afterwards, whatever happened before.
        """
        with self._lock, self.tally.timed(STEP_SECONDS, "settle"):
            settled = self._carry_out_corrections()
            backlog = self.engine.backlog()
            judged: set[str] = set()  # with the groups of those before: a group is put together anew once
            for records in backlog.records if everything is None else everything:
                left = [record for record in records if record.id not in judged]
                planned = self._regroup(left) if left else Plan()
                judged |= planned.outcomes.keys()
                settled += _settled(records, planned)
            self.engine.settled(backlog)
            self._unsettled = 0
            self.tally.count(SETTLED_GROUPS, number=settled.groups)
            self.tally.set(SETTLED_AT, time.time())
            return settled

    # -- what people say

    def correct(self, kind: CorrectionKind, *ids: str, by: str) -> Correction:
        """Enter a correction, put the groups of its documents together anew, and return the entry of the log.

        `kind` is "keep-apart" or "keep-together" with two ids, or "head" with one; `by` says who wants it.
        Raises InputError, and changes nothing, for documents that are not stored, and for what contradicts
        another correction.
        """
        with self._lock:
            self.engine.refresh()  # the groups have to be seen as they are
            self._carry_out_corrections()
            return self._corrector.correct(kind, ids, by=by)

    def undo(self, number: int, *, by: str) -> Correction:
        """Undo a correction by its number, put the groups of its documents together anew, and return the
        entry. Raises InputError, and changes nothing, if there is none to undo.
        """
        with self._lock:
            self.engine.refresh()
            self._carry_out_corrections()
            return self._corrector.undo(number, by=by)

    @property
    def _corrector(self) -> Corrector:
        return Corrector(self.engine, self._regroup, self._clock, self.config.group_by)

    def _carry_out_corrections(self) -> Settled:
        return sum(starmap(_settled, self._corrector.carry_out_news()), start=Settled())

    def _try_to_settle(self) -> None:
        """What was added is stored, whether or not it can be looked at again now."""
        try:
            self.settle()
        except EngineError as error:
            log.warning("Twins that other processes wrote are looked for later: %s", error)

    def delete(self, ids: Sequence[str]) -> None:
        """Forget documents; unknown ids are passed over. The groups that they leave are put together anew.

        A group that loses the member that names it is named by the next oldest; one that only a deleted
        document held together comes apart.
        """
        with self._lock:
            self.withdraw(ids)
            self.engine.delete(ids)  # last: a death before leaves them in groups that `settle` mends

    def withdraw(self, ids: Sequence[str]) -> None:
        """Put the groups of documents together without them, before somebody deletes them."""
        with self._lock:
            self.engine.refresh()  # the groups have to be seen as they are
            self._regroup(list(self.engine.get(ids).values()), without=True)

    def take_back(self, ids: Sequence[str]) -> None:
        """Put documents that were withdrawn, and are still stored, back into their groups; and the groups
        that are named by those that are gone together anew.
        """
        with self._lock:
            self._regroup(list(self.engine.get(ids).values()))
            self.regroup_named(ids)

    def __enter__(self) -> Deduper:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Settle what is open, keep what was learned of hosts, and close the engine: whatever of it fails."""
        try:
            self.settle()
        finally:
            self.save_templates()
            self.engine.close()

    def metered(self) -> Tally:
        """The tally, with the retries of the engine until now."""
        self.tally.set(RETRIES, self.engine.retries)
        return self.tally

    def save_templates(self) -> None:
        """Keep what was learned of hosts, for the next crawl to go on from."""
        if self.templates is None:
            return
        try:
            self.templates.save()
        except OSError as error:
            log.error("What was learned of the hosts cannot be kept: %s", error)


def _settled(records: Sequence[Record], planned: Plan) -> Settled:
    """What came of putting these records together anew."""
    alone = planned.labels.keys() - set(planned.moves.values())  # not by the move of their group
    return Settled(len(records), len(planned.moves), len(alone), len(set(planned.elections.values())))


def _tries() -> Iterator[bool]:
    """One value for each plan that may be made of a batch: whether it is the last. Waits in between."""
    for number in range(TRIES):
        yield number == TRIES - 1
        time.sleep(random.uniform(0, PAUSE * (number + 1)))  # noqa: S311
