"""Sign pages on all cores and group them at once. The result is the same for any number of processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from dupgroups.bulk.offline.bulk import Groups, OnVerdicts, Progress, group_corpus
from dupgroups.bulk.offline.corpus import Columns, Corpus
from dupgroups.bulk.offline.dividing import Judged
from dupgroups.bulk.offline.scratch import Scratch
from dupgroups.bulk.processes import Pool
from dupgroups.flow.deduper import now_microseconds
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign_all
from dupgroups.grouping.constraints import NO_CORRECTIONS, Corrections
from dupgroups.model import Page, Verdict
from dupgroups.model.config import Config
from dupgroups.text.batches import batches
from dupgroups.text.facts import add_title

CHUNK_PAGES = 64  # pages that a process signs at a time
CORPUS_MEMORY_BYTES = 1 << 30  # bytes that a corpus may take before it is written to files

Pair = tuple[str, str, Verdict]


@dataclass(frozen=True, slots=True)
class BatchResult:
    """`groups` maps each id to its group (named by its first member); `pairs` are all that were judged.

    A pair is (a, b, how a stands to b) with `a` earlier than `b`, in the order of `b`, then of shared keys.
    `repeated` are the ids that came again, as often as they did.
    """

    groups: dict[str, str]
    pairs: list[Pair]
    repeated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources that a grouping may use. `processes` None takes all cores, 1 stays in this process.
    `memory`: bytes of what is kept of the documents, about, before it is written to a temporary folder, which
    is made in `folder`, or where the system makes them.
    """

    processes: int | None = None
    memory: int = CORPUS_MEMORY_BYTES
    folder: Path | None = None


def group_pages(
    pages: Iterable[Page],
    config: Config | None = None,
    *,
    processes: int | None = None,
    progress: Progress = lambda step, done, total: None,
) -> BatchResult:
    """The groups of these pages. Of pages with one id the last counts, in the place of the first.

    `processes` None takes all cores; 1 stays in this process. No pages give an empty result. All pairs that
    share keys are judged, and held in memory: `grouped_pages` does without.
    """
    judged: list[Judged] = []
    with grouped_pages(
        pages, config, Resources(processes), progress, on_verdicts=judged.append, every=True
    ) as groups:
        name, ordered = groups.corpus.ids, list[tuple[int, Pair]]()
        for documents, others, verdicts in judged:  # the earlier document of a pair first
            pairs = zip(name(others), name(documents), verdicts, strict=True)
            ordered += zip(documents.tolist(), pairs, strict=True)
        ordered.sort(key=lambda pair: pair[0])
        return BatchResult(dict(groups), [pair for _, pair in ordered], groups.repeated)


@contextmanager
def grouped_pages(
    pages: Iterable[Page],
    config: Config | None = None,
    resources: Resources | None = None,
    progress: Progress = lambda step, done, total: None,
    corrections: Corrections = NO_CORRECTIONS,
    *,
    on_verdicts: OnVerdicts | None = None,
    every: bool = False,
) -> Iterator[Groups]:
    """The same of more pages than fit into memory: the groups can be read while the context is open.

    `on_verdicts` and `every`: see `group_corpus`. Raises InputError if the temporary folder is full.
    """
    config, resources = config or Config(), resources or Resources()
    with (
        Scratch(resources.memory, resources.folder) as scratch,
        Pool.for_items(pages, resources.processes, MethodSet, config) as (pool, source),
    ):
        corpus, tick = Corpus(scratch), now_microseconds()
        for columns in pool.map(_sign, batches(source, CHUNK_PAGES)):
            # without a date of publication they count as seen now, one after another, as in a crawl
            ages = np.arange(tick + corpus.added, tick + corpus.added + len(columns))
            corpus.add(replace(columns, ages=ages))
            progress("sign", corpus.added, None)
        places = np.array([*corpus.find(corrections.ids).values()], np.int64)
        marks = {record.id: record.mark for record in corpus.records(places)}
        corrections = corrections.with_marks(lambda number: marks)
        groups = group_corpus(
            corpus, config, corrections, pool=pool, progress=progress, on_verdicts=on_verdicts, every=every
        )
        yield replace(groups, repeated=corpus.repeated)


# -- signing


def _sign(methods: MethodSet, pages: list[Page]) -> Columns:
    documents = sign_all(pages, methods)
    texts = [add_title(document.content) for document in documents]
    return Columns.of([document.record for document in documents], texts=texts)
