"""Work spread over processes that each build what they work with once.

A process that dies (killed, out of memory) loses nothing: what was handed to it is done in this process, and
others take its place.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cached_property, lru_cache
from itertools import chain, islice
from types import ModuleType, TracebackType
from typing import Any, Generic, TypeVar

MAX_QUEUED_CHUNKS = 32  # chunks handed out before the first has to come back
MIN_PARALLEL_ITEMS = 256  # items for which starting processes costs more than it gains
MAX_DEATHS = 3  # of processes, after which the work is done in this one
MAX_MANAGER_SECONDS = 10  # that the thread of a pool may take to see that its processes were killed

Tool = TypeVar("Tool", covariant=True)
Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
Item = TypeVar("Item")

_hiding = threading.Lock()  # of the main module
log = logging.getLogger(__name__)


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool(Generic[Tool]):
    """Processes that each hold one `make(given)`, as many as there are cores by default; with one process
    the work is done in this one.

    They end with this process, however it ends. They do not import the main module, so a script needs no
    `if __name__ == "__main__"`.
    """

    def __init__(self, processes: int | None, make: Callable[[Any], Tool], given: Any) -> None:
        self._processes = processes or cores()
        self._make = make
        self._given = given
        self._deaths = 0
        self._lock = threading.Lock()
        self._executor = self._start_executor() if self._processes > 1 else None

    @classmethod
    @contextmanager
    def for_items(
        cls, items: Iterable[Item], processes: int | None, make: Callable[[Any], Tool], given: Any
    ) -> Iterator[tuple[Pool[Tool], Iterator[Item]]]:
        """A pool, and the items for it: few of them stay in this process unless a number is given."""
        iterator = iter(items)
        head = list(islice(iterator, MIN_PARALLEL_ITEMS))
        few = processes is None and len(head) < MIN_PARALLEL_ITEMS
        with cls(1 if few else processes, make, given) as pool:
            yield pool, chain(head, iterator)

    def map(self, function: Callable[[Tool, Chunk], Result], chunks: Iterable[Chunk]) -> Iterator[Result]:
        """The results of `function` for each chunk, in order; never more than a few chunks at a time in
        memory."""
        if self._executor is None:
            yield from (function(self._tool, chunk) for chunk in chunks)
            return
        waiting: deque[tuple[Chunk, Future[Result]]] = deque()
        for chunk in chunks:
            waiting.append((chunk, self.submit(function, chunk)))
            if len(waiting) > MAX_QUEUED_CHUNKS:
                yield self._result(function, *waiting.popleft())
        while waiting:
            yield self._result(function, *waiting.popleft())

    def submit(self, function: Callable[[Tool, Chunk], Result], chunk: Chunk) -> Future[Result]:
        """The future result of a process for a chunk.

        The future raises BrokenProcessPool if a process died meanwhile: it is to be done in this one then.
        """
        with self._lock:
            for _ in range(2):
                try:
                    if self._executor:
                        with _ignore_interrupts(), _without_main():  # it may start a process
                            return self._executor.submit(_in_worker, self._recipe, function, chunk)
                except BrokenProcessPool:
                    self._replace()
        refused: Future[Result] = Future()
        refused.set_exception(BrokenProcessPool("too many processes died"))
        return refused

    def close(self) -> None:
        """End the processes: what they have begun is finished, what waits is not."""
        if self._executor:
            self._executor.shutdown(cancel_futures=True)

    def __enter__(self) -> Pool[Tool]:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if kind is None:
            self.close()
        elif self._executor:  # nobody waits for results, and processes that died may be waited for for ever
            executor: Any = self._executor
            workers = [*executor._processes.values()]
            manager = executor._executor_manager_thread
            calls = executor._call_queue
            results = executor._result_queue
            executor.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.kill()
            results._writer.close()  # or the rest of a result that one of them was writing is waited for
            if sys.version_info < (3, 11, 5):  # which writes to it for ever (gh-94777)
                calls._reader.close()
            if manager:  # which would close its pipe while the interpreter, ending, writes to it
                manager.join(MAX_MANAGER_SECONDS)

    @cached_property
    def _tool(self) -> Tool:
        return self._make(self._given)

    @cached_property
    def _recipe(self) -> bytes:
        return pickle.dumps((self._make, self._given))

    def _start_executor(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._processes, mp_context=context, initializer=_end_with_parent)

    def _replace(self) -> None:
        """Put other processes in the place of those of which one died."""
        self._deaths += 1
        self._executor = self._start_executor() if self._deaths < MAX_DEATHS else None
        then = "another one takes its place" if self._executor else "the work goes on in this process"
        log.warning("A worker process died: %s", then)

    def _result(
        self, function: Callable[[Tool, Chunk], Result], chunk: Chunk, future: Future[Result]
    ) -> Result:
        try:
            return future.result()
        except BrokenProcessPool:
            return function(self._tool, chunk)


def _in_worker(recipe: bytes, function: Callable[[Any, Chunk], Result], chunk: Chunk) -> Result:
    return function(_make_tool(recipe), chunk)


@lru_cache(maxsize=1)
def _make_tool(recipe: bytes) -> Any:
    make, given = pickle.loads(recipe)  # noqa: S301 - from our own parent process
    return make(given)


def _end_with_parent() -> None:
    """In a worker: do not outlive a parent that was killed, which could not say that it is over."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})  # which ends it

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Processes started meanwhile never see Ctrl+C: this one ends them. SIGTERM waits until they run."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Iterator[None]:
    """Processes started meanwhile do not import the main module: a script that crawls would crawl in each."""
    with _hiding:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main
