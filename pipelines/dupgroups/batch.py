"""Group a pile of pages at once, without an engine: sign, sort the keys, judge, on all cores.

The relations are those of the live flow: every document is compared with the earlier ones that share keys
with it, those that share most first; only of a key that very many hold, the first holders stand for all.
Candidate pairs come from one sort of all keys (numpy), a slice of documents at a time, so that memory stays
bounded; the result is the same for any number of processes.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice, pairwise
from multiprocessing import get_context
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.config import Config
from dupgroups.engines.memory import MemoryEngine
from dupgroups.flow import Deduper
from dupgroups.grouping import Groups
from dupgroups.method_set import MethodSet
from dupgroups.model import Page, Record, Verdict
from dupgroups.signing import sign_all

CROWD = 1000  # holders of a key, the first ones, that a later holder meets: all copies of a story meet these
MEETINGS = 5_000_000  # of documents on a key that are counted at a time (some 200 MB)
CHUNK = 64  # pages a process signs, or documents whose pairs it judges, at a time
AHEAD = 32  # chunks handed out before the first has to come back
FEW = 256  # pages for which starting processes costs more than it gains

Item = TypeVar("Item")
Given = TypeVar("Given")
Result = TypeVar("Result")

Pair = tuple[str, str, Verdict]
Progress = Callable[[str, int, int | None], None]
"""Told what is going on: step ("sign", "judge"), how many are done, of how many (None when not known)."""


@dataclass(frozen=True, slots=True)
class BatchResult:
    """`groups` maps each id to its group (named by its first member); `pairs` are all that were judged.

    A pair is (a, b, how a stands to b) with `a` earlier than `b`, in the order of `b`, then of shared keys.
    """

    groups: dict[str, str]
    pairs: list[Pair]


def group_pages(
    pages: Iterable[Page],
    config: Config | None = None,
    *,
    processes: int | None = None,
    progress: Progress | None = None,
) -> BatchResult:
    """The groups of these pages. Of pages with one id the last counts, in the place of the first.

    `processes` None takes all cores; 1 stays in this process. No pages give an empty result. Where templates
    of hosts are learned live, pages are signed one after another, and held in memory until the end.
    """
    config = config or Config()
    told = progress or _silent
    pages = iter(pages)
    head = list(islice(pages, FEW))
    with _workers(processes, len(head)) as pool:
        chunks = _chunks(chain(head, pages), CHUNK)
        if config.hosts and config.hosts.live:
            records = _crawled(chunks, config, told)
        else:
            records = _signed(_run(_sign, chunks, config, pool), told)
        work = (_Work.of(records, each) for each in _candidates(records, config.candidates))
        pairs = list(_judged(_run(_judge, work, config, pool), len(records), told))
    groups = Groups({each.id: each.age for each in records})
    for a, b, verdict in pairs:
        if verdict.relation in config.join:
            groups.join(a, b)
    return BatchResult({each.id: groups.name(each.id) for each in records}, pairs)


# -- signing


def _signed(chunks: Iterable[list[Record]], progress: Progress) -> list[Record]:
    """The records, each as old as its place."""
    found: dict[str, Record] = {}
    done = 0
    for chunk in chunks:
        for record in chunk:
            old = found.get(record.id)
            first_seen = old.first_seen if old else len(found)
            found[record.id] = replace(record, first_seen=first_seen, last_seen=first_seen)
        done += len(chunk)
        progress("sign", done, None)
    return list(found.values())


def _crawled(chunks: Iterable[list[Page]], config: Config, progress: Progress) -> list[Record]:
    """The records as a crawl of these pages leaves them, the oldest first; no file is written."""
    engine, done = MemoryEngine(), 0
    deduper = Deduper(engine, config)
    for chunk in chunks:
        deduper.add_all(chunk)
        done += len(chunk)
        progress("sign", done, None)
    return sorted((each.record for each in engine.scan()), key=lambda each: each.age)


# -- candidates: sort the keys once, then count shared keys for a slice of documents at a time


def _candidates(records: Sequence[Record], limit: int) -> Iterator[list[tuple[int, list[int]]]]:
    """For `CHUNK` documents at a time: (place of the document, places of its candidates, best first)."""
    index = _Index.of(records)
    for first, last in index.slices():
        yield from _chunks(index.candidates(first, last, limit), CHUNK)


@dataclass(frozen=True, slots=True)
class _Index:
    """All keys in order: `owners` are the documents of the sorted keys, `places` where each posting went."""

    owners: NDArray[np.int64]
    starts: NDArray[np.int64]  # of the bucket that each sorted posting stands in
    places: NDArray[np.int64]  # of each posting, document by document, among the sorted ones
    offsets: NDArray[np.int64]  # of each document's first posting

    @classmethod
    def of(cls, records: Sequence[Record]) -> _Index:
        counts = np.array([0, *(len(each.signature.keys) for each in records)], np.int64)
        hashes = (_key(each, key) for each in records for key in each.signature.keys)
        keys = np.fromiter(hashes, np.int64, int(counts.sum()))
        documents = np.repeat(np.arange(len(records)), counts[1:])
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        new = np.ones(len(keys), np.bool_)
        new[1:] = ordered[1:] != ordered[:-1]
        starts = np.maximum.accumulate(np.where(new, np.arange(len(keys)), 0))
        places = np.empty(len(keys), np.int64)
        places[order] = np.arange(len(keys))
        return cls(documents[order], starts, places, np.cumsum(counts))

    def slices(self) -> Iterator[tuple[int, int]]:
        """Runs of documents, each with about `MEETINGS` to count (itself counted once a key)."""
        met = np.cumsum(np.concatenate(([0], self._before(self.places) + 1)))[self.offsets]
        yield from pairwise(np.flatnonzero(np.diff(met[:-1] // MEETINGS, prepend=-1, append=-1)).tolist())

    def _before(self, place: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many holders of the key stand before each of these postings, at most `CROWD`."""
        before: NDArray[np.int64] = np.minimum(place - self.starts[place], CROWD)
        return before

    def candidates(self, first: int, last: int, limit: int) -> Iterator[tuple[int, list[int]]]:
        """For each document of the slice that has any: the earlier ones that share keys, most first."""
        place = self.places[self.offsets[first] : self.offsets[last]]
        before = self._before(place)
        documents = np.repeat(self.owners[place], before)
        step = np.arange(before.sum()) - np.repeat(np.cumsum(before) - before, before)
        others = self.owners[np.repeat(self.starts[place], before) + step]
        codes, shared = np.unique(documents * len(self.offsets) + others, return_counts=True)
        documents, others = np.divmod(codes, len(self.offsets))
        order = np.lexsort((others, -shared, documents))
        bounds = np.flatnonzero(np.diff(documents, prepend=-1, append=-1))
        for start, end in pairwise(bounds):
            yield int(documents[start]), others[order[start:end][:limit]].tolist()


