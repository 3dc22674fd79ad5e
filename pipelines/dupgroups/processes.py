"""Work spread over processes that each build what they work with once."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cached_property, lru_cache
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, Generic, TypeVar

AHEAD = 32  # chunks handed out before the first has to come back
FEW = 256  # items for which starting processes costs more than it gains

Tool = TypeVar("Tool")
Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
Item = TypeVar("Item")


class Pool(Generic[Tool]):
    """Processes that each hold one `make(given)`; without an executor the work is done in this process."""

    def __init__(self, executor: ProcessPoolExecutor | None, make: Callable[[Any], Tool], given: Any) -> None:
        self._executor = executor
        self._make = make
        self._given = given

    @classmethod
    def here(cls, make: Callable[[Any], Tool], given: Any) -> Pool[Tool]:
        """No other process: the work is done in this one."""
        return cls(None, make, given)

    @classmethod
    @contextmanager
    def of(cls, processes: int | None, make: Callable[[Any], Tool], given: Any) -> Iterator[Pool[Tool]]:
        """A pool of fresh processes, as many as there are cores by default; 1 stays in this process."""
        wanted = processes or os.cpu_count() or 1
        if wanted == 1:
            yield cls.here(make, given)
            return
        with ProcessPoolExecutor(wanted, mp_context=get_context("spawn")) as executor:
            yield cls(executor, make, given)

    @classmethod
    @contextmanager
    def for_items(
        cls, items: Iterable[Item], processes: int | None, make: Callable[[Any], Tool], given: Any
    ) -> Iterator[tuple[Pool[Tool], Iterator[Item]]]:
        """A pool, and the items for it: few of them stay in this process unless a number is given."""
        iterator = iter(items)
        head = list(islice(iterator, FEW))
        with cls.of(1 if processes is None and len(head) < FEW else processes, make, given) as pool:
            yield pool, chain(head, iterator)

    @cached_property
    def _tool(self) -> Tool:
        return self._make(self._given)

    def map(self, function: Callable[[Tool, Chunk], Result], chunks: Iterable[Chunk]) -> Iterator[Result]:
        """What `function` makes of each chunk, in order; never more than a few chunks at a time in memory."""
        if self._executor is None:
            yield from (function(self._tool, chunk) for chunk in chunks)
            return
        recipe = pickle.dumps((self._make, self._given))
        waiting: deque[Future[Result]] = deque()
        for chunk in chunks:
            with _uninterrupted():  # it may start a process
                waiting.append(self._executor.submit(_in_worker, recipe, function, chunk))
            if len(waiting) > AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _in_worker(recipe: bytes, function: Callable[[Any, Chunk], Result], chunk: Chunk) -> Result:
    return function(_made(recipe), chunk)


@lru_cache(maxsize=1)
def _made(recipe: bytes) -> Any:
    make, given = pickle.loads(recipe)  # noqa: S301 - from our own parent process
    return make(given)


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
