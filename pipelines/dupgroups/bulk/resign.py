"""Sign the documents of our own store again, by the same flow as a crawl.

Changes that others make meanwhile are kept. Documents whose stored signature is up to date are skipped, so
a run can be repeated, and an interrupted run continues where it stopped. An index of other tools is grouped
in bulk (`bulk_loader`), which reads slices of shards and writes nothing but the `dup_` fields.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dupgroups.bulk.offline.bulk import group_corpus
from dupgroups.bulk.offline.corpus import Columns, Corpus
from dupgroups.bulk.offline.dividing import Judged
from dupgroups.bulk.offline.page_groups import CORPUS_MEMORY_BYTES
from dupgroups.bulk.offline.scratch import Scratch
from dupgroups.engines.base import Engine
from dupgroups.flow.deduper import Deduper
from dupgroups.flow.frame_log import read_frames
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import measure_record, sign_documents
from dupgroups.grouping.arrivals import needs_resigning
from dupgroups.grouping.constraints import Corrections
from dupgroups.model import Document, Verdict
from dupgroups.model.config import Config
from dupgroups.text.batches import batches

BATCH_DOCUMENTS = 500  # documents looked up and written together
MAX_LISTED_GROUPS = 10  # largest groups listed by a dry run
MAX_LISTED_PAIRS = 10  # pairs listed by a dry run, the first


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
    """The results of a run, or of a dry run: documents by state, groups merged at the end, failed ids with
    reasons.

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


Advance = Callable[[int], None]
"""Hears the size of each batch."""


def sign_again(
    engine: Engine,
    config: Config | None = None,
    progress: Advance = lambda documents: None,
    *,
    batch: int = BATCH_DOCUMENTS,
    rate: float | None = None,
    everything: bool = False,
) -> Report:
    """Sign all documents of a store again, at most `rate` a second, and group them. Raises EngineError.

    `everything`: those are written, too, that are up to date, so that searches find words as they are cut and
    stemmed now.
    """
    report = Report()
    methods = MethodSet(config)
    pace = Pace(rate)
    deduper = Deduper(engine, config)
    for documents in batches(map(_make_singleton, engine.scan()), batch):
        signed = sign_documents(documents, methods)
        stored = engine.get([document.record.id for document in signed])
        fresh = [
            document
            for document in signed
            if everything or needs_resigning(stored.get(document.record.id), document.record)
        ]
        report.states += Counter(unchanged=len(signed) - len(fresh))
        for outcome in deduper.committer.sign_anew(fresh):
            is_left = outcome.state == "unchanged"  # though its signature was not up to date
            report.states["changed_meanwhile" if is_left else outcome.state] += 1
            if outcome.reason:
                report.failures[outcome.id] = outcome.reason
        progress(len(signed))
        pace(len(signed))
    report.merged = deduper.regroup().groups
    return report


def try_out(
    engine: Engine,
    config: Config | None = None,
    progress: Advance = lambda documents: None,
    *,
    rate: float | None = None,
) -> Report:
    """The effect of `sign_again` if it grouped all documents; nothing is written. Raises EngineError."""
    report = Report()
    methods = MethodSet(config)
    pace = Pace(rate)
    pairs: list[tuple[str, str]] = []
    with Scratch(CORPUS_MEMORY_BYTES) as scratch:
        corpus = Corpus(scratch)
        for batch in batches(engine.scan(), BATCH_DOCUMENTS):
            signed = [document.record for document in sign_documents([*map(_make_singleton, batch)], methods)]
            outdated = (needs_resigning(old.record, new) for old, new in zip(batch, signed, strict=True))
            report.states.update("updated" if is_outdated else "unchanged" for is_outdated in outdated)
            corpus.add(Columns.of(signed))
            progress(len(batch))
            pace(len(batch))

        def keep(judged: Judged) -> None:
            left = MAX_LISTED_PAIRS - len(pairs)
            ids = (corpus.ids(places[:left]) for places in (judged.documents, judged.others))
            pairs.extend(zip(*ids, strict=True))

        log = engine.corrections(fresh=True)
        said, frames = Corrections.of(log), read_frames(log)
        groups = group_corpus(corpus, config, said, on_verdicts=keep, read=engine.texts, frames=frames)
        methods.frames = groups.frames
        describe(report, Counter(group for _, group in groups), pairs, engine.read, methods)
    return report


def describe(
    report: Report,
    sizes: Counter[str],
    pairs: Sequence[tuple[str, str]],
    read: Callable[[Sequence[str]], Mapping[str, Document]],
    methods: MethodSet,
) -> None:
    """Complete the report of a dry run by the sizes of groups and some pairs that join; `read` finds them."""
    report.groups = len(sizes)
    report.stories = sum(size > 1 for size in sizes.values())
    largest = [(group, size) for group, size in sizes.most_common(MAX_LISTED_GROUPS) if size > 1]
    ids = {group for group, _ in largest}.union(*pairs)
    documents = sign_documents([*read(sorted(ids)).values()], methods)
    shown = {document.record.id: document for document in documents}
    titles = {id_: document.content.title for id_, document in shown.items()}
    report.biggest = tuple(Group(group, size, titles.get(group, "")) for group, size in largest)
    known = [(a, b) for a, b in pairs if a in shown and b in shown]
    report.pairs = tuple(Pair(a, b, methods.verdict(shown[a], shown[b])) for a, b in known)


def _make_singleton(document: Document) -> Document:
    record = measure_record(document.record, document.content)
    return replace(document, record=replace(record, group=record.id))
