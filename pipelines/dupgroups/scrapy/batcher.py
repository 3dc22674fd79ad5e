"""Between the event loop and the store: collect pages in batches, and store them in a worker thread."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from dupgroups.flow.ingest import Ingestor, ItemResult, Signed


@dataclass
class Batcher:
    """Collects signed pages and stores them in batches, limited by number, size and waiting time.

    All methods must be called in the event loop. Batches are stored one after another, in order; `stored`
    counts them.
    """

    ingestor: Ingestor
    thread: ThreadPoolExecutor
    items: int
    size: int
    seconds: float
    stored: int = 0
    _waiting_size: int = 0
    _waiting: list[tuple[Signed, asyncio.Future[ItemResult]]] = field(default_factory=list)
    _timer: asyncio.TimerHandle | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def add(self, signed: Signed) -> asyncio.Future[ItemResult]:
        """Add a page to the next batch; what becomes of it is known, or raised, when that is stored."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[ItemResult] = loop.create_future()
        self._waiting.append((signed, result))
        self._waiting_size += signed.size
        if len(self._waiting) >= self.items or self._waiting_size >= self.size:
            self.flush()
        elif self._timer is None:
            self._timer = loop.call_later(self.seconds, self.flush)
        return result

    def flush(self) -> None:
        """Store the waiting pages now."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._waiting:
            task = asyncio.get_running_loop().create_task(self._store(self._waiting))
            self._tasks.add(task)  # the loop has only weak references to tasks
            task.add_done_callback(self._tasks.discard)
            self._waiting = []
            self._waiting_size = 0

    async def _store(self, batch: Sequence[tuple[Signed, asyncio.Future[ItemResult]]]) -> None:
        loop = asyncio.get_running_loop()
        pages = [signed for signed, _ in batch]
        try:
            results = await loop.run_in_executor(self.thread, self.ingestor.add, pages)
        except Exception as error:  # a bug of ours: the waiting callers must not wait for ever
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        self.stored += 1
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():
                future.set_result(result)
