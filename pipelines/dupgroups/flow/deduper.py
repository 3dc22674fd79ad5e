"""Adds pages to a store, and keeps their groups right: the front of the flow.

Between a look at the store and the write that rests on it this process writes nothing else. When another
process has changed what a plan rests on, the store refuses to write it, and it is made again; what the store
could not show yet is found by `regroup`.
"""

from __future__ import annotations

import logging
import operator
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from typing import Any, cast

from dupgroups.engines import Engine, Store, open_engine
from dupgroups.engines.base import AdoptableEngine, Block
from dupgroups.errors import ConfigError, EngineError
from dupgroups.flow.committer import Committer
from dupgroups.flow.corrector import Corrector
from dupgroups.flow.finding import Found, find
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import extract_document, sign, sign_new
from dupgroups.flow.view_builder import ViewBuilder
from dupgroups.grouping.constraints import Corrections
from dupgroups.grouping.plan import Plan
from dupgroups.model import Correction, CorrectionKind, Document, Outcome, Page, Query, Record, Results
from dupgroups.model.config import Config
from dupgroups.text.dataframes import table_of
from dupgroups.text.document_like import DocumentLike, as_page, checked_names

MAX_NEW_DOCUMENTS = 5_000  # since the last regrouping; with more of them it comes at once

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Settled:
    """The results of regrouping: `documents` looked at again, `groups` that went into others, `regrouped`
    documents that went to another group alone, `elected` groups that got another head without that.
    """

    documents: int = 0
    groups: int = 0
    regrouped: int = 0
    elected: int = 0

    def __add__(self, other: Settled) -> Settled:
        return Settled(*map(operator.add, astuple(self), astuple(other)))


def now_microseconds() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


