"""Sign the documents of our own store again, by the same flow as a crawl; and try out what grouping an index
of other tools would give.

What others write or delete meanwhile stays so. Documents whose stored signature is up to date are skipped, so
a run can be repeated, and an interrupted run continues where it stopped. An index of other tools is grouped
in bulk (`bulk_loader`), which reads slices of shards and writes nothing but the `dup_` fields.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from dupgroups.engines.base import Engine
from dupgroups.engines.foreign import Adopting, Fields, ForeignIndex
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow.batches import batches
from dupgroups.flow.deduper import Deduper
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import extract_document, measured, sign_documents
from dupgroups.grouping.arrivals import substance
from dupgroups.model import Content, Document, Outcome, Query, Verdict
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
    """Two documents of one group, and the verdict that joined them."""

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
    """One run over one engine: `total` counts the documents, `run` groups them.

    With `dry_run` all documents are grouped in memory, as if none had been grouped before, and nothing is
    written; only so an index of other tools is taken. `fields` are its fields: None are those that it keeps
    since it was adopted, or else the default ones; others than these are an error, unless `change_fields`.
    `rate` is the most documents a second; None is no limit. Raises ConfigError for an index that cannot be
    grouped in place.
    """

    def __init__(
        self,
        engine: Engine,
        fields: Fields | None = None,
        config: Config | None = None,
        *,
        batch: int = BATCH,
        dry_run: bool = False,
        change_fields: bool = False,
        rate: float | None = None,
    ) -> None:
        self._pace = Pace(rate)
        self._config = config or Config()
        self._batch = batch
        self._engine = engine
        self._foreign: ForeignIndex | None = None
        if isinstance(engine, Adopting) and engine.is_foreign():
            names = fields or engine.kept_fields() or Fields()
            names = replace(names, group_by=self._config.group_by)
            self._foreign = engine.adopt(names, change=change_fields)
        self._trial = SQLiteEngine() if dry_run else None
        self._store = self._trial or engine
        self._methods = MethodSet(self._config)

    @property
    def total(self) -> int:
        """The number of documents, for a progress bar."""
        if self._foreign:
            return self._foreign.count()
        return self._engine.search(Query(mode="all", limit=0)).documents

    def run(self, progress: Callable[[int], None] = lambda documents: None) -> Report:
        """Group all documents; `progress` gets the size of each batch. Raises EngineError."""
        report, pairs = Report(), list[Pair]()
        deduper = Deduper(self._store, self._config)
        for batch in self._documents():
            for outcome in self._add(report, deduper, sign_documents(batch, self._methods)):
                is_left = outcome.state == "unchanged"  # though its signature was not up to date
                report.states["changed_meanwhile" if is_left else outcome.state] += 1
                if outcome.reason:
                    report.failures[outcome.id] = outcome.reason
                pairs += [Pair(outcome.id, other, verdict) for other, verdict in outcome.verdicts.items()]
                pairs = pairs[:SAMPLED]
            progress(len(batch))
            self._pace(len(batch))
        report.merged = deduper.settle().groups
        if self._trial:
            report.pairs = tuple(pairs)
            _describe(report, self._trial)
        return report

    def _documents(self) -> Iterator[list[Document]]:
        """All stored documents, each alone in its group, in batches."""
        if self._foreign:
            documents = (extract_document(page, self._methods) for page in self._foreign.pages())
        else:
            documents = (_alone(document) for document in self._engine.scan())
        return batches(documents, self._batch)

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


def _describe(report: Report, store: Engine) -> None:
    sizes: Counter[str] = Counter()
    titles: dict[str, str] = {}
    for document in store.scan():
        sizes[document.record.group] += 1
        if document.record.id == document.record.group:
            titles[document.record.id] = document.content.title
    report.groups = len(sizes)
    report.stories = sum(size > 1 for size in sizes.values())
    largest = [(group, size) for group, size in sizes.most_common(BIGGEST) if size > 1]
    report.biggest = tuple(Group(group, size, titles.get(group, "")) for group, size in largest)


def _alone(document: Document) -> Document:
    record = measured(document.record, document.content)
    return replace(document, record=replace(record, group=record.id))
