"""The whole flow: sign pages, look up candidates, judge, group, store.

The group rule in one sentence: a group is the closure of the pairs whose relation joins, named by the id
of its oldest member, and when two groups meet the older name stays and the other becomes a redirect to it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from dupgroups.config import Config
from dupgroups.engines import Engine, Store, open_engine
from dupgroups.errors import EngineError
from dupgroups.grouping import Age, Groups
from dupgroups.live_templates import LiveTemplates
from dupgroups.method_set import MethodSet
from dupgroups.model import Document, Outcome, Page, Record, Verdict
from dupgroups.signing import sign, sign_all
from dupgroups.ties import Tie, earlier, outcomes_of, state_of, unchanged, unlike

UNSETTLED = 5_000  # ids kept for the next settle; with more of them it comes at once
FELLOWS = 1_000  # members of their groups that are tied anew with documents of another signature
SETTLED = 200  # documents that are looked at together then

ONE_PAGE = ("duplicate", "contains", "contained")  # how a twin (AMP, print) stands to the page itself

Node = tuple[str, str]  # ("new", id of a document of this batch) or ("group", name of a stored group)

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
        engine = engine or self.config.engine
        self.engine: Store = open_engine(engine) if engine is None or isinstance(engine, str) else engine
        hosts = self.config.hosts
        self.templates = LiveTemplates(hosts.templates, self.methods) if hosts and hosts.live else None
        self._clock = clock
        self._latest = 0
        self._unsettled: set[str] = set()
        self._lock = threading.RLock()

    def sign(self, page: Page) -> Document:
        """Extract and sign a page. Pure: nothing is stored; may run in any thread or process."""
        return sign(page, self.methods)

    def add(self, page: Page | Document) -> Outcome:
        """Add one page; see `add_all`."""
        return self.add_all([page])[0]

    def add_all(self, pages: Iterable[Page | Document]) -> list[Outcome]:
        """Add pages as one batch, in their order; one outcome each, in that order. [] for no pages.

        A document that the engine refuses ends as `failed` with the reason; the others are stored. Raises
        EngineError when the engine cannot be used at all; adding the same batch again is safe then.
        """
        documents = self._signed(list(pages))
        with self._lock:
            return [outcome for step in self._steps(documents) for outcome in self.add_signed(step)]

    def add_signed(self, documents: Sequence[Document]) -> list[Outcome]:
        """Add documents with the signatures that they have; see `add_all`."""
        with self._lock:
            outcomes = [outcome for batch in unlike(documents) for outcome in self._add(batch)]
            if len(self._unsettled) > UNSETTLED:
                self._try_to_settle()
        return outcomes

    def _signed(self, pages: Sequence[Page | Document]) -> list[Document]:
        signed = iter(sign_all([each for each in pages if isinstance(each, Page)], self.methods))
        return [next(signed) if isinstance(each, Page) else each for each in pages]

    def _steps(self, documents: Sequence[Document]) -> Iterator[list[Document]]:
        """Cut where a host becomes known: what came before is stored, then its pages are signed anew."""
        if self.templates is None:
            yield list(documents)
            return
        step: list[Document] = []
        for document in documents:
            if due := self.templates.count(document):
                yield step
                step = []
                self._sign_anew(due)
                self.templates.renewed(document.record.host)
            step.append(self.templates.signed(document))
        yield step

    def _sign_anew(self, ids: Sequence[str]) -> None:
        assert self.templates
        old = cast("Engine", self.engine).read(ids)
        new = self.templates.sign(list(old.values()))
        self.replace([each for each in new if each.record != old[each.record.id].record])

    def replace(self, documents: Sequence[Document]) -> list[Outcome]:
        """Give stored documents other signatures, as one batch; one outcome each, in their order.

        The groups that they were in are put together anew, so that nothing stays tied by an old signature.
        Needs an Engine: the other members are read and written again.
        """
        engine, given = cast("Engine", self.engine), {each.record.id: each for each in documents}
        with self._lock:
            others = self._fellows(list(given))
            whole = sorted([*documents, *engine.read(others).values()], key=lambda each: each.record.age)
            ties = self._ties(whole)
            names, moves = self._regroup(ties, {tie.id: tie.document.record for tie in ties})
            failures = self._store([_named(tie.document, names[tie.id]) for tie in ties], moves)
        outcomes = outcomes_of(ties, names, failures)
        return [outcomes[each] for each in given]

    def _fellows(self, ids: Sequence[str]) -> list[str]:
        """The other members of the groups of these documents, but for those of unknown schemes.

        Of those of huge groups some: the rest stays as it is tied.
        """
        groups = self.engine.resolve(sorted({each.group for each in self.engine.get(ids).values()}))
        members = self.engine.members(sorted(set(groups.values()))) if groups else {}
        own, schemes = set(ids), self.methods.schemes
        fellows = (each for found in members.values() for each in found if each.id not in own)
        return [each.id for each in fellows if each.signature.scheme in schemes][:FELLOWS]

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

    def _try_to_settle(self) -> None:
        """What was added is stored, whether or not it can be looked at again now."""
        try:
            self.settle()
        except EngineError as error:
            log.warning("Twins that other processes wrote are looked for later: %s", error)

    def _settle(self, records: Sequence[Record]) -> int:
        looked_up = self.engine.candidates([each.signature for each in records], limit=self.config.candidates)
        labels = self._labels([*records, *(other for found in looked_up for other in found)])
        groups = Groups(self._ages(labels))
        for record, found in zip(records, looked_up, strict=True):
            for other in found:
                one, two = labels[record.group], labels[other.group]
                if groups.root(one) != groups.root(two) and self._joins(self.judge(record, other)):
                    groups.join(one, two)
        names = {label: groups.name(node) for label, node in labels.items()}
        moves = {label: name for label, name in names.items() if label != name}
        if moves:
            self.engine.put([], moves=moves)
        return len(moves)

    def delete(self, ids: Sequence[str]) -> None:
        """Forget documents. A group that loses the member that names it is named by the next oldest."""
        with self._lock:
            self.engine.delete(ids)
            self._rename_headless(ids)

    def judge(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`, by the judge that goes with their signatures."""
        return self.methods.judge(a.signature.scheme)(a, b)

    def close(self) -> None:
        """Settle what is open, keep what was learned of hosts, and close the engine."""
        try:
            self.settle()
            self.save_templates()
        finally:
            self.engine.close()

    def save_templates(self) -> None:
        """Keep what was learned of hosts, for the next crawl to go on from."""
        if self.templates is None:
            return
        try:
            self.templates.save()
        except OSError as error:
            log.error("What was learned of the hosts cannot be kept: %s", error)

    # -- one batch of unlike ids

    def _add(self, documents: Sequence[Document]) -> list[Outcome]:
        twins = [each.twin for each in documents if each.twin]
        stored = self.engine.get([*(each.record.id for each in documents), *twins])
        documents = [self._itself(each, stored) for each in documents]
        same = [each.record.id for each in documents if unchanged(each, stored)]
        ties = self._ties(
            [self._dated(each, stored) for each in documents if each.record.id not in set(same)]
        )
        names, moves = self._regroup(ties, stored)
        if same:
            self.engine.touch(same, self._tick())  # first: when it fails, nothing is stored yet
        failures = self._store([_named(tie.document, names[tie.id]) for tie in ties], moves)
        outcomes = {each: Outcome(each, stored[each].group, "unchanged") for each in same}
        outcomes |= outcomes_of(ties, names, failures)
        return [outcomes[each.record.id] for each in documents]

    def _itself(self, document: Document, stored: Mapping[str, Record]) -> Document:
        """The document under its own address, when what it calls its canonical page is another story."""
        new, old = document.record, stored.get(document.record.id)
        if not document.twin or old is None or self._one_page(new, old):
            return document
        return replace(document, record=replace(new, id=document.twin, group=document.twin), twin=None)

    def _one_page(self, new: Record, old: Record) -> bool:
        if old.fingerprint == new.fingerprint:
            return True
        if old.signature.scheme not in self.methods.schemes:
            old = self._signed_anew(old)
        return old.signature.scheme == new.signature.scheme and self.judge(new, old).relation in ONE_PAGE

    def _signed_anew(self, old: Record) -> Record:
        """A record that another configuration signed, with its stored text signed as it is done now."""
        found = cast("Engine", self.engine).read([old.id])
        contents = [each.content for each in found.values()]
        return replace(old, signature=self.methods.signatures(contents)[0]) if found else old

    def _tick(self) -> int:
        self._latest = max(self._latest + 1, self._clock())  # no two documents of one process are of one age
        return self._latest

    def _dated(self, document: Document, stored: Mapping[str, Record]) -> Document:
        tick, old = self._tick(), stored.get(document.record.id)
        first_seen = old.first_seen if old else tick
        return replace(document, record=replace(document.record, first_seen=first_seen, last_seen=tick))

    def _ties(self, documents: Sequence[Document]) -> list[Tie]:
        """Judge each document against its stored candidates and against those before it in the batch."""
        records = [each.record for each in documents]
        limit = self.config.candidates
        own = {each.id for each in records}
        looked_up = self.engine.candidates([each.signature for each in records], limit=limit)
        ties = []
        for document, found, before in zip(documents, looked_up, earlier(records, limit), strict=True):
            tie = Tie(document)
            for other in [*(each for each in found if each.id not in own), *before]:
                verdict = self.judge(document.record, other)
                if self._joins(verdict):
                    tie.others.append(other)
                    tie.verdicts[other.id] = verdict
            ties.append(tie)
        return ties

    def _joins(self, verdict: Verdict) -> bool:
        return verdict.relation in self.config.join

    def _regroup(
        self, ties: Sequence[Tie], stored: Mapping[str, Record]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """The group of each new document, and the moves of stored groups that they bring together.

        Sets the state of each tie as if the documents had come one by one.
        """
        new = {tie.id: tie.document.record for tie in ties}
        labels = self._labels(other for tie in ties for other in tie.others if other.id not in new)
        ages = self._ages(labels) | self._left_behind([each for each in new if each in stored])
        groups = Groups(ages | {("new", each.id): each.age for each in new.values()})
        for tie in ties:
            nodes = [("new", other.id) if other.id in new else labels[other.group] for other in tie.others]
            tie.state = state_of(tie.document.record.signature, tie.id in stored, len(groups.roots(nodes)))
            for node in nodes:
                groups.join(("new", tie.id), node)
        names = {each: groups.name(("new", each)) for each in new}
        moves = {
            label: groups.name((kind, label)) for kind, label in ages if groups.name((kind, label)) != label
        }
        return names, moves

    def _labels(self, records: Iterable[Record]) -> dict[str, Node]:
        """The node of the group that each record's label leads to now (redirects followed)."""
        resolved = self.engine.resolve(sorted({each.group for each in records}))
        return {label: ("group", group) for label, group in resolved.items()}

    def _ages(self, labels: Mapping[str, Node]) -> dict[Node, Age]:
        """The age of each group, which is that of the document that names it."""
        naming = self.engine.get(sorted({name for _, name in labels.values()}))
        return {node: naming[node[1]].age if node[1] in naming else (0, node[1]) for node in labels.values()}

    def _left_behind(self, updated: Sequence[str]) -> dict[Node, Age]:
        """What remains of a group when the document that names it is signed anew and may leave it."""
        members, gone = self.engine.members(updated) if updated else {}, set(updated)
        rest = {label: [each for each in found if each.id not in gone] for label, found in members.items()}
        return {("group", label): found[0].age for label, found in rest.items() if found}

    def _store(self, documents: Sequence[Document], moves: Mapping[str, str]) -> dict[str, str]:
        """Write; returns the ids that were refused, with reasons."""
        failures: dict[str, str] = {}
        try:
            if documents or moves:
                self.engine.put(documents, moves=moves)
        except EngineError as error:
            if not error.failures or "" in error.failures:
                raise
            failures = error.failures
            self._rename_headless(list(failures))
        self._unsettled.update(each.record.id for each in documents if each.record.signature)
        return failures

    def _rename_headless(self, gone: Sequence[str]) -> None:
        members = self.engine.members(gone)
        moves = {label: found[0].id for label, found in members.items() if found and found[0].id != label}
        if moves:
            self.engine.put([], moves=moves)


def _named(document: Document, group: str) -> Document:
    return replace(document, record=replace(document.record, group=group))