class Deduper(Block):
    """Adds pages to an engine and keeps its groups right. Any thread may call it; one batch at a time.

    `metrics` has what was counted and timed.
    """

    def __init__(
        self,
        engine: Store | str | None = None,
        config: Config | None = None,
        *,
        clock: Callable[[], int] = now_microseconds,
    ) -> None:
        self.config = config or Config()
        self.methods = MethodSet(self.config)  # first: it may raise ConfigError
        engine = engine or self.config.engine
        self.engine = open_engine(engine) if engine is None or isinstance(engine, str) else engine
        self.committer = Committer(self.engine, self.methods, clock)
        self.metrics = self.committer.metrics
        self._lock = self.committer.lock
        self._corrector = Corrector(self.engine, clock, self.config.group_by)
        self._unsettled = 0
        self._has_written = False
        self._clock = clock

    # -- adding

    def ready(self) -> None:
        """Make what is missing in the store. Raises ConfigError or EngineError if it can take no pages, which
        each of them would show only later.
        """
        self.engine.version()
        if isinstance(self.engine, AdoptableEngine) and (reason := self.engine.refusal()):
            raise ConfigError(reason)

    def sign(self, page: Page) -> Document:
        """Extract and sign a page. Pure: nothing is stored; may run in any thread or process."""
        return sign(page, self.methods)

    def add(self, page: DocumentLike | Document) -> Outcome:
        """Add one page; see `add_all`."""
        return self.add_all([page])[0]

    def add_all(
        self, pages: Iterable[DocumentLike | Document] | Any, *, fields: Mapping[str, str] | None = None
    ) -> list[Outcome]:
        """Add pages, in any of the forms of `document_like`, as one batch, in their order; one outcome each,
        in that order. [] for no pages. Raises InputError, and adds nothing, if one of them is not a page.

        A frame of pandas or polars gives its rows. `fields` says which columns, or keys of mappings, hold
        what: `{"text": "content", "url": "link"}`.

        A document that the engine refuses ends as `failed` with the reason; the others are stored. Raises
        EngineError when the engine cannot be used at all; adding the same batch again is safe then.
        """
        names = checked_names(fields)
        if table := table_of(pages):
            table.check(names)
            pages = table.rows
        return self.add_signed(self._sign_pages(pages, names))

    def _sign_pages(
        self, pages: Iterable[DocumentLike | Document], names: Mapping[str, str] | None = None
    ) -> list[Document]:
        fields = self.config.group_by, names
        batch = [page if isinstance(page, Document) else as_page(page, *fields) for page in pages]
        documents = (
            extract_document(page, self.methods) if isinstance(page, Page) else page for page in batch
        )
        return sign_new([*documents], self.methods)

    def add_signed(self, documents: Sequence[Document]) -> list[Outcome]:
        """Add documents with the signatures that they have; see `add_all`."""
        with self._lock:
            outcomes = self.committer.add(documents)
            self._unsettled += len(outcomes)
            self._has_written = self._has_written or bool(outcomes)
            if self._unsettled > MAX_NEW_DOCUMENTS:
                try:
                    self.regroup()
                except EngineError as error:  # what was added is stored all the same
                    why = "Copies that other processes wrote are looked for with the next regrouping: %s"
                    log.warning(why, error)
        return outcomes

    # -- what is stored already

    def regroup(self, everything: Iterable[Sequence[Record]] | None = None) -> Settled:
        """Look again at what other processes wrote since the last time, or at `everything` that is given.

        Finds the copies that were invisible when a document was written, because another process wrote at the
        same time or the index had not refreshed, and what the death of a process left half done: the groups
        are those of the stored documents afterwards, whatever happened before.
        """
        with self._lock, self.metrics.seconds["regroup"].time():
            self.committer.repair()
            settled = self._carry_out(self._corrector.news())
            backlog = self.engine.backlog()
            judged: set[str] = set()  # with the groups of those before: a group is put together anew once
            for records in backlog.records if everything is None else everything:
                left = [record for record in records if record.id not in judged]
                planned = self.committer.regroup(left) if left else Plan()
                judged |= planned.outcomes.keys()
                settled += _count_settled(records, planned)
            self.committer.repair()
            self.engine.mark_settled(backlog)
            self._unsettled = 0
            self.metrics.regrouped_groups.inc(settled.groups)
            self.metrics.settled_at.set_to_current_time()
            return settled

    settle = regroup  # its former name

    def search(self, text: str | Query = "", **options: Any) -> Results:
        """Search what is stored, as `Engine.search` does; `options` are those of `Query`. Finds what was
        added here before. Raises InputError as that does.
        """
        self.show()
        engine = cast(Engine, self.engine)
        return engine.search(text if isinstance(text, Query) else Query(text, **options))

    def find(self, document: DocumentLike | Document) -> list[Found]:
        """The stored documents that have the text of this one, or a part of it, the nearest first: [] for
        none, and for a text that is too short to be compared. Takes the forms of `add`, and writes nothing.

        Compares those that `add` would, 16 by default, and 8 that have the longest passages in common with
        it; a story may have more copies (`Engine.copies`).
        """
        return self.find_all([document])[0]

    def find_all(self, documents: Iterable[DocumentLike | Document]) -> list[list[Found]]:
        """The same for several documents, in their order: the store is asked once for all of them."""
        return find(self.engine, self._sign_pages(documents), self.methods, self._clock())

    # -- what people say

    def correct(self, kind: CorrectionKind, *ids: str, by: str) -> Correction:
        """Enter a correction, put the groups of its documents together anew, and return the entry of the log.

        `kind` is "keep-apart" or "keep-together" with two ids, or "head" with one; `by` says who wants it.
        Raises InputError, and changes nothing, for documents that are not stored, and for what contradicts
        another correction.
        """
        return self._enter_correction(lambda: self._corrector.enter(kind, ids, by=by))

    def undo(self, number: int, *, by: str) -> Correction:
        """Undo a correction by its number, put the groups of its documents together anew, and return the
        entry. Raises InputError, and changes nothing, if there is none to undo.
        """
        return self._enter_correction(lambda: self._corrector.undo(number, by=by))

    def _enter_correction(self, enter: Callable[[], Correction]) -> Correction:
        with self._lock:
            self.engine.refresh()  # the groups have to be seen as they are
            self._carry_out(self._corrector.news())
            entry = enter()
            self._carry_out([entry])
            return replace(entry, carried_out=True)

    def _carry_out(self, entries: Iterable[Correction]) -> Settled:
        """Put the groups of the documents of these entries together anew."""
        settled = Settled()
        for entry in entries:
            records = self._find_concerned(entry)
            settled += _count_settled(records, self.committer.regroup(records))
            if not entry.carried_out:
                self.engine.mark_corrected(entry.number)
        return settled

    def _find_concerned(self, entry: Correction) -> list[Record]:
        """The stored documents of an entry, and copies of what they said: these may be in other groups."""
        log = {logged.number: logged for logged in self.engine.corrections()}
        copies = Corrections.of([log.get(entry.undoes or 0, entry)]).copies
        alike = self.engine.candidates([*copies.values()], limit=self.methods.rule.candidates)
        concerned = {record.id: record for records in alike for record in records if record.mark in copies}
        return [*{**concerned, **self.engine.get(entry.ids)}.values()]

    def delete(self, ids: Sequence[str]) -> None:
        """Forget documents; unknown ids are passed over. The groups that they leave are put together anew.

        A group that loses the member that names it is named by the next oldest; one that only a deleted
        document held together comes apart.
        """
        with self._lock:
            self.engine.refresh()  # the groups have to be seen as they are
            self.committer.regroup(list(self.engine.get(ids).values()), ViewBuilder.view_without)
            self.engine.delete(ids)  # last: a death before leaves them in groups that `regroup` mends

    def reattach(self, ids: Sequence[str]) -> None:
        """Put the groups of stored documents together anew, and the groups that are named by these ids."""
        with self._lock:
            self.committer.regroup(list(self.engine.get(ids).values()))
            self.committer.regroup_named(ids)

    def __repr__(self) -> str:
        return f"Deduper({self.engine.name!r})"

    def close(self) -> None:
        """Settle what is open, show it, and close the engine: whatever of it fails."""
        with closing(self.engine):
            self.regroup()
            self.show()

    def show(self) -> None:
        """Let searches find what was added here at once, not with the next refresh of the index."""
        if self._has_written:
            self.engine.refresh()


def _count_settled(records: Sequence[Record], planned: Plan) -> Settled:
    alone = planned.labels.keys() - set(planned.moves.values())  # not by the move of their group
    return Settled(len(records), len(planned.moves), len(alone), len(set(planned.elections.values())))
