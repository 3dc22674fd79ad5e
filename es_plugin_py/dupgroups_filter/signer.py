"""Signs the texts that pass: pure work. Requests that arrive together are signed together."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from dupgroups.model import Page, Record
from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields
from dupgroups_es.document_signer import DocumentSigner

INLINE_CHARS = 20_000  # characters that are signed without leaving the event loop: some 5 ms
MAX_PENDING_CHARS = 700_000  # characters that may wait, for some 150 ms; what comes then goes on unsigned
MAX_QUEUED_REQUESTS = 32  # requests that may wait to be signed; what comes then goes on unsigned, too
FEW_REQUESTS = 8  # requests under way; where there are more, signing them together costs each half as much
GATHER_SECONDS = 0.005  # seconds in which texts are gathered then
MAX_LATE_SECONDS = 0.05  # seconds that the event loop may be late; then documents go on unsigned, too


class SharedSigner(DocumentSigner):
    """A signer for all requests of one event loop; what it cannot keep up with is not signed."""

    def __init__(self, fields: Fields, config: Config) -> None:
        super().__init__(fields, config)
        self._requests = 0  # that write, and are under way
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="sign")
        self._waiting: list[tuple[Sequence[Page], asyncio.Future[list[Record | None]]]] = []
        self._pending = self._queue = 0
        self._lateness = 0.0

    @contextmanager
    def count_request(self) -> Iterator[None]:
        """Count a request that writes for as long as the block lasts: where there are many, more is signed
        together.
        """
        self._requests += 1
        try:
            yield
        finally:
            self._requests -= 1

    async def sign_unless_busy(self, pages: Sequence[Page]) -> list[Record | None]:
        """See `records`; only None if there is too much to sign already."""
        if not pages:
            return []
        size = sum(len(page.html or page.text or "") for page in pages)
        if (
            self._lateness > MAX_LATE_SECONDS
            or self._queue >= MAX_QUEUED_REQUESTS
            or self._pending > MAX_PENDING_CHARS
        ):
            return [None] * len(pages)
        self._pending += size
        self._queue += 1
        try:
            if size > INLINE_CHARS:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._threads, self.records, pages)
            return await self._gather(pages)
        finally:
            self._pending -= size
            self._queue -= 1

    def _gather(self, pages: Sequence[Page]) -> asyncio.Future[list[Record | None]]:
        """Signed with whatever else comes in this turn of the event loop, or soon."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        if not self._waiting:
            loop.call_later(GATHER_SECONDS if self._requests > FEW_REQUESTS else 0, self._sign_waiting)
        self._waiting.append((pages, future))
        return future

    def _sign_waiting(self) -> None:
        """Sign the pages of this turn, up to INLINE_CHARS; the rest in the next one, so that others have
        theirs."""
        size, now = 0, []
        while self._waiting and size < INLINE_CHARS:
            now.append(self._waiting.pop(0))
            size += sum(len(page.html or page.text or "") for page in now[-1][0])
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._sign_waiting)
        records = iter(self.records([page for pages, _ in now for page in pages]))
        for pages, future in now:
            signed = [next(records) for _ in pages]
            if not future.done():  # its request was cancelled
                future.set_result(signed)

    async def watch(self) -> None:
        """For ever: see how late the event loop is."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(MAX_LATE_SECONDS)
            self._lateness = time.monotonic() - before - MAX_LATE_SECONDS
