"""Group what an index holds already: scan, sign, look up, judge, group, write, by the same flow as a crawl.

A store of our own is signed anew by the current methods; an index that other tools filled gets the `dup_`
fields in place. A document whose signature is stored as it would be made now is passed over: a run can be
repeated, and one that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeVar

from dupgroups.config import Config
from dupgroups.engines.base import Engine, Store
from dupgroups.engines.foreign import Adopting, Fields, ForeignIndex
from dupgroups.engines.memory import MemoryEngine
from dupgroups.flow import Deduper
from dupgroups.method_set import MethodSet
from dupgroups.model import Content, Document, Outcome, Query, Verdict
from dupgroups.signing import OnlineTemplates, extract_document, sign_contents

BATCH = 500  # documents that are looked up and written together
BIGGEST = 10  # groups that a dry run shows
SAMPLED = 10  # pairs that a dry run shows

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Group:
    """A group that a dry run found: its id, its size, and the title of its oldest document."""

    id: str
    size: int
    title: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two documents that belong together, and why."""

    a: str
    b: str
    verdict: Verdict


@dataclass(slots=True)
class Report:
    """What a run did, or would do: documents by state, groups merged at the end, ids refused with reasons.

    Only a dry run tells `groups`, `stories` (groups of more than one document), `biggest` and a sample of
    `pairs`.
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
        """How many documents were looked at."""
        return self.states.total()

    @property
    def changed(self) -> bool:
        """Whether anything was written."""
        return self.documents > self.states["unchanged"] or self.merged > 0


class Backfill:
    """One run over one engine: `total` documents, then `run`.

    With `dry_run` everything is grouped in memory, as if nothing had been grouped before, and nothing is
    written. Raises ConfigError for an index that cannot be grouped in place.
    """

    def __init__(
        self,
        engine: Engine,
        fields: Fields | None = None,
        config: Config | None = None,
        *,
        batch: int = BATCH,
        dry_run: bool = False,
    ) -> None:
        self.dry_run = dry_run
        self._batch = batch
        self._engine = engine
        self._foreign: ForeignIndex | None = None
        if isinstance(engine, Adopting) and engine.is_foreign():
            self._foreign = engine.adopt(fields or Fields())
        self._trial = MemoryEngine() if dry_run else None
        self._store: Store = self._trial or self._foreign or engine
        self._config = config or Config()
        self._methods = MethodSet(self._config)

    @property
    def total(self) -> int:
        """How many documents there are, for a progress bar."""
        if self._foreign:
            return self._foreign.count()
        return self._engine.search(Query(mode="all", limit=0)).documents

    def run(self, progress: Callable[[int], None] = lambda documents: None) -> Report:
        """Group everything; `progress` is told of each batch. Raises EngineError when the engine fails."""
        report, sample = Report(), Sample(SAMPLED)
        deduper = Deduper(self._store, self._config)
        if deduper.templates:
            self._learn(deduper.templates)
        for batch in self._signed(deduper.templates):
            for outcome in self._add(deduper, batch):
                report.states[outcome.state] += 1
                if outcome.reason:
                    report.failures[outcome.id] = outcome.reason
                sample.add(outcome)
            progress(len(batch))
        report.merged = deduper.settle().groups
        if not self.dry_run:
            deduper.save_templates()
        if self._trial:
            _describe(report, self._trial, sample)
        return report

    def _learn(self, templates: OnlineTemplates) -> None:
        """First learn from everything: then each document is signed once, by all that is known."""
        for batch in self._documents():
            for document in batch:
                templates.count(document)
        templates.finish()

    def _signed(self, templates: OnlineTemplates | None) -> Iterator[list[Document]]:
        """Everything, signed by the current methods, a batch at a time."""
        for batch in self._documents():
            contents = [document.content for document in batch]
            yield templates.sign(batch) if templates else sign_contents(batch, contents, self._methods)

    def _documents(self) -> Iterator[list[Document]]:
        """Everything that is stored, each document alone in its group, a batch at a time."""
        if self._foreign:
            documents = (extract_document(page, self._methods) for page in self._foreign.pages())
        else:
            documents = (_alone(document) for document in self._engine.scan())
        return _batches(documents, self._batch)

    def _add(self, deduper: Deduper, batch: Sequence[Document]) -> Iterator[Outcome]:
        stored = self._store.get([each.record.id for each in batch])
        fresh = []
        for document in batch:
            old, new = stored.get(document.record.id), document.record
            if old and (old.signature, old.fingerprint) == (new.signature, new.fingerprint):
                yield Outcome(old.id, old.group, "unchanged")
            else:
                fresh.append(_titled(document) if self.dry_run else document)
        in_place = deduper.templates and self._store is self._engine
        yield from deduper.replace(fresh) if in_place else deduper.add_signed(fresh)


class Sample:
    """A sample of fixed size of the pairs that were tied, each equally likely (Vitter's algorithm R)."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._seen = 0
        self._random = random.Random(0)  # noqa: S311 the same pairs at every run
        self.pairs: list[Pair] = []

    def add(self, outcome: Outcome) -> None:
        """Offer the pairs of one outcome."""
        for other, verdict in outcome.verdicts.items():
            pair = Pair(outcome.id, other, verdict)
            if len(self.pairs) < self._size:
                self.pairs.append(pair)
            elif (place := self._random.randint(0, self._seen)) < self._size:
                self.pairs[place] = pair
            self._seen += 1


def _describe(report: Report, store: Engine, sample: Sample) -> None:
    sizes: Counter[str] = Counter()
    titles: dict[str, str] = {}
    for document in store.scan():
        sizes[document.record.group] += 1
        if document.record.id == document.record.group:
            titles[document.record.id] = document.content.title
    report.groups = len(sizes)
    report.stories = sum(size > 1 for size in sizes.values())
    report.biggest = tuple(_biggest(sizes, titles))
    report.pairs = tuple(sample.pairs)


def _biggest(sizes: Counter[str], titles: Mapping[str, str]) -> Iterator[Group]:
    for group, size in sizes.most_common(BIGGEST):
        if size > 1:
            yield Group(group, size, titles.get(group, ""))


def _alone(document: Document) -> Document:
    return replace(document, record=replace(document.record, group=document.record.id))


def _titled(document: Document) -> Document:
    """Without its text, which a dry run would have to hold in memory."""
    return replace(document, content=Content("", title=document.content.title))


def _batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
