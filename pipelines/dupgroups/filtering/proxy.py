"""The server: it passes requests on, and lets the writer carry out those that write into the index."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Sequence

from aiohttp import ClientError, web
from multidict import CIMultiDict

from dupgroups.filtering.answers import (
    ANSWER_PARAMETERS,
    Item,
    Reply,
    bulk_reply,
    document_item,
    error_reply,
    items_of,
    shown,
)
from dupgroups.filtering.batch import Batch, Call
from dupgroups.filtering.metrics import CONTENT_TYPE, Metrics
from dupgroups.filtering.operations import (
    Change,
    Operation,
    UnreadableError,
    bulk_lines,
    changed_source,
    parse_bulk,
    single,
    version_parameters,
)
from dupgroups.filtering.targets import Write, changed_target, changes_indices, write_of
from dupgroups.filtering.upstream import Upstream, end_to_end, no_answer
from dupgroups.filtering.writers import Writers

OURS = "/_dup_groups/"
BODY_HEADERS = ("Content-Length", "Content-Encoding", "Expect")
SMALL = 65_536  # bytes of a body that is parsed at once


class TooLargeError(Exception):
    """A body is larger than the filter keeps."""


class Proxy:
    """Handles requests to one cluster."""

    def __init__(self, upstream: Upstream, writers: Writers, metrics: Metrics, max_body: int) -> None:
        self._upstream = upstream
        self._writers = writers
        self._metrics = metrics
        self._max_body = max_body

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request."""
        target = request.raw_path
        if target.startswith(OURS):
            return self._about(target.partition("?")[0])
        write = write_of(request.method, target)
        if write is not None:
            await self._writers.renew()
        if write is None or not self._may_be_ours(write):
            return await self._pass(request)
        if not _is_readable(request, write):
            self._metrics.documents(["unreadable"])
            return await self._pass(request)
        return await self._filter(request, write)

    def _about(self, path: str) -> web.Response:
        if path == f"{OURS}metrics":
            return web.Response(body=self._metrics.text(), headers={"Content-Type": CONTENT_TYPE})
        if path == f"{OURS}health":
            problem = self._writers.problem
            answer = {"status": "yellow" if problem else "green", "problem": problem or None}
            return web.json_response(answer)
        return web.json_response({"error": f"there are {OURS}health and {OURS}metrics"}, status=404)

    def _may_be_ours(self, write: Write) -> bool:
        return write.kind == "bulk" or self._writers.covers(write.index)

    # -- passing

    async def _pass(self, request: web.BaseRequest) -> web.StreamResponse:
        """Stream a request to the cluster, and its answer back."""
        self._metrics.request("passed")
        body = request.content if request.body_exists else None
        if body is not None:
            await _encourage(request)
        headers = end_to_end(request.headers, ["Host", "Expect"])
        try:
            answer = await self._upstream.send(request.method, request.raw_path, headers, body)
        except (ClientError, OSError) as error:
            return await _send(request, no_answer(error))
        if changes_indices(request.method, request.raw_path):
            self._writers.outdate()
        async with answer:
            response = web.StreamResponse(
                status=answer.status, reason=answer.reason, headers=end_to_end(answer.headers)
            )
            await response.prepare(request)
            try:
                async for chunk in answer.content.iter_any():
                    await response.write(chunk)
            except ClientError:  # the client has to see that its answer is cut
                if request.transport:
                    request.transport.abort()
                raise
            await response.write_eof()
        return response

    # -- filtering

    async def _filter(self, request: web.BaseRequest, write: Write) -> web.StreamResponse:
        try:
            body = await self._body(request)
        except TooLargeError:
            reason = f"the body is larger than the {self._max_body} bytes of --max-body: send less at once"
            return await _send(request, error_reply(413, "content_too_long_exception", reason))
        except UnreadableError as error:
            return await _send(request, error_reply(400, "parse_exception", str(error)))
        try:
            operations = await self._operations(body, write)
        except UnreadableError:
            self._metrics.documents(["unreadable"])
            return await self._pass_body(request, body)
        if not any(self._writers.covers(operation.index) for operation in operations):
            return await self._pass_body(request, body)
        return await self._carry_out(request, write, operations)

    async def _carry_out(
        self, request: web.BaseRequest, write: Write, operations: Sequence[Operation]
    ) -> web.StreamResponse:
        self._metrics.request("filtered")
        began = time.monotonic()
        with self._metrics.waiting.track_inprogress(), self._metrics.seconds.time():
            batch = await self._writers.carry_out(operations, self._call(request, write))
        reply = _reply(batch, write, round(1000 * (time.monotonic() - began)))
        return await _send(request, reply)

    def _call(self, request: web.BaseRequest, write: Write) -> Call:
        """Sends operations in the name of this client, from any thread."""
        loop = asyncio.get_running_loop()
        headers = end_to_end(request.headers, ["Host", "Accept-Encoding", *BODY_HEADERS])
        form = _bulk_form if write.kind == "bulk" else _document_form
        target = changed_target(request.raw_path, without=ANSWER_PARAMETERS)

        def call(parts: Sequence[tuple[Operation, Change]]) -> tuple[Reply, Sequence[Item] | None]:
            place, body = form(target, parts)
            sending = self._upstream.post(request.method, place, headers, body)
            reply = asyncio.run_coroutine_threadsafe(sending, loop).result()
            if write.kind == "bulk":
                return reply, items_of(reply, [operation for operation, _ in parts])
            item = document_item(reply)
            return reply, None if item is None else [item]

        return call

    async def _pass_body(self, request: web.BaseRequest, body: bytes) -> web.StreamResponse:
        """Send on what was read."""
        self._metrics.request("passed")
        headers = end_to_end(request.headers, ["Host", "Accept-Encoding", *BODY_HEADERS])
        return await _send(
            request, await self._upstream.post(request.method, request.raw_path, headers, body)
        )

    async def _operations(self, body: bytes, write: Write) -> Sequence[Operation]:
        if write.kind != "bulk":
            return [single(body, write)]
        if len(body) <= SMALL:
            return parse_bulk(body, write)
        return await asyncio.to_thread(parse_bulk, body, write)

    async def _body(self, request: web.BaseRequest) -> bytes:
        """All of the body, decompressed. Raises TooLargeError, UnreadableError."""
        if (request.content_length or 0) > self._max_body:
            raise TooLargeError
        if request.body_exists:
            await _encourage(request)
        read = _Decoded(self._max_body, request.headers.get("Content-Encoding", ""))
        async for chunk in request.content.iter_any():
            read.add(chunk)
        return read.finish()


