"""Between the event loop and the store: gather pages into batches, store each batch in one worker thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from dupgroups.intake import Ending, Intake, Signed

TICK = 0.01  # seconds between two looks at the event loop's clock


@dataclass
class Batches:
    """Gathers signed pages and hands them to the store: by count, by size, or when the first has waited.

    All methods belong to the event loop; batches are stored one after another, in order, counted in `stored`.
    """

    intake: Intake
    thread: ThreadPoolExecutor
    items: int
    size: int
    seconds: float
    stored: int = 0
    _waiting_size: int = 0
    _waiting: list[tuple[Signed, asyncio.Future[Ending]]] = field(default_factory=list)
    _timer: asyncio.TimerHandle | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def add(self, signed: Signed) -> Ending:
        """Put a page into the next batch and wait for what became of it; raises what storing it raises."""
        loop = asyncio.get_running_loop()
        ending: asyncio.Future[Ending] = loop.create_future()
        self._waiting.append((signed, ending))
        self._waiting_size += signed.size
        if len(self._waiting) >= self.items or self._waiting_size >= self.size:
            self.flush()
        elif self._timer is None:
            self._timer = loop.call_later(self.seconds, self.flush)
        return await ending

    def flush(self) -> None:
        """Hand over what is waiting, now."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._waiting:
            task = asyncio.get_running_loop().create_task(self._store(self._waiting))
            self._tasks.add(task)  # the loop itself holds tasks weakly
            task.add_done_callback(self._tasks.discard)
            self._waiting, self._waiting_size = [], 0

    async def _store(self, batch: Sequence[tuple[Signed, asyncio.Future[Ending]]]) -> None:
        loop = asyncio.get_running_loop()
        pages = [signed for signed, _ in batch]
        try:
            endings = await loop.run_in_executor(self.thread, self.intake.add, pages)
        except Exception as error:  # a defect of ours: those who wait must not wait for ever
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        self.stored += 1
        for (_, future), ending in zip(batch, endings, strict=True):
            if not future.done():
                future.set_result(ending)


class LoopWatch:
    """Measures how late the event loop comes back to a timer.

    `worst` (seconds) is the longest delay, whatever the reason; `held` the longest part of a delay in which
    the loop's own thread did not run: other threads (ours) or the machine held it up, not its callbacks.
    """

    def __init__(self) -> None:
        self.worst = self.held = 0.0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin; needs a running loop."""
        self._task = asyncio.get_running_loop().create_task(self._watch())

    def stop(self) -> None:
        """End; what was measured stays."""
        if self._task:
            self._task.cancel()

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due, used = loop.time() + TICK, time.thread_time()
            await asyncio.sleep(TICK)
            late = loop.time() - due
            self.worst = max(self.worst, late)
            self.held = max(self.held, late - (time.thread_time() - used))
