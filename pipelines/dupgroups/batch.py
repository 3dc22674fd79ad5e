"""Groups of a whole collection at once, without an engine: sign, join the keys, judge, close over the pairs.

The same signatures, candidates (`Config.candidates` earlier documents that share most keys) and relations as
in a crawl, on as many processes as are asked for; the result does not depend on their number.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from dupgroups.config import Config
from dupgroups.flow import sign
from dupgroups.grouping import Groups
from dupgroups.model import Page, Record, Verdict
from dupgroups.recipes import Recipes

CHUNK = 50  # pages that a process signs at a time
PAIRS = 1_000  # pairs that a process judges at a time
REACH = 1_000  # earlier holders of one key that are looked at; no story has more copies, boilerplate has

T = TypeVar("T")
R = TypeVar("R")
Positions = npt.NDArray[np.int64]
Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class BatchResult:
    """`groups`: the group of every document by id; `pairs`: all pairs that are not simply different."""

    groups: dict[str, str] = field(default_factory=dict)
    pairs: list[tuple[str, str, Verdict]] = field(default_factory=list)


def group_pages(
    pages: Iterable[Page],
    config: Config | None = None,
    *,
    processes: int | None = 1,
    progress: Progress | None = None,
) -> BatchResult:
    """The groups of `pages` and the pairs behind them; a group is named by its first document.

    `processes=None` takes all cores. `progress` is told the step ("sign", "judge") and how many documents or
    pairs are done. Of pages with one id the last one counts, at the place of the first. No pages give an
    empty result.
    """
    config = config or Config()
    recipes, tell = Recipes(config), progress or (lambda step, done: None)
    with _mapper(processes) as spread:
        signed = spread(partial(_sign, recipes), _chunks(pages, CHUNK))
        records = list(_latest(_flat(signed, partial(tell, "sign"))).values())
        records = [replace(each, first_seen=place) for place, each in enumerate(records)]
        found = ((records[b], records[a]) for a, b in _candidates(records, config.candidates))
        judged = spread(partial(_judge, recipes), _chunks(found, PAIRS))
        pairs = list(_flat(judged, partial(tell, "judge")))
    groups = _groups(records, pairs, config)
    return BatchResult(groups, [pair for pair in pairs if pair[2].relation != "different"])


def _sign(recipes: Recipes, pages: Sequence[Page]) -> list[Record]:
    return [sign(page, recipes).record for page in pages]


def _judge(recipes: Recipes, pairs: Sequence[tuple[Record, Record]]) -> list[tuple[str, str, Verdict]]:
    return [(a.id, b.id, recipes.judge(a.signature.scheme)(a, b)) for a, b in pairs]


def _latest(records: Iterable[Record]) -> dict[str, Record]:
    return {each.id: each for each in records}


def _groups(
    records: Sequence[Record], pairs: Iterable[tuple[str, str, Verdict]], config: Config
) -> dict[str, str]:
    groups = Groups({each.id: each.age for each in records})
    for a, b, verdict in pairs:
        if verdict.relation in config.join:
            groups.join(a, b)
    return {each.id: groups.name(each.id) for each in records}


def _candidates(records: Sequence[Record], limit: int) -> list[tuple[int, int]]:
    """Places (earlier, later) of the pairs that share a key: for each record the `limit` that share most."""
    earlier, later, shared = _joined(*_key_table(records))
    ranks = np.argsort(np.argsort([each.id for each in records], kind="stable"), kind="stable")
    order = np.lexsort((ranks[earlier], -shared, later))
    earlier, later = earlier[order], later[order]
    first = np.searchsorted(later, later)
    kept = np.arange(len(later)) - first < limit
    return list(zip(earlier[kept].tolist(), later[kept].tolist(), strict=True))


def _key_table(records: Sequence[Record]) -> tuple[npt.NDArray[np.uint64], Positions]:
    """The keys of all records as integers, and the place of the record that each is of; shape (n,) each."""
    keys = b"".join(
        blake2b(f"{each.signature.scheme}\0{key}".encode(), digest_size=8).digest()
        for each in records
        for key in each.signature.keys
    )
    places = np.repeat(np.arange(len(records)), [len(each.signature.keys) for each in records])
    return np.frombuffer(keys, dtype="<u8"), places


def _joined(keys: npt.NDArray[np.uint64], places: Positions) -> tuple[Positions, Positions, Positions]:
    """The pairs of places with equal keys: earlier, later, how many keys they share; shape (pairs,) each."""
    order = np.argsort(keys, kind="stable")
    keys, places = keys[order], places[order].astype(np.int64)
    width = int(places.max(initial=0)) + 1
    at, found = np.arange(len(keys)), []
    for step in range(1, REACH + 1):
        at = at[at >= step]
        at = at[keys[at] == keys[at - step]]
        if not len(at):
            break
        found.append(places[at - step] * width + places[at])
    codes, shared = np.unique(np.concatenate([np.empty(0, np.int64), *found]), return_counts=True)
    return codes // width, codes % width, shared


def _chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    items = iter(items)
    while chunk := list(islice(items, size)):
        yield chunk


def _flat(chunks: Iterable[list[T]], tell: Callable[[int], None]) -> Iterator[T]:
    done = 0
    for chunk in chunks:
        yield from chunk
        done += len(chunk)
        tell(done)


@contextmanager
def _mapper(processes: int | None) -> Iterator[Callable[[Callable[[T], R], Iterable[T]], Iterator[R]]]:
    """A `map` over as many processes, in order, that reads no further ahead than the processes need."""
    count = processes or _cores()
    if count == 1:
        yield lambda function, items: map(function, items)
        return
    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield partial(_ahead, pool, 3 * count)


def _ahead(
    pool: ProcessPoolExecutor, most: int, function: Callable[[T], R], items: Iterable[T]
) -> Iterator[R]:
    waiting: deque[Future[R]] = deque()
    for item in items:
        waiting.append(pool.submit(function, item))
        if len(waiting) >= most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