class _Decoded:
    """A body that arrives in pieces."""

    def __init__(self, most: int, encoding: str) -> None:
        self._most = most
        self._inflate = zlib.decompressobj(31) if encoding.lower() == "gzip" else None
        self._body = bytearray()

    def add(self, chunk: bytes) -> None:
        room = self._most - len(self._body) + 1
        try:
            self._body += self._inflate.decompress(chunk, room) if self._inflate else chunk
        except zlib.error:
            raise UnreadableError("the body is not gzip, as its Content-Encoding says") from None
        if len(self._body) > self._most:
            raise TooLargeError

    def finish(self) -> bytes:
        if self._inflate and not self._inflate.eof:
            raise UnreadableError("the gzip body is cut")
        return bytes(self._body)


def _is_readable(request: web.BaseRequest, write: Write) -> bool:
    """Whether the filter can read a request, and write an answer as it is wanted."""
    kind = request.headers.get("Content-Type", "json").lower()
    encoding = request.headers.get("Content-Encoding", "").lower()
    accepts = request.headers.get("Accept", "json").lower()
    return (
        ("json" in kind or write.kind == "delete")
        and encoding in ("", "identity", "gzip")
        and ("json" in accepts or "*" in accepts)
        and write.query.get("format", "json") == "json"
    )


def _bulk_form(target: str, parts: Sequence[tuple[Operation, Change]]) -> tuple[str, bytes]:
    return target, b"".join(bulk_lines(operation, change) for operation, change in parts)


def _document_form(target: str, parts: Sequence[tuple[Operation, Change]]) -> tuple[str, bytes]:
    ((operation, change),) = parts
    more: dict[str, str | int] = {**version_parameters(change.version)}
    without = ["retry_on_conflict"] if more else []
    if change.id is not None:
        more["op_type"], without = "create", ["op_type"]
    index = operation.home if operation.is_pinned else None
    without += ["require_alias"] if index else []  # it was one
    place = target
    if more or index:
        place = changed_target(target, index=index, id_=change.id, without=without, **more)
    return place, changed_source(operation, change).encode("utf-8", "surrogatepass")


def _reply(batch: Batch, write: Write, took: int) -> Reply:
    """What the client gets: the only answer of the cluster as it is, or one made of several."""
    items = [batch.items[place] for place in range(len(batch.operations))]
    if write.kind != "bulk":
        if not batch.replies:
            return error_reply(503, items[0]["error"]["type"], items[0]["error"]["reason"])
        return shown(batch.replies[-1], write.query)
    if batch.is_whole or (len(batch.replies) == 1 and batch.in_order):
        return shown(batch.replies[0], write.query)
    carried_out = [reply for reply in batch.replies if reply.status == 200]
    like = next(iter(carried_out), Reply(200, b"", [("Content-Type", "application/json")]))
    return bulk_reply(batch.operations, items, took, write.query, like)


async def _encourage(request: web.BaseRequest) -> None:
    """A client that asked whether its body is welcome gets its answer before it sends it."""
    if request.headers.get("Expect", "").lower() == "100-continue" and request.transport:
        request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")


async def _send(request: web.BaseRequest, reply: Reply) -> web.StreamResponse:
    headers = CIMultiDict(reply.headers)
    headers.popall("Content-Length", None)
    response = web.Response(status=reply.status, body=reply.body, headers=headers)
    await response.prepare(request)
    await response.write_eof()
    return response
