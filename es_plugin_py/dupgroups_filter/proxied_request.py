"""Requests, read as far as necessary: writes up to a size as a whole, all else as it streams."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from multidict import CIMultiDict

from dupgroups_es.acknowledged import Sent
from dupgroups_es.bulk_lines import MAX_LINE_BYTES
from dupgroups_filter.filter_metrics import Metrics
from dupgroups_filter.requests import Write
from dupgroups_filter.upstream import Body, end_to_end

CONTINUE = "100-continue"
# bytes of a bulk that are read before the first is sent; longer ones are streamed
MAX_WHOLE_BYTES = 1_000_000
IN_FLIGHT = 48_000_000  # bytes of all requests that are kept; what comes beyond goes on unsigned


@dataclass(slots=True)
class ProxiedRequest:
    """A request on its way to the cluster. `write` is None for what goes on as it came."""

    write: Write | None
    target: str
    headers: CIMultiDict[str]
    body: Body = None
    kept: int = 0  # bytes
    sent: list[Sent] = field(default_factory=list)  # what was sent, in order, for the grouper
    is_signed: bool = False
    is_complete: bool = True  # else the answer has items of which nothing is known here

    @property
    def is_gzip(self) -> bool:
        """Whether the body is compressed."""
        return self.headers.get("Content-Encoding", "").lower() == "gzip"


class RequestReader:
    """Takes requests in, and bounds what is kept of all of them."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._kept = 0

    @asynccontextmanager
    async def read(self, request: web.BaseRequest, write: Write | None) -> AsyncIterator[ProxiedRequest]:
        """The request, kept for as long as the block lasts. What cannot be read, or kept, is no write."""
        proxied = ProxiedRequest(write, request.raw_path, end_to_end(request.headers, ["Host", "Expect"]))
        try:
            await self._fill(proxied, request)
            yield proxied
        finally:
            self._kept -= proxied.kept

    async def _fill(self, proxied: ProxiedRequest, request: web.BaseRequest) -> None:
        kind = proxied.headers.get("Content-Type", "json").lower()
        encoding = proxied.headers.get("Content-Encoding", "").lower()
        if proxied.write and not (
            ("json" in kind or proxied.write.kind == "delete") and encoding in ("", "identity", "gzip")
        ):
            self._metrics.document("unreadable")
            proxied.write = None
        chunks: list[bytes] = []
        if not request.body_exists:
            return
        if proxied.write and await self._read(request, proxied, chunks):
            proxied.body = b"".join(chunks)
            return
        proxied.body = _stream(chunks, request)
        if proxied.write and (proxied.write.kind != "bulk" or self._kept > IN_FLIGHT):
            self._metrics.document("unsigned")
            proxied.write = None

    async def _read(self, request: web.BaseRequest, proxied: ProxiedRequest, chunks: list[bytes]) -> bool:
        """Read the first bytes of a body, and return whether they are all."""
        most = MAX_WHOLE_BYTES if proxied.write and proxied.write.kind == "bulk" else MAX_LINE_BYTES
        _send_continue(request)
        async for chunk in request.content.iter_any():
            chunks.append(chunk)
            proxied.kept += len(chunk)
            self._kept += len(chunk)
            if proxied.kept > most or self._kept > IN_FLIGHT:
                return False
        return True


async def _stream(before: Sequence[bytes], request: web.BaseRequest) -> AsyncIterator[bytes]:
    if not before:
        _send_continue(request)
    for chunk in before:
        yield chunk
    async for chunk in request.content.iter_any():
        yield chunk


def _send_continue(request: web.BaseRequest) -> None:
    """A client that asked whether its body is welcome gets its answer before it sends it."""
    if request.headers.get("Expect", "").lower() == CONTINUE and request.transport:
        request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
