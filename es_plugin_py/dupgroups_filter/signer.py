"""Signs the texts that pass: pure work. Requests that arrive together are signed together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from dupgroups.config import Config
from dupgroups.engines.foreign import Fields, value_of
from dupgroups.errors import ConfigError
from dupgroups.model import Page, Record
from dupgroups.signing import PageSigner
from dupgroups_es.documents import record_source
from dupgroups_es.foreign import page_of
from dupgroups_es.source_text import with_fields
from dupgroups_filter.bulk import Operation

OURS = "dup_"  # how the names of our fields begin; clients may not set them
AT_ONCE = 20_000  # characters that are signed without leaving the event loop: some 5 ms
PENDING = 16_000_000  # characters that may wait to be signed; what comes then goes on unsigned
QUEUE = 64  # requests that may wait to be signed; what comes then goes on unsigned, too
LATE = 0.05  # seconds that the event loop may be late; then documents go on unsigned, too


class Signer:
    """Makes records of operations, and puts them into their texts."""

    def __init__(self, fields: Fields, config: Config) -> None:
        if config.hosts and config.hosts.live:
            raise ConfigError("a filter cannot learn templates of hosts: leave them out of --config")
        self._fields = replace(fields, group_by=config.group_by)
        self._signer = PageSigner(config)
        self._last = 0

    def has_text(self, document: Mapping[str, Any]) -> bool:
        """Whether a document has a text, or html."""
        return any(value_of(document, name) for name in (self._fields.text, self._fields.html) if name)

    def page(self, operation: Operation) -> Page:
        """What is signed of it."""
        return page_of({"_id": operation.id, "_source": operation.document}, self._fields)

    def records(self, pages: Sequence[Page]) -> list[Record | None]:
        """Records of documents that stand alone; None for one that reveals a bug of ours."""
        return [self._dated(document.record) if document else None for document in self._signer.sign(pages)]

    def _dated(self, record: Record) -> Record:
        self._last = max(self._last + 1, time.time_ns() // 1000)  # no two documents are of one age
        return replace(record, first_seen=self._last, last_seen=self._last, head=True)


def signed_bytes(operation: Operation, record: Record | None) -> bytes:
    """The lines of an operation as they are sent: with our fields, or without any that its client sent."""
    ours = [name for name in operation.document if name.startswith(OURS)]
    if record is None and not ours:
        return operation.line + operation.source
    fields = {} if record is None else record_source(record)
    try:
        text = with_fields(operation.text, fields, drop=ours)
    except ValueError:  # an object that Python reads and JSON does not allow: the cluster says so
        return operation.line + operation.source
    line = operation.line if record is None else operation.named()
    return line + text.encode("utf-8", "surrogatepass")


class SharedSigner(Signer):
    """A signer for all requests of one event loop; what it cannot keep up with is not signed."""

    def __init__(self, fields: Fields, config: Config) -> None:
        super().__init__(fields, config)
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="sign")
        self._waiting: list[tuple[Sequence[Page], asyncio.Future[list[Record | None]]]] = []
        self._pending = self._queue = 0
        self._lateness = 0.0

    async def signed(self, pages: Sequence[Page]) -> list[Record | None]:
        """See `records`; only None if there is too much to sign already."""
        size = sum(len(page.html or page.text or "") for page in pages)
        if self._lateness > LATE or self._queue >= QUEUE or self._pending + size > PENDING:
            return [None] * len(pages)
        self._pending += size
        self._queue += 1
        try:
            if size > AT_ONCE:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._threads, self.records, pages)
            return await self._gathered(pages)
        finally:
            self._pending -= size
            self._queue -= 1

    def _gathered(self, pages: Sequence[Page]) -> asyncio.Future[list[Record | None]]:
        """Signed with whatever else comes in this turn of the event loop."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        if not self._waiting:
            loop.call_soon(self._sign_waiting)
        self._waiting.append((pages, future))
        return future

    def _sign_waiting(self) -> None:
        """What came in this turn, up to AT_ONCE; the rest in the next one, so that others have theirs."""
        size, now = 0, []
        while self._waiting and size < AT_ONCE:
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
            await asyncio.sleep(LATE)
            self._lateness = time.monotonic() - before - LATE

    def close(self) -> None:
        """End the thread."""
        self._threads.shutdown(wait=False)