def _key(record: Record, key: str) -> int:
    return hash((record.signature.scheme, key))  # within this process only


# -- judging


@dataclass(frozen=True, slots=True)
class _Work:
    """Pairs of places with the records that stand there."""

    records: dict[int, Record]
    candidates: list[tuple[int, list[int]]]

    @classmethod
    def of(cls, records: Sequence[Record], candidates: list[tuple[int, list[int]]]) -> _Work:
        """What a process needs to judge these candidates."""
        places = {place for document, others in candidates for place in (document, *others)}
        return cls({place: records[place] for place in places}, candidates)


def _judged(chunks: Iterable[list[Pair]], total: int, progress: Progress) -> Iterator[Pair]:
    for done, chunk in enumerate(chunks, start=1):
        yield from chunk
        progress("judge", min(done * CHUNK, total), total)
    progress("judge", total, total)


def _silent(step: str, done: int, total: int | None) -> None:
    """Tells nobody."""


# -- processes


def _run(
    function: Callable[[MethodSet, Given], Result],
    chunks: Iterable[Given],
    config: Config,
    pool: Executor | None,
) -> Iterator[Result]:
    """What `function` makes of each chunk, in order; never more than a few chunks at a time in memory."""
    if pool is None:
        methods = MethodSet(config)
        yield from (function(methods, chunk) for chunk in chunks)
        return
    waiting: deque[Future[Result]] = deque()
    for chunk in chunks:
        with _uninterrupted():  # it may start a process
            waiting.append(pool.submit(_in_worker, function, config, chunk))
        if len(waiting) > AHEAD:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _in_worker(function: Callable[[MethodSet, Given], Result], config: Config, chunk: Given) -> Result:
    return function(_method_set(pickle.dumps(config)), chunk)


@lru_cache(maxsize=1)
def _method_set(config: bytes) -> MethodSet:
    """Built once in each worker."""
    return MethodSet(pickle.loads(config))  # noqa: S301 - from our own parent process


def _sign(methods: MethodSet, pages: list[Page]) -> list[Record]:
    return [each.record for each in sign_all(pages, methods)]


def _judge(methods: MethodSet, work: _Work) -> list[Pair]:
    pairs = []
    for document, others in work.candidates:
        judge = methods.judge(work.records[document].signature.scheme)
        for other in others:
            a, b = work.records[other], work.records[document]
            pairs.append((a.id, b.id, judge(a, b)))
    return pairs


@contextmanager
def _workers(processes: int | None, pages: int) -> Iterator[Executor | None]:
    """A pool of fresh processes; None where one process is wanted or enough."""
    wanted = processes or os.cpu_count() or 1
    if wanted == 1 or (processes is None and pages < FEW):
        yield None
        return
    with ProcessPoolExecutor(wanted, mp_context=get_context("spawn")) as pool:
        yield pool


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes started meanwhile never see Ctrl+C: this one does, and ends them."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk
