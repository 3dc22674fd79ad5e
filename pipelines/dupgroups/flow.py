"""The whole flow: sign pages, look at what the store has, plan, write.

`grouping.plan` decides; this module only carries out. Between the look and the write nothing else of this
process is written; what other processes write meanwhile is found by `settle`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from dupgroups.config import Config
from dupgroups.engines import Store, open_engine
from dupgroups.errors import EngineError
from dupgroups.grouping import Rule, View, plan, sort_arrivals
from dupgroups.look import look, look_again, look_at_headless
from dupgroups.method_set import MethodSet
from dupgroups.model import Document, Outcome, Page, Record, Verdict
from dupgroups.signing import OnlineTemplates, extract_document, sign, sign_all

UNSETTLED = 5_000  # ids kept for the next settle; with more of them it comes at once
FELLOWS = 1_000  # members of their groups that are grouped anew with documents of another signature
SETTLED = 200  # documents that are looked at together when settling

ONE_PAGE = ("duplicate", "contains", "contained")  # how a twin (AMP, print) stands to the page itself

log = logging.getLogger(__name__)


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


class Deduper:
    """Adds pages to an engine and keeps its groups right. Any thread may call it; one batch at a time."""

    def __init__(
        self,
        engine: Store | str | None = None,
        config: Config | None = None,
        *,
        clock: Callable[[], int] = now,
    ) -> None:
        self.config = config or Config()
        self.methods = MethodSet(self.config)
        self.rule = Rule(self.config.join, self.config.candidates)
        engine = engine or self.config.engine
        self.engine: Store = open_engine(engine) if engine is None or isinstance(engine, str) else engine
        self.templates = OnlineTemplates.of(self.config, self.methods)
        self._clock = clock
        self._latest = 0
        self._unsettled: set[str] = set()
        self._lock = threading.RLock()

    # -- adding

    def sign(self, page: Page) -> Document:
        """Extract and sign a page. Pure: nothing is stored; may run in any thread or process.

        Where templates of hosts are learned live `add` signs it: what is left out depends on the
        pages that came before.
        """
        return extract_document(page, self.methods) if self.templates else sign(page, self.methods)

    def add(self, page: Page | Document) -> Outcome:
        """Add one page; see `add_all`."""
        return self.add_all([page])[0]

    def add_all(self, pages: Iterable[Page | Document]) -> list[Outcome]:
        """Add pages as one batch, in their order; one outcome each, in that order. [] for no pages.

        A document that the engine refuses ends as `failed` with the reason; the others are stored. Raises
        EngineError when the engine cannot be used at all; adding the same batch again is safe then.
        """
        pages = list(pages)
        if self.templates is None:
            return self.add_signed(self._signed(pages))
        documents = [
            extract_document(page, self.methods) if isinstance(page, Page) else page for page in pages
        ]
        with self._lock:
            return [
                outcome
                for step in self.templates.steps(documents, self._sign_due)
                for outcome in self.add_signed(step)
            ]

    def add_signed(self, documents: Sequence[Document]) -> list[Outcome]:
        """Add documents with the signatures that they have; see `add_all`."""
        outcomes: list[Outcome] = []
        ahead = tuple(documents)
        with self._lock:
            while ahead:
                added, ahead = self._add(ahead)
                outcomes += added
            if len(self._unsettled) > UNSETTLED:
                self._try_to_settle()
        return outcomes

    def _signed(self, pages: Sequence[Page | Document]) -> list[Document]:
        signed = iter(sign_all([page for page in pages if isinstance(page, Page)], self.methods))
        return [next(signed) if isinstance(page, Page) else page for page in pages]

    def _sign_due(self, ids: Sequence[str]) -> None:
        """Give the stored pages of a host the signatures that they have without its template."""
        assert self.templates
        old = self.engine.read(ids)
        signed = self.templates.sign(list(old.values()))
        self.replace([new for new in signed if new.record != old[new.record.id].record])

    def _add(self, documents: Sequence[Document]) -> tuple[list[Outcome], tuple[Document, ...]]:
        """Outcomes of the first documents, each of another id, and the documents that are left."""
        twins = [document.twin for document in documents if document.twin]
        stored = self.engine.get([*(document.record.id for document in documents), *twins])
        arrivals = sort_arrivals(documents, stored, self._is_same_page)
        changed = self._dated(arrivals.changed, stored)
        view = look(self.engine, [document.record for document in changed], stored, self.rule)
        unchanged = {id_: stored[id_] for id_ in arrivals.unchanged}
        outcomes = self._carry_out(changed, replace(view, unchanged=unchanged))
        return [outcomes[document.record.id] for document in arrivals.documents], arrivals.later

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

    # -- planning and writing

    def judge(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`, by the judge that goes with their signatures."""
        return self.methods.judge(a.signature.scheme)(a, b)

    def _carry_out(self, documents: Sequence[Document], view: View) -> dict[str, Outcome]:
        """Plan and write; the outcome of each document of the view, by id. What is refused has failed."""
        planned = plan([document.record for document in documents], view, self.judge, self.rule)
        if planned.touches:
            self.engine.touch(planned.touches, self._tick())  # first: when it fails, nothing is stored yet
        puts = [
            replace(document, record=record) for document, record in zip(documents, planned.puts, strict=True)
        ]
        failures = self._put(puts, planned.moves)
        refused = {
            id_: replace(planned.outcomes[id_], state="failed", reason=reason)
            for id_, reason in failures.items()
            if id_ in planned.outcomes  # a member of a group that moves may be refused as well
        }
        return {**planned.outcomes, **refused}

    def _put(self, documents: Sequence[Document], moves: Mapping[str, str]) -> dict[str, str]:
        """Write; returns the ids that were refused, with reasons."""
        failures: dict[str, str] = {}
        try:
            if documents or moves:
                self.engine.put(documents, moves=moves)
        except EngineError as error:
            if not error.failures or "" in error.failures:
                raise
            failures = dict(error.failures)
            self._rename_headless(list(failures))
        self._unsettled.update(document.record.id for document in documents if document.record.signature)
        return failures

    def _rename_headless(self, gone: Sequence[str]) -> None:
        """Groups whose naming document is gone are named by the next oldest."""
        moves = plan([], look_at_headless(self.engine, gone), self.judge, self.rule).moves
        if moves:
            self.engine.put([], moves=moves)

    # -- what is stored already

    def replace(self, documents: Sequence[Document]) -> list[Outcome]:
        """Give stored documents other signatures, as one batch; one outcome each, in their order.

        The groups that they were in are put together anew, so that nothing stays tied by an old signature.
        """
        ids = [document.record.id for document in documents]
        with self._lock:
            others = self.engine.read(self._fellows(ids)).values()
            whole = sorted([*documents, *others], key=lambda document: document.record.age)
            stored = {document.record.id: document.record for document in whole}
            view = look(self.engine, list(stored.values()), stored, self.rule)
            outcomes = self._carry_out(whole, view)
        return [outcomes[id_] for id_ in ids]

    def _fellows(self, ids: Sequence[str]) -> list[str]:
        """The other members of the groups of these documents, except those of unknown schemes.

        At most `FELLOWS` of them: the rest of a huge group stays together as it is.
        """
        groups = self.engine.resolve(sorted({record.group for record in self.engine.get(ids).values()}))
        members = self.engine.members(sorted(set(groups.values()))) if groups else {}
        given, schemes = set(ids), self.methods.schemes
        fellows = (record for records in members.values() for record in records if record.id not in given)
        return [record.id for record in fellows if record.signature.scheme in schemes][:FELLOWS]

    def settle(self) -> int:
        """Look again at what was added since the last time; returns how many groups were merged.

        Finds the twins that were invisible when a document was written, because another process wrote at the
        same time or the index had not refreshed, and finishes a merge that was left half done.
        """
        with self._lock:
            self.engine.refresh()
            merged = 0
            while self._unsettled:
                ids = sorted(self._unsettled)[:SETTLED]
                merged += self._settle(list(self.engine.get(ids).values()))
                self._unsettled.difference_update(ids)
            return merged

    def _settle(self, records: Sequence[Record]) -> int:
        moves = plan(records, look_again(self.engine, records, self.rule), self.judge, self.rule).moves
        if moves:
            self.engine.put([], moves=moves)
        return len(moves)

    def _try_to_settle(self) -> None:
        """What was added is stored, whether or not it can be looked at again now."""
        try:
            self.settle()
        except EngineError as error:
            log.warning("Twins that other processes wrote are looked for later: %s", error)

    def delete(self, ids: Sequence[str]) -> None:
        """Forget documents. A group that loses the member that names it is named by the next oldest."""
        with self._lock:
            self.engine.delete(ids)
            self._rename_headless(ids)

    def close(self) -> None:
        """Settle what is open, keep what was learned of hosts, and close the engine: whatever of it fails."""
        try:
            self.settle()
        finally:
            self.save_templates()
            self.engine.close()

    def save_templates(self) -> None:
        """Keep what was learned of hosts, for the next crawl to go on from."""
        if self.templates is None:
            return
        try:
            self.templates.save()
        except OSError as error:
            log.error("What was learned of the hosts cannot be kept: %s", error)
