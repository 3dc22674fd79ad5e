"""Sign the documents of our own store again, by the same flow as a crawl.

What others write or delete meanwhile stays so. Documents whose stored signature is up to date are skipped, so
a run can be repeated, and an interrupted run continues where it stopped. An index of other tools is grouped
in bulk (`bulk_loader`), which reads slices of shards and writes nothing but the `dup_` fields.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dupgroups.engines.base import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow.batches import batches
from dupgroups.flow.deduper import Deduper
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import measured, sign_documents
from dupgroups.grouping.arrivals import substance
from dupgroups.model import Content, Document, Outcome, Record, Verdict
from dupgroups.model.config import Config

BATCH = 500  # documents looked up and written together
BIGGEST = 10  # largest groups listed by a dry run
SAMPLED = 10  # pairs listed by a dry run, the first


class Pace:
    """Waits so that no more than `rate` documents a second pass; None lets everything pass."""

    def __init__(self, rate: float | None) -> None:
        self._rate = rate
        self._next = time.monotonic()

    def __call__(self, documents: int) -> None:
        """Wait until so many more may pass."""
        if self._rate:
            now = time.monotonic()
            time.sleep(max(0.0, self._next - now))
            self._next = max(self._next, now) + documents / self._rate


@dataclass(frozen=True, slots=True)
class Group:
    """A group in the report of a dry run: its id, its size, and the title of its oldest document."""

    id: str
    size: int
    title: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two documents of one group that join, and how `a` stands to `b`."""

    a: str
    b: str
    verdict: Verdict


@dataclass(slots=True)
class Report:
    """What a run did, or would do: documents by state, groups merged at the end, failed ids with reasons.

    Only a dry run sets `groups`, `stories` (groups of more than one document), `biggest` and some `pairs`.
    """

    states: Counter[str] = field(default_factory=Counter)
    merged: int = 0
    failures: dict[str, str] = field(default_factory=dict)
    groups: int = 0
    stories: int = 0
    biggest: tuple[Group, ...] = ()
    pairs: tuple[Pair, ...] = ()

    @property
    def documents(self) -> int:
        """How many documents were processed."""
        return self.states.total()

    @property
    def changed(self) -> bool:
        """Whether there was anything to do."""
        return self.documents > self.states["unchanged"] or self.merged > 0


class Backfill:
    """One run over one store.

    With `dry_run` all documents are grouped in memory, as if none had been grouped before, and nothing is
    written. `rate` is the most documents a second; None is no limit.
    """

    def __init__(
        self,
        engine: Engine,
        config: Config | None = None,
        *,
        batch: int = BATCH,
        dry_run: bool = False,
        rate: float | None = None,
    ) -> None:
        self._pace = Pace(rate)
        self._config = config or Config()
        self._batch = batch
        self._engine = engine
        self._trial = SQLiteEngine() if dry_run else None
        self._store = self._trial or engine
        self._methods = MethodSet(self._config)

    def run(self, progress: Callable[[int], None] = lambda documents: None) -> Report:
        """Group all documents; `progress` gets the size of each batch. Raises EngineError."""
        report = Report()
        deduper = Deduper(self._store, self._config)
        for batch in batches(map(_alone, self._engine.scan()), self._batch):
            for outcome in self._add(report, deduper, sign_documents(batch, self._methods)):
                is_left = outcome.state == "unchanged"  # though its signature was not up to date
                report.states["changed_meanwhile" if is_left else outcome.state] += 1
                if outcome.reason:
                    report.failures[outcome.id] = outcome.reason
            progress(len(batch))
            self._pace(len(batch))
        report.merged = deduper.settle().groups
        if self._trial:
            records = (document.record for document in self._trial.scan())
            describe(report, records, self._engine.read, self._methods)
        return report

    def _add(self, report: Report, deduper: Deduper, batch: Sequence[Document]) -> Iterator[Outcome]:
        stored = self._store.get([document.record.id for document in batch])
        fresh = []
        for document in batch:
            old, new = stored.get(document.record.id), document.record
            if old and substance(old) == substance(new) and old.published == new.published:
                report.states["unchanged"] += 1
            else:
                fresh.append(document)
        if self._trial:  # which would have to keep the texts in memory
            fresh = [replace(one, content=Content("", title=one.content.title)) for one in fresh]
        yield from (deduper.add_signed if self._trial else deduper.sign_anew)(fresh)


def describe(
    report: Report,
    records: Iterable[Record],
    read: Callable[[Sequence[str]], Mapping[str, Document]],
    methods: MethodSet,
) -> None:
    """Complete the report of a dry run, which gave documents these records; `read` finds a few of them."""
    sizes: Counter[str] = Counter()
    pairs: list[tuple[str, str]] = []
    for record in records:
        sizes[record.group] += 1
        pairs += [(record.id, tie.other) for tie in record.ties[: SAMPLED - len(pairs)]]
    report.groups = len(sizes)
    report.stories = sum(size > 1 for size in sizes.values())
    largest = [(group, size) for group, size in sizes.most_common(BIGGEST) if size > 1]
    ids = {group for group, _ in largest}.union(*pairs)
    documents = sign_documents([*read(sorted(ids)).values()], methods)
    shown = {document.record.id: document for document in documents}
    titles = {id_: document.content.title for id_, document in shown.items()}
    report.biggest = tuple(Group(group, size, titles.get(group, "")) for group, size in largest)
    known = [(a, b) for a, b in pairs if a in shown and b in shown]
    report.pairs = tuple(Pair(a, b, methods.verdict(shown[a], shown[b])) for a, b in known)


def _alone(document: Document) -> Document:
    record = measured(document.record, document.content)
    return replace(document, record=replace(record, group=record.id))
