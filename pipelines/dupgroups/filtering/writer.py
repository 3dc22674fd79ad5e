"""Carries filtered requests out one after another, in one worker thread, with patience."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from dupgroups.engines import EngineURL
from dupgroups.errors import ConfigError, DupGroupsError, MissingIndexError
from dupgroups.filtering.answers import refused
from dupgroups.filtering.batch import Batch, Call
from dupgroups.filtering.heart import Heart
from dupgroups.filtering.metrics import Metrics
from dupgroups.filtering.operations import Operation
from dupgroups.filtering.options import Options
from dupgroups.filtering.ticket import Ticket

MOST = 5_000  # writes after which groups are settled, however busy the filter is
SETTLING = 30.0  # seconds that writes wait for that, and for what was missed to be grouped
OPENING = 5.0  # seconds that the first write into an index waits at least
AGAIN = 5.0  # seconds until an index that cannot be used is tried again

UNAVAILABLE = {
    "type": "dup_groups_unavailable_exception",
    "reason": "the groups of this document cannot be looked up now: try again later",
}

T = TypeVar("T")

log = logging.getLogger(__name__)


class Writer:
    """Groups what is written into one index. Its methods run in the event loop unless they say otherwise."""

    def __init__(self, options: Options, metrics: Metrics, url: EngineURL) -> None:
        self._options = options
        self._metrics = metrics
        self._url = url
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="groups")
        self._turn = asyncio.Lock()
        self._passing = ThreadPoolExecutor(64, thread_name_prefix="passing")
        self._late: asyncio.Future[Any] | None = None  # what the worker is still busy with
        self._late_until = 0.0  # until then a request waits for that
        self._left: set[str] = set()  # documents that lost their group while none could be looked up
        self._heart: Heart | None = None
        self._is_outdated = False
        self._problem: DupGroupsError | None = None
        self._problem_since = -AGAIN
        self._has_missed = False  # something was written before there was an index
        self._unsettled = 0
        self._in_hand = 0  # requests that are not answered yet
        self._latest = time.monotonic()

    # -- the index

    async def open(self) -> None:
        """Open the index. Raises ConfigError for one that cannot be filtered; what may be cured later, as a
        missing index or a server that is down, is tried again at every write.
        """
        try:
            await self._run(self._opened)
        except MissingIndexError as error:
            log.warning("%s: documents have no groups until there is one", error)
        except ConfigError:
            raise
        except DupGroupsError as error:
            log.warning("%s", error)

    def outdate(self) -> None:
        """The name may stand for another index from now on."""
        self._is_outdated = True

    def is_ours(self, operation: Operation) -> bool:
        """Whether an operation writes into the index."""
        return operation.home == self._url.path

    @property
    def problem(self) -> str:
        """Why documents have no groups now, in a sentence; "" if they have."""
        return str(self._problem or "")

    @property
    def idle(self) -> float:
        """Seconds since the last write, once it is answered and settled; 0 before."""
        is_busy = self._unsettled or self._in_hand or self._turn.locked()
        return 0.0 if is_busy else time.monotonic() - self._latest

    def _opened(self) -> Heart:
        """In the worker: the index as it is now. Raises DupGroupsError."""
        if self._is_outdated and self._heart:
            self._is_outdated = False
            self._heart.close()
            self._heart = None
        if self._heart is None:
            if self._problem and time.monotonic() - self._problem_since < AGAIN and not self._is_outdated:
                raise self._problem
            self._heart = self._open()
        return self._heart

    def _open(self) -> Heart:
        self._is_outdated = False
        try:
            heart = Heart(self._url, self._options.fields, self._options.config)
        except DupGroupsError as error:
            self._problem, self._problem_since = error, time.monotonic()
            raise
        self._problem = None
        if self._has_missed:
            self._has_missed = False
            _catch_up(heart)
        return heart

    # -- writing

    def carry_out(self, operations: Sequence[Operation], call: Call) -> Awaitable[Batch]:
        """Write with groups where that is possible in time; every operation is answered afterwards.

        It begins at once, so that the index is not idle before the answer is waited for.
        """
        self._in_hand += 1
        work = asyncio.ensure_future(self._carried_out(operations, call))
        work.add_done_callback(self._note_done)
        return work

    def _note_done(self, work: asyncio.Future[Batch]) -> None:
        self._in_hand -= 1

    async def _carried_out(self, operations: Sequence[Operation], call: Call) -> Batch:
        batch = Batch([*operations], call, Ticket(self._options.patience))
        async with self._turn:
            state = await self._grouped(batch)
        if state and not batch.ticket.is_claimed:
            batch = Batch([*operations], call, Ticket(self._options.patience))
        if state:
            self._give_up(batch, state)
        if batch.left:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._passing, batch.pass_on, batch.left)
        if state == "no_index":
            self._note_missed(batch)
        self._unsettled += len(operations)
        self._latest = time.monotonic()
        self._metrics.documents(batch.states.values())
        return batch

    def _note_missed(self, batch: Batch) -> None:
        """The server may have made the index by the write itself: look at the next write, or when quiet."""
        if any("error" not in item for item in batch.items.values()):
            self._has_missed, self._problem_since = True, -AGAIN

    async def _grouped(self, batch: Batch) -> str:
        """Let the worker do it; "" if it did, else what becomes of the documents that are not answered."""
        if not await self._is_free() or not await self._is_open():
            return "late"
        batch.ticket = Ticket(self._options.patience)
        loop, answered = asyncio.get_running_loop(), asyncio.Event()

        def note_answered() -> None:
            loop.call_soon_threadsafe(answered.set)

        batch.when_answered = note_answered
        work = loop.run_in_executor(self._worker, lambda: self._opened().run(batch))
        if await self._gave_up(work, answered, batch.ticket):
            return "late"
        if not work.done():  # it only mends groups
            self._leave(work, self._options.patience)
            return ""
        return self._state_of(work.exception(), batch)

    async def _gave_up(self, work: asyncio.Future[None], answered: asyncio.Event, ticket: Ticket) -> bool:
        """Wait for the worker; whether that took too long before it sent anything."""
        waiter: asyncio.Future[Any] = asyncio.ensure_future(answered.wait())
        try:
            while not work.done() and not answered.is_set():
                timeout = None if ticket.is_claimed else max(ticket.left, 0.001)
                waited: tuple[asyncio.Future[Any], ...] = (work, waiter)
                await asyncio.wait(waited, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
                if not work.done() and ticket.left <= 0 and ticket.give_up():
                    self._leave(work)
                    return True
        finally:
            waiter.cancel()
        return False

    async def _is_free(self) -> bool:
        """Whether the worker has done with what came before."""
        if self._late and not self._late.done():
            await asyncio.wait({self._late}, timeout=max(0.0, self._late_until - time.monotonic()))
        return self._late is None or self._late.done()

    async def _is_open(self) -> bool:
        """Whether the index was opened, or cannot be, in time."""
        if self._heart and not self._is_outdated:
            return True
        shortest = SETTLING if self._has_missed else OPENING
        work = await self._within(max(shortest, self._options.patience), self._opened)
        if work.done():
            work.exception()  # which is met again, at once, when the request is carried out
        return work.done()

    def _leave(self, work: asyncio.Future[Any], patience: float = 0.0) -> None:
        """Wait no longer for the worker; the next request may, for so many seconds."""
        self._late, self._late_until = work, time.monotonic() + patience
        work.add_done_callback(_log_failure)

    async def _within(self, seconds: float, function: Callable[[], Any]) -> asyncio.Future[Any]:
        """What the worker does, done or left to itself after so many seconds."""
        work = asyncio.get_running_loop().run_in_executor(self._worker, function)
        await asyncio.wait({work}, timeout=seconds)
        if not work.done():
            self._leave(work)
        return work

    def _state_of(self, error: BaseException | None, batch: Batch) -> str:
        if error is None:
            return ""
        if isinstance(error, DupGroupsError):
            log.warning("%d documents are written without groups: %s", len(batch.left), error)
        else:
            log.error("%d documents are written without groups", len(batch.left), exc_info=error)
        return "no_index" if isinstance(error, MissingIndexError) else "failed"

    def _give_up(self, batch: Batch, state: str) -> None:
        """What is not answered gets no groups; with `strict` it is not written then."""
        for place in batch.left:
            operation = batch.operations[place]
            if self.is_ours(operation) and operation.id and operation.action in ("index", "delete"):
                self._left.add(operation.id)
            if not self._wants_group(operation):
                continue
            batch.states[place] = "unavailable" if self._options.strict else state
            if self._options.strict:
                batch.items[place] = refused(operation, 503, UNAVAILABLE)

    def _wants_group(self, operation: Operation) -> bool:
        if not self.is_ours(operation):
            return False
        return self._heart.wants_group(operation) if self._heart else operation.action != "delete"

    # -- settling

    async def settle_if_due(self) -> None:
        """Settle if nothing was written for a while, or very much."""
        is_quiet = time.monotonic() - self._latest >= self._options.quiet
        if self._unsettled and (is_quiet or self._unsettled >= MOST):
            await self.settle()

    async def settle(self) -> None:
        """Look again at what others wrote, and at what went wrong; failures are tried again later."""
        async with self._turn:
            if not await self._is_free():
                return
            written, self._unsettled = self._unsettled, 0
            left, self._left = self._left, set()
            work = await self._within(SETTLING, lambda: self._opened().settle(sorted(left)))
            error = work.exception() if work.done() else None
            if error is None:
                self._metrics.settled.inc()
            elif not isinstance(error, MissingIndexError):
                self._unsettled, self._latest, self._left = written, time.monotonic(), self._left | left
                log.warning("Groups are settled later: %s", error)

    async def close(self) -> None:
        """Settle, and close the connections. Nothing may be written any longer."""
        if self._unsettled:
            await self.settle()
        if self._heart:
            await self._run(self._heart.close)
        self._worker.shutdown(wait=False)
        self._passing.shutdown(wait=False)

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)


def _catch_up(heart: Heart) -> None:
    """What comes now is grouped, whether or not what came before can be."""
    try:
        heart.catch_up()
    except DupGroupsError as error:
        log.warning("What was written before there was an index is left to `dup-groups backfill`: %s", error)


def _log_failure(work: asyncio.Future[Any]) -> None:
    error = None if work.cancelled() else work.exception()
    if error and not isinstance(error, MissingIndexError):
        log.warning("Groups are settled later: %s", error)
